import { constants } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** What tells one version of a file from another: bytes, and milliseconds of the epoch. */
export type Version = { size: number; mtime: number }

/** Thrown for a file that is not there, may not be read, or is another version than was asked for. */
export class FileGone extends Error {}

/** What the system says of such a file; anything else, as a lack of descriptors, passes. */
const gone: ReadonlySet<unknown> = new Set([
  'EACCES',
  // A disk that fails in this place.
  'EIO',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'ESTALE',
])

const isGone = (error: unknown) =>
  error instanceof FileGone || (error instanceof Error && 'code' in error && gone.has(error.code))

/** Null in place of a file that is not there. @throws what has another reason */
async function orNull<Value>(look: () => Promise<Value>): Promise<Value | null> {
  try {
    return await look()
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/**
 * Where a file of a folder really is.
 * @param root the folder's directory, absolute
 * @param path below it, as it was indexed
 * @returns null when there is no such file, or when a link leads out of the folder
 */
export async function realFile(root: string, path: string): Promise<string | null> {
  const real = await orNull(() => Promise.all([realpath(root), realpath(join(root, path))]))
  if (!real) return null
  const [base, file] = real
  return file.startsWith(base + sep) ? file : null
}

/** The version of a folder's file on disk, or null when it cannot be served. */
export async function versionOf(root: string, path: string): Promise<Version | null> {
  const file = await realFile(root, path)
  const found = file === null ? null : await orNull(() => stat(file))
  return found?.isFile() ? { size: found.size, mtime: Math.floor(found.mtimeMs) } : null
}

/**
 * Opens one version of a folder's file.
 * @throws FileGone when it is not there, or not this version any more
 */
export async function openFile(root: string, path: string, version: Version): Promise<ByteSource> {
  const handle = await openInside(root, path)
  try {
    const { size, mtimeMs } = await handle.stat()
    if (size !== version.size || Math.floor(mtimeMs) !== version.mtime) {
      throw new FileGone('The file has changed since it was checked.')
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  return {
    size: version.size,
    async read(into, position) {
      const wanted = Math.min(into.length, version.size - position)
      const { bytesRead } = await handle.read(into, 0, wanted, position)
      if (bytesRead === 0 && wanted > 0) throw new FileGone('The file has become shorter.')
      return bytesRead
    },
    close: () => handle.close(),
  }
}

async function openInside(root: string, path: string): Promise<FileHandle> {
  const file = await realFile(root, path)
  // A link that is put there in this very moment is not followed.
  const handle = file && (await orNull(() => open(file, constants.O_RDONLY | constants.O_NOFOLLOW)))
  if (!handle) throw new FileGone('The file is not in its folder.')
  return handle
}

/** Bytes of known number that can be read from anywhere. */
export type ByteSource = {
  readonly size: number
  /**
   * Reads bytes into a buffer.
   * @param position of the first byte
   * @returns how many were read; at least one while position is before the end
   * @throws when what was promised is not there any more
   */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}
