import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { foldLog, readSchema, beginRestoreEpoch } from '../db/database-files.ts'
import { readDoneSince, type DoneSince } from '../db/done-since.ts'
import { databaseFile } from '../db/open.ts'
import { keepGiftCards } from '../db/kept-gift-cards.ts'
import { keepLeavers } from '../db/left-newsletter.ts'
import { keepTrustedClock } from '../db/restored-clock.ts'
import { keepSentMails } from '../db/sent-mails.ts'
import {
  keepSpentNumbers,
  mergeSpentNumbers,
  readSpentNumbers,
  type SpentNumbers,
} from '../db/spent-numbers.ts'
import { finishReplacing, isReplacing, replaceState } from '../db/replace-state.ts'
import { takeState } from '../db/state-lock.ts'
import { sealedName, writeSecrets } from '../secrets/key-files.ts'
import { countingFingerprints, type KeySource } from '../secrets/secret-key.ts'
import { version } from '../version.ts'
import { checkBackup, versionProblem } from './check.ts'
import { contentEntry, copyContentAside, putContentBack } from './content-dir.ts'
import {
  copyFile,
  digestFile,
  isDatabase,
  isState,
  makeDirectories,
  makeLinks,
  namingDisk,
  needRoom,
  readTree,
  syncDirectory,
} from './files.ts'
import { statesSince, type LivedState } from './lived-states.ts'
import {
  bytesOf,
  databaseName,
  fileIn,
  hasSite,
  isCopy,
  plainKey,
  writeManifest,
  type Manifest,
} from './manifest.ts'
import { chooseKeys, mergeKeyRecords, type KeyChoice, type KeyOutcome } from './restored-keys.ts'
import { besideState, nameAt, openDirectory, restoreParts } from './store.ts'

/** What is restored over, and how. */
export type RestoreOrder = {
  config: KeySource & { contentDir: string; backups: { passphrase: string | null } }
  now: number
  /** Only looks whether it could be done. */
  rehearse?: boolean
  keys?: KeyChoice
  /** The number of the last invoice that was issued, where the state is gone that would know. */
  lastInvoice?: number
}

/** From where on invoices are numbered after a restore. */
export type InvoiceNumbers = {
  /** The last one in the backup; null if it has none. */
  inBackup: number | null
  /** The last one that was given, after which the series goes on; null if there was none. */
  last: number | null
  /** Whether the state that is replaced, or staff, say so. */
  isKnown: boolean
}

/** What a restore did. */
export type Restored = {
  manifest: Manifest
  key: KeyOutcome
  invoices: InvoiceNumbers
  /**
   * What the replaced state did since the backup, and those that restores replaced before it since then;
   * null if there was none, or it couldn't be read.
   */
  since: DoneSince | null
  /** Addresses that left the newsletter since the backup and couldn't be taken off its list. */
  stillListed: readonly string[]
  /** Gift cards from which more was spent since than the backup has on them; null if none could be looked at. */
  shortCards: readonly string[] | null
  /**
   * Where it is now what was there before, and whether that was a state: on a new machine it may have been
   * the files of CONTENT_DIR alone. Null when there was nothing.
   */
  aside: { path: string; hadState: boolean } | null
  /** False when CONTENT_DIR cannot be written: what belongs there is in DATA_DIR. */
  contentIsBack: boolean
}

/**
 * Puts a backup in the place of the state, which no process may use meanwhile. Everything is
 * prepared beside it first; then both change places by renaming, which the next start finishes if
 * this process does not. Keys that are in DATA_DIR stay, unless others are asked for.
 * @param backup its path
 * @throws StateInUse, and when the backup is damaged or too new, a key that was asked for cannot be
 *   had, or there is no room; then nothing has changed
 */
