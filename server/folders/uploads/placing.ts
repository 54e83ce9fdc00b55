import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, link, lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomId, anyAlphabet } from '../../secrets/ids.ts'

/** Names that are tried for a file whose own name another one has. */
const maxNumbered = 100

/** What became of a file that was put into a folder: it's there, it was there before, or it can't be. */
export type Placed =
  | { state: 'added' | 'same'; path: string }
  /** `why` is a sentence for staff. */
  | { state: 'refused'; why: string }

/**
 * Puts a file into a directory, whole or not at all, and never over another one. One that has the same
 * bytes under the same name is there already; other bytes get a number. Done again, it says the same again.
 * @param staged where it is, on whatever disk; it stays, for as long as it isn't on record what became of it
 * @param section the path below the directory where it goes, made where it's missing
 */
export async function putIntoFolder(
  staged: string,
  directory: string,
  { name, section }: { name: string; section: string },
): Promise<Placed> {
  const root = await realpath(directory).catch(() => null)
  if (root === null) return { state: 'refused', why: 'The folder’s directory is missing.' }
  let base = root
  for (const part of section.split('/').filter(Boolean)) {
    base = join(base, part)
    await mkdir(base).catch(() => {})
    // A link would lead out of the folder, and what is behind it isn't shown anyway.
    if (!(await lstat(base).catch(() => null))?.isDirectory()) {
      return { state: 'refused', why: 'The section has the name of a file or link in the folder.' }
    }
  }
  await flush(staged)
  const { name: stem, ext } = parse(name)
  for (let number = 1; number <= maxNumbered; number += 1) {
    const kept = number === 1 ? name : `${stem} (${number})${ext}`
    const target = join(base, kept)
    const path = section === '' ? kept : `${section}/${kept}`
    if ((await linkTo(staged, target)) || (await areOneFile(staged, target))) {
      await flush(base)
      return { state: 'added', path }
    }
    if (await haveSameBytes(staged, target)) return { state: 'same', path }
  }
  return { state: 'refused', why: `There are ${maxNumbered} other files of this name.` }
}

/** Waits until a file or directory is on the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What the names of copies begin with that aren't whole yet. */
const halfPrefix = '.upload-'
const half = new RegExp(`^${RegExp.escape(halfPrefix)}[0-9A-Za-z]{12}$`)

/**
 * Deletes halves of copies whose process was killed: no list shows them, and each backup would keep them.
 * @param before the moment since which nothing was written to them, in milliseconds of the epoch
 */
export async function removeHalves(directory: string, before: number): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile() || !half.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < before) await rm(path, { force: true })
  }
}

/** Gives a file its place, in one step. @returns false when another one has it */
async function linkTo(staged: string, target: string): Promise<boolean> {
  try {
    await link(staged, target)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EXDEV') throw error
  }
  // Another disk: what begins with a dot isn't delivered, so half of a copy is never seen.
  const beside = join(parse(target).dir, halfPrefix + randomId(12, anyAlphabet))
  try {
    await copyFile(staged, beside, constants.COPYFILE_EXCL)
    await flush(beside)
    await link(beside, target)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(beside, { force: true })
  }
}

/** Whether two paths lead to one file, as after a link whose record was cut off. */
async function areOneFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(one), lstat(other).catch(() => null)])
  return a.dev === b?.dev && a.ino === b.ino
}

/** Whether two paths are files with the same bytes. */
export async function haveSameBytes(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other).catch(() => null)])
  if (!b?.isFile() || a.size !== b.size) return false
  const [left, right] = await Promise.all([digest(one), digest(other)])
  return left.equals(right)
}

async function digest(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest()
}
