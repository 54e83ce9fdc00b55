import { join } from 'node:path'
import { addDays, dateAt, dayEnd } from '#shared/dates/civil-dates.ts'
import { isMailable, looksLikeEmail, typedAddress } from '#shared/newsletter.ts'
import { failure, isFailure } from '#shared/failures.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { checkPassword, hashPassword, newPassword } from '../secrets/passwords.ts'
import { isForClients } from './access/access.ts'
import { directoryName, type Sync, type SyncResult } from './files/sync.ts'
import { watchFolder, type WatchedChange } from './files/watch.ts'
import { seenAs } from './files/seen-as.ts'
import { withheldFiles, withheldTotal } from './files/withheld.ts'
import type { Folders } from './folders.ts'
import type { ClientGallery } from './mails.ts'
import type { Folder } from './schema.ts'
import { isAlias, newKey, stateOf, type FolderChange } from './store.ts'
import { sizeOfFile, stageFile } from './uploads/local-files.ts'
import type { Placed } from './uploads/placing.ts'

/** Max addresses that are told of a gallery at once. */
const maxTold = 20

/** Days after which a folder expires where no one says otherwise. */
const defaultDays = 90

/** What staff say of a folder; what is left out stays as it is, null takes away. */
export type FolderEntry = Pick<
  FolderChange,
  | 'title'
  | 'client'
  | 'season'
  | 'alias'
  | 'expiresAt'
  | 'anyone'
  | 'keepLocation'
  | 'watermark'
  | 'maxDownloads'
  | 'rounds'
> & {
  /**
   * `random` draws one; a function asks for it, once everything else is known to be right; null takes
   * it away.
   */
  password?: 'random' | (() => Promise<string>) | null | undefined
  /** True opens a revoked folder again. */
  reopen?: boolean | undefined
}

/** A folder after an act; `password` is one that was drawn, known now and never again. */
export type ChangedFolder = { folder: Folder; password: string | null }

/** A folder that was shared, and what its first sync found. */
export type SharedFolder = ChangedFolder & { sync: SyncResult }

/** What staff do with shared folders. `by` is who does it, for the timeline. */
export type FolderActs = ReturnType<typeof createFolderActs>

