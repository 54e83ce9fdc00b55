import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { collections, fieldsOf, longTextOf, type Collection } from '#server/collections.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { contentFiles } from '../support/content-files.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

type Row = Record<string, unknown>

/** The rows of the sample content, each with its long text in place. */
const sample = (collection: Collection): Row[] => {
  const text = readFileSync(resolve(`data/content/${collection}.json`), 'utf8')
  const rows = [JSON.parse(text) as Row | Row[]].flat()
  const long = longTextOf(collection)
  return rows.map((row) => (long && row[long] ? { ...row, [long]: '<p>A text.</p>' } : row))
}

/** Fields whose wrong values hide a row without a word; drafts look the same. */
const hiding = new Set(['status', 'Status', 'consent'])

const fieldsIn = (collection: Collection) => {
  const long = longTextOf(collection)
  return [...fieldsOf(collection), ...(long ? [long] : [])]
}

/**
 * A collection in which each field is wrong somewhere: a row for each, or several of them in one row
 * where there is only one of its kind, as of settings.
 */
function broken(collection: Collection, value: unknown): Row[] {
  const rows = sample(collection)
  const fields = fieldsIn(collection).filter((field) => !hiding.has(field))
  if (collection === 'settings' || collection === 'media') {
    const optional = fields.filter((field) => !['id', 'brand', 'email'].includes(field))
    return rows.map((row) => ({ ...row, ...Object.fromEntries(optional.map((f) => [f, value])) }))
  }
  if (collection === 'services') {
    // Seven addresses, and more fields.
    return rows.map((row, at) => ({
      ...row,
      ...Object.fromEntries(
        fields.filter((_, index) => index % rows.length === at).map((field) => [field, value]),
      ),
    }))
  }
  return fields.map((field, at) => ({
    ...rows[at % rows.length],
    id: 1000 + at,
    ...(collection === 'section_hero' && { Status: 'published' }),
    ...(rows[0]!.slug !== undefined && { slug: `row-${at}` }),
    [field]: value,
  }))
}

/** JSON has no NaN, but it has numbers that are none to JavaScript. */
const infinite = '@infinite@'
const asJson = (rows: readonly Row[]) =>
  JSON.stringify(rows).replaceAll(JSON.stringify(infinite), '1e309')

const addressesOf = (site: Site) => [
  ...site.context.contributions().pages,
  ...Array.from({ length: 16 }, (_, at) => `/news/row-${at}`),
  ...Array.from({ length: 16 }, (_, at) => `/portfolio?project=row-${at}`),
  '/news?category=guide',
  '/portfolio?service=photography&year=2026',
  '/booking?service=photography',
  '/booking?event=1000',
  '/calendar?month=2026-11',
  '/calendar.ics',
  '/contactwindow',
  '/client-zone',
  '/search?q=rally',
  '/api/search?q=photography',
  '/api/bookings/availability?service=photography&from=2026-12-01&to=2026-12-31',
  '/news/rss.xml',
  '/sitemap.xml',
  '/llms.txt',
  '/site.webmanifest',
  '/.well-known/security.txt',
  ...collections.map((collection) => `/items/${collection}?limit=-1`),
  ...collections.map((collection) => `/items/${collection}?sort=-id&search=a`),
]

/** What a site answers to every address, as `status address` of those that failed. */
async function failures(site: Site): Promise<string[]> {
  const failed: string[] = []
  for (const [at, address] of addressesOf(site).entries()) {
    const { status } = await site.get(address, {
      from: `127.1.${at % 250}.${1 + (at % 200)}`,
      headers: { Accept: address.includes('/api/') ? 'application/json' : 'text/html' },
    })
    if (status >= 500 || status === 429) failed.push(`${status} ${address}`)
  }
  return failed
}

const findingsOf = (site: Site) =>
  site
    .logLines()
    .map((line) => JSON.parse(line) as Row)
    .filter(({ msg }) => /^content (?:field|row) left out$/.test(String(msg)))

const errorsOf = (site: Site) =>
  site.logLines().filter((line) => (JSON.parse(line) as { level: number }).level >= 50)

