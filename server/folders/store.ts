import { helsinki } from '#shared/dates/helsinki-time.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import { newNumber } from '../db/numbers.ts'
import { mailboxOf } from '../mail/recipient.ts'
import type { Database } from '../db/open.ts'
import { createRowSearch } from '../db/row-search.ts'
import { nullable, query, text } from '../db/table.ts'
import { createFileIndex, createFileReader } from './files/store.ts'
import { folders, type Folder } from './schema.ts'
import { createZipSelectionStore } from './selection-store.ts'
import { anyAlphabet, randomId } from '../secrets/ids.ts'

/** What staff may change about a folder. */
export type FolderChange = Partial<
  Pick<
    Folder,
    | 'key'
    | 'alias'
    | 'title'
    | 'client'
    | 'season'
    | 'password'
    | 'anyone'
    | 'keepLocation'
    | 'watermark'
    | 'toldTo'
    | 'toldAt'
    | 'expiresAt'
    | 'revokedAt'
    | 'rounds'
    | 'maxDownloads'
  >
>

/** The folders, their files and what was chosen of them; favourites and counts are beside it. */
export type FolderStore = ReturnType<typeof createFolderStore>

/** Prepares all statements of folders; the only place with their SQL, with the rooms that it names. */
export function createFolderStore(db: Database, deps: { clock: () => number }) {
  return {
    ...createFolders(db, deps),
    ...createFileReader(db),
    ...createFileIndex(db, deps),
    ...createZipSelectionStore(db, deps),
  }
}

/** Prepares the statements of the folders themselves. */
function createFolders(db: Database, { clock }: { clock: () => number }) {
  const insert = folders.insert(db, '', { id: newNumber('folders') })
  const byKey = folders.select(db, 'WHERE key = :id')
  const byNumber = folders.select(db, 'WHERE id = :id')
  const byAlias = folders.select(db, 'WHERE alias = :id')
  const byDirectory = folders.select(db, 'WHERE directory = :directory')
  const all = folders.select(db, 'ORDER BY id')
  const clients = query(db, 'SELECT key, client FROM folders ORDER BY id', {
    key: text(),
    client: nullable(text()),
  })
  // As `stateOf` has it.
  const open = folders.select(
    db,
    'WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now) ORDER BY id',
  )
  const update = folders.update(
    db,
    [
      'key',
      'alias',
      'title',
      'client',
      'season',
      'password',
      'expiresAt',
      'revokedAt',
      'maxDownloads',
      'rounds',
      'anyone',
      'keepLocation',
      'watermark',
      'toldTo',
      'toldAt',
    ],
    'WHERE id = :id',
  )
  const setClient = db.prepareWrite('UPDATE folders SET client = :client WHERE key = :key')
  const remove = db.prepareWrite('DELETE FROM folders WHERE id = :id')
  const expiring = folders.select(
    db,
    `WHERE expires_at > :now AND expires_at <= :until AND revoked_at IS NULL ORDER BY expires_at`,
  )

  const get = (id: string): Folder | null => byKey.get({ id }) ?? byAlias.get({ id })

  return {
    /** Makes a folder under its own key, together with its first sync. Call inside a transaction. */
    add(
      tx: Transaction,
      folder: Pick<Folder, 'directory' | 'title' | 'client' | 'season' | 'expiresAt'>,
    ): Folder {
      const now = clock()
      return insert(tx, { ...folder, key: newKey(), createdAt: now }, { now })!
    },

    /** A folder by its key or alias. */
    find: get,

    /** A folder by what the database calls it. */
    byNumber: (id: number): Folder | null => byNumber.get({ id }),

    ofDirectory: (directory: string): Folder | null => byDirectory.get({ directory }),

    list: (): Folder[] => all.all(),

    /** Finds the ids of folders by title, client, season, alias and directory. */
    search: createRowSearch(db, 'folders', ['title', 'client', 'season', 'alias', 'directory']),

    /**
     * Those of a client, in the order in which they were shared.
     * @param name of the client; letter case doesn't count
     * @param keys of folders that are the client's whatever name they have
     */
    ofClient(name: string, keys: readonly string[]): Folder[] {
      const inPanel = new Set(keys)
      const isTheirs = (row: { key: string; client: string | null }) =>
        row.client?.toLowerCase() === name.toLowerCase() || inPanel.has(row.key)
      return clients
        .all()
        .filter(isTheirs)
        .flatMap(({ key }) => get(key) ?? [])
    },

    /** Those that can be opened now: few of those that there are after some seasons. */
    open: (): Folder[] => open.all({ now: clock() }),

    /** Those of which an address was told, however it is spelt. */
    toldOf: (email: string): Folder[] =>
      all
        .all()
        .filter(({ toldTo }) => toldTo?.some((each) => mailboxOf(each) === mailboxOf(email))),

    /**
     * Changes a folder; another password closes what the one before opened.
     * @throws duplicate when another folder has the alias; invalid for an alias without a password
     */
    change(tx: Transaction, folder: Folder, change: FolderChange): Folder {
      const next = { ...folder, ...change }
      if (next.alias !== null && next.password === null) {
        throw failure('invalid', {
          message: 'An alias can be guessed, so the folder needs a password.',
        })
      }
      const other = next.alias === null ? null : get(next.alias)
      if (other && other.id !== folder.id) {
        throw failure('duplicate', { message: 'Another folder has this alias.' })
      }
      update(tx, next, { id: folder.id })
      return get(next.key)!
    },

    /** Gives the folders of a client its new name. Call inside a transaction. */
    renameClient(tx: Transaction, before: string, after: string): void {
      for (const { key, client } of clients.all()) {
        if (client?.toLowerCase() === before.toLowerCase())
          setClient.run(tx, { key, client: after })
      }
    },

    /** Removes a folder with all that is kept about it. Call inside a transaction. */
    remove: (tx: Transaction, { id }: Folder): void => void remove.run(tx, { id }),

    /** Open folders that end within so many milliseconds. */
    expiring: (ms: number): Folder[] => expiring.all({ now: clock(), until: clock() + ms }),
  }
}

/** What has become of a folder. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<Folder, 'expiresAt' | 'revokedAt'>,
  now: number,
): 'open' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open'
}

/** The day in Helsinki that counts belong to. */
export const dayOf = (at: number) => helsinki(at).date

/** Characters of a key: 62^22 is more than 2^130, so guessing is hopeless. */
const keyLength = 22

/** A new random name that cannot be guessed, of letters and digits. */
export const newKey = () => randomId(keyLength, anyAlphabet)

/** What a key looks like; anything else is not even looked up as one. */
export const isKey = (id: string) => /^[0-9A-Za-z]{22}$/.test(id)

/** What an alias may look like; never like a key. */
export const isAlias = (id: string) =>
  /^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/i.test(id) && !isKey(id)