/** Makes the acts; each change is one transaction and writes itself into the folder's timeline. */
export function createFolderActs(
  {
    commit,
    clock,
    mails,
    outbox,
    timeline,
  }: Pick<Platform, 'commit' | 'clock' | 'mails' | 'outbox' | 'timeline'>,
  { store, favourites, root, sync, uploads }: Folders,
  { panels, findPanel, scopesOf }: Pick<ClientFeature, 'panels' | 'findPanel' | 'scopesOf'>,
) {
  const isOver = ({ expiresAt }: Folder) => expiresAt !== null && expiresAt <= clock()
  const expired = ({ title }: Folder) =>
    failure('wrong-state', {
      message: `${title} has expired. Give it a later last day, or none, first.`,
    })

  const record = (
    tx: Transaction,
    { id }: Pick<Folder, 'id'>,
    actor: string,
    act: string,
    note: string | null = null,
  ) => timeline.record(tx, { thing: 'folder', thingId: String(id), actor, act, note })

  /** What an entry changes. @throws invalid for an alias, an expiry or a password that is none */
  const changeOf = async ({
    password: wanted,
    reopen,
    ...entry
  }: FolderEntry): Promise<{ change: FolderChange; password: string | null }> => {
    if (entry.alias && !isAlias(entry.alias)) {
      throw failure('invalid', {
        message:
          'An alias has 3 to 64 letters, digits and hyphens, but not exactly 22 letters and digits.',
      })
    }
    if (entry.title?.trim() === '') {
      throw failure('invalid', { message: 'Enter a title for the folder.' })
    }
    if (entry.expiresAt && entry.expiresAt <= clock()) {
      throw failure('invalid', { message: 'That expiry is in the past.' })
    }
    const drawn = wanted === 'random' ? newPassword() : null
    const password = typeof wanted === 'function' ? await wanted() : drawn
    if (password !== null) checkPassword(password)
    const given = Object.entries(entry).filter(([, value]) => value !== undefined)
    const change: FolderChange = {
      ...(Object.fromEntries(given) as FolderChange),
      ...(password !== null && { password: await hashPassword(password) }),
      ...(wanted === null && { password: null }),
      ...(reopen && { revokedAt: null }),
    }
    return { change, password: drawn }
  }

  const changed = (folder: Folder, change: FolderChange, by: string, act: string) =>
    commit((tx) => {
      record(tx, folder, by, act)
      return store.change(tx, folder, change)
    })

  /** The clients in whose panels a folder is. */
  const ownersOf = (folder: Folder) =>
    panels.withFolder(folder).flatMap((panel) => findPanel(panel) ?? [])

  /** Whether only codes of clients would open it, and no panel has it. */
  const opensForNoOne = (folder: Folder) => {
    const owners = ownersOf(folder)
    return folder.password === null && owners.length === 0 && isForClients(folder, owners)
  }

  const isActive = ({ disabledAt }: { disabledAt: number | null }) => disabledAt === null
  const isOf =
    (email: string) =>
    ({ emails }: { emails: readonly string[] }) =>
      emails.some((each) => each.toLowerCase() === email.toLowerCase())

  const galleryFor = (folder: Folder, email: string): ClientGallery => {
    const { key, alias, title, season, fileCount, expiresAt, password, rounds } = folder
    const owners = ownersOf(folder)
    const isWithCode =
      password === null ? isForClients(folder, owners) : owners.length > 0 && !folder.anyone
    const opensWith = isWithCode ? 'code' : password === null ? 'link' : 'password'
    const own = owners.filter(isOf(email))
    const scopes = scopesOf(own.length > 0 ? own : owners)
    // Link and password open all of it, and so may a code that is still to be made.
    const isLimited = opensWith === 'code' && scopes.has('view')
    const downloads = scopes.has('download') ? 'originals' : scopes.has('web') ? 'web' : 'none'
    return {
      email,
      title,
      season,
      key: alias ?? key,
      files: fileCount,
      expiresAt,
      opensWith,
      canPick: rounds !== 'none' && (!isLimited || scopes.has('select')),
      downloads: isLimited ? downloads : 'originals',
      isProof: folder.watermark,
    }
  }

  return {
    /**
     * Shares a directory below DATA_DIR/folders, for 90 days where nothing else is said, and reads its
     * files.
     * @param given its name there, or a path that leads there
     * @param progress told how far the reading is
     * @throws invalid for what the entry may not say, or an alias without a password; duplicate for a
     *   directory that is shared already or an alias that is taken; an Error when there is no directory
     */
    async share(
      given: string,
      entry: FolderEntry,
      by: string,
      progress?: Parameters<Sync>[1],
    ): Promise<SharedFolder> {
      const directory = await directoryName(given, root)
      if (store.ofDirectory(directory)) {
        throw failure('duplicate', { message: `${directory} is already shared; see folders list.` })
      }
      const { change, password } = await changeOf(entry)
      const made = await commit((tx) => {
        const folder = store.add(tx, {
          directory,
          title: entry.title ?? directory.split('/').at(-1)!,
          client: entry.client ?? null,
          season: entry.season ?? null,
          expiresAt: dayEnd(addDays(dateAt(clock()), defaultDays)),
        })
        record(tx, folder, by, 'shared')
        return store.change(tx, folder, change)
      })
      const result = await sync(made, progress)
      return { folder: store.find(made.key)!, password, sync: result }
    },

    /**
     * Puts files of this machine into a folder, by the rules for uploads; they stay where they are.
     * @param paths of the files
     * @param each told what became of one, as soon as it's known
     * @returns what the sync found afterwards; null when none was taken
     */
    async upload(
      folder: Folder,
      { paths, section = '' }: { paths: readonly string[]; section?: string },
      by: string,
      each: (path: string, placed: Placed) => void,
    ): Promise<SyncResult | null> {
      const sender = { actor: by, codeId: null }
      let [added, taken] = [0, 0]
      for (const path of paths) {
        try {
          const { size } = await sizeOfFile(path)
          await uploads.checkAnnounced(folder, { name: path, size, section })
          const { staged, name } = await stageFile(folder, path, uploads.dir)
          const placed = await uploads.take(folder, staged, { name, section }, sender)
          if (placed.state === 'added') added += 1
          if (placed.state !== 'refused') taken += 1
          each(path, placed)
        } catch (error) {
          if (!isFailure(error)) throw error
          each(path, { state: 'refused', why: error.message })
        }
      }
      if (taken === 0) return null
      const result = await sync(folder)
      if (added > 0) {
        const after = added === 1 ? '1 file' : `${added} files`
        await commit((tx) =>
          timeline.record(tx, {
            thing: 'folder',
            thingId: String(folder.id),
            actor: by,
            act: 'uploaded',
            after,
          }),
        )
      }
      return result
    },

    /**
     * Syncs a folder as files appear in its directory, until the signal is given.
     * @param came told of the first sync and of each one that changed something
     */
    watch: (
      folder: Folder,
      came: (found: WatchedChange) => void,
      signal: AbortSignal,
    ): Promise<void> => watchFolder(folder, { store, sync, root, came, signal }),

    /**
     * Changes a folder; another password closes what the one before opened.
     * @throws invalid when the entry says nothing or what it may not; duplicate for an alias that is taken
     */
    async change(folder: Folder, entry: FolderEntry, by: string): Promise<ChangedFolder> {
      const { change, password } = await changeOf(entry)
      return { folder: await changed(folder, change, by, 'changed'), password }
    },

    /** Lets a folder expire now. */
    expire: (folder: Folder, by: string): Promise<Folder> =>
      changed(folder, { expiresAt: clock() }, by, 'expired'),

    /** Closes a folder, until it is enabled. */
    revoke: (folder: Folder, by: string): Promise<Folder> =>
      changed(folder, { revokedAt: clock() }, by, 'revoked'),

    /**
     * Opens a revoked folder again, until it expires.
     * @throws wrong-state for one that has expired, which this doesn't open
     */
    async enable(folder: Folder, by: string): Promise<Folder> {
      if (isOver(folder)) throw expired(folder)
      return changed(folder, { revokedAt: null }, by, 'enabled')
    },

    /**
     * Gives a folder a new random address, also in the panels that show it. The old one and its alias
     * end, anyone who entered its password has to enter it again, and only those whom staff then notify
     * get the new one: the old one may have leaked.
     */
    renew: (folder: Folder, by: string): Promise<Folder> =>
      commit((tx) => {
        const key = newKey()
        panels.renameFolder(tx, folder, { key })
        record(tx, folder, by, 'new address')
        return store.change(tx, folder, { key, alias: null, toldTo: null, toldAt: null })
      }),

    /**
     * Takes a folder off the site, with its favourites and counts; the files stay in its directory.
     * @param options `rehearse` only says what would go
     */
    async remove(
      folder: Folder,
      by: string,
      { rehearse }: { rehearse: boolean },
    ): Promise<{ favourites: number; panels: number; directory: string }> {
      const lost = {
        favourites: favourites
          .visitors(folder.id)
          .reduce((sum, visitor) => sum + favourites.chosen(visitor).length, 0),
        panels: panels.withFolder(folder).length,
        directory: join(root, folder.directory),
      }
      if (!rehearse) {
        await commit((tx) => {
          // By its number alone no one would know afterwards which one it was.
          record(tx, folder, by, 'removed', folder.title)
          store.remove(tx, folder)
        })
      }
      return lost
    },

    /**
     * Opens the favourites of a visitor for another round.
     * @param visitor its number
     * @returns whether they were locked
     * @throws missing for a visitor of another folder
     */
    reopenFavourites(folder: Folder, visitor: number, by: string): Promise<boolean> {
      if (!favourites.visitors(folder.id).some(({ id }) => id === visitor)) {
        throw failure('missing', { message: `No visitor ${visitor} in this folder.` })
      }
      return commit((tx) => {
        const isLocked = favourites.reopen(tx, visitor)
        if (isLocked) record(tx, folder, by, 'favourites reopened')
        return isLocked
      })
    },

    /** The addresses of the clients in whose panels a folder is; a disabled one can't open it. */
    clientsOf: (folder: Folder): string[] => [
      ...new Set(
        ownersOf(folder)
          .filter(isActive)
          .flatMap(({ emails }) => emails),
      ),
    ],

    /**
     * Emails a client that a gallery is ready; once to each for the gallery as it is.
     * @param to whom; at least one
     * @returns to whom it goes out now
     * @throws invalid for no address or one that is none; wrong-state for a gallery that is empty or isn't open
     */
    async tellReady(folder: Folder, to: readonly string[], by: string): Promise<string[]> {
      const emails = [...new Set(to.map(typedAddress).filter(Boolean))]
      const wrong = emails.find((email) => !looksLikeEmail(email) || !isMailable(email))
      if (wrong !== undefined || emails.length === 0 || emails.length > maxTold) {
        throw failure('invalid', {
          message:
            wrong === undefined
              ? `Name one to ${maxTold} addresses to email.`
              : `${wrong} isn’t an email address.`,
          errors: { to: 'Please enter valid email addresses' },
        })
      }
      if (folder.revokedAt === null && isOver(folder)) throw expired(folder)
      if (stateOf(folder, clock()) !== 'open') {
        throw failure('wrong-state', { message: `${folder.title} isn’t open; see folders enable.` })
      }
      if (folder.fileCount === 0) {
        throw failure('wrong-state', { message: `${folder.title} has no files yet.` })
      }
      if (opensForNoOne(folder)) {
        throw failure('wrong-state', {
          message: `No one can open ${folder.title}: it’s in no client’s panel any more. Put it into one, set a password, or open it to anyone by folders set --anyone.`,
        })
      }
      const emailed = await commit((tx) => {
        const { fileCount, totalBytes, expiresAt, watermark } = folder
        const queued = emails.filter((email) =>
          mails.enqueue(tx, 'folderReady', {
            // The same gallery is announced once; with more files, longer, elsewhere or no longer as
            // proofs, it may be again.
            key: `folder-ready/${folder.id}/${folder.key}/${fileCount}/${totalBytes}/${expiresAt}/${watermark ? 'proofs/' : ''}${email}`,
            about: { thing: 'folder', id: String(folder.id) },
            data: galleryFor(folder, email),
            recipient: email,
          }),
        )
        if (queued.length === 0) return queued
        record(tx, folder, by, 'client told')
        // Those who were told earlier hear of its end, too.
        const told = store.byNumber(folder.id)?.toldTo ?? []
        store.change(tx, folder, { toldTo: [...new Set([...told, ...emails])], toldAt: clock() })
        return queued
      })
      if (emailed.length > 0) outbox.wake()
      return emailed
    },

    /**
     * Tells those who were told of a gallery that it ends within a week, once for each end; not a client
     * who was disabled since, and couldn't open it. Call inside a transaction.
     */
    tellEnding(tx: Transaction, folder: Folder): void {
      if (opensForNoOne(folder)) return
      const owners = ownersOf(folder)
      for (const email of folder.toldTo ?? []) {
        const own = owners.filter(isOf(email))
        if (own.length > 0 && !folder.anyone && !own.some(isActive)) continue
        mails.enqueue(tx, 'folderEnding', {
          key: `folder-ending/${folder.id}/${folder.expiresAt}/${email}`,
          about: { thing: 'folder', id: String(folder.id) },
          data: galleryFor(folder, email),
          recipient: email,
        })
      }
    },

    /** What a client would be told of a gallery. */
    galleryFor: (folder: Folder, email: string): ClientGallery => galleryFor(folder, email),

    /** Whether a folder is open now. */
    stateOf: (folder: Folder) => stateOf(folder, clock()),

    /** Which of some files of a folder are photos without a preview: clients see their names alone. */
    withoutPreview(folder: Folder, paths: readonly string[]): string[] {
      const unshown = new Set(store.unshown(folder.id))
      return paths.filter((path) => seenAs(path, folder, unshown.has(path)) === 'name alone')
    },

    /** The paths of files that are shown and not given away. */
    withheld: (folder: Folder): string[] => withheldFiles(store, folder),

    /** How many those are. */
    withheldCount: (folder: Folder): number => withheldTotal(store, folder).count,
  }
}
