import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { runCli } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const run = (site: Site, ...args: string[]) => runCli(['links', ...args], { dataDir: site.dataDir })

const json = async (site: Site, ...args: string[]) => {
  const { code, out, err } = await run(site, ...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

const person = {
  headers: {
    'User-Agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  },
}

test('a link is made, changed, switched off and on while the server runs', async () => {
  await using site = await startSite({ clock: Object.assign(Date.now, { advance() {} }) })
  const made = await run(
    site,
    'create',
    'https://example.com/race',
    '--code',
    'Kaamos',
    '--by',
    'Aino',
  )
  expect([made.code, made.out]).toEqual([0, `${site.url}/l/Kaamos\n`])
  expect((await site.get('/l/kaamos', person)).headers.location).toBe('https://example.com/race')

  await run(site, 'edit', 'kaamos', '--target', 'https://example.com/final', '--note', 'Poster')
  await eventually(async () =>
    expect((await site.get('/l/kaamos', person)).headers.location).toBe(
      'https://example.com/final',
    ),
  )
  await run(site, 'disable', 'kaamos')
  await eventually(async () => expect((await site.get('/l/kaamos', person)).status).not.toBe(302))
  await run(site, 'enable', 'kaamos')
  await eventually(async () => expect((await site.get('/l/kaamos', person)).status).toBe(302))

  await site.context.features.links.flush()
  expect(await json(site, 'show', 'KAAMOS')).toMatchObject({
    code: 'Kaamos',
    note: 'Poster',
    author: 'Aino',
    state: 'live',
    people: site.context.features.links.find('kaamos')!.human,
  })
  const stats = await json(site, 'stats', 'kaamos')
  expect(stats.days.at(-1).human).toBe(site.context.features.links.find('kaamos')!.human)
  expect(stats.devices).toMatchObject([{ name: 'computer' }])
  // The words of the desk and of /links.
  expect((await run(site, 'stats', 'kaamos')).out).toMatch(
    /^link: .*\nclicks: \d+\nbots: \d+\n\nday +clicks +bots *\n/,
  )
  expect((await run(site, 'list')).out).toMatch(/^code +state +clicks +bots /)
})

test('invalid links are refused with the reason', async () => {
  await using site = await startSite()
  const refusal = async (...args: string[]) => {
    const { code, err } = await run(site, 'create', ...args)
    return [code, err.trim().split('\n')[0]]
  }
  expect(await refusal('javascript:alert(1)')).toEqual([
    1,
    'Only http and https URLs can be linked.',
  ])
  expect(await refusal('https://a:b@example.com/')).toMatchObject([
    1,
    expect.stringContaining('password'),
  ])
  expect(await refusal(`${site.url}/l/other`)).toMatchObject([
    1,
    expect.stringContaining('short link'),
  ])
  expect(await refusal('https://example.com/', '--code', 'news')).toMatchObject([
    1,
    expect.stringContaining('reserved'),
  ])
  expect(await refusal('https://example.com/', '--max-clicks', '0')).toMatchObject([
    2,
    expect.anything(),
  ])
  expect((await run(site, 'show', 'nothing')).code).toBe(1)
  expect((await run(site, 'list', '--state', 'odd')).code).toBe(2)
})

/** A link that has passed its end. */
const ended = (site: Site, target: string, code: string) =>
  site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      { target, code, expiresAt: Date.UTC(2020, 0, 31) },
      'test',
    ),
  )

test('limits are set and cleared, and lists are filtered', async () => {
  await using site = await startSite()
  await run(site, 'create', 'https://example.com/a', '--code', 'aa', '--max-clicks', '3')
  // An end in the past is refused, as a code's is; a link may have passed its end since.
  const past = ['https://example.com/b', '--code', 'bb', '--expires', '2020-01-31']
  const refused = await run(site, 'create', ...past)
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('That expiry is in the past.'),
  ])
  expect((await run(site, 'edit', 'aa', '--expires', '2020-01-31')).err).toContain('in the past')
  await ended(site, 'https://example.com/b', 'bb')
  await run(
    site,
    'create',
    'https://example.com/c',
    '--code',
    'cc',
    '--starts',
    '2999-01-01',
    '--utm-source',
    'poster',
  )
  const states = async (...args: string[]) =>
    (await json(site, 'list', ...args)).map(({ code, state }: Record<string, string>) => [
      code,
      state,
    ])
  expect(await states()).toEqual([
    ['cc', 'scheduled'],
    ['bb', 'expired'],
    ['aa', 'live'],
  ])
  expect(await states('--state', 'expired')).toEqual([['bb', 'expired']])
  expect(await states('--search', 'COM/C')).toEqual([['cc', 'scheduled']])
  await run(site, 'edit', 'bb', '--expires', 'never')
  await run(site, 'edit', 'cc', '--starts', 'now', '--utm-source', '')
  await run(site, 'edit', 'aa', '--max-clicks', 'none')
  expect(await json(site, 'list')).toMatchObject([
    { code: 'cc', state: 'live', starts: null, utm_source: null },
    { code: 'bb', state: 'live', expires: null },
    { code: 'aa', maxClicks: null },
  ])
})

