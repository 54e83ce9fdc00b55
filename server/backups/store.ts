import { constants, existsSync } from 'node:fs'
import { access, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { migrationCopy } from '../db/migrate.ts'
import { takeLock, type Release } from '../db/state-lock.ts'
import { makeStateDirectory } from '../state/state-directory.ts'
import { bytesOf, readManifest, type Manifest } from './manifest.ts'

/** A backup that is whole, or was once. */
export type Backup = {
  name: string
  path: string
  /** Null when it cannot be read. */
  manifest: Manifest | null
  bytes: number
}

const directoryName = /^(?:before-restore-)?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

const isBackup = (name: string): boolean => directoryName.test(name) || migrationCopy.test(name)

/** Where backups can be: a state, and the directory for what is made from it. */
export type BackupPlaces = {
  dataDir: string
  backups: { directory: string }
}

/** What a restore sets aside is always here, since it gets there by renaming. */
export const besideState = (dataDir: string): string => join(dataDir, 'backups')

/** The directories of a site that hold backups. */
export const directoriesOf = ({ dataDir, backups }: BackupPlaces): string[] => [
  ...new Set([backups.directory, besideState(dataDir)]),
]

/** The name of a backup that is made at an instant. */
export const nameAt = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-')

/** Where a backup is while it is made or removed. */
export const partOf = (name: string): string => `.${name}.part`

/** Where a restore prepares the new state, and collects the old one. */
export const restoreParts = (name: string) => ({
  prepared: `.${name}.new`,
  collected: `.${name}.old`,
})

/** The instant in the name of a backup, in milliseconds of the epoch. */
export function backupTime(name: string): number {
  const [, , copied] = migrationCopy.exec(name) ?? []
  if (copied) return Number(copied)
  const text = name.replace('before-restore-', '')
  return Date.parse(text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))
}

/** The backups in a directory, the newest first. */
export async function listDirectory(directory: string): Promise<Backup[]> {
  const names = (await readdir(directory).catch(() => [])).filter(isBackup)
  return Promise.all(
    names
      .toSorted((a, b) => backupTime(b) - backupTime(a))
      .map(async (name) => {
        const path = join(directory, name)
        const manifest = await readManifest(path).catch(() => null)
        return { name, path, manifest, bytes: manifest ? bytesOf(manifest) : 0 }
      }),
  )
}

/** Every backup of a site, the newest first. */
export async function listBackups(places: BackupPlaces): Promise<Backup[]> {
  const found = await Promise.all(directoriesOf(places).map(listDirectory))
  return found.flat().toSorted((a, b) => backupTime(b.name) - backupTime(a.name))
}

/**
 * Where a backup is, by its name or path.
 * @param given a name as {@link listBackups} gives it, or the path of a backup, which has a slash
 * @throws when it isn't a name of a backup
 */
export function findBackup(places: BackupPlaces, given: string): string {
  return given.includes('/') ? resolve(given) : pathOf(places, checkedName(given))
}

/** Where a backup of a name is; in the first directory when there is none. */
function pathOf(places: BackupPlaces, name: string): string {
  const paths = directoriesOf(places).map((directory) => join(directory, name))
  return paths.find((path) => existsSync(path)) ?? paths[0]!
}

/** @throws when a text isn't a name of a backup, so it leads nowhere else */
function checkedName(name: string): string {
  if (isBackup(name) && name === basename(name)) return name
  throw new Error(`Not a backup name: ${name}. See backup list.`)
}

/**
 * Removes a backup of a site. What is left of it after a crash isn't a backup any more.
 * @throws when there is none of this name
 */
export async function removeBackup(places: BackupPlaces, name: string): Promise<void> {
  const path = pathOf(places, checkedName(name))
  const part = join(path, '..', partOf(name))
  await rm(part, { recursive: true, force: true })
  await rename(path, part).catch(async (cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw new Error(`Backup not found: ${name}.`)
    if (!(await isWritable(dirname(path)))) {
      throw new Error(
        `${path} can’t be removed. Check the owner of its directory, and that its disk isn’t read-only.`,
        { cause },
      )
    }
    throw cause
  })
  await rm(part, { recursive: true, force: true })
}

/**
 * Makes a directory ready for one backup at a time, and removes what cut-off ones left there.
 * @param options `own` for the directory of a state that is open or taken: only there it is known
 *   that no restore has still to be finished, and what one left before its plan is removed, too
 * @throws while another process makes one there, and when nothing can be written there
 */
export async function openDirectory(
  directory: string,
  { own }: { own: boolean },
): Promise<Release> {
  const release = lockIn(directory)
  if (!release) throw new Error(`Another backup is being made in ${directory}.`)
  try {
    // A lock that is there already can be taken on a disk that is mounted read-only.
    const trouble = await whyUnwritable(directory)
    if (trouble !== null) throw new Error(trouble)
    for (const name of await readdir(directory)) {
      const [, whole = ''] =
        (own ? /^\.(.*)\.(?:part|new|old)$/ : /^\.(.*)\.part$/).exec(name) ?? []
      if (isBackup(whole)) await rm(join(directory, name), { recursive: true, force: true })
    }
  } catch (error) {
    release()
    throw error
  }
  return release
}

/**
 * Makes the directory if there is none, and takes its lock.
 * @throws when it can't be made or written, in words for its operator: the system would name a call,
 *   and SQLite, whose lock it is, a database
 */
function lockIn(directory: string): Release | null {
  try {
    makeStateDirectory(directory, 0o700)
    return takeLock(join(directory, '.making.lock'))
  } catch (cause) {
    throw new Error(unwritable(directory), { cause })
  }
}

const unwritable = (directory: string): string =>
  `Backups can’t be written to ${directory}. Check its owner, the free space, and that its disk isn’t read-only.`

/** Says so if no backup could be written to a directory, which needn't exist yet; otherwise null. */
export async function whyUnwritable(directory: string): Promise<string | null> {
  const found = (path: string) => stat(path).catch(() => null)
  let at = directory
  while (!(await found(at)) && dirname(at) !== at) at = dirname(at)
  return (await isWritable(at)) && (await found(at))?.isDirectory() ? null : unwritable(directory)
}

const isWritable = (directory: string): Promise<boolean> =>
  access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
