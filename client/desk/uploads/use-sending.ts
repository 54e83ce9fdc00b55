import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useNavigation } from 'react-router'
import { getSession } from '#shared/clients/clients.ts'
import { api, ApiError } from '../../api.ts'
import { post } from '../../forms/use-form.ts'

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

/** Milliseconds in which another press is taken for a double tap, on a phone that is busy, too. */
const doubleTap = 3000

/**
 * For a form with files, which the browser itself sends: a listener that asks first whether the server is
 * there, since an error page would take the place of text and files. No page hears that someone stopped
 * the sending, so a later press always sends again.
 * @param leave called right before the browser sends the form
 */
export function useBrowserSending(leave: () => void) {
  const [isUnreachable, setUnreachable] = useState(false)
  const pressedAt = useRef(-Infinity)
  const send = async (form: HTMLFormElement) => {
    setUnreachable(false)
    try {
      await api(getSession, {})
    } catch (error) {
      // What else is wrong the page says that answers the form.
      if (!(error instanceof ApiError) || error.status >= 500) {
        pressedAt.current = -Infinity
        setUnreachable(true)
        return
      }
    }
    leave()
    post(form)
  }
  return {
    isUnreachable,
    sendByBrowser(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (event.timeStamp - pressedAt.current < doubleTap) return
      pressedAt.current = event.timeStamp
      void send(event.currentTarget)
    },
  }
}
