import { markFile, type FolderPicks } from '#shared/folders.ts'
import { send } from '../api.ts'
import { tokenHeaders } from '../contact/security-token.ts'

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
