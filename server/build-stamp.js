import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

// Plain JavaScript, since `server/start.js` asks before there is anything else to run.

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/stamp')

/** Everything that goes into the bundles. */
const folders = ['client', 'shared', 'server']
const files = ['vite.config.ts', 'package.json', 'package-lock.json']

/**
 * Says whether the bundles are those of the sources as they are. An installation without sources or
 * without Vite, such as the container image, is taken as it is.
 * @returns {'current' | 'missing' | 'outdated'}
 */
export function buildState() {
  if (!existsSync(stamp)) return 'missing'
  if (!existsSync(join(root, 'node_modules/vite'))) return 'current'
  const [looks, content] = readFileSync(stamp, 'utf8').split('\n')
  const names = sourceNames()
  if (looks === hashOf(names, lookOf)) return 'current'
  if (content !== hashOf(names, read)) return 'outdated'
  // Copied or checked out again: the next start need not read them all.
  stampBuild()
  return 'current'
}

/** Notes that the bundles are those of the sources as they are. */
export function stampBuild() {
  const names = sourceNames()
  writeFileSync(stamp, `${hashOf(names, lookOf)}\n${hashOf(names, read)}\n`)
}

const sourceNames = () =>
  folders
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
