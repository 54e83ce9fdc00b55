import { useEffect, type RefObject } from 'react'

/** Closes a dialog at a step Back or Forward, which is meant for the page that it would cover. */
export function useCloseOnStep(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const closeNow = () => dialog.current?.close()
    addEventListener('popstate', closeNow)
    return () => removeEventListener('popstate', closeNow)
  }, [dialog])
}
