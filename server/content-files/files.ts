import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { extraContentFiles } from '../extra-content-files.ts'
import { collections } from '../collections.ts'
import { servedType } from '../http/media-types.ts'

/** Whether a file lies beside the content without being a part of it. */
const isBeside = (path: string): boolean => extraContentFiles.some(({ has }) => has(path))

/** The files of a content folder, with `/` between their parts, sorted; others aren't content. */
export async function listContent(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(isContent)
    .toSorted()
}

function isContent(path: string): boolean {
  if (path.split('/').some((part) => part.startsWith('.'))) return false
  if (isBeside(path)) return true
  if (!path.includes('/')) return collections.some((collection) => path === `${collection}.json`)
  return path.startsWith('assets/')
    ? path.split('/').length === 2 && servedType(path) !== null
    : /\.html?$/.test(path)
}

/** What a copy would do to a file. */
export type Change = { file: string; change: 'new' | 'changed' | 'same' | 'removed' }

/** Compares the content of a folder with what is there already. */
export async function compareContent(from: string, to: string): Promise<Change[]> {
  const files = await listContent(from)
  return Promise.all(
    files.map(async (file): Promise<Change> => {
      const there = await readFile(join(to, file)).catch(() => null)
      if (!there) return { file, change: 'new' }
      const same = there.equals(await readFile(join(from, file)))
      return { file, change: same ? 'same' : 'changed' }
    }),
  )
}

/** The files that are there and not in what is to replace it; what only lies beside it stays. */
export async function goneContent(from: string, to: string): Promise<Change[]> {
  const there = await listContent(to).catch((): string[] => [])
  const files = new Set(await listContent(from))
  return there
    .filter((file) => !files.has(file) && !isBeside(file))
    .map((file) => ({ file, change: 'removed' }))
}

/** Takes files away. */
export async function removeContent(files: readonly string[], dir: string): Promise<void> {
  for (const file of files) await rm(join(dir, file), { force: true })
}

/** Copies files; each appears whole, pictures and texts before the rows that name them. */
export async function copyContent(
  files: readonly string[],
  from: string,
  to: string,
): Promise<void> {
  const rowsLast = files.toSorted(
    (a, b) => Number(a.endsWith('.json')) - Number(b.endsWith('.json')),
  )
  for (const file of rowsLast) {
    const target = join(to, file)
    await mkdir(dirname(target), { recursive: true })
    const half = join(dirname(target), `.${process.pid}.part`)
    try {
      await copyFile(join(from, file), half)
      await rename(half, target)
    } catch (error) {
      await rm(half, { force: true })
      throw error
    }
  }
}
