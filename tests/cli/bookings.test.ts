import { parse } from 'csv-parse/sync'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { book, daysOf } from '../support/bookings.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

async function withBookings() {
  const site = await startSite({ sending: false })
  const references = []
  for (const [name, from] of [
    ['Aino Virtanen', '2027-01-20'],
    ['=1+1', '2027-01-20'],
    ['Elias Korhonen', '2027-02-10'],
  ]) {
    references.push(String((await book(site, { name, from, to: from })).json?.reference))
  }
  return { site, references: references as [string, string, string] }
}

type Shown = Record<string, unknown> & { conflicts: string[]; history: { act: string }[] }

const show = async (site: Site, reference: string) =>
  JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as Shown

test('the list has the fields of its contract, and filters by days and state', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const all = JSON.parse(await runOn(site, 'bookings', 'list', '--json')) as Shown[]
  expect(all.map(({ reference }) => reference)).toEqual(references)
  expect(all[0]).toMatchObject({
    state: 'requested',
    service: 'photography',
    from: '2027-01-20',
    to: '2027-01-20',
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    heldUntil: '2026-11-23T14:00:00.000+02:00',
  })
  const february = await runOn(site, 'bookings', 'list', '--from', '2027-02-01')
  expect(february).toContain(references[2])
  expect(february).not.toContain(references[0])
  expect(await runOn(site, 'bookings', 'list', '--state', 'confirmed')).toBe('No bookings.\n')
})

test('staff confirm, move, decline and cancel, and everything stands in the history', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const [first, second, third] = references
  expect(
    await runOn(site, 'bookings', 'confirm', first.toLowerCase(), '--text', 'At the gate.'),
  ).toContain(`${first}: confirmed`)
  await runOn(site, 'bookings', 'decline', second, '--by', 'Noora')
  await runOn(site, 'bookings', 'move', third, '2027-02-12', '2027-02-13')
  expect(await show(site, third)).toMatchObject({
    state: 'requested',
    from: '2027-02-12',
    to: '2027-02-13',
  })
  await runOn(site, 'bookings', 'cancel', third, '--json')
  expect(await show(site, first)).toMatchObject({ state: 'confirmed', answer: 'At the gate.' })
  const { state, history } = await show(site, second)
  expect(state).toBe('declined')
  expect(history).toMatchObject([{ act: 'requested' }, { act: 'declined', actor: 'Noora' }])
  const days = await daysOf(site, '2027-01-20', '2027-02-13')
  expect(days.get('2027-01-20')?.free).toBe(1)
  expect(days.get('2027-02-12')?.free).toBe(2)
  await expect(runOn(site, 'bookings', 'confirm', second)).rejects.toThrow(
    'This booking is declined, so it can’t be confirmed.',
  )
})

test('blocked days list conflicts, block confirming, and open again', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const [first] = references
  const blocked = await runOn(
    site,
    'bookings',
    'block',
    '2027-01-18',
    '2027-01-22',
    '--reason',
    'Crew course',
  )
  expect(blocked).toContain(`conflicts with ${first}`)
  expect((await daysOf(site, '2027-01-19')).get('2027-01-19')?.state).toBe('closed')
  expect((await show(site, first)).conflicts).toEqual([
    '18–22 January 2027 is blocked: Crew course',
  ])
  await expect(runOn(site, 'bookings', 'confirm', first)).rejects.toThrow(
    /Crew course[\s\S]*Available instead:/,
  )
  const [{ id }] = JSON.parse(await runOn(site, 'bookings', 'blocks', '--json')) as [{ id: number }]
  await runOn(site, 'bookings', 'unblock', String(id))
  expect((await daysOf(site, '2027-01-19')).get('2027-01-19')?.state).toBe('free')
  await expect(runOn(site, 'bookings', 'unblock', String(id))).rejects.toThrow('Block not found')
  await runOn(site, 'bookings', 'confirm', first)
})

test('the export has every booking, and no formula for a spreadsheet', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const out = join(site.dataDir, 'bookings.csv')
  await runOn(site, 'bookings', 'export', '--out', out)
  const csv = readFileSync(out, 'utf8')
  for (const reference of references) expect(csv).toContain(reference)
  expect(csv).toContain(",'=1+1,")
  const rows = JSON.parse(await runOn(site, 'bookings', 'export', '--format', 'json')) as {
    reference: string
    total: number
  }[]
  expect(rows).toHaveLength(3)
  // A spreadsheet sums euros, as in the export of orders; programs have cents, as everywhere.
  const sheet: Record<string, string>[] = parse(csv, { bom: true, columns: true })
  const priced = rows.filter(({ total }) => total > 0)
  expect(priced).not.toEqual([])
  for (const { reference, total } of priced) {
    const row = sheet.find((each) => each.reference === reference)
    expect(row?.total).toBe((total / 100).toFixed(2))
  }
})

test('the feed opens by its address until that is renewed', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const old = new URL((await runOn(site, 'bookings', 'feed')).trim()).pathname
  const before = await site.get(old)
  expect([before.status, before.headers['content-type']]).toEqual([
    200,
    'text/calendar; charset=utf-8',
  ])
  for (const reference of references) expect(before.text).toContain(`UID:${reference}@`)
  const renewed = new URL((await runOn(site, 'bookings', 'feed', '--renew')).trim()).pathname
  expect((await site.get(old)).status).toBe(404)
  expect((await site.get(renewed)).status).toBe(200)
})

test('exit codes tell done, failed and wrong use apart', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  expect((await runCli(['bookings', 'list', '--json'], site)).code).toBe(0)
  const unknown = await runCli(['bookings', 'confirm', 'B-NOTHING'], site)
  expect([unknown.code, unknown.err]).toEqual([1, 'Booking not found: B-NOTHING.\n'])
  expect((await runCli(['bookings', 'list', '--from', '2027-02-30'], site)).code).toBe(2)
  for (const words of [
    ['move', references[0], 'tomorrow'],
    ['block', '2027-02-30'],
  ]) {
    const wrong = await runCli(['bookings', ...words], site)
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('error: Use an existing date, as YYYY-MM-DD.\n\nUsage: pitlane')
  }
  expect((await runCli(['bookings', 'list', '--state', 'maybe'], site)).code).toBe(2)
  expect((await runCli(['bookings', 'list', '--status', 'maybe'], site)).code).toBe(2)
  expect((await runCli(['bookings', 'export', '--help'], site)).out).toContain('--status <state>')
})

test('what is wrong with the lines of an offer or a move is said in a sentence', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const [first] = references
  const many = Array.from({ length: 21 }, (_each, at) => ['--line', `Day ${at}=100.00`]).flat()
  for (const command of [
    ['offer', first],
    ['move', first, '2027-01-21'],
  ] as const) {
    await expect(runOn(site, 'bookings', ...command, ...many)).rejects.toThrow(
      /^lines: At most 20 lines$/,
    )
  }
})

test('when the organiser cancels and no travel is lost, nothing is due', async () => {
  const { site, references } = await withBookings()
  await using _ = site
  const [reference] = references
  const run = (verb: string, ...flags: string[]) =>
    runOn(site, 'bookings', verb, reference, ...flags)
  await run('offer', '--travel', '300')
  await run('confirm', '--by-phone')
  await run('cancel', '--because', 'organiser', '--travel', '0')
  expect(await show(site, reference)).toMatchObject({ state: 'cancelled', documents: [] })
  expect(await run('show')).not.toMatch(/Travel costs|not invoiced yet/)
})
