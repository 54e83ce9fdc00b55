import { join } from 'node:path'
import type { Commit } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { MailStore } from '../mail/store.ts'
import type { Keys } from '../secret-key.ts'
import { createFolderCounts } from './counts.ts'
import { createFavourites } from './favourites/store.ts'
import { createFolderStore } from './store.ts'
import { createSync } from './files/sync.ts'
import { createFolderVisits } from './visits.ts'

/** Everything about shared folders that lives as long as the process. */
export type Folders = ReturnType<typeof createFolders>

/** Nothing is read from disk before the first request. */
export function createFolders({
  db,
  commit,
  clock,
  keys,
  mails,
  dataDir,
}: {
  db: Database
  commit: Commit
  clock: () => number
  keys: Keys
  mails: MailStore
  dataDir: string
}) {
  /** Directories of files, one for each folder, made by staff. */
  const root = join(dataDir, 'folders')
  const store = createFolderStore(db, { clock })
  const counts = createFolderCounts(db, { clock, keys })
  const favourites = createFavourites(db, { clock, mails })
  return {
    root,
    store,
    counts,
    favourites,
    visits: createFolderVisits(db, { clock }),
    sync: createSync({ store, commit, root }),
  }
}
