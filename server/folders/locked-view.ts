import type { FolderView } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import type { RequestContext } from '../http/request-context.ts'

/** What a closed folder asks for. */
export const asksFor = {
  password: 'This folder asks for a password.',
  code: 'This folder asks for the secret code of its client.',
} as const

/** The form for the password or the code, which leads back to where the visitor wanted to go. */
export function lockedView(
  id: string,
  by: 'password' | 'code',
  requestContext: RequestContext,
): FolderView {
  const { pathname, searchParams } = new URL(requestContext.url, 'http://localhost')
  const wrong = searchParams.has('wrong')
  searchParams.delete('wrong')
  searchParams.delete('problem')
  const query = String(searchParams)
  // A form leads to a page or a file, not back to where forms are sent.
  const asked = pathname.startsWith('/s/') ? pathname + (query && `?${query}`) : paths.folder(id)
  const to = asked === paths.folderPassword(id) ? paths.folder(id) : asked
  return {
    success: false,
    message: asksFor[by],
    state: 'locked',
    id,
    by,
    wrong,
    to,
  }
}
