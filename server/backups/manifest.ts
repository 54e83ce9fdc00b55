import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** The database inside of a backup and of DATA_DIR. */
export const databaseName = 'pitlane.sqlite'

/** Where it stands in a backup, beside the files that it lists. */
export const manifestName = 'manifest.json'

/** Made by the nightly job, by staff, or from what a restore set aside. */
export const kinds = ['daily', 'manual', 'before-restore'] as const

/** One of {@link kinds}. */
export type BackupKind = (typeof kinds)[number]

/** Below the backup, with forward slashes; never leads out of it. */
const path = z.string().check(
  z.refine(
    (text) =>
      !text.includes('\0') &&
      text.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'leads out of the backup',
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
  /** Symbolic links, which stay links. */
  links: z.array(z.object({ path, target: z.string() })),
})

/** What a backup consists of. */
export type Manifest = z.output<typeof schema>

/** A file of a {@link Manifest}. */
export type BackupFile = Manifest['files'][number]

/**
 * Reads the manifest of a backup.
 * @throws when the directory holds none, or one that cannot be understood
 */
export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(join(backup, manifestName), 'utf8').catch(() => {
    throw new Error(`There is no backup in ${backup}: ${manifestName} cannot be read.`)
  })
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`The ${manifestName} in ${backup} is damaged, or of a newer version.`, {
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
