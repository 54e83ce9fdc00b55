import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { book } from '../support/bookings.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { allVerbs, runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

/** A site with so many tickets, a minute apart; every fifth is from Eero. */
async function siteWith(count: number): Promise<Site> {
  const site = await startSite()
  for (let n = 0; n < count; n += 1) {
    const from = n % 5 === 0 ? 'eero' : 'aino'
    await saveEnquiry(
      site,
      {
        'Ticket ID': `t${String(n).padStart(5, '0')}`,
        Email: `${from}${n}@example.com`,
        Subject: n === 3 ? '日本のラリー、十一月、写真と映像の見積もりをお願いします' : `Race ${n}`,
      },
      { from: `127.0.1.${n}` },
    )
    site.clock.advance(60_000)
  }
  return site
}

const list = (site: Site, ...args: string[]) => runCli(['tickets', 'list', ...args], site)
const idsOf = ({ out }: { out: string }) => out.match(/^t\d{5}/gm) ?? []

test('a list has 30 rows, the newest first; what was left off is said on stderr alone', async () => {
  await using site = await siteWith(33)
  const usual = await list(site)
  expect(idsOf(usual)).toHaveLength(30)
  expect(idsOf(usual)[0]).toBe('t00032')
  expect(usual.err).toBe('Showing 30 of 33 tickets. More with --limit.\n')
  expect(idsOf(await list(site, '--limit', '2'))).toEqual(['t00032', 't00031'])
  expect(await list(site, '--limit', '100')).toMatchObject({ err: '' })
  const words = await list(site, '--search', 'EERO race', '--limit', '3')
  expect(idsOf(words)).toEqual(['t00030', 't00025', 't00020'])
  expect(words.err).toBe('Showing 3 of 7 tickets. More with --limit.\n')
  expect(idsOf(await list(site, '--email', 'EERO25@example.com'))).toEqual(['t00025'])
  const since = new Date(site.clock() - 150_000).toISOString()
  expect(idsOf(await list(site, '--since', since))).toEqual(['t00032', 't00031'])
})

test('JSON has everything unless a limit is given, whole or some fields, also by a jq program', async () => {
  await using site = await siteWith(32)
  const all = await list(site, '--json')
  expect([all.err, JSON.parse(all.out)]).toEqual([
    '',
    expect.toSatisfy((rows) => rows.length === 32),
  ])
  const some = await list(site, '--limit', '2', '--json', 'ticketId,email')
  expect(JSON.parse(some.out)).toEqual([
    { ticketId: 't00031', email: 'aino31@example.com' },
    { ticketId: 't00030', email: 'eero30@example.com' },
  ])
  expect(some.err).toBe('')
  const filtered = await list(site, '--jq', '.[] | select(.email | startswith("eero")) | .email')
  expect(filtered.out.split('\n').slice(0, 2)).toEqual(['eero30@example.com', 'eero25@example.com'])

  // Of a verb with arguments, the word after --json is one of them, as it has always been.
  const shown = await runCli(['tickets', 'show', '--json', 't00003'], site)
  expect(JSON.parse(shown.out)).toMatchObject({ ticketId: 't00003', status: 'new' })
  const field = await runCli(
    ['tickets', 'show', 't00003', '--json=status', '--jq', '.status'],
    site,
  )
  expect(field.out).toBe('new\n')
})

test.each([
  [['--json', 'ticketId,nothing'], 2, 'error: Unknown field: nothing. There are: ticketId, '],
  [['--jq', '.['], 2, 'compile error'],
  [['--jq', '.[].subject.x'], 1, 'Cannot index string with string "x"'],
  [['--since', 'soon'], 2, 'Use a number of hours, days or weeks such as 12h, 7d or 2w'],
  [['--limit', '0'], 2, 'Use a whole number of at least 1.'],
])('%j is refused, with the help of the verb where it is wrong use', async (args, code, said) => {
  await using site = await siteWith(1)
  const result = await list(site, ...args)
  expect(result).toMatchObject({ code, err: expect.stringContaining(said) })
  expect(result.err.includes('Usage: pitlane tickets list [options]')).toBe(code === 2)
})

test('on a terminal a table is as wide as that, wide letters counted; colours can be off', async () => {
  await using site = await siteWith(5)
  for (const columns of [70, 90, 200]) {
    const { out } = await runCli(['tickets', 'list'], {
      ...site,
      terminal: { columns, rows: 50 },
      env: { NO_COLOR: '1' },
    })
    const widths = out
      .trimEnd()
      .split('\n')
      .map((line) => stringWidth(line))
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    expect(out).not.toContain('\u001b')
    // The table of a wide terminal cuts nothing.
    expect(out.includes('…')).toBe(columns < 200)
    // Half a day says nothing: a minute without room becomes its day.
    expect(out).toContain(columns < 100 ? '2026-11-20  20' : '2026-11-20 14:0')
    expect(out).not.toMatch(/\d{4}-[\d -]*…/)
    // Columns begin at the same place in every line, also behind or before wide letters.
    const [head = '', ...rows] = out.trimEnd().split('\n')
    expect(rows.every((row) => row.startsWith('new', head.indexOf('status')))).toBe(true)
  }
  const coloured = await runCli(['tickets', 'list'], {
    ...site,
    terminal: { columns: 200, rows: 50 },
  })
  expect(coloured.out).toContain('\u001b[1mticket')
  expect((await list(site)).out).not.toContain('\u001b')
})

