import { existsSync } from 'node:fs'
import { chmod, link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSchema } from '../db/database-files.ts'
import { databaseFile, type Database } from '../db/open.ts'
import { sealedName } from '../secrets/key-files.ts'
import { countingFingerprints, keySource, type KeySource } from '../secrets/secret-key.ts'
import { isSamePlace, isWithin } from '../state/real-place.ts'
import { version } from '../version.ts'
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
  type Tree,
} from './files.ts'
import { withContent } from './content-dir.ts'
import {
  bytesOf,
  databaseName,
  isCopy,
  writeManifest,
  type BackupFile,
  type BackupKind,
  type Manifest,
} from './manifest.ts'
import { sealKeys } from './sealed-keys.ts'
import {
  besideState,
  listDirectory,
  nameAt,
  openDirectory,
  partOf,
  type Backup,
  type BackupPlaces,
} from './store.ts'

/** Bytes from which on a file that has not changed is shared with the backup before. */
const largeFile = 1024 * 1024

/** What a backup is made from, and where it goes. */
export type BackupOrder = {
  config: Required<Omit<KeySource, 'clock'>> &
    BackupPlaces & {
      backups: { passphrase: string | null }
      /** CONTENT_DIR, which is in the backup wherever it is. */
      contentDir: string
    }
  db: Pick<Database, 'copyTo'>
  now: number
  kind: Extract<BackupKind, 'daily' | 'manual'>
  /** A directory for backups; BACKUP_DIR where left out. */
  out?: string
  signal?: AbortSignal
}

/**
 * Copies the whole state into a new directory, while it is in use. It gets its
 * name when it is whole and on the disk.
 * @throws when there is no room, or something cannot be read or written; then nothing is left
 */
export async function createBackup(order: BackupOrder): Promise<Backup & { manifest: Manifest }> {
  const directory = targetOf(order)
  const own = directory === besideState(order.config.dataDir)
  const release = await openDirectory(directory, { own })
  try {
    const before = (await listDirectory(directory)).find(
      ({ path, manifest }) => manifest !== null && !isCopy(path),
    )
    let madeAt = order.now
    while (existsSync(join(directory, nameAt(madeAt)))) madeAt += 1
    const name = nameAt(madeAt)
    const [part, path] = [join(directory, partOf(name)), join(directory, name)]
    try {
      const manifest = await fill(part, { ...order, now: madeAt }, before ?? null)
      await rename(part, path)
      await syncDirectory(directory)
      return { name, path, manifest, bytes: bytesOf(manifest) }
    } catch (error) {
      await rm(part, { recursive: true, force: true })
      throw namingDisk(error, directory)
    }
  } finally {
    release()
  }
}

/** @throws for a place inside of the state, which the next backup would copy and folders would show */
function targetOf({ config: { dataDir, contentDir, backups }, out }: BackupOrder): string {
  const beside = besideState(dataDir)
  const directory = out === undefined ? backups.directory : resolve(out)
  if (isSamePlace(directory, beside)) return beside
  if (isWithin(directory, dataDir) || isWithin(directory, contentDir)) {
    throw new Error(`${directory} is part of the state itself; choose a directory outside it.`)
  }
  return directory
}

async function fill(
  part: string,
  { config, db, now, kind, signal }: BackupOrder,
  before: Backup | null,
): Promise<Manifest> {
  const { dataDir, contentDir } = config
  const own = await readTree(
    dataDir,
    (name) => isState(name) && !isDatabase(name) && name !== sealedName,
  )
  const { tree, locate } = await withContent(own, dataDir, contentDir)
  const known = new Map(before?.manifest?.files.map((file) => [file.path, file]))
  const unchanged = (file: Tree['files'][number]) => {
    const old = file.bytes < largeFile ? undefined : known.get(file.path)
    return old?.bytes === file.bytes && old.mtime === file.mtime ? old : null
  }
  const copied = bytesOf({ files: tree.files.filter((file) => !unchanged(file)) as BackupFile[] })
  await needRoom(join(part, '..'), copied + (await databaseBytes(dataDir)))

  await mkdir(part, { mode: 0o700 })
  // Before the files: those that its rows name are copied later, so none can be missing
  // unless staff removed it meanwhile.
  const copy = join(part, databaseName)
  await db.copyTo(copy)
  await chmod(copy, 0o600)
  const schema = readSchema(copy)
  const files: BackupFile[] = [{ path: databaseName, mtime: now, ...(await digestFile(copy)) }]
  await makeDirectories(part, tree)
  for (const file of tree.files) {
    signal?.throwIfAborted()
    const old = unchanged(file)
    const to = join(part, file.path)
    const shared = old && (await share(join(before!.path, file.path), to))
    const digest = shared ? old : await copyPresent(locate(file.path), to, file, signal)
    if (digest) files.push({ ...file, bytes: digest.bytes, sha256: digest.sha256 })
  }
  const { passphrase } = config.backups
  const sealed = passphrase === null ? null : await sealKeys(dataDir, { backup: part, passphrase })
  if (sealed !== null) {
    files.push({ path: sealed, mtime: now, ...(await digestFile(join(part, sealed))) })
  }
  await makeLinks(part, tree)
  const { directories, links } = tree
  const manifest = { format: 1 as const, kind, version, schema, madeAt: now }
  const keys = countingFingerprints(keySource(config, () => now))
  const whole: Manifest = { ...manifest, keys, files, directories, links }
  await writeManifest(part, whole)
  for (const path of ['', ...directories]) await syncDirectory(join(part, path))
  return whole
}

/** Bytes that a copy of the database may take. */
async function databaseBytes(dataDir: string): Promise<number> {
  const file = databaseFile(dataDir)
  const log = await stat(`${file}-wal`).catch(() => ({ size: 0 }))
  return (await stat(file)).size + log.size
}

/** Lets two backups have one file. @returns false where that cannot be done */
const share = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  )

/** Copies a file of the state. @returns null when it is gone meanwhile */
async function copyPresent(
  from: string,
  to: string,
  file: Pick<BackupFile, 'mtime' | 'bytes'>,
  signal?: AbortSignal,
) {
  try {
    return await copyFile(from, to, { ...file, signal })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await rm(to, { force: true })
    return null
  }
}
