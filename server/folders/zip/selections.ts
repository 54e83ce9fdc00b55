import { createHash } from 'node:crypto'
import { hourMs } from '#shared/dates/durations.ts'
import type { Commit } from '../../db/group-commit.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import { FolderRefusal } from '../access/refusals.ts'
import type { FolderStore } from '../store.ts'
import type { Folder } from '../schema.ts'

/** How long the address of a selection is valid, so a long download can be resumed. */
const selectionMs = 24 * hourMs

/** The addresses of selections, which are signed and expire. */
export type Selections = ReturnType<typeof createSelections>

/** The IDs are kept in the database because a URL can't be that long. */
export function createSelections({
  store,
  keys,
  clock,
  commit,
}: {
  store: FolderStore
  keys: Keys
  clock: () => number
  commit: Commit
}) {
  const digestOf = (ids: readonly number[]) =>
    createHash('sha256').update(ids.join()).digest('hex').slice(0, 32)
  // On the hour, so the same choice has the same address for a while.
  const end = () => Math.ceil((clock() + selectionMs) / hourMs) * hourMs
  const signed = ({ key }: Folder, digest: string, until: string) => `${key}.${digest}.${until}`

  return {
    /** The token of a choice, and whether the choice is kept already. */
    tokenOf(folder: Folder, ids: readonly number[]): { token: string; isKept: boolean } {
      const digest = digestOf(ids)
      const until = end().toString(36)
      const hash = keys.hash('folder-zip', signed(folder, digest, until))
      const token = [digest, until, hash].join('.')
      return { token, isKept: store.selection(folder.id, digest) !== null }
    },

    /** Keeps a choice for as long as its token is valid. */
    keep: (folder: Folder, ids: readonly number[]): Promise<void> =>
      commit((tx) => store.keepSelection(tx, folder.id, digestOf(ids), ids, end())),

    /**
     * The choice that a token stands for.
     * @throws FolderRefusal when it was made up or its time is over
     */
    read(folder: Folder, token: string): { ids: readonly number[]; digest: string } {
      const [digest = '', until = '', hash = ''] = token.split('.')
      const isOurs = keys.matches('folder-zip', signed(folder, digest, until), hash)
      const ids =
        isOurs && parseInt(until, 36) > clock() ? store.selection(folder.id, digest) : null
      if (!ids) throw new FolderRefusal('selection')
      return { ids, digest }
    },
  }
}
