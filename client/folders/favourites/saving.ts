import { setFavourite, favouritesForm, type FolderFavourites } from '#shared/folders/folders.ts'
import { checkForm, type Entries, type FieldErrors } from '#shared/forms/form.ts'
import { send } from '../../api.ts'
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
