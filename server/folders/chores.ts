import { daily } from '../daily.ts'
import type { Commit } from '../db/group-commit.ts'
import type { MailStore } from '../mail/store.ts'
import type { FolderCounts } from './counts.ts'
import type { EndingFolder } from './letters.ts'
import type { FolderStore } from './store.ts'

/** How long before its end staff are told about a folder; milliseconds. */
const warning = 7 * 86_400_000

/**
 * Makes the daily chore: warns staff of folders that end soon, once for each end, and forgets what
 * has served its time. Several processes may run it; the mail's key keeps it single.
 */
export function createFolderChores({
  store,
  counts,
  mails,
  commit,
  clock,
}: {
  store: FolderStore
  counts: FolderCounts
  mails: MailStore
  commit: Commit
  clock: () => number
}): () => Promise<void> {
  return daily(clock, () =>
    commit((tx) => {
      store.forgetSelections(tx)
      counts.forgetSeen(tx)
      for (const { id, key, title, client, expiresAt } of store.expiring(warning)) {
        const data: EndingFolder = { key, title, client, expiresAt: expiresAt! }
        mails.enqueue(tx, 'folderExpiring', { key: `folder-${id}-${expiresAt}`, data })
      }
    }),
  )
}
