import { join } from 'node:path'
import type { Platform } from '../feature.ts'
import { createFolderCounts } from './counts.ts'
import { createFavourites } from './favourites/store.ts'
import { createFolderStore } from './store.ts'
import { createSync } from './files/sync.ts'
import { createUploads } from './uploads/uploads.ts'
import { createFolderVisits } from './visits.ts'

/** Everything about shared folders that lives as long as the process. */
export type Folders = ReturnType<typeof createFolders>

/** Nothing is read from disk before the first request. */
export function createFolders(
  platform: Pick<Platform, 'db' | 'commit' | 'clock' | 'keys' | 'mails' | 'log' | 'timeline'>,
  { dataDir }: { dataDir: string },
) {
  const { db, commit, clock, keys, mails } = platform
  /** Directories of files, one for each folder, made by staff. */
  const root = join(dataDir, 'folders')
  const store = createFolderStore(db, { clock })
  const counts = createFolderCounts(db, { clock, keys })
  const favourites = createFavourites(db, { clock, mails })
  const sync = createSync({ store, favourites, commit, root })
  return {
    root,
    store,
    counts,
    favourites,
    visits: createFolderVisits(db, { clock }),
    sync,
    uploads: createUploads(platform, { store, sync, root, dataDir }),
  }
}