export async function restoreBackup(order: RestoreOrder, backup: string): Promise<Restored> {
  const { config, rehearse = false, keys: choice = {} } = order
  const { dataDir, contentDir } = config
  const backups = besideState(dataDir)
  await mkdir(backups, { recursive: true, mode: 0o700 })
  const release = takeState(dataDir)
  try {
    finishReplacing(dataDir)
    if (!rehearse) await putContentBack(dataDir, contentDir)
    const { manifest, problems } = await checkBackup(backup)
    const newer = versionProblem(manifest)
    if (newer) throw new Error(newer)
    if (problems.length > 0) {
      throw new Error(
        `The backup is damaged:\n- ${problems.join('\n- ')}\nAn older one may be whole: see backup list. If there is none, what is left of this one can be copied by hand: see “Restoring” in docs/operations.md.`,
      )
    }
    if (!hasSite(manifest)) throw new Error(noSite(backup))
    await assertMovable(dataDir)
    await needRoom(dataDir, bytesOf(manifest))
    const keys = await chooseKeys(config, { backup, manifest, choice })
    const { spent, invoices } = numbersAfter(order, fileIn(backup, databaseName))
    const states = await statesSince(dataDir, { since: manifest.madeAt, now: order.now })
    const since = readDoneSince(states, manifest.madeAt)
    const outcome = { manifest, key: keys.outcome, invoices, since }
    if (rehearse)
      return { ...outcome, stillListed: [], shortCards: [], aside: null, contentIsBack: true }

    const closeDirectory = await openDirectory(backups, { own: true })
    try {
      const exchanged = await exchange(order, {
        backup,
        manifest,
        secrets: keys.secrets,
        spent,
        states,
      })
      const contentIsBack = await putContentBack(dataDir, contentDir)
      return { ...outcome, ...exchanged, contentIsBack }
    } finally {
      closeDirectory()
    }
  } finally {
    release()
  }
}

const noSite = (backup: string): string =>
  `${backup} can’t be restored: there was no database here when it was set aside. Copy what you need from it; files of CONTENT_DIR are in ${join(backup, contentEntry)}.`

/** The name of the series of invoices and credit notes among the spent numbers. */
const invoiceSeries = 'invoices'

/**
 * The numbers that the restored state may not give out again: buyers have the invoices that were issued
 * since the backup was made, and pay them by a reference that follows from the number.
 */
function numbersAfter(
  { config, lastInvoice }: RestoreOrder,
  database: string,
): { spent: SpentNumbers; invoices: InvoiceNumbers } {
  const present = readSpentNumbers(databaseFile(config.dataDir))
  const said = new Map(lastInvoice === undefined ? [] : [[invoiceSeries, lastInvoice]])
  const old = readSpentNumbers(database) ?? new Map<string, number>()
  const given = mergeSpentNumbers(old, present ?? new Map()).get(invoiceSeries)
  if (lastInvoice !== undefined && given !== undefined && lastInvoice < given) {
    throw new Error(
      `Invoice ${lastInvoice} can’t be the last one: ${given} was issued, too. Check the number, or leave out --last-invoice if ${given} was the last.`,
    )
  }
  const spent = mergeSpentNumbers(present ?? new Map(), said)
  return {
    spent,
    invoices: {
      inBackup: old.get(invoiceSeries) ?? null,
      last: mergeSpentNumbers(old, spent).get(invoiceSeries) ?? null,
      isKnown: present !== null || lastInvoice !== undefined,
    },
  }
}

/** What of DATA_DIR a backup takes the place of. */
const replacedBy = ({ partial }: Manifest) => (partial ? isDatabase : isState)

async function exchange(
  { config, now }: RestoreOrder,
  {
    backup,
    manifest,
    secrets,
    spent,
    states,
  }: {
    backup: string
    manifest: Manifest
    secrets: readonly string[] | null
    spent: SpentNumbers
    states: readonly LivedState[]
  },
): Promise<Pick<Restored, 'aside' | 'stillListed' | 'shortCards'>> {
  const { dataDir } = config
  const backups = besideState(dataDir)
  let at = now
  while (existsSync(join(backups, `before-restore-${nameAt(at)}`))) at += 1
  const aside = `before-restore-${nameAt(at)}`
  const { prepared, collected } = restoreParts(aside)
  const isReplaced = replacedBy(manifest)
  try {
    await prepare(join(backups, prepared), backup, manifest)
    const restored = join(backups, prepared, databaseName)
    keepSpentNumbers(restored, spent)
    keepTrustedClock(databaseFile(dataDir), restored, now)
    for (const { file } of states) keepSentMails(file, restored)
    const stillListed = keepLeavers(states, restored, manifest.madeAt)
    const shortCards = keepGiftCards(states, restored, manifest.madeAt)
    if (!manifest.partial) mergeKeyRecords(dataDir, join(backups, prepared))
    if (secrets) writeSecrets(join(backups, prepared), secrets)
    const away = (await readdir(dataDir)).filter(isReplaced)
    const wasThere = await setAside(config, {
      collected: join(backups, collected),
      away,
      now: at,
      manifest,
    })
    // The log of the database has become a part of it.
    const left = (await readdir(dataDir)).filter(isReplaced)
    const into = await readdir(join(backups, prepared))
    replaceState(dataDir, { away: left, into, prepared, collected, aside })
    const hadState = away.some((name) => name !== contentEntry)
    return {
      aside: wasThere ? { path: join(backups, aside), hadState } : null,
      stillListed,
      shortCards,
    }
  } catch (error) {
    // With a plan on the disk, both are needed to go on.
    if (!isReplacing(dataDir)) {
      await rm(join(backups, prepared), { recursive: true, force: true })
      await rm(join(backups, collected), { recursive: true, force: true })
    }
    throw namingDisk(error, dataDir)
  }
}

