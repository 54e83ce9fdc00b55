import { bytesText } from '#shared/text/bytes.ts'
import type { Config } from '../config.ts'
import { keepPrivate } from '../state/private-files.ts'
import { checkBackup } from './check.ts'
import { hasSite, keyIn, type Manifest } from './manifest.ts'
import { restoreBackup, type Restored } from './restore.ts'
import type { KeyChoice } from './restored-keys.ts'
import { findBackup, listBackups, removeBackup } from './store.ts'
import { recordLater } from '../timeline/later.ts'
import { siteAct } from '../timeline/timeline.ts'

/** Whether a backup holds the secret key, and how. */
export type KeyInBackup = ReturnType<typeof keyIn>

/** A backup as staff see it. */
export type ListedBackup = {
  name: string
  kind: Manifest['kind'] | 'damaged'
  /** Milliseconds of the epoch; null for a damaged one, as the fields below. */
  madeAt: number | null
  version: string | null
  files: number | null
  key: KeyInBackup | null
  schema: number | null
  bytes: number
  /** The bytes for people. */
  size: string
}

/** A restored backup, and where it is. */
export type RestoredFromBackup = Restored & { path: string }

/** The backups in BACKUP_DIR and DATA_DIR/backups, newest first. No database is opened. */
export async function listForStaff(config: Config): Promise<ListedBackup[]> {
  return (await listBackups(config)).map(({ name, manifest, bytes }) => ({
    name,
    kind: manifest?.kind ?? 'damaged',
    madeAt: manifest?.madeAt ?? null,
    version: manifest?.version ?? null,
    files: manifest?.files.length ?? null,
    key: manifest ? keyIn(manifest) : null,
    schema: manifest?.schema ?? null,
    bytes,
    size: bytesText(bytes),
  }))
}

/**
 * Compares every file of a backup with its manifest.
 * @param given its name, or the path of its directory
 * @returns where it is, how many files it has, whether they are a site's, and what is wrong with them
 * @throws when there is no such backup
 */
export async function checkForStaff(
  config: Config,
  given: string,
): Promise<{
  path: string
  files: number
  key: KeyInBackup
  hasSite: boolean
  problems: readonly string[]
}> {
  const path = findBackup(config, given)
  const { manifest, problems } = await checkBackup(path)
  const files = manifest.files.length
  return { path, files, key: keyIn(manifest), hasSite: hasSite(manifest), problems }
}

/**
 * Puts a backup in place of the state, which is kept aside.
 * @param given its name, or the path of its directory
 * @param options `rehearse` only checks it; `keys` says which secret key counts afterwards; `lastInvoice`
 *   which number was given last, where the state is gone; `by` is who does it, for the timeline of the
 *   restored site
 * @throws when there is no such backup, it is damaged, or a server runs
 */
export async function restoreForStaff(
  config: Config,
  given: string,
  {
    rehearse,
    keys,
    lastInvoice,
    by,
  }: { rehearse: boolean; keys: KeyChoice; lastInvoice?: number; by: string },
): Promise<RestoredFromBackup> {
  keepPrivate(config.dataDir)
  const path = findBackup(config, given)
  const restored = await restoreBackup(
    { config, now: Date.now(), rehearse, keys, lastInvoice },
    path,
  )
  if (!rehearse) {
    recordLater(config.dataDir, siteAct('backups', { actor: by, act: 'restored', note: given }))
  }
  return { path, ...restored }
}

/** Deletes a backup. @param by who does it, for the timeline @throws when there is none of that name */
export async function removeForStaff(config: Config, name: string, by: string): Promise<void> {
  await removeBackup(config, name)
  recordLater(config.dataDir, siteAct('backups', { actor: by, act: 'removed', note: name }))
}

/** The backup with that name, which is about to be removed. @throws when there is none */
export async function backupForStaff(config: Config, name: string): Promise<ListedBackup> {
  const found = (await listForStaff(config)).find((each) => each.name === name)
  if (!found) throw new Error(`Backup not found: ${name}.`)
  return found
}
