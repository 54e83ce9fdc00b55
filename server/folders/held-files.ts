import type { Finding } from '../feature.ts'
import { cleanRecipe } from './checksums.ts'
import { stateOf, type Folder, type FolderStore } from './store.ts'

/**
 * The files of a folder that are shown and not given away, since nothing can take their private
 * metadata out; none where staff let all of it leave. Files that have not been read yet are not counted.
 * @returns their paths in the order of the page
 */
export const heldFiles = (store: FolderStore, { id, keepLocation }: Folder): string[] =>
  keepLocation === 1 ? [] : store.uncleanable(id, cleanRecipe)

/** How many those are, and how many bytes in all. */
export const heldTotal = (
  store: FolderStore,
  { id, keepLocation }: Folder,
): { count: number; bytes: number } =>
  keepLocation === 1 ? { count: 0, bytes: 0 } : store.uncleanableTotal(id, cleanRecipe)

/** What the doctor says of them: only of open folders, since others give nothing away. */
export function checkHeldFiles(store: FolderStore, now: number): Finding {
  const folders = store
    .list()
    .filter((folder) => stateOf(folder, now) === 'open')
    .map((folder) => ({ key: folder.key, count: heldTotal(store, folder).count }))
    .filter(({ count }) => count > 0)
  const [first] = folders
  if (!first) return { state: 'ok', text: 'no file is held back' }
  const files = folders.reduce((sum, { count }) => sum + count, 0)
  return {
    state: 'warn',
    text: `${files} camera file(s) in ${folders.length} folder(s) are shown and not given away: pitlane folders show ${first.key}`,
  }
}
