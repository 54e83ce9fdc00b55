import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isWithin } from '../state/real-place.ts'
import {
  copyFile,
  digestFile,
  makeDirectories,
  makeLinks,
  readTree,
  syncDirectory,
  type Tree,
} from './files.ts'
import type { BackupFile } from './manifest.ts'

/**
 * Where the files of CONTENT_DIR are in a backup, and in DATA_DIR until a restore has put them back.
 * Where CONTENT_DIR lies in DATA_DIR, it is a part of that like all else.
 */
export const contentEntry = 'content-dir'

/** What a folder has of its own, such as `.git`, is no content. */
const isContent = (name: string): boolean => !name.startsWith('.')

/** Whether a folder is there and can be changed; the content of a container's image cannot. */
const isWritable = (dir: string): Promise<boolean> =>
  access(dir, constants.W_OK).then(
    () => true,
    () => false,
  )

/**
 * Adds to the tree of DATA_DIR what lies in CONTENT_DIR outside of it.
 * @returns the whole tree, and where each of its files lies
 */
export async function withContent(
  tree: Tree,
  dataDir: string,
  contentDir: string | null,
): Promise<{ tree: Tree; locate(path: string): string }> {
  const here = (path: string) => join(dataDir, path)
  if (!contentDir || isWithin(contentDir, dataDir) || !(await isWritable(contentDir))) {
    return { tree, locate: here }
  }
  const content = await readTree(contentDir, isContent)
  // A folder without a file is none that someone would want back in place of one with files.
  if (content.files.length === 0) return { tree, locate: here }
  const below = (path: string) => `${contentEntry}/${path}`
  return {
    tree: {
      files: [...tree.files, ...content.files.map((file) => ({ ...file, path: below(file.path) }))],
      directories: [...tree.directories, contentEntry, ...content.directories.map(below)],
      links: [...tree.links, ...content.links.map((link) => ({ ...link, path: below(link.path) }))],
    },
    locate: (path) =>
      path.startsWith(`${contentEntry}/`)
        ? join(contentDir, path.slice(contentEntry.length + 1))
        : here(path),
  }
}

/**
 * Copies CONTENT_DIR to where a restore collects the state that it replaces, as a part of that. Never into
 * DATA_DIR: were the restore cut off there, the next start would take the copy for what was restored, and
 * undo what staff have edited since.
 * @param collected an empty directory
 * @returns what was copied, by its paths in the state
 */
export async function copyContentAside(
  collected: string,
  { dataDir, contentDir }: { dataDir: string; contentDir: string | null },
): Promise<Omit<Tree, 'files'> & { files: BackupFile[] }> {
  const nothing: Tree = { files: [], directories: [], links: [] }
  const { tree, locate } = await withContent(nothing, dataDir, contentDir)
  await makeDirectories(collected, tree)
  const files: BackupFile[] = []
  for (const file of tree.files) {
    const { path } = file
    files.push({ ...file, ...(await copyFile(locate(path), join(collected, path), file)) })
  }
  await makeLinks(collected, tree)
  for (const path of tree.directories) await syncDirectory(join(collected, path))
  return { ...tree, files }
}

/**
 * Makes CONTENT_DIR what a restore has put into DATA_DIR, file by file: texts and pictures before the
 * rows that name them. Doing it again does nothing.
 * @returns false when CONTENT_DIR cannot be written; then the files stay in DATA_DIR
 */
export async function putContentBack(dataDir: string, contentDir: string | null): Promise<boolean> {
  const from = join(dataDir, contentEntry)
  if (!contentDir || !existsSync(from)) return true
  await mkdir(contentDir, { recursive: true }).catch(() => {})
  if (!(await isWritable(contentDir))) return false
  const tree = await readTree(from, () => true)
  const wanted = new Set(tree.files.map(({ path }) => path))
  for (const path of tree.directories) await mkdir(join(contentDir, path), { recursive: true })
  const rowsLast = tree.files.toSorted(
    (a, b) => Number(a.path.endsWith('.json')) - Number(b.path.endsWith('.json')),
  )
  for (const file of rowsLast) {
    const { path } = file
    const to = join(contentDir, path)
    if (await isSame(join(from, path), to)) continue
    const half = join(dirname(to), `.${process.pid}.part`)
    await rm(half, { force: true })
    await copyFile(join(from, path), half, file)
    await rename(half, to)
  }
  const there = await readdir(contentDir).then((names) => names.filter(isContent))
  const now = await readTree(contentDir, (name) => there.includes(name))
  for (const { path } of now.files) {
    if (!wanted.has(path)) await rm(join(contentDir, path), { force: true })
  }
  await rm(from, { recursive: true, force: true })
  return true
}

async function isSame(a: string, b: string): Promise<boolean> {
  if (!existsSync(b)) return false
  const [one, other] = await Promise.all([digestFile(a), digestFile(b)])
  return one.bytes === other.bytes && one.sha256 === other.sha256
}
