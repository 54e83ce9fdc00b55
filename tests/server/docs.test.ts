import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fieldsOf } from '#server/collections.ts'
import { storageRegistry } from '#shared/consent/storage-registry.ts'

const contract = readFileSync('docs/contract.md', 'utf8')
const sections = [...contract.matchAll(/^## \d+\. (.+)$/gm)].map(([, name]) => name!)
const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')

test('every section of the contract has a number in order, a stable anchor and a place in its contents', () => {
  const numbers = [...contract.matchAll(/^## (\d+)\./gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  for (const name of sections) {
    expect(contract, name).toContain(`<a id="${slug(name)}"></a>\n## `)
    expect(contract, name).toContain(`[${name}](#${slug(name)})`)
  }
})

test('every citation of the contract in the code names a section that it has', () => {
  const files = globSync('{server,client,shared,cli,tests}/**/*.{ts,tsx}')
  expect(files.length).toBeGreaterThan(400)
  const name = `(?:${sections.join('|')})`
  // The name as a whole, or two of them; what follows is another part of the sentence.
  const named = new RegExp(`^${name}(?: and ${name})?(?=[).,;:]| @|$)`)
  const wrong: string[] = []
  for (const file of files) {
    // A citation may go on in the next line of its comment.
    const text = readFileSync(file, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
    for (const [, rest] of text.matchAll(/docs\/contract\.md, ([^\n]{0,60})/g)) {
      if (!named.test(rest!)) wrong.push(`${file}: ${rest}`)
    }
  }
  expect(wrong).toEqual([])
})

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function spelledOut(path: string): string[] {
  const [whole, list = ''] = /\{([^{}]*)\}/.exec(path) ?? []
  if (whole === undefined) return [path]
  return list.split(',').flatMap((part) => spelledOut(path.replace(whole, part)))
}

test('every file of the code that the documents name is there', () => {
  const missing = ['README.md', ...globSync('docs/**/*.md')].flatMap((document) => {
    const named = readFileSync(document, 'utf8').matchAll(
      /`((?:server|client|shared|cli|tests)\/[^`\s<*]+)`/g,
    )
    const paths = Array.from(named, ([, path]) => path!).flatMap(spelledOut)
    return paths.filter((path) => !existsSync(path)).map((path) => `${document}: ${path}`)
  })
  expect(missing).toEqual([])
})

test('the contract names every environment variable, and what the site keeps for good in a browser', () => {
  const variables = readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z_]+)=/gm)
  const examples = new Set(Array.from(variables, ([, name]) => name!))
  for (const name of examples) expect(contract, name).toContain(`\`${name}\``)
  // And whoever fills in the example meets each that the contract has.
  const [, table = ''] = /\n## \d+\. Environment\n(.+?)\n## /s.exec(contract)!
  const firstCells = Array.from(table.matchAll(/^\| (`[A-Z].*?) \|/gm), ([, cell]) => cell!)
  const named = firstCells.flatMap((cell) => cell.match(/[A-Z][A-Z_]+/g)!)
  expect(named.length).toBeGreaterThan(25)
  expect(named.filter((name) => !examples.has(name))).toEqual([])
  const kept = storageRegistry.filter(
    ({ store, name, party }) => store === 'local' && party === 'first' && name !== 'self-check',
  )
  for (const { name } of kept) expect(contract, name).toContain(`\`${name}\``)
})

test('the contract lists the fields of an event', () => {
  const [line] = contract.match(/^\| `events` \|.*$/m)!
  for (const field of fieldsOf('events')) {
    if (field !== 'id') expect(line).toMatch(new RegExp(String.raw`\b${field}\b`))
  }
})
