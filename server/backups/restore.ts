import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { foldLog, readSchema } from '../db/copy.ts'
import { databaseFile } from '../db/open.ts'
import { finishReplacing, isReplacing, replaceState } from '../db/replace-state.ts'
import { takeState } from '../db/state-lock.ts'
import { version } from '../version.ts'
import { checkBackup, tooNew } from './check.ts'
import {
  copyFile,
  digestFile,
  isState,
  makeDirectories,
  makeLinks,
  needRoom,
  readTree,
  syncDirectory,
} from './files.ts'
import { bytesOf, writeManifest, type BackupFile, type Manifest } from './manifest.ts'
import { backupsOf, nameAt, openDirectory, restoreParts } from './store.ts'

/** What a restore did. */
export type Restored = {
  manifest: Manifest
  /** Where the state is now that was there before; null when there was none. */
  aside: string | null
}

/**
 * Puts a backup in the place of the state, which no process may use meanwhile. Everything is
 * prepared beside it first; then both change places by renaming, which the next start finishes if
 * this process does not.
 * @param backup its directory
 * @param options `rehearse` only looks whether it could be done
 * @throws StateInUse, and when the backup is damaged or too new or there is no room; then nothing
 *   has changed
 */
export async function restoreBackup(
  { dataDir, now, rehearse = false }: { dataDir: string; now: number; rehearse?: boolean },
  backup: string,
): Promise<Restored> {
  const backups = backupsOf(dataDir)
  await mkdir(backups, { recursive: true, mode: 0o700 })
  const release = takeState(dataDir)
  try {
    finishReplacing(dataDir)
    const { manifest, problems } = await checkBackup(backup)
    const newer = tooNew(manifest)
    if (newer) throw new Error(newer)
    if (problems.length > 0) throw new Error(`The backup is damaged:\n- ${problems.join('\n- ')}`)
    await mustBeMovable(dataDir)
    await needRoom(dataDir, bytesOf(manifest))
    if (rehearse) return { manifest, aside: null }

    const closeDirectory = await openDirectory(backups, { own: true })
    try {
      return { manifest, aside: await exchange(dataDir, backup, manifest, now) }
    } finally {
      closeDirectory()
    }
  } finally {
    release()
  }
}

async function exchange(
  dataDir: string,
  backup: string,
  manifest: Manifest,
  now: number,
): Promise<string | null> {
  const backups = backupsOf(dataDir)
  let at = now
  while (existsSync(join(backups, `before-restore-${nameAt(at)}`))) at += 1
  const aside = `before-restore-${nameAt(at)}`
  const { prepared, collected } = restoreParts(aside)
  try {
    await prepare(join(backups, prepared), backup, manifest)
    const away = (await readdir(dataDir)).filter(isState)
    if (away.length > 0) await describeState(dataDir, join(backups, collected), at)
    // The log of the database has become a part of it.
    const left = (await readdir(dataDir)).filter(isState)
    const into = await readdir(join(backups, prepared))
    replaceState(dataDir, { away: left, into, prepared, collected, aside })
    return away.length > 0 ? join(backups, aside) : null
  } catch (error) {
    // With a plan on the disk, both are needed to go on.
    if (!isReplacing(dataDir)) {
      await rm(join(backups, prepared), { recursive: true, force: true })
      await rm(join(backups, collected), { recursive: true, force: true })
    }
    throw error
  }
}

/** Copies a backup to where it can be renamed into its place, and compares it once more. */
async function prepare(to: string, backup: string, manifest: Manifest): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await makeDirectories(to, manifest)
  for (const { path, mtime, sha256 } of manifest.files) {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    const digest = await copyFile(join(backup, path), join(to, path), { mtime })
    if (digest.sha256 !== sha256) throw new Error(`${path} has changed while it was copied.`)
  }
  await makeLinks(to, manifest)
  for (const path of ['', ...manifest.directories]) await syncDirectory(join(to, path))
}

/** Makes the state a backup as it lies there: writes the manifest that it is moved to. */
async function describeState(dataDir: string, collected: string, now: number): Promise<void> {
  const database = databaseFile(dataDir)
  try {
    foldLog(database)
  } catch {
    // A damaged database may be the reason for the restore; it is set aside as it is.
  }
  const schema = readSchema(database)
  const tree = await readTree(dataDir, isState)
  const files: BackupFile[] = []
  for (const file of tree.files) {
    files.push({ ...file, ...(await digestFile(join(dataDir, file.path))) })
  }
  await mkdir(collected, { mode: 0o700 })
  const kind = 'before-restore' as const
  await writeManifest(collected, { format: 1, kind, version, schema, madeAt: now, ...tree, files })
  await syncDirectory(collected)
}

/** @throws when a part of the state is a disk of its own, which cannot be renamed */
async function mustBeMovable(dataDir: string): Promise<void> {
  const refuse = (path: string) => {
    throw new Error(
      `${path} is a disk of its own, so that the state cannot be set aside. Restore into an empty DATA_DIR, and copy from there what belongs onto that disk.`,
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
