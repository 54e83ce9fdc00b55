import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { takeLock, type Release } from '../db/state-lock.ts'
import { bytesOf, readManifest, type Manifest } from './manifest.ts'

/** A backup that is whole, or was once. */
export type Backup = {
  name: string
  path: string
  /** Null when it cannot be read. */
  manifest: Manifest | null
  bytes: number
}

const backupName = /^(?:before-restore-)?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** Where backups are kept by default. */
export const backupsOf = (dataDir: string): string => join(dataDir, 'backups')

/** The name of a backup that is made at an instant. */
export const nameAt = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-')

/** Where a backup is while it is made or removed. */
export const partOf = (name: string): string => `.${name}.part`

/** Where a restore prepares the new state, and collects the old one. */
export const restoreParts = (name: string) => ({
  prepared: `.${name}.new`,
  collected: `.${name}.old`,
})

/** The backups in a directory, the newest first. */
export async function listBackups(directory: string): Promise<Backup[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => backupName.test(name))
  const time = (name: string) => name.replace('before-restore-', '')
  const newestFirst = names.toSorted((a, b) => (time(a) < time(b) ? 1 : -1))
  return Promise.all(
    newestFirst.map(async (name) => {
      const path = join(directory, name)
      const manifest = await readManifest(path).catch(() => null)
      return { name, path, manifest, bytes: manifest ? bytesOf(manifest) : 0 }
    }),
  )
}

/**
 * Where a backup is, by its name or path.
 * @param given a name below DATA_DIR/backups, or the path of a directory, which has a slash
 * @throws when it is no name of a backup
 */
export function findBackup(dataDir: string, given: string): string {
  return given.includes('/') ? resolve(given) : join(backupsOf(dataDir), checkedName(given))
}

/** @throws when a text is no name of a backup, so that it leads nowhere else */
function checkedName(name: string): string {
  if (backupName.test(name) && name === basename(name)) return name
  throw new Error(`${name} is no name of a backup; backup list shows them.`)
}

/**
 * Removes a backup below DATA_DIR/backups. What is left of it after a crash is no backup any more.
 * @throws when there is none of this name
 */
export async function removeBackup(dataDir: string, name: string): Promise<void> {
  const path = join(backupsOf(dataDir), checkedName(name))
  const part = join(backupsOf(dataDir), partOf(name))
  await rm(part, { recursive: true, force: true })
  await rename(path, part).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`There is no backup ${name}.`) : error
  })
  await rm(part, { recursive: true, force: true })
}

/**
 * Makes a directory ready for one backup at a time, and removes what cut-off ones left there.
 * @param options `own` for the directory of a state that is open or taken: only there it is known
 *   that no restore has still to be finished, and what one left before its plan is removed, too
 * @throws while another process makes one there
 */
export async function openDirectory(
  directory: string,
  { own }: { own: boolean },
): Promise<Release> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const release = takeLock(join(directory, '.making.lock'))
  if (!release) throw new Error(`Another backup is being made in ${directory}.`)
  try {
    for (const name of await readdir(directory)) {
      const [, whole = ''] =
        (own ? /^\.(.*)\.(?:part|new|old)$/ : /^\.(.*)\.part$/).exec(name) ?? []
      if (backupName.test(whole)) await rm(join(directory, name), { recursive: true, force: true })
    }
  } catch (error) {
    release()
    throw error
  }
  return release
}
