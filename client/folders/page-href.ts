import type { OpenFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'

/** The address of a page of a folder. */
export function pageHref({ id, filter }: Pick<OpenFolder, 'id' | 'filter'>, page: number): string {
  const query = new URLSearchParams()
  if (filter === 'favourites') query.set('show', 'favourites')
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? paths.folder(id) : `${paths.folder(id)}?${String(query)}`
}