test('the table names the last day of a link that ends with a day, as its page does', async () => {
  await using site = await startSite()
  const target = 'https://example.com/'
  await run(site, 'create', target, '--code', 'day', '--expires', '2999-12-05')
  await run(site, 'create', target, '--code', 'hour', '--expires', '2999-12-05T18:30:00+02:00')
  const { out } = await run(site, 'list')
  expect(out).toMatch(/^day .* 2999-12-05 +https/m)
  expect(out).toMatch(/^hour .* 2999-12-05 18:30 +https/m)
  expect((await json(site, 'list')).at(-1)).toMatchObject({
    expires: '2999-12-06T00:00:00.000+02:00',
  })
})

test('a table ends after 30 links and says so; JSON has all of them', async () => {
  await using site = await startSite()
  for (let index = 0; index < 105; index += 1) {
    await site.context.commit((tx) =>
      site.context.features.links.create(
        tx,
        { target: 'https://example.com/', code: `link-${index}` },
        'test',
      ),
    )
  }
  expect(await run(site, 'list')).toMatchObject({
    out: expect.stringMatching(/^(?:.*\n){31}$/),
    err: 'Showing 30 of 105 links. More with --limit.\n',
  })
  expect(await json(site, 'list')).toHaveLength(105)
  expect(await json(site, 'list', '--state', 'live')).toHaveLength(105)
  expect(await json(site, 'list', '--limit', '7')).toHaveLength(7)
})

