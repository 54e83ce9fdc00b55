import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, statfs, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { bytesText } from '#shared/text/bytes.ts'
import { isPlan } from '../db/replace-state.ts'
import { isStateLock } from '../db/state-lock.ts'
import { isKeyLock, isSecretFile } from '../secrets/key-files.ts'
import { databaseName, type BackupFile, type Manifest } from './manifest.ts'

/** What of DATA_DIR can be made again, is about the backups themselves, or hasn't arrived yet. */
const leftOut: ReadonlySet<string> = new Set(['backups', 'cache', 'logs', 'uploads'])

/** Free bytes that stay for the site itself. */
const reservedBytes = 200 * 1024 * 1024

/**
 * Whether an entry of DATA_DIR is part of the state, as whatever is new there is. Keys in plain are
 * not: they are neither copied nor replaced, and see {@link sealKeys} for how they get into a backup.
 */
export const isState = (name: string): boolean =>
  !leftOut.has(name) &&
  !isStateLock(name) &&
  !isPlan(name) &&
  !isKeyLock(name) &&
  !isSecretFile(name)

/** Whether an entry of DATA_DIR is the database or one of the files beside it. */
export const isDatabase = (name: string): boolean => name.startsWith(databaseName)

/** What lies in a directory, before it was read. */
export type Tree = Pick<Manifest, 'directories' | 'links'> & {
  files: Omit<BackupFile, 'sha256'>[]
}

/**
 * Looks through a directory and everything below it. Links are not followed.
 * @param wanted asked for each entry of the directory itself
 */
export async function readTree(root: string, wanted: (name: string) => boolean): Promise<Tree> {
  const tree: Tree = { files: [], directories: [], links: [] }
  const walk = async (below: string, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const path = below + name
      // Files come and go while this looks at them.
      const entry = await lstat(join(root, path)).catch(() => null)
      if (entry?.isSymbolicLink()) {
        tree.links.push({ path, target: await readlink(join(root, path)) })
      } else if (entry?.isDirectory()) {
        tree.directories.push(path)
        await walk(`${path}/`, await readdir(join(root, path)))
      } else if (entry?.isFile()) {
        tree.files.push({ path, bytes: entry.size, mtime: Math.floor(entry.mtimeMs) })
      }
    }
  }
  await walk('', (await readdir(root)).filter(wanted))
  return tree
}

/** The SHA-256 of a file and how many bytes it covers. */
export type Digest = Pick<BackupFile, 'bytes' | 'sha256'>

/** Reads a file from its begin to its end. */
export async function digestFile(path: string): Promise<Digest> {
  const digest = digester()
  for await (const chunk of createReadStream(path)) digest.add(chunk as Buffer)
  return digest.end()
}

/** Up to how many bytes a file is read in one go: pieces of it take twice the work. */
const inOneGo = 1024 * 1024

/**
 * Copies a file onto the disk, with its time.
 * @param to a path at which nothing is yet
 * @param file its time, and how many bytes it had when it was looked at
 * @returns what was written, which the source may not be any more
 */
export async function copyFile(
  from: string,
  to: string,
  { mtime, bytes, signal }: { mtime: number; bytes: number; signal?: AbortSignal },
): Promise<Digest> {
  // Half a millisecond more, since fractions of seconds are rounded down on their way to the disk.
  const seconds = (mtime + 0.5) / 1000
  const digest = digester()
  const whole = bytes <= inOneGo ? await readWhole(from, bytes) : null
  if (whole) {
    const file = await open(to, 'wx', 0o600)
    try {
      await file.writeFile(whole)
      await file.utimes(seconds, seconds)
      await file.sync()
    } finally {
      await file.close()
    }
    digest.add(whole)
    return digest.end()
  }
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        digest.add(chunk)
        yield chunk
      }
    },
    createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true }),
    { signal },
  )
  await utimes(to, seconds, seconds)
  return digest.end()
}

/** Reads a file in one go. @returns null where it has more bytes by now */
async function readWhole(path: string, bytes: number): Promise<Buffer | null> {
  const file = await open(path, 'r')
  try {
    // A byte more than there should be, which a file that has grown fills.
    const buffer = Buffer.allocUnsafe(bytes + 1)
    for (let filled = 0; filled <= bytes;) {
      const { bytesRead } = await file.read(buffer, filled)
      if (bytesRead === 0) return buffer.subarray(0, filled)
      filled += bytesRead
    }
    return null
  } finally {
    await file.close()
  }
}

function digester() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    add(chunk: Buffer) {
      hash.update(chunk)
      bytes += chunk.length
    },
    end: (): Digest => ({ bytes, sha256: hash.digest('hex') }),
  }
}

/** Creates the directories of a tree, accessible to their owner only. */
export async function makeDirectories(root: string, { directories }: Pick<Tree, 'directories'>) {
  for (const path of directories) await mkdir(join(root, path), { recursive: true, mode: 0o700 })
}

/** Creates the links of a tree, after its files so no file is written through one. */
export async function makeLinks(root: string, { links }: Pick<Tree, 'links'>) {
  for (const { path, target } of links) await symlink(target, join(root, path))
}

/** Syncs a directory, so its entries survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** @throws when a directory has no room for some bytes and for the site beside them */
export async function needRoom(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  if (free >= bytes + reservedBytes) return
  throw new Error(
    `Not enough space in ${directory}: ${bytesText(bytes + reservedBytes)} needed, ${bytesText(free)} free.`,
  )
}

/** Says which disk is full where that is what is wrong: neither the system nor SQLite name it. */
export function namingDisk(error: unknown, directory: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || message === 'database or disk is full'
  if (!isFull) return error
  return new Error(`Not enough space in ${directory}: its disk filled up meanwhile.`, {
    cause: error,
  })
}
