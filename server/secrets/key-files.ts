import { createHmac, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { takeLock } from '../db/state-lock.ts'
import { StartError } from '../start-error.ts'
import { makeStateDirectory } from '../state/state-directory.ts'

/** The current key, and those that `keys rotate` replaced, one a line, the newest first. */
const secretNames = ['secret-key', 'secret-key.old'] as const

/** What is known of keys and of revoked kinds; holds no secret. */
const recordName = 'keys.json'

/** What is in a DATA_DIR once a site with a key of its own has begun there, which it does with a database. */
export const keyNames = [secretNames[0], recordName] as const

/** The keys inside of a backup, encrypted with BACKUP_PASSPHRASE. */
export const sealedName = 'secret-key.age'

/** Whether an entry of DATA_DIR holds keys in plain, half-written ones too; no backup may contain it. */
export const isSecretFile = (name: string): boolean =>
  name.startsWith(secretNames[0]) && name !== sealedName

/** Whether an entry of DATA_DIR only orders who writes key files. */
export const isKeyLock = (name: string): boolean =>
  name.startsWith('keys.lock') || name === `${recordName}.part`

/** Earlier versions wrote parts of milliseconds while the clock had been set back. */
const time = z.pipe(z.number(), z.transform(Math.round))
const recordSchema = z.object({
  /** By fingerprint; times are milliseconds of the epoch. */
  keys: z.record(
    z.string(),
    z.object({
      since: time,
      /** When another one took its place. */
      replacedAt: z.nullable(time),
      revokedAt: z.nullable(time),
    }),
  ),
  /** Fingerprint of the key that the server signs with; the command line may have another SECRET_KEY. */
  signing: z.optional(z.string()),
  /** Keys that `keys rotate` makes, until the database knows of them. */
  rotations: z.optional(z.array(z.object({ fingerprint: z.string(), by: z.string(), at: time }))),
  /** By the name of a purpose: what is mixed into its hashes since it was revoked. */
  kinds: z.record(z.string(), z.object({ value: z.string(), at: time })),
})

/** When keys came and went, and which kinds of tokens were revoked. */
export type KeyRecord = z.output<typeof recordSchema>

/** Tells a key from others without giving it away: 64 bits in hex. */
export const fingerprintOf = (secret: string): string =>
  createHmac('sha256', secret).update('fingerprint').digest('hex').slice(0, 16)

/** The key kept in a directory of state, or null. */
export const readSecret = (dataDir: string): string | null => readLines(dataDir, 0)[0] ?? null

/** The keys that `keys rotate` replaced, the newest first. */
export const readOldSecrets = (dataDir: string): string[] => readLines(dataDir, 1)

function readLines(dataDir: string, which: 0 | 1): string[] {
  try {
    return keyLines(readFileSync(join(dataDir, secretNames[which]), 'utf8'))
  } catch {
    return []
  }
}

/** The keys in the text of a key file, one a line. */
export const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Creates and stores a key; when two processes start at once, one of them wins. */
export function makeSecret(dataDir: string): void {
  const file = join(dataDir, secretNames[0])
  const part = `${file}.${process.pid}.part`
  makeStateDirectory(dataDir, 0o700)
  writeFileSync(part, newSecret(), { mode: 0o600, flush: true })
  try {
    // A link, since the other one must never read half a key.
    linkSync(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(part, { force: true })
  }
}

/** A new random key, 256 bits in hex. */
export const newSecret = (): string => randomBytes(32).toString('hex')

/** Puts keys into a directory of state, the current one first. */
export function writeSecrets(dataDir: string, [current, ...old]: readonly string[]): void {
  // The earlier ones first, so a crash in between loses none.
  if (old.length > 0) writeWhole(join(dataDir, secretNames[1]), `${old.join('\n')}\n`)
  writeWhole(join(dataDir, secretNames[0]), current!)
  if (old.length === 0) rmSync(join(dataDir, secretNames[1]), { force: true })
}

/** Removes the keys of a directory of state that SECRET_KEY has replaced. */
export function removeSecrets(dataDir: string): void {
  for (const name of secretNames) rmSync(join(dataDir, name), { force: true })
}

/** @throws StartError when it is damaged, since what was revoked would count again */
export function readKeyRecord(dataDir: string): KeyRecord {
  const file = join(dataDir, recordName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { keys: {}, kinds: {} }
    throw new StartError(`${file} can’t be read: ${(error as Error).message}.`)
  }
  try {
    return recordSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartError(
      `${file} is damaged. It lists revoked keys and links; restore it from a backup.`,
      { cause },
    )
  }
}

/**
 * Changes what is known of keys, one process at a time.
 * @param change gets the present record and returns the next one; null leaves it as it is. Key files
 *   may be changed in it, too
 * @throws when another process is changing them
 */
export function changeKeyRecord(
  dataDir: string,
  change: (record: KeyRecord) => KeyRecord | null,
): void {
  const release = takeLock(join(dataDir, 'keys.lock'), { wait: 2_000 })
  if (!release) throw new Error(`Another command is changing the keys in ${dataDir}. Try again.`)
  try {
    const next = change(readKeyRecord(dataDir))
    if (next) writeKeyRecord(dataDir, next)
  } finally {
    release()
  }
}

/** Writes what is known of keys into a directory that no other process uses. */
export function writeKeyRecord(dataDir: string, record: KeyRecord): void {
  writeWhole(join(dataDir, recordName), `${JSON.stringify(record, null, 1)}\n`)
}

/** Changes whenever one of the files does. */
export function stampOf(dataDir: string): string {
  const stamps = [...secretNames, recordName].map((name) => {
    const stats = statSync(join(dataDir, name), { throwIfNoEntry: false })
    return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : ''
  })
  return stamps.join('\n')
}

/** Writes a file that is always whole, for its owner alone. */
function writeWhole(file: string, text: string): void {
  const part = `${file}.part`
  rmSync(part, { force: true })
  writeFileSync(part, text, { mode: 0o600, flush: true })
  renameSync(part, file)
  const directory = openSync(join(file, '..'), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
