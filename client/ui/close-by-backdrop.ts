/**
 * Closes a dialog by a press beside it, which is reported as one on the dialog itself, or on the
 * document where a place is kept for its scroll bar. A press that begins in the dialog and ends
 * beside it, as when text is selected, leaves it open.
 * @param content selects what counts as the dialog, where that has empty ground of its own
 */
export function closeByBackdrop(dialog: HTMLDialogElement | null, content = 'dialog > *') {
  let held = false
  const isBeside = ({ target }: Event) => {
    if (!dialog || !(target instanceof Element)) return false
    // What lies above the dialog is closed first.
    if (target === document.documentElement) return !dialog.querySelector(':modal')
    return dialog.contains(target) && !target.closest(content)
  }
  const press = (event: Event) => {
    held = !isBeside(event)
  }
  const look = (event: Event) => {
    if (!held && isBeside(event)) dialog?.close()
    held = false
  }
  document.addEventListener('pointerdown', press)
  document.addEventListener('click', look)
  return () => {
    document.removeEventListener('pointerdown', press)
    document.removeEventListener('click', look)
  }
}
