import { useEffect, type RefObject } from 'react'
import { controlsOf, readDraft, removeDraft, writeDraft } from '../../forms/draft.ts'

/**
 * What a visitor has typed into a gallery and not sent yet, kept for this tab: a gallery gives way to the
 * field for its code when the session ends, also by logging out in another window.
 */
const keysOf = (folder: string) => ({
  note: `folder_typed:${folder}:note`,
  comments: `folder_typed:${folder}:comments`,
})

/** Comments that were typed and aren't kept by the server yet, by file. */
export type CommentDrafts = ReturnType<typeof createCommentDrafts>

/** Creates the comments of a folder that wait, those from before its page was loaded with them. */
export function createCommentDrafts(folder: string) {
  const { comments: key } = keysOf(folder)
  const drafts = new Map(Object.entries(readDraft(key)).map(([file, text]) => [Number(file), text]))
  const store = () =>
    drafts.size === 0 ? removeDraft(key) : writeDraft(key, Object.fromEntries(drafts))
  return {
    get: (file: number): string | undefined => drafts.get(file),
    all: (): [number, string][] => Array.from(drafts),
    set(file: number, text: string): void {
      drafts.set(file, text)
      store()
    },
    delete(file: number): void {
      drafts.delete(file)
      store()
    },
  }
}

/**
 * Keeps name and message of the form that sends favourites, and fills them in again.
 * @param isReturned whether the form came back, and shows what was entered already
 */
export function useNoteDraft(
  form: RefObject<HTMLFormElement | null>,
  folder: string,
  isReturned: boolean,
): void {
  useEffect(() => {
    const element = form.current!
    const { note: key } = keysOf(folder)
    const draft = isReturned ? {} : readDraft(key)
    const isUntouched = (control: { value: string; defaultValue?: string }) =>
      control.value === control.defaultValue
    for (const control of controlsOf(element)) {
      const kept = draft[control.name]
      // What was typed before the scripts were there is newer.
      if (kept !== undefined && isUntouched(control)) control.value = kept
    }
    const save = () =>
      writeDraft(
        key,
        Object.fromEntries(controlsOf(element).map(({ name, value }) => [name, value])),
      )
    if (!controlsOf(element).every(isUntouched)) save()
    element.addEventListener('input', save)
    return () => element.removeEventListener('input', save)
  }, [form, folder, isReturned])
}

/** Forgets what was typed into a gallery, once it was sent. */
export function forgetTypedFor(folder: string): void {
  for (const key of Object.values(keysOf(folder))) removeDraft(key)
}
