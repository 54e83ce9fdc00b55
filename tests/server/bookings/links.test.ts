import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DaysToMove } from '#shared/bookings/visitor-page.ts'
import { book, daysOf } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp, type Smtp } from '../../support/smtp.ts'

const day = 86_400_000

/** The token at the end of an address. */
const tokenOf = (url: string) => url.split('/').at(-1)!

/** A booking with the tokens of its two links. */
async function booked(site: Site, changes: Record<string, unknown> = {}) {
  const { status, json } = await book(site, changes)
  expect(status).toBe(201)
  const { actions } = site.context.features.bookings
  const reference = String(json?.reference)
  const find = () => actions.bookings.find(reference)!
  return {
    reference,
    find,
    visitor: tokenOf(String(json?.url)),
    staff: tokenOf(actions.staffUrl(find())),
  }
}

const cancel = (site: Site, token: string) => site.post(`/api/bookings/by-link/${token}/cancel`, {})
const move = (site: Site, token: string, from: string, to = from) =>
  site.post(`/api/bookings/by-link/${token}/move`, { from, to })
const answer = (site: Site, token: string, act: string, text?: string) =>
  site.post(`/api/bookings/by-staff-link/${token}`, { act, text })

test('each link opens its own page alone, and a forged one opens none', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, staff } = await booked(site)
  const flipped = (token: string) => (token.startsWith('a') ? 'b' : 'a') + token.slice(1)
  expect((await site.get(`/api/bookings/by-link/${visitor}`)).status).toBe(200)
  expect((await site.get(`/api/bookings/by-staff-link/${staff}`)).status).toBe(200)
  for (const path of [
    `by-link/${staff}`,
    `by-link/${flipped(visitor)}`,
    `by-link/${visitor.slice(0, -1)}`,
    `by-link/${visitor}x`,
    'by-link/1',
    `by-staff-link/${visitor}`,
    `by-staff-link/${flipped(staff)}`,
  ]) {
    expect([path, (await site.get(`/api/bookings/${path}`)).status]).toEqual([path, 404])
  }
  expect((await cancel(site, staff)).status).toBe(404)
  expect((await answer(site, visitor, 'confirm')).status).toBe(404)
  expect((await site.get(`/booking/${flipped(visitor)}.ics`)).status).toBe(404)
  expect((await site.get(`/booking/feed/${staff}.ics`)).status).toBe(404)
})

test('a request moves at once: the new dates are held, the old ones free, and staff asked again', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, find } = await booked(site)
  expect((await move(site, visitor, '2027-02-10', '2027-02-11')).status).toBe(200)
  expect(find()).toMatchObject({ state: 'requested', from: '2027-02-10', to: '2027-02-11' })
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')?.state).toBe('free')
  expect((await daysOf(site, '2027-02-11')).get('2027-02-11')?.free).toBe(1)
})

test('asking for the same dates holds them no longer, and twice for others is once', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, staff, find } = await booked(site)
  const { heldUntil } = find()
  site.clock.advance(day)
  const again = await move(site, visitor, '2027-01-20')
  expect([again.status, again.json?.errors]).toEqual([
    400,
    { from: 'These are already your dates' },
  ])
  expect(find()).toMatchObject({ heldUntil, sequence: 0 })
  await answer(site, staff, 'confirm')
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) statuses.push((await move(site, visitor, '2027-02-10')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  const kinds = site.context.mails.list().map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'bookingChangeAsked')).toHaveLength(1)
})

test('dates that are taken leave the booking as it was and name the nearest', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, find } = await booked(site)
  await booked(site, { from: '2027-02-10', to: '2027-02-10' })
  await booked(site, { from: '2027-02-10', to: '2027-02-10' })
  const before = find()
  const reply = await move(site, visitor, '2027-02-10')
  expect(reply.status).toBe(409)
  expect(reply.json).toMatchObject({
    code: 'taken',
    nearest: [{ from: '2027-02-09' }, { from: '2027-02-11' }, {}],
  })
  expect(find()).toEqual(before)
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')?.free).toBe(1)
})

test('a confirmed booking can be changed until the cut-off, and then says whom to ask', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, staff, find } = await booked(site)
  await answer(site, staff, 'confirm')
  // The seventh day before 20 January ends at midnight in Helsinki.
  const cutOff = Date.UTC(2027, 0, 13, 22)
  site.clock.advance(cutOff - 1 - site.clock())
  const open = await site.get(`/api/bookings/by-link/${visitor}`)
  expect(open.json?.acts).toMatchObject({ cancel: true, move: true, reason: null })
  site.clock.advance(1)
  const shut = await site.get(`/api/bookings/by-link/${visitor}`)
  expect(shut.json?.acts).toMatchObject({ cancel: false, move: false })
  for (const reply of [await cancel(site, visitor), await move(site, visitor, '2027-02-10')]) {
    expect(reply.status).toBe(410)
    expect(reply.json?.message).toContain('Less than 7 days are left')
  }
  expect(find().state).toBe('confirmed')
})

test('cancelling twice cancels once', async () => {
  await using site = await startSite({ sending: false })
  const { visitor, find } = await booked(site)
  const replies = await Promise.all([cancel(site, visitor), cancel(site, visitor)])
  expect(replies.map(({ status }) => status)).toContain(200)
  expect((await cancel(site, visitor)).status).toBe(200)
  expect(find()).toMatchObject({ state: 'cancelled', sequence: 1 })
  expect((await move(site, visitor, '2027-02-10')).status).toBe(409)
})

