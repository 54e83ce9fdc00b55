import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineOf } from '#server/content/files/json-position.ts'
import { daysOf } from '../support/bookings.ts'
import { contentFiles } from '../support/content-files.ts'
import { eventually } from '../support/eventually.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const good = {
  services: { photography: { capacity: 2 }, 'drone-films': {} },
  crew: [{ name: 'Aino', services: ['photography', 'drone-films'] }],
  blocked: [{ from: '2027-01-19', to: '2027-01-19', reason: 'Service of the cars' }],
}

/** State that outlives a site. */
function state(): Disposable & { dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'pitlane-rules-'))
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

const health = async (site: Site) => (await site.get('/api/health')).json

/** What photography is on the blocked day and on the day after. */
async function days(site: Site) {
  const found = await daysOf(site, '2027-01-19', '2027-01-20')
  return ['2027-01-19', '2027-01-20'].map((day) => {
    const { state: open, free } = found.get(day)!
    return `${open} ${free}`
  })
}

/** As the good rules have it: a blocked day, and one person of the crew. */
const asGood = ['closed 0', 'free 1']

test('rules whose last good version cannot be kept leave no half of it behind', async () => {
  using files = contentFiles({ 'booking-rules.json': good })
  using data = state()
  const kept = join(data.dir, 'last-good')
  mkdirSync(join(kept, 'booking-rules.json/in-the-way'), { recursive: true })
  await using site = await startSite({ dataDir: data.dir, env: { CONTENT_DIR: files.dir } })
  expect(await days(site)).toEqual(asGood)
  expect(site.logLines().join()).toContain('cannot save the last good version of a settings file')
  expect(readdirSync(kept).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('the last good rules outlive a broken file and a restart, for the command line, too', async () => {
  using files = contentFiles({ 'booking-rules.json': good })
  using data = state()
  const env = { CONTENT_DIR: files.dir }
  {
    await using site = await startSite({ dataDir: data.dir, env })
    expect(await days(site)).toEqual(asGood)
    expect(await health(site)).toMatchObject({ bookingRules: 'ok' })
    files.write('booking-rules.json', '{\n  "services": {\n    "photography": {},\n  }\n}\n')
    await eventually(async () =>
      expect(await health(site)).toMatchObject({ status: 'degraded', bookingRules: 'broken' }),
    )
    expect(await days(site)).toEqual(asGood)
  }
  await using site = await startSite({ dataDir: data.dir, env })
  expect(await days(site)).toEqual(asGood)
  expect(await health(site)).toMatchObject({ status: 'degraded', bookingRules: 'broken' })
  const logged = () => site.logLines().filter((line) => line.includes('invalid settings file'))
  expect(logged()).toHaveLength(1)
  await health(site)
  expect(logged()).toHaveLength(1)

  const doctor = await runCli(['doctor'], { dataDir: data.dir, env })
  expect(doctor.out).toMatch(
    /warn booking rules: .*booking-rules\.json: line 4: not valid JSON from column 3; using the last good version/,
  )
  // A service that only these rules have.
  const block = ['bookings', 'block', '2027-01-21', '--service', 'drone-films', '--reason', 'Wind']
  expect(await runCli(block, { dataDir: data.dir, env })).toMatchObject({ code: 0, err: '' })

  files.write('booking-rules.json', { ...good, blocked: [] })
  await eventually(async () => expect(await days(site)).toEqual(['free 1', 'free 1']))
  expect(await health(site)).toMatchObject({ bookingRules: 'ok' })
})

test('a file that cannot even be read changes nothing either', async () => {
  using files = contentFiles({ 'booking-rules.json': good })
  using data = state()
  const env = { CONTENT_DIR: files.dir }
  {
    await using site = await startSite({ dataDir: data.dir, env })
    expect(await days(site)).toEqual(asGood)
  }
  files.remove('booking-rules.json')
  files.write('booking-rules.json/a-folder-now.txt', 'A folder has taken its name.')
  await using site = await startSite({ dataDir: data.dir, env })
  expect(await days(site)).toEqual(asGood)
  expect(await health(site)).toMatchObject({ status: 'degraded', bookingRules: 'broken' })
})

test.for([
  ['crew', { crew: [{ name: 'Aino', services: ['photografy'] }] }, 'crew.0.services.0'],
  [
    'services',
    { services: { photografy: {}, 'drone-films': {} }, crew: [] },
    'services.photografy',
  ],
  [
    'blocked',
    { blocked: [{ from: '2027-01-19', to: '2027-01-19', service: 'Photography', reason: 'x' }] },
    'blocked.0.service',
  ],
] as const)('a misspelt service in "%s" is named, and takes no day', async ([, change, place]) => {
  using files = contentFiles({ 'booking-rules.json': good })
  using data = state()
  const env = { CONTENT_DIR: files.dir }
  await using site = await startSite({ dataDir: data.dir, env })
  expect(await days(site)).toEqual(asGood)
  files.write('booking-rules.json', { ...good, ...change })
  await eventually(async () => expect(await health(site)).toMatchObject({ bookingRules: 'broken' }))
  expect(await days(site)).toEqual(asGood)
  const { out } = await runCli(['doctor'], { dataDir: data.dir, env })
  expect(out).toContain(`${place}: no service`)
  expect(out).toMatch(/line \d+: .*did you mean "photography"\?/)
  const checked = await runCli(['content', 'check'], { dataDir: data.dir, env })
  expect([checked.code, checked.out]).toEqual([1, expect.stringContaining('did you mean')])
})

test('without any good rules the usual ones count, and a crew without a service is told of', async () => {
  using files = contentFiles({ 'booking-rules.json': '{' })
  using data = state()
  const env = { CONTENT_DIR: files.dir }
  await using site = await startSite({ dataDir: data.dir, env })
  expect(await days(site)).toEqual(['free 1', 'free 1'])
  expect((await runCli(['doctor'], { dataDir: data.dir, env })).out).toContain('using the defaults')
  files.write('booking-rules.json', {
    services: { photography: {}, videography: {} },
    crew: [{ name: 'Aino', services: ['photography'] }],
  })
  const { out } = await runCli(['doctor'], { dataDir: data.dir, env })
  expect(out).toContain('no crew member does videography, so it can’t be booked')
})

test('a broken catalogue leaves the shop empty and is named; the site starts', async () => {
  using files = contentFiles({ 'products.json': '[\n  {"handle": "a",}\n]' })
  using data = state()
  const env = { CONTENT_DIR: files.dir }
  {
    await using site = await startSite({ dataDir: data.dir, env })
    expect(await health(site)).toMatchObject({ status: 'degraded', catalogue: 'broken' })
    expect((await site.get('/api/shop/products')).status).toBeLessThan(500)
  }
  const { out } = await runCli(['doctor'], { dataDir: data.dir, env })
  expect(out).toMatch(/warn shop: .*products\.json isn’t valid JSON from line 2, column 18/)
  files.write('products.json', '[\n  {"handle": "a",\n   "kind": 7}\n]')
  const again = await runCli(['doctor'], { dataDir: data.dir, env })
  expect(again.out).toMatch(/line 3: 0\.kind/)
})

test('a value of a JSON text is found on its line', () => {
  const text = JSON.stringify(
    { a: [], b: {}, c: [{ d: 'x, "y" {' }, { d: [1, 2, { e: null }] }] },
    null,
    1,
  )
  const lines = text.split('\n')
  const at = (...path: PropertyKey[]) => lines[lineOf(text, path) - 1]?.trim()
  expect(at()).toBe('{')
  expect(at('b')).toBe('"b": {},')
  expect(at('c', 0, 'd')).toBe('"d": "x, \\"y\\" {"')
  expect(at('c', 1)).toBe('{')
  expect(at('c', 1, 'd', 1)).toBe('2,')
  expect(at('c', 1, 'd', 2, 'e')).toBe('"e": null')
  // What is not there is looked for where it would have to be.
  expect(at('c', 1, 'missing')).toBe('{')
})
