import { markFile, picksForm, type FolderPicks } from '#shared/folders.ts'
import { checkForm, type Entries, type FieldErrors } from '#shared/form.ts'
import { send } from '../api.ts'
import { tokenHeaders } from '../site/security-token.ts'

/** Keeps a heart or a comment; its module comes with the first of them. @throws ApiError */
export async function saveMark(mark: {
  id: string
  file: number
  heart?: boolean
  comment?: string
}): Promise<FolderPicks> {
  const { picks } = await send(markFile, mark, tokenHeaders())
  return picks
}

/** What is wrong with the form that sends picks; null when all is well. */
export const picksErrors = (entries: Entries): FieldErrors | null =>
  checkForm(picksForm, entries).errors