async function siteWith(contents: (collection: Collection) => Row[]) {
  const files = contentFiles(
    Object.fromEntries(collections.map((each) => [`${each}.json`, asJson(contents(each))])),
  )
  const site = await startSite({
    env: { CONTENT_DIR: files.dir },
    renderer: await builtRenderer(dist),
  })
  return {
    ...site,
    dir: files.dir,
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]()
      files[Symbol.dispose]()
    },
  }
}

test.for([
  ['nothing', null],
  ['yes', true],
  ['a negative number', -1],
  ['a fraction', 490.5],
  ['a number that not a number', 'NaN'],
  ['infinity', infinite],
  ['a huge number', 1e300],
  ['a hugely negative number', -1e300],
  ['more than exact', 2 ** 60],
  ['a number as a text', '490'],
  ['a number with a comma', '490,50'],
  ['an empty text', ''],
  ['blanks', '   '],
  ['a day that does not exist', '2026-02-30'],
  ['an ancient year', '0026-01-01'],
  ['a moment that does not exist', '2026-13-41T25:61:00Z'],
  ['an empty list', []],
  ['a list with nothing in it', ['a', null]],
  ['lists in a list', [[['x']]]],
  ['an object', { wrong: true }],
  ['an object that names methods', { toString: 1, constructor: 'x', id: {} }],
  ['a long text', 'word '.repeat(2_000)],
  ['markup', '<script>alert(1)</script><p><b>'],
  ['what no text may hold', '\u0000\u0001\uFFFE'],
  ['half a sign', '\uD800'],
  ['a name of JavaScript', '__proto__'],
  ['a way out', '../../../../etc/passwd'],
  ['an address that runs', 'javascript:alert(1)'],
  ['an address that breaks', 'http://[::1'],
  ['ten thousand entries', Array.from({ length: 10_000 }, (_, at) => `entry ${at}`)],
] as const)('%s in any field is no 5xx on any page', async ([, value]) => {
  await using site = await siteWith((collection) => broken(collection, value))
  expect(await failures(site)).toEqual([])
  expect(errorsOf(site)).toEqual([])
})

test('names each wrong field in the log, once for each change and not for each request', async () => {
  await using site = await siteWith((collection) => broken(collection, { wrong: true }))
  await failures(site)
  const once = findingsOf(site)
  const named = new Set(
    once.map(({ collection, field }) => `${String(collection)} ${String(field).split('.', 1)[0]}`),
  )
  const wanted = collections.flatMap((collection) =>
    fieldsOf(collection)
      .filter((field) => !hiding.has(field))
      .filter((field) => collection !== 'settings' || !['id', 'brand', 'email'].includes(field))
      .filter((field) => collection !== 'media' || field !== 'id')
      .map((field) => `${collection} ${field}`),
  )
  expect(wanted.filter((each) => !named.has(each))).toEqual([])
  const keys = once.map((finding) => JSON.stringify({ ...finding, time: null }))
  expect(keys).toHaveLength(new Set(keys).size)
  await failures(site)
  expect(findingsOf(site)).toHaveLength(once.length)
})

test('a price is euros with up to two decimals, or cents where its name says so', async () => {
  const prices: Row[] = [
    { price_from: 490.5 },
    { price_from: '490,50' },
    { price_from: '1200.00' },
    { price_from_cents: 49_050 },
    { price_from: 490.555 },
    { price_from: -3 },
    { price_from: 'from 900' },
  ]
  await using site = await siteWith((collection) =>
    collection === 'services'
      ? sample('services').map((row, at) => ({ ...row, price_from: null, ...prices[at] }))
      : sample(collection),
  )
  const offered = await site.context.features.services.offered()
  expect(offered.map(({ priceFrom }) => priceFrom?.gross ?? null)).toEqual([
    61_558,
    61_558,
    150_600,
    61_558,
    null,
    null,
    null,
  ])
  const page = await site.get('/booking', { headers: { Accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.text).toContain('615.58')
  expect(findingsOf(site).map(({ row, field }) => [row, field])).toEqual([
    [5, 'price_from'],
    [6, 'price_from'],
    [7, 'price_from'],
  ])
  const { code, out } = await runCli(['content', 'check', site.dir, '--json'], {
    dataDir: site.dataDir,
  })
  expect(code).toBe(1)
  const found = (JSON.parse(out) as Row[]).filter(({ field }) => field === 'price_from')
  expect(found.map(({ row }) => row)).toEqual(['5', '6', '7'])
})
