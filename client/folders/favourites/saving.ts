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
 * Why a form can't be sent now, or null. Without a network, while the server is away, or with a session that
 * has ended, a form that is posted gives way to another page, and what was typed is gone.
 */
export const whyNotSent = (id: string): Promise<string | null> =>
  api(getFolderNews, { id, after: 0 }).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof ApiError)) return 'Couldn’t send. Check your connection and try again.'
      if (error.status === 429 || error.status >= 500) {
        return 'Couldn’t send. Please try again in a moment.'
      }
      if (error.status !== 401) return null
      return `${error.message} Open the gallery in another tab to enter it, then send again. What you wrote stays here.`
    },
  )
