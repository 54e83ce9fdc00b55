import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { failure } from '#shared/failures.ts'
import type { Folder } from '../schema.ts'
import { haveSameBytes } from './placing.ts'

/**
 * Copies a file of this machine to where uploads arrive. A copy that was interrupted goes on where it
 * ended, as long as the file hasn't changed since.
 * @param path of the file; it stays
 * @param dir DATA_DIR/uploads
 * @returns where the copy is, and what the file is called
 * @throws invalid for a path that leads to no file
 */
export async function stageFile(
  { id }: Pick<Folder, 'id'>,
  path: string,
  dir: string,
): Promise<{ staged: string; name: string }> {
  const { real, size, mtimeMs } = await sizeOfFile(path)
  await mkdir(dir, { recursive: true })
  const key = createHash('sha256')
    .update(JSON.stringify([id, real, size, mtimeMs]))
    .digest('hex')
  const staged = join(dir, `local-${key.slice(0, 40)}`)
  const start = (await stat(staged).catch(() => null))?.size ?? 0
  if (start < size) await append(real, staged, { start, size })
  // A power cut may have left a beginning that was never written.
  if (start > 0 && !(await haveSameBytes(staged, real))) {
    await rm(staged)
    await append(real, staged, { start: 0, size })
  }
  if ((await stat(staged)).size !== size) {
    await rm(staged, { force: true })
    throw failure('invalid', { message: 'The file changed while it was read.' })
  }
  return { staged, name: basename(path) }
}

/** Copies the rest of a file to the end of another one. */
const append = (from: string, to: string, { start, size }: { start: number; size: number }) =>
  pipeline(
    createReadStream(from, { start, end: size - 1 }),
    createWriteStream(to, { flags: 'a', mode: 0o600 }),
  )

/** A file of this machine. @throws invalid for a path that leads to no file */
export async function sizeOfFile(
  path: string,
): Promise<{ real: string; size: number; mtimeMs: number }> {
  const real = await realpath(path).catch(() => null)
  const found = real === null ? null : await stat(real)
  if (real === null || !found?.isFile()) {
    throw failure('invalid', { message: 'There’s no such file.' })
  }
  return { real, size: found.size, mtimeMs: found.mtimeMs }
}
