import { counted } from '#shared/text/counted.ts'
import type { Finding } from '../../feature.ts'
import { cleanRecipe } from './checksums.ts'
import type { FolderStore } from '../store.ts'
import type { Folder } from '../schema.ts'

/**
 * The files of a folder that are shown and not given away, since nothing can take their private
 * metadata out; none where staff let all of it leave. Files that have not been read yet are not counted.
 * @returns their paths in the order of the page
 */
export const withheldFiles = (store: FolderStore, { id, keepLocation }: Folder): string[] =>
  keepLocation ? [] : store.uncleanable(id, cleanRecipe)

/** How many those are, and how many bytes in all. */
export const withheldTotal = (
  store: FolderStore,
  { id, keepLocation }: Folder,
): { count: number; bytes: number } =>
  keepLocation ? { count: 0, bytes: 0 } : store.uncleanableTotal(id, cleanRecipe)

/** What the doctor says of them: only of open folders, since others give nothing away. */
export function checkWithheldFiles(store: FolderStore): Finding {
  const folders = store
    .open()
    .map((folder) => ({ key: folder.key, count: withheldTotal(store, folder).count }))
    .filter(({ count }) => count > 0)
  const [first] = folders
  if (!first) return { state: 'ok', text: 'no withheld files' }
  const files = folders.reduce((sum, { count }) => sum + count, 0)
  return {
    state: 'warn',
    text: `shown but not delivered: ${counted(files, 'RAW file')} in ${counted(folders.length, 'folder')}; see pitlane folders show ${first.key}`,
  }
}