test('of staff who confirm and decline at once one decides', async () => {
  await using site = await startSite({ sending: false })
  const { staff, find } = await booked(site)
  const replies = await Promise.all([
    answer(site, staff, 'confirm'),
    answer(site, staff, 'decline'),
  ])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(find().sequence).toBe(1)
})

/** The line of a calendar with a property. */
const property = (ics: string | undefined, name: string) =>
  new RegExp(`^${name}[^:\\r\\n]*:(.*)\\r?$`, 'm').exec(
    ics?.replaceAll(/\r?\n[ \t]/g, '') ?? '',
  )?.[1]

const invitations = ({ mails }: Smtp, to: string) =>
  mails
    .filter(({ envelopeTo, calendar }) => envelopeTo.includes(to) && calendar)
    .map(({ calendar }) => [
      calendar?.method,
      property(calendar?.ics, 'METHOD'),
      property(calendar?.ics, 'UID'),
      property(calendar?.ics, 'SEQUENCE'),
      property(calendar?.ics, 'STATUS'),
      property(calendar?.ics, 'DTSTART'),
    ])

test('every change mails the invitation under one UID with a growing SEQUENCE', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'staff@example.com' },
  })
  const { reference, visitor, staff } = await booked(site)
  const step = async (work: Promise<{ status: number }>) => {
    expect((await work).status).toBe(200)
    // The email of a decision leaves once it can't be taken back any more.
    site.clock.advance(11 * 60_000)
    await settled(site)
  }
  await settled(site)
  await step(answer(site, staff, 'confirm', 'Meet us at the gate.'))
  await step(move(site, visitor, '2027-02-10'))
  await step(answer(site, staff, 'confirm'))
  await step(cancel(site, visitor))
  const uid = `${reference}@127.0.0.1`
  expect(invitations(smtp, 'aino@example.com')).toEqual([
    ['REQUEST', 'REQUEST', uid, '0', 'TENTATIVE', '20270120'],
    ['REQUEST', 'REQUEST', uid, '1', 'CONFIRMED', '20270120'],
    // What was agreed stands until staff answer.
    ['REQUEST', 'REQUEST', uid, '2', 'CONFIRMED', '20270120'],
    ['REQUEST', 'REQUEST', uid, '3', 'CONFIRMED', '20270210'],
    ['CANCEL', 'CANCEL', uid, '4', 'CANCELLED', '20270210'],
  ])
  expect(invitations(smtp, 'staff@example.com')).toHaveLength(5)
  const confirmed = smtp.mails.find(({ subject }) => subject.startsWith('Confirmed:'))
  expect(confirmed?.text).toContain('Meet us at the gate.')
  expect(confirmed?.text).toContain(`/booking/${visitor}`)
  for (const { envelopeTo, raw } of smtp.mails) {
    if (envelopeTo.includes('aino@example.com')) expect(raw).not.toContain(staff)
  }
})

test('a site that moves to another address changes the entries that calendars have, and adds none', async () => {
  const uids = async (site: Site, visitor: string) =>
    Promise.all(
      [`/booking/${visitor}.ics`, '/calendar.ics'].map(async (path) => {
        const { status, text } = await site.get(path)
        return [status, property(text, 'UID')]
      }),
    )
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-moved-'))
  try {
    await using first = await startSite({ dataDir, sending: false })
    const { visitor } = await booked(first)
    const before = await uids(first, visitor)
    expect(before[0]![1]).toContain('@127.0.0.1')
    await first.context.recordServer({ origin: first.url, configured: true })
    await first[Symbol.asyncDispose]()

    const env = { SITE_URL: 'https://www.example.com' }
    await using moved = await startSite({ dataDir, env, sending: false })
    await moved.context.recordServer({ origin: env.SITE_URL, configured: true })
    expect((await cancel(moved, visitor)).status).toBe(200)
    expect(await uids(moved, visitor)).toEqual(before)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a request that runs out frees its dates, and can still be confirmed by hand', async () => {
  await using site = await startSite()
  const { staff, find } = await booked(site)
  site.clock.advance(3 * day)
  await expect.poll(() => find().state).toBe('expired')
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')?.free).toBe(2)
  expect((await answer(site, staff, 'confirm')).status).toBe(200)
  expect(find().state).toBe('confirmed')
})

test('a booking that moves sees a month in which its own days are free', async () => {
  await using site = await startSite({ sending: false })
  const { visitor } = await booked(site)
  await book(site)
  const ask = async (month: string, by = visitor) => {
    const reply = await site.get(`/api/bookings/by-link/${by}/days?month=${month}`)
    return { status: reply.status, ...(reply.json as DaysToMove) }
  }
  const own = await ask('2027-01')
  expect(own.days).toHaveLength(31)
  expect(own.days[19]).toEqual({ date: '2027-01-20', state: 'limited', free: 1 })
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')).toMatchObject({ free: 0 })
  expect([own.today, own.earliest, own.latest]).toEqual(['2026-11-20', '2026-11-23', '2028-05-20'])
  // Months that are none, over, or beyond the horizon: the nearest that there is.
  const months = ['', 'May', '9999-12', '2020-01', '2999-12'].map(
    async (month) => (await ask(month)).month,
  )
  expect(await Promise.all(months)).toEqual(['2027-01', '2027-01', '2027-01', '2026-11', '2028-05'])
  expect((await ask('2027-01', `${visitor}x`)).status).toBe(404)
})