test('an export is imported again, and a wrong line imports nothing', async () => {
  await using site = await startSite()
  await site.context.commit((tx) =>
    site.context.features.links.create(
      tx,
      {
        target: 'https://example.com/a,b',
        code: 'aa',
        note: '=1+1',
        maxClicks: 9,
        utm: { term: 'x' },
      },
      'test',
    ),
  )
  await site.context.commit((tx) =>
    site.context.features.links.create(tx, { target: 'https://example.com/b', code: '-b' }, 'test'),
  )
  const file = join(site.dataDir, 'links.csv')
  await run(site, 'export', '--out', file)
  await using other = await startSite()
  expect((await run(other, 'import', file, '--dry-run')).out).toBe(
    '2 added, 0 already there, 0 skipped\n\nDry run: nothing changed. Run it without --dry-run to import them.\n',
  )
  expect(other.context.features.links.find('aa')).toBeNull()
  expect((await run(other, 'import', file)).out).toBe('2 added, 0 already there, 0 skipped\n')
  expect((await run(other, 'import', file)).out).toBe('0 added, 2 already there, 0 skipped\n')
  expect(other.context.features.links.find('aa')).toMatchObject({
    target: 'https://example.com/a,b',
    note: '=1+1',
    maxClicks: 9,
    utm: { term: 'x' },
  })

  for (const format of ['json', 'ndjson']) {
    const path = join(site.dataDir, `links.${format}`)
    await run(site, 'export', '--format', format, '--out', path)
    await using third = await startSite()
    expect((await run(third, 'import', path)).out).toBe('2 added, 0 already there, 0 skipped\n')
    expect((await run(third, 'import', path)).out).toBe('0 added, 2 already there, 0 skipped\n')
    expect(third.context.features.links.find('aa')).toMatchObject({
      note: '=1+1',
      maxClicks: 9,
      forwardQuery: false,
      utm: { term: 'x' },
      password: null,
    })
  }
  // Excel writes what is true in capitals.
  writeFileSync(file, 'target,code,forwardQuery,locked\nhttps://example.com/e,ee,TRUE,FALSE\n')
  expect((await run(other, 'import', file)).out).toContain('1 added')
  expect(other.context.features.links.find('ee')).toMatchObject({ forwardQuery: true })

  writeFileSync(file, '{"target":"https://example.com/c"}\n{"target":["x"]}\n')
  expect(await run(other, 'import', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Line 2 has a list or an object as its target.'),
  })

  writeFileSync(file, 'target,code\nhttps://example.com/c,cc\njavascript:alert(1),dd\n')
  const failed = await run(other, 'import', file)
  expect([failed.code, failed.out]).toEqual([
    1,
    'Line 3: Only http and https URLs can be linked.\n',
  ])
  expect(await run(other, 'import', file, '--dry-run')).toEqual(failed)
  expect(other.context.features.links.find('cc')).toBeNull()
  expect((await run(other, 'import', file, '--skip-invalid')).out).toContain('1 added')
  expect(other.context.features.links.find('cc')).not.toBeNull()
})

test('an export holds the days and the state that are asked for', async () => {
  await using site = await startSite()
  const make = (code: string, expiresAt: number | null = null) =>
    site.context.commit((tx) =>
      site.context.features.links.create(
        tx,
        { target: 'https://example.com/', code, expiresAt },
        'test',
      ),
    )
  await make('friday')
  site.clock.advance(86_400_000)
  await make('saturday')
  await make('expired', Date.UTC(2020, 0, 1))
  const codes = async (...args: string[]) => {
    const { out, err } = await run(site, 'export', '--format', 'json', ...args)
    expect(err).toBe('')
    return (JSON.parse(out) as { code: string }[]).map(({ code }) => code)
  }
  expect(await codes()).toEqual(['friday', 'saturday', 'expired'])
  expect(await codes('--to', '2026-11-20')).toEqual(['friday'])
  expect(await codes('--from', '2026-11-21', '--to', '2026-11-21')).toEqual(['saturday', 'expired'])
  expect(await codes('--from', '2026-11-21', '--status', 'expired')).toEqual(['expired'])
  expect((await run(site, 'export', '--status', 'odd')).code).toBe(2)
})

test('expired links are purged, and QR codes drawn', async () => {
  await using site = await startSite({ clock: createClock(Date.now()) })
  await ended(site, 'https://example.com/a', 'old')
  await run(site, 'create', 'https://example.com/b', '--code', 'young')
  expect((await run(site, 'purge-expired', '--rehearse')).out).toBe(
    '1 link would be removed\n\nDry run: nothing changed. Run it without --dry-run to remove it.\n',
  )
  expect((await json(site, 'list')).map(({ code }: { code: string }) => code)).toContain('old')
  expect((await run(site, 'purge-expired')).out).toBe('1 link removed\n')
  expect((await json(site, 'list')).map(({ code }: { code: string }) => code)).toEqual(['young'])
  const file = join(site.dataDir, 'young.svg')
  await run(site, 'qr', 'young', '--out', file)
  expect(readFileSync(file, 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/)
  const picture = join(site.dataDir, 'young.png')
  await run(site, 'qr', 'young', '--out', picture)
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
  expect((await run(site, 'qr', 'young')).out).toContain('█')
})
