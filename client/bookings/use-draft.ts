import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { NavigationType, useNavigationType } from 'react-router'
import type { Chosen } from './selection.ts'

/**
 * Lets our own messages speak where scripts run, and keeps what is entered in a booking form over a
 * reload and a step back. The code for that is loaded once the form works, since it's of no use before.
 * @param options `isRefused` for a form that came back with its entries; `restore` takes service and
 *   dates that were chosen before
 * @returns for the form's `ref`
 */
export function useDraft({
  isRefused,
  restore,
}: {
  isRefused: boolean
  restore: (choice: Partial<Chosen>) => void
}): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const kept = useRef<{ save: () => void; stop: () => void } | null>(null)
  const isBack = useNavigationType() === NavigationType.Pop
  const begin = useEffectEvent(async (isOver: () => boolean) => {
    if (form.current) form.current.noValidate = true
    const { keepDraft } = await import('./draft.ts')
    if (isOver() || !form.current) return
    kept.current = keepDraft(form.current, { isBack, isRefused, choose: restore })
  })
  useEffect(() => {
    let isOver = false
    void begin(() => isOver)
    return () => {
      isOver = true
      kept.current?.stop()
    }
  }, [])
  // Days that are picked in the month aren't an input event.
  useEffect(() => kept.current?.save())
  return form
}
