import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

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
  const [looks, content] = readFileSync(stampOf(part), 'utf8').split('\n')
  const names = sourceNames(part)
  if (looks === hashOf(names, lookOf)) return 'current'
  if (content !== hashOf(names, read)) return 'outdated'
  // Copied or checked out again: the next start need not read them all.
  stampBuild(part)
  return 'current'
}

/**
 * Notes that a bundle is that of the sources as they are.
 * @param {Part} part
 */
export function stampBuild(part) {
  const names = sourceNames(part)
  writeFileSync(stampOf(part), `${hashOf(names, lookOf)}\n${hashOf(names, read)}\n`)
}

/** @param {Part} part */
const sourceNames = (part) =>
  sources[part]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .concat(files.map((name) => join(root, name)))
    .toSorted()

/**
 * @param {readonly string[]} names
 * @param {(name: string) => string} tell
 */
function hashOf(names, tell) {
  const hash = createHash('sha256')
  for (const name of names) hash.update(`${relative(root, name)}\n${tell(name)}\n`)
  return hash.digest('hex')
}

/** @param {string} name */
function lookOf(name) {
  const { size, mtimeMs } = statSync(name)
  return `${size} ${mtimeMs}`
}

/** @param {string} name */
const read = (name) => readFileSync(name, 'latin1')
