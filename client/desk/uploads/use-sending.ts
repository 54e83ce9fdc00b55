import { useEffect, useRef, type FormEvent } from 'react'
import { useNavigation } from 'react-router'

/**
 * For a form of the desk: whether something is on its way, for its button, and a listener that lets
 * nothing follow what was just sent. The second press of a double click would send the page as it was
 * before the first one, and be told that the thing has changed since.
 */
export function useSending() {
  const { state, formMethod } = useNavigation()
  // A double click is faster than the drawing of what its first press began.
  const pressed = useRef(false)
  useEffect(() => {
    if (state === 'idle') pressed.current = false
  })
  return {
    busy: state !== 'idle' || undefined,
    onSubmit: (event: FormEvent) => {
      if (pressed.current || formMethod === 'POST') event.preventDefault()
      else pressed.current = true
    },
  }
}
