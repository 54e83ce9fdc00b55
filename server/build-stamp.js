import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

// Plain JavaScript, since `server/start.js` asks before there is anything else to run.

const root = join(import.meta.dirname, '..')

/**
 * What is built, and what each is made from: the pages (browser's bundle and renderer), the server, and
 * the command line, which has a bundle of its own so that a new one never changes files of a server that
 * runs.
 */
const sources = {
  pages: ['client', 'shared'],
  server: ['server', 'shared'],
  cli: ['cli', 'server', 'shared'],
}

/** @typedef {keyof typeof sources} Part */

/** All of them. @type {readonly Part[]} */
export const parts = ['pages', 'server', 'cli']

/** What decides how they are built. */
const files = [
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'server/build.ts',
  'server/build-server.ts',
  'server/build-manifest.ts',
]

/** @param {Part} part */
const stampOf = (part) => join(root, `dist/stamp-${part}`)

/**
 * Says whether a bundle is that of the sources as they are. An installation without sources or
 * without Vite, such as the container image, is taken as it is.
 * @param {Part} part
 * @returns {'current' | 'missing' | 'outdated'}
 */
export function buildState(part) {
  if (!existsSync(stampOf(part))) return 'missing'
  if (!existsSync(join(root, 'node_modules/vite'))) return 'current'
  const [looks, content, ...known] = readFileSync(stampOf(part), 'utf8').trimEnd().split('\n')
  // A folder looks otherwise once something in it is new or gone, so the known names are enough; to
  // read all folders again would take longer than most commands.
  if (looks === looksOf(known)) return 'current'
  if (content !== contentOf(namesOf(part))) return 'outdated'
  // Copied or checked out again: the next start need not read them all.
  stampBuild(part)
  return 'current'
}

/**
 * Notes that a bundle is that of the sources as they are.
 * @param {Part} part
 */
export function stampBuild(part) {
  const names = namesOf(part)
  writeFileSync(stampOf(part), [looksOf(names), contentOf(names), ...names, ''].join('\n'))
}

/**
 * What a part is made from, relative to the root; folders end with a slash.
 * @param {Part} part
 */
const namesOf = (part) =>
  sources[part]
    .flatMap((folder) => [
      `${folder}/`,
      ...readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() || entry.isDirectory())
        .map((entry) => {
          const name = relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
          return entry.isDirectory() ? `${name}/` : name
        }),
    ])
    .concat(files)
    .toSorted()

/**
 * How files and folders look from outside; null where one of them is gone.
 * @param {readonly string[]} names
 */
function looksOf(names) {
  let looks = ''
  for (const name of names) {
    const found = statSync(`${root}/${name}`, { throwIfNoEntry: false })
    if (!found) return null
    // The size of a folder is an affair of the file system.
    looks += `${name}\n${name.endsWith('/') ? '' : found.size} ${found.mtimeMs}\n`
  }
  return createHash('sha256').update(looks).digest('hex')
}

/**
 * What is in the files.
 * @param {readonly string[]} names
 */
function contentOf(names) {
  const hash = createHash('sha256')
  for (const name of names.filter((each) => !each.endsWith('/'))) {
    hash.update(`${name}\n${readFileSync(join(root, name), 'latin1')}\n`)
  }
  return hash.digest('hex')
}
