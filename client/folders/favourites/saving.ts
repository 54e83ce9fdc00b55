import {
  favouritesForm,
  getFolderNews,
  setFavourite,
  type FolderFavourites,
} from '#shared/folders/folders.ts'
import { checkForm, type Entries, type FieldErrors } from '#shared/forms/form.ts'
import { ApiError, api, send } from '../../api.ts'
import { tokenHeaders } from '../../site/security-token.ts'

/** Saves a favourite or a comment. Loaded with the first of them. @throws ApiError */
export async function saveFavourite(favourite: {
  id: string
  file: number
  heart?: boolean
  comment?: string
}): Promise<FolderFavourites> {
  const { picks } = await send(setFavourite, favourite, tokenHeaders())
  return picks
}

/** Errors of the form that sends favourites, by field; null when it’s valid. */
export const favouritesErrors = (entries: Entries): FieldErrors | null =>
  checkForm(favouritesForm, entries).errors

/**
 * Whether the server can be reached now. Without a network a form that is posted gives way to a page of
 * the browser, and what was typed is gone.
 */
export const isReachable = (id: string): Promise<boolean> =>
  api(getFolderNews, { id, after: 0 }).then(
    () => true,
    (error: unknown) => error instanceof ApiError,
  )
