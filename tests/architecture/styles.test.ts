import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The classes that a style sheet has rules for. */
const classesOf = (sheet: string) =>
  new Set(
    Array.from(
      textOf(sheet)
        .replaceAll(/\/\*.*?\*\//gs, '')
        .matchAll(/\.([a-zA-Z][\w-]*)/g),
      ([, name]) => name!,
    ),
  )

/** The classes that a component takes of the style sheets that it imports. */
const used = globSync('client/**/*.tsx', { cwd: root }).flatMap((component) => {
  const text = textOf(component)
  return Array.from(text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)).flatMap(
    ([, styles, from]) =>
      Array.from(
        text.matchAll(new RegExp(`(?<![\\w.'/-])${styles}\\.(\\w+)`, 'g')),
        ([, name]) => ({
          component,
          sheet: join(dirname(component), from!),
          name: name!,
        }),
      ),
  )
})

test('every class that a component asks for has a rule in its style sheet', () => {
  // A build says nothing of a class that isn’t there: its element just looks like any other.
  expect(used.length).toBeGreaterThan(500)
  expect(used.filter(({ sheet, name }) => !classesOf(sheet).has(name))).toEqual([])
})
