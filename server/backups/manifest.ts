import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { readSchema } from '../db/database-files.ts'
import { migrationCopy } from '../db/migrate.ts'
import { sealedName } from '../secrets/key-files.ts'
import { version } from '../version.ts'

/** The database inside of a backup and of DATA_DIR. */
export const databaseName = 'pitlane.sqlite'

/** Where it is in a backup, beside the files that it lists. */
export const manifestName = 'manifest.json'

/** Made by the nightly job, by staff, from what a restore set aside, or before a migration. */
export const kinds = ['daily', 'manual', 'before-restore', 'before-migration'] as const

/** One of {@link kinds}. */
export type BackupKind = (typeof kinds)[number]

/** Below the backup, with forward slashes; never leads out of it. */
const path = z.string().check(
  z.refine(
    (text) =>
      !text.includes('\0') &&
      text.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'points outside the backup',
  ),
  z.refine((text) => text !== manifestName, 'is the manifest itself'),
)

const schema = z.object({
  format: z.literal(1),
  kind: z.enum(kinds),
  /** Version of the site that made it. */
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+/)),
  /** Number of the newest migration in the database; null where the database could not be read. */
  schema: z.nullable(z.int()),
  /** Milliseconds of the epoch. */
  madeAt: z.int(),
  files: z.array(
    z.object({
      path,
      bytes: z.int(),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      /** Milliseconds of the epoch: folders tell versions of a file by it. */
      mtime: z.int(),
    }),
  ),
  /** Directories, empty ones too; a directory comes before what is in it. */
  directories: z.array(path),
  /** Set where it is the database alone; a restore leaves the rest of the state as it is. */
  partial: z.optional(z.literal(true)),
  /** Fingerprints of the keys that counted then, the current one first; none in older backups. */
  keys: z.optional(z.array(z.string().check(z.regex(/^[0-9a-f]{16}$/)))),
  /** Symbolic links, which stay links. */
  links: z.array(z.object({ path, target: z.string() })),
})

/** What a backup consists of. */
export type Manifest = z.output<typeof schema>

/** A file of a {@link Manifest}. */
export type BackupFile = Manifest['files'][number]

/** The key in backups of earlier versions, readable by anyone who has them. */
export const plainKey = 'secret-key'

/** How the secret key is in a backup. */
export const keyIn = ({ files }: Manifest): 'no' | 'encrypted' | 'plain' => {
  const has = (name: string) => files.some((file) => file.path === name)
  return has(sealedName) ? 'encrypted' : has(plainKey) ? 'plain' : 'no'
}

/**
 * Whether there is a site to restore. What a restore set aside on a new machine has none: only what was
 * there beside the missing database, such as the files of CONTENT_DIR.
 */
export const hasSite = ({ kind, schema: migration, files }: Manifest): boolean =>
  kind !== 'before-restore' ||
  migration !== null ||
  files.some((file) => file.path === databaseName)

/** Whether a backup is a single file: the copy of the database from before a migration. */
export const isCopy = (backup: string): boolean => migrationCopy.test(basename(backup))

/** Where a file of a backup is. */
export const fileIn = (backup: string, file: string): string =>
  isCopy(backup) ? backup : join(backup, file)

/** What the manifest of a copy from before a migration would say, but for the hash of the file. */
async function describeCopy(backup: string): Promise<Manifest> {
  const { size, mtimeMs } = await stat(backup)
  const madeAt = Number(migrationCopy.exec(basename(backup))![2])
  return {
    format: 1,
    kind: 'before-migration',
    version,
    schema: readSchema(backup),
    madeAt,
    partial: true,
    files: [{ path: databaseName, bytes: size, sha256: '', mtime: Math.floor(mtimeMs) }],
    directories: [],
    links: [],
  }
}

/**
 * Reads the manifest of a backup; of a single file it is made up, with an empty hash.
 * @throws when the directory holds none, or one that cannot be understood
 */
export async function readManifest(backup: string): Promise<Manifest> {
  if (isCopy(backup)) return describeCopy(backup)
  const text = await readFile(join(backup, manifestName), 'utf8').catch(() => {
    throw new Error(`No backup in ${backup}: ${manifestName} can’t be read.`)
  })
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`The ${manifestName} in ${backup} is damaged or from a newer version.`, {
      cause,
    })
  }
}

/** Writes the manifest into the directory of a backup. */
export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeFile(join(backup, manifestName), text, { mode: 0o600, flush: true })
}

/** Bytes of all files. */
export const bytesOf = ({ files }: Pick<Manifest, 'files'>): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)
