/** Closes a dialog by a click beside it, which is reported as one on the dialog itself. */
export function closeByBackdrop(dialog: HTMLDialogElement | null) {
  const look = ({ target }: MouseEvent) => {
    if (target === dialog) dialog?.close()
  }
  dialog?.addEventListener('click', look)
  return () => dialog?.removeEventListener('click', look)
}
