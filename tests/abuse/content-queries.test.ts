import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentFiles, type ContentFiles } from '../support/content-files.ts'
import { startSite, type Site } from '../support/site.ts'

let files: ContentFiles
let site: Site

beforeAll(async () => {
  const text = 'A sentence about gravel, snow and light. '.repeat(40)
  files = contentFiles({
    'portfolio.json': Array.from({ length: 5_000 }, (_, id) => ({
      id,
      slug: `p-${id}`,
      title: `Title ${id % 7}`,
      description: text,
      published_at: `2026-01-0${(id % 9) + 1}T08:00:00Z`,
    })),
  })
  site = await startSite({ env: { CONTENT_DIR: files.dir } })
  await site.context.content.rows('portfolio')
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  files[Symbol.dispose]()
})

const ask = (query: Record<string, string>) =>
  site.get(`/items/portfolio?${new URLSearchParams(query).toString()}`)

test.for([
  [
    'operators',
    { filter: JSON.stringify({ _and: Array.from({ length: 99 }, () => ({ id: 1 })) }) },
  ],
  ['values', { filter: JSON.stringify({ id: { _in: Array.from({ length: 900 }, (_, n) => n) } }) }],
  ['values in a text', { filter: JSON.stringify({ id: { _nin: '1,'.repeat(1_500) } }) }],
  ['sort keys', { sort: 'title,'.repeat(1_000) }],
  ['levels', { filter: `${'{"_or":['.repeat(400)}${']}'.repeat(400)}` }],
  ['brackets', { filter: '['.repeat(4_000) }],
] as const)('a query with too many %s is refused', async ([, query]) => {
  const { status, json } = await ask(query)
  expect(status).toBe(400)
  expect(json).toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] })
})

test('the dearest query that is taken does not hold up the others', async () => {
  const filter = JSON.stringify({
    _or: Array.from({ length: 28 }, (_, n) => ({ description: { _icontains: `nothing ${n}` } })),
  })
  const dear = ask({ filter, sort: 'title,-published_at,description', limit: '1' })
  // Work of this thread between two turns of its event loop; a busy machine adds time to it, and no work.
  let longest = 0
  let last = process.threadCpuUsage()
  const beat = setInterval(() => {
    longest = Math.max(longest, process.threadCpuUsage(last).user / 1_000)
    last = process.threadCpuUsage()
  }, 5)
  const { status } = await dear
  clearInterval(beat)
  expect(status).toBe(200)
  expect(longest).toBeLessThan(100)
})
