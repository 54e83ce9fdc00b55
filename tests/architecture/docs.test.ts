import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const docs = globSync(['docs/*.md', 'docs/decisions/*.md'], { cwd: root })

/** A path as the docs write it, where `{a,b}.ts` are two files. */
const filesOf = (path: string): string[] => {
  const [, before, names, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return names === undefined ? [path] : names.split(',').map((name) => before + name + after)
}

test('every path of the code that the docs name is there', () => {
  const missing = docs.flatMap((doc) =>
    // Those with <noun> or * stand for many, and data/var is made by the server.
    Array.from(
      readFileSync(join(root, doc), 'utf8').matchAll(
        /`((?:server|client|shared|cli|tests|docs|data\/content)\/[^`\s<*…]*)`/g,
      ),
      ([, path]) => path!,
    )
      .flatMap(filesOf)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${doc}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('every file that the docs link to is there', () => {
  const missing = docs.flatMap((doc) =>
    Array.from(
      readFileSync(join(root, doc), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g),
      ([, path]) => path!,
    )
      .filter((path) => !existsSync(join(root, dirname(doc), path)))
      .map((path) => `${doc}: ${path}`),
  )
  expect(missing).toEqual([])
})
