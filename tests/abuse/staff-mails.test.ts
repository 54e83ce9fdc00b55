import { expect, test } from 'vitest'
import { mailLines } from '#server/contributions/desk-source.ts'
import { book } from '../support/bookings.ts'
import { contentFiles } from '../support/content-files.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import { startSite, type Site } from '../support/site.ts'

const hour = 3_600_000

const toStaff = (site: Site) =>
  mailFiles(site.dataDir).filter(({ to }) => to.includes('staff@localhost'))

test('of many messages in an hour, staff get three one by one and the others in one summary', async () => {
  await using site = await startSite()
  for (let n = 0; n < 12; n += 1) {
    const ticket = `abc${String(n).padStart(3, '0')}`
    const changes = {
      'Ticket ID': ticket,
      Email: `a${n}@example.com`,
      Message: `Message ${n} of all`,
    }
    expect((await saveEnquiry(site, changes, { from: `127.30.${n}.1` })).status).toBe(201)
  }
  const wait = () => expect.poll(() => site.context.mails.list('sending').length).toBe(0)
  await expect.poll(() => toStaff(site).length).toBe(3)
  site.clock.advance(hour)
  await expect.poll(() => toStaff(site).length).toBe(4)
  await wait()
  const summary = toStaff(site).find(({ subject }) => subject.startsWith('9 more'))!
  // No one's message is lost in it.
  for (let n = 3; n < 12; n += 1) {
    expect(summary.text).toContain(`[Ticket: abc${String(n).padStart(3, '0')}]`)
    expect(summary.text).toContain(`Message ${n} of all`)
  }
  // A reply to it reaches none of them, so it asks for none.
  const asking = toStaff(site).filter(({ text }) => text.includes('Reply to this email to answer'))
  expect(asking).toHaveLength(3)
  expect(asking).not.toContain(summary)
  expect(summary.text).toContain('Anyone with the link can answer this ticket')
  // The desk doesn't call them lost.
  const folded = mailLines([...site.context.mails.list('dropped')])
  expect(folded).toHaveLength(9)
  for (const { detail } of folded) expect(detail).toMatch(/^mail \d+ · sent in a summary$/)
  // The next hour starts over.
  await saveEnquiry(site, { 'Ticket ID': 'next01' }, { from: '127.31.1.1' })
  await expect.poll(() => toStaff(site).length).toBe(5)
})

test('moves and withdrawals mail staff no more than four times an hour', async () => {
  using files = contentFiles({ 'shares.json': { bookings: { moves: 1000 } } })
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: files.dir } })
  const { json } = await book(site)
  const token = String(json?.url).split('/').at(-1)!
  for (let n = 1; n <= 20; n += 1) {
    const date = `2027-02-${String(n).padStart(2, '0')}`
    await site.post(`/api/bookings/by-link/${token}/move`, { from: date, to: date })
  }
  for (let n = 0; n < 30; n += 1) {
    const statement = { order: `A-2222222${n}`, name: 'Aino', email: 'aino@example.com' }
    const { status } = await site.post('/api/shop/withdraw', { ...statement, confirm: true })
    expect(status).toBe(n < 20 ? 200 : 429)
  }
  // What the law makes us take comes through from everyone else.
  const other = { order: 'A-33333333', name: 'Aino', email: 'b@example.com', confirm: true }
  expect((await site.post('/api/shop/withdraw', other, { from: '127.32.1.1' })).status).toBe(200)
  const { withdrawals } = site.context.features.orders
  expect(withdrawals.list()).toHaveLength(21)
  const counts = new Map<string, number>()
  for (const { kind, status } of site.context.mails.list()) {
    if (status === 'queued') counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  expect(Object.fromEntries(counts)).toMatchObject({
    bookingRequested: 3,
    bookingRequestedStaff: 3,
    orderWithdrawal: 4,
    orderWithdrawalStaff: 3,
    staffSummary: 2,
  })
})

test('a mail that is no longer true is left out of the summary', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 5; n += 1) {
    const ticket = `abc${String(n).padStart(3, '0')}`
    await saveEnquiry(site, { 'Ticket ID': ticket }, { from: `127.30.${n}.1` })
  }
  const { actions } = site.context.features.contact
  await site.context.commit((tx) => actions.erase(tx, 'aino@example.com'))
  site.clock.advance(hour)
  site.context.outbox.start()
  await expect.poll(() => site.context.outbox.counts().queued).toBe(0)
  expect(toStaff(site)).toEqual([])
})
