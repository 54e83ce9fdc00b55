import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { kindOf } from '../../transfers/file-kinds.ts'
import { realFile, type Version } from '../../transfers/disk.ts'
import { failure } from '#shared/failures.ts'
import type { FileKind } from '#shared/folders/file-kind.ts'

/** A file as it was found. */
export type FoundFile = Version & {
  /** Below the folder, with forward slashes. */
  path: string
  section: string
  name: string
  kind: FileKind
  type: string
  /** The path of the still picture of a video. */
  poster: string | null
}

/** What a directory holds, and what was left out with the reason. */
export type Scan = { files: FoundFile[]; refused: { path: string; why: string }[] }

/** Files that operating systems leave behind; not delivered. */
export const systemFiles = /^(?:\.|thumbs\.db$|desktop\.ini$|__macosx$)/i

const poster = /\.poster\.(?:jpe?g|png|webp)$/i

/**
 * Looks through a directory and everything below it, in the order of the page: sections one after
 * the other, what can be looked at before documents, names as people count.
 * @param root absolute
 */
export async function scan(root: string): Promise<Scan> {
  const found: Scan = { files: [], refused: [] }
  await scanDirectory(root, '', found)
  const posters = found.files.filter(({ name }) => poster.test(name))
  const files = found.files
    .filter((file) => !posters.includes(file))
    .map((file) => ({ ...file, poster: posterOf(file, posters) }))
  return { files: files.toSorted(byPage), refused: found.refused }
}

/** @throws for a directory that is there and can't be read: its files mustn't be taken for gone */
async function scanDirectory(root: string, section: string, found: Scan): Promise<void> {
  const names = await readdir(join(root, section)).catch((error: NodeJS.ErrnoException) => {
    // Removed or renamed since its name was read.
    if (section !== '' && error.code === 'ENOENT') return []
    throw failure('unavailable', {
      message: `${join(root, section)} can’t be read (${error.code}). Nothing was changed.`,
      cause: error,
    })
  })
  for (const name of names) {
    if (systemFiles.test(name)) continue
    const path = section ? `${section}/${name}` : name
    const refuse = (why: string) => void found.refused.push({ path, why })
    // Bytes that aren't UTF-8 cannot be named, not even to open the file.
    if (name.includes('\uFFFD')) {
      refuse('unreadable name')
      continue
    }
    const entry = await lstat(join(root, path)).catch(() => null)
    if (entry?.isDirectory()) await scanDirectory(root, path, found)
    else if (entry?.isSymbolicLink()) await addLinked(root, { path, section, name }, found, refuse)
    else if (entry?.isFile()) found.files.push(describe({ path, section, name }, entry))
    else if (entry) refuse('not a file')
  }
}

type Place = Pick<FoundFile, 'path' | 'section' | 'name'>

/** A link to a file inside of the folder is as good as the file; all others are refused. */
async function addLinked(
  root: string,
  place: Place,
  found: Scan,
  refuse: (why: string) => void,
): Promise<void> {
  const target = await realFile(root, place.path)
  if (target === null) return refuse('a link out of the folder, or a broken one')
  const entry = await stat(target)
  if (entry.isFile()) found.files.push(describe(place, entry))
  else refuse('a link to a directory')
}

const describe = (place: Place, { size, mtimeMs }: { size: number; mtimeMs: number }) => ({
  ...place,
  ...kindOf(place.name),
  size,
  mtime: Math.floor(mtimeMs),
  poster: null,
})

/** `drift.poster.jpg` belongs to `drift.mp4`. */
function posterOf({ kind, path }: FoundFile, posters: readonly FoundFile[]): string | null {
  if (kind !== 'video') return null
  const stem = (text: string) => text.replace(/\.[^./]+$/, '')
  return posters.find((one) => one.path.replace(poster, '') === stem(path))?.path ?? null
}

let collator: ((a: string, b: string) => number) | undefined

/** Compares as people count, and what they count alike by its letters. */
function compareNames(a: string, b: string): number {
  // Made for the first file: most commands list none, and would wait for the tables of a language.
  if (!collator) {
    const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
    const plain = new Intl.Collator('en')
    collator = (left, right) => compare(left, right) || plain.compare(left, right)
  }
  return collator(a, b)
}

function byPage(a: FoundFile, b: FoundFile): number {
  return (
    compareSections(a.section, b.section) ||
    Number(isText(a)) - Number(isText(b)) ||
    compareNames(a.name, b.name)
  )
}

const isText = ({ kind }: FoundFile) => kind === 'document' || kind === 'audio'

/** The top comes first, and a directory before those inside of it. */
function compareSections(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [a.split('/'), b.split('/')]
  for (const [index, part] of left.entries()) {
    const other = right[index]
    if (a === '' || other === undefined) break
    const order = compareNames(part, other)
    if (order !== 0 && b !== '') return order
  }
  return a === '' ? -1 : b === '' ? 1 : left.length - right.length
}