test('on a phone’s terminal today’s dates stay whole, and an Arabic name is nothing but its letters', async () => {
  await using site = await startSite({ sending: false })
  await book(site, { name: 'محمد علي' })
  for (const columns of [40, 120]) {
    const { out } = await runCli(['today'], {
      ...site,
      terminal: { columns, rows: 50 },
      env: { NO_COLOR: '1', PAGER: '' },
    })
    const line = out.split('\n').find((each) => each.includes('محمد'))!
    expect(line).toMatch(/ {2}محمد.* \d{4}-\d\d-\d\d$/)
    expect(line).not.toMatch(/\\u|[\u2066-\u2069]/)
    expect(stringWidth(line)).toBeLessThanOrEqual(columns)
  }
})

test('on a narrow terminal a row keeps its name whole, since the next command is given it', async () => {
  await using site = await siteWith(1)
  const env = { NO_COLOR: '1', PAGER: '' }
  const terminal = { columns: 80, rows: 50 }
  const { out } = await runCli(['events', 'list', '--limit', '5'], { ...site, env, terminal })
  const all = await runCli(['events', 'list', '--json', 'id'], { ...site, env })
  const ids = (JSON.parse(all.out) as { id: string }[]).map(({ id }) => id)
  const named = out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(' ')[0]!)
  expect(named).toHaveLength(5)
  expect(named.some((id) => id.length > 16)).toBe(true)
  for (const id of named) expect(ids).toContain(id)
})

test('a range that ends before it begins is refused: no list or export looks like a quiet month', async () => {
  await using site = await startSite({ sending: false })
  const ranged = (await allVerbs()).filter(
    ({ path, options }) =>
      /(list|export|books)$/.test(path) && options.includes('--from') && options.includes('--to'),
  )
  expect(ranged.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['orders books', 'orders export', 'tickets export', 'bookings list']),
  )
  const run = (path: string, to: string) =>
    runCli([...path.split(' '), '--from', '2026-11-20', '--to', to], site)
  for (const { path } of ranged) {
    const { code, out, err } = await run(path, '2026-11-19')
    expect([path, code, out]).toEqual([path, 2, ''])
    expect(err).toContain('error: --from is after --to.\n')
    expect([path, (await run(path, '2026-11-20')).code]).toEqual([path, 0])
  }
})

test('a long answer goes through the pager on a terminal, never in a pipe', async () => {
  await using site = await siteWith(12)
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-pager-'))
  const file = join(directory, 'paged')
  const env = { PAGER: `cat > ${file}`, PATH: process.env.PATH ?? '', NO_COLOR: '1' }
  const paged = await runCli(['tickets', 'list'], {
    ...site,
    env,
    terminal: { columns: 120, rows: 8 },
  })
  expect([paged.code, paged.out]).toEqual([0, ''])
  expect(idsOf({ out: readFileSync(file, 'utf8') })).toHaveLength(12)

  const short = { ...site, env, terminal: { columns: 120, rows: 40 } }
  expect(idsOf(await runCli(['tickets', 'list'], short))).toHaveLength(12)
  expect(idsOf(await runCli(['tickets', 'list'], { ...site, env }))).toHaveLength(12)
  const missing = {
    ...site,
    env: { ...env, PAGER: 'no-such-pager' },
    terminal: { columns: 120, rows: 8 },
  }
  expect(idsOf(await runCli(['tickets', 'list'], missing))).toHaveLength(12)
})

test('what ends with a day is shown with that day, as the list has it', async () => {
  await using site = await startSite({ sending: false })
  const until = '2027-02-01'
  mkdirSync(join(site.dataDir, 'folders', 'gallery'), { recursive: true })
  const { reference } = (await book(site, { from: '2027-03-10', to: '2027-03-10' })).json!
  const acts = [
    ['folders', 'add', 'gallery', '--title', 'Gallery', '--expires', until],
    ['links', 'add', 'https://example.com', '--code', 'rally', '--expires', until],
    ['discounts', 'add', 'SPRING10', '--percent', '10', '--until', until],
    ['gift-cards', 'add', '50', '--name', 'Aino', '--expires', '2028-02-01'],
    ['bookings', 'offer', String(reference), '--line', 'Photography=900', '--until', until],
  ]
  for (const act of acts) await runOn(site, ...act)
  const [card] = JSON.parse(await runOn(site, 'gift-cards', 'list', '--json')) as {
    card: string
  }[]
  const things = [
    ['folders', 'gallery', 'expires', until],
    ['links', 'rally', 'expires', until],
    ['discounts', 'SPRING10', 'until', until],
    ['gift-cards', card!.card, 'expires', '2028-02-01'],
    ['bookings', String(reference), 'heldUntil', until],
  ] as const
  for (const [noun, thing, field, day] of things) {
    expect(await runOn(site, noun, 'list')).toContain(day)
    expect(await runOn(site, noun, 'show', thing)).toContain(`\n${field}: ${day}\n`)
  }
})
