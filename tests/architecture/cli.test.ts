import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What the command line needs to open a context. */
const opening = [
  'server/config.ts',
  'server/context.ts',
  'server/version.ts',
  // Before the first file is written, no one else may read along.
  'server/state/private-files.ts',
  // Which site the server of this DATA_DIR serves; asked before a context is opened.
  'server/state/server-settings.ts',
  'server/state/site-origin.ts',
]

/** Acts that have to work without a context, each with the reason. */
const withoutContext = {
  'server/backups/acts.ts': 'a broken database is what they are for',
  'server/content-files/acts.ts': 'a folder of content files is checked where there is no database',
  'server/checks.ts': 'doctor looks at the disk before it opens the database',
}

/** What says how the things of a noun look, and what can be done with them. */
const isDescription = (file: string) => /\/(?:feature|schema|acts)\.ts$/.test(file)

type Import = { from: string; to: string; isType: boolean }

const files = globSync('cli/**/*.ts', { cwd: root }).toSorted()
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** What the command line imports of the server. */
const imports: Import[] = files.flatMap((from) => {
  const text = textOf(from)
  const declared = Array.from(
    text.matchAll(
      /(?:^|\n)import\s+(type\s+)?(?:\{([^}]*)\}|[^'{]*?)\s*from\s+'#(server\/[^']+)'/g,
    ),
    ([, type, names = '', to]) => {
      const isType =
        type !== undefined ||
        names
          .split(',')
          .filter((name) => name.trim() !== '')
          .every((name) => name.trim().startsWith('type '))
      return { from, to: to!, isType }
    },
  )
  const loaded = Array.from(text.matchAll(/\bimport\(\s*'#(server\/[^']+)'\s*\)/g), ([, to]) => ({
    from,
    to: to!,
    isType: false,
  }))
  return [...declared, ...loaded]
})

const pairOf = ({ from, to }: Import) => `${from} > ${to}`

const isAllowed = ({ to, isType }: Import) =>
  opening.includes(to) || to in withoutContext || (isType && isDescription(to))

test('the command line knows of the server what opens it, and what features say of themselves', () => {
  const wrong = imports.filter((each) => !isAllowed(each))
  expect(wrong.map(pairOf)).toEqual([])
  // The imports are not empty by mistake.
  expect(imports.length).toBeGreaterThan(40)
})

test('every exception is needed', () => {
  const known = new Set(imports.map(({ to }) => to))
  expect([...opening, ...Object.keys(withoutContext)].filter((file) => !known.has(file))).toEqual(
    [],
  )
})

test('no command opens a transaction: acts do, so that pages and links can do the same', () => {
  const opens = files.filter((file) => /\bcommit\(/.test(textOf(file)))
  expect(opens).toEqual([])
})