/** Copies a backup to where it can be renamed into its place, and compares it once more. */
async function prepare(to: string, backup: string, manifest: Manifest): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await makeDirectories(to, manifest)
  for (const file of manifest.files) {
    const { path, sha256 } = file
    // Keys come by their own way.
    if (path === plainKey || path === sealedName) continue
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    const digest = await copyFile(fileIn(backup, path), join(to, path), file)
    if (!isCopy(backup) && digest.sha256 !== sha256)
      throw new Error(`${path} changed while it was being copied.`)
  }
  beginRestoreEpoch(join(to, databaseName))
  await makeLinks(to, manifest)
  for (const path of ['', ...manifest.directories]) await syncDirectory(join(to, path))
}

/**
 * Makes the directory for the replaced state, with a copy of CONTENT_DIR where that is replaced, too, and a
 * manifest, which makes it its own backup.
 * @returns false when there is nothing to be set aside
 */
async function setAside(
  config: RestoreOrder['config'],
  {
    collected,
    away,
    now,
    manifest: { partial, directories },
  }: { collected: string; away: readonly string[]; now: number; manifest: Manifest },
): Promise<boolean> {
  const { dataDir } = config
  await mkdir(collected, { mode: 0o700 })
  const contentDir = directories.includes(contentEntry) ? config.contentDir : null
  const content = await copyContentAside(collected, { dataDir, contentDir })
  if (away.length === 0 && content.files.length === 0) {
    await rm(collected, { recursive: true })
    return false
  }
  const database = databaseFile(dataDir)
  try {
    foldLog(database)
  } catch {
    // A damaged database may be the reason for the restore; it is set aside as it is.
  }
  const schema = readSchema(database)
  const tree = await readTree(dataDir, partial ? isDatabase : isState)
  const files = [...content.files]
  for (const file of tree.files) {
    files.push({ ...file, ...(await digestFile(join(dataDir, file.path))) })
  }
  await writeManifest(collected, {
    ...({ format: 1, kind: 'before-restore', version, schema, madeAt: now } as const),
    partial,
    keys: countingFingerprints(config),
    files,
    directories: [...tree.directories, ...content.directories],
    links: [...tree.links, ...content.links],
  })
  await syncDirectory(collected)
  return true
}

/** @throws when a part of the state is its own disk, which cannot be renamed */
async function assertMovable(dataDir: string): Promise<void> {
  const refuse = (path: string) => {
    throw new Error(
      `${path} is on a separate disk, so the current state can’t be moved aside. Restore into an empty DATA_DIR, then copy its files to that disk.`,
    )
  }
  const { dev } = await stat(dataDir)
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name)
    // A link is renamed as it is, but what is collected below backups goes where it leads.
    const entry = await (name === 'backups' ? stat(path) : lstat(path))
    if ((isState(name) || name === 'backups') && entry.dev !== dev) refuse(path)
  }
  for (const path of await mountsBelow(await realpath(dataDir))) refuse(path)
}

/** Mounts below a directory, which may share its device; none where the system does not list them. */
async function mountsBelow(directory: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')).split('\n')
  const paths = lines.map((line) => line.split(' ')[4] ?? '')
  return paths
    .map((path) =>
      path.replaceAll(/\\(\d{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8))),
    )
    .filter((path) => path.startsWith(`${directory}/`))
}
