import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { book } from '../support/bookings.ts'
import { season } from '../support/content-events.ts'
import { contentFiles } from '../support/content-files.ts'
import { settled } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { startSite, type Site } from '../support/site.ts'

const day = 86_400_000
const tokenOf = (url: string) => url.trim().split('/').at(-1)!
const billing = { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi', country: 'FI' }

type Shown = {
  state: string
  sequence: number
  offer: { id: string; cancellation: string[] }
  agreement: { cancellation: string[]; deposit: number | null } | null
  documents: { part: string; state: string; total: number; order: string }[]
  total: { net: number; gross: number }
}

/** A booking with both links, and what can be done by them. */
async function asked(site: Site, changes: Record<string, unknown> = {}, from?: string) {
  const reply = await book(site, changes, from)
  expect([reply.status, reply.json?.errors]).toEqual([201, undefined])
  const reference = String(reply.json?.reference)
  const { actions } = site.context.features.bookings
  const find = () => actions.bookings.find(reference)!
  const [visitor, staff] = [String(reply.json?.url), actions.staffUrl(find())].map(tokenOf)
  return {
    reference,
    find,
    visitor: visitor!,
    staff: staff!,
    post: (act: string, body: object = {}) =>
      site.post(`/api/bookings/by-link/${visitor}/${act}`, body),
    answer: (act: string, more: object = {}) =>
      site.post(`/api/bookings/by-staff-link/${staff}`, { act, ...more }),
    view: async () => (await site.get(`/api/bookings/by-link/${visitor}`)).json as Shown,
    staffView: async () => (await site.get(`/api/bookings/by-staff-link/${staff}`)).json as Shown,
    cli: (verb: string, ...args: string[]) => runOn(site, 'bookings', verb, reference, ...args),
    shown: async () =>
      JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as Shown,
  }
}

const statuses = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b)

test('an offer accepted ten times at once is one agreement, one deposit and one email', async () => {
  using files = contentFiles({
    'booking-rules.json': { deposit: { percent: 30 }, services: { photography: {} } },
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { post, view, cli, reference } = await asked(site)
  await post('billing', billing)
  await cli('offer', '--line', 'Work=1000.00')
  const { offer } = await view()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => post('accept', { offer: offer.id })),
  )
  expect(statuses(replies)).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  expect((await view()).documents.map(({ part, total }) => [part, total])).toEqual([
    ['deposit', 37_650],
  ])
  await settled(site)
  const subjects = mailFiles(site.dataDir)
    .filter(({ to }) => to.includes('aino@example.com'))
    .map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.startsWith('Confirmed'))).toHaveLength(1)
  expect(subjects).toContain(`Invoice 1001 for booking ${reference}`)
})

test('an offer is accepted or turned down, and taken back by staff, by one of all at once', async () => {
  await using site = await startSite({ sending: false })
  const { post, answer, view, staffView, cli, find } = await asked(site)
  await cli('offer', '--line', 'Work=1000.00')
  const { offer } = await view()
  const { sequence } = await staffView()
  const replies = await Promise.all([
    post('accept', { offer: offer.id }),
    post('refuse'),
    answer('offer', { sequence, offer: { lines: [{ text: 'More', quantity: 1, price: 1 }] } }),
    answer('decline', { sequence }),
    answer('cancel', { sequence }),
  ])
  const won = replies.filter(({ status }) => status === 200)
  // Whoever comes second meets another booking than the one that was shown.
  expect(won).toHaveLength(1)
  expect(statuses(replies).slice(1)).toEqual([409, 409, 409, 409])
  expect(find().sequence).toBe(sequence + 1)
})

test('two of the staff who decide at once: one decides, and the other sees what is now', async () => {
  await using site = await startSite({ sending: false })
  const { answer, staffView, find } = await asked(site)
  const { sequence } = await staffView()
  const replies = await Promise.all(
    ['confirm', 'decline', 'cancel', 'confirm', 'decline'].map((act) => answer(act, { sequence })),
  )
  expect(statuses(replies)).toEqual([200, 409, 409, 409, 409])
  expect(find().sequence).toBe(sequence + 1)
  const refused = replies.find(({ status }) => status === 409)!
  expect(refused.json?.message).toContain('has changed since you opened the page')
})

test('an offer is open to the link of its booking alone, spelt as it was sent', async () => {
  await using site = await startSite({ sending: false })
  const own = await asked(site)
  const other = await asked(site, { from: '2027-02-10', to: '2027-02-10', email: 'b@example.com' })
  await own.cli('offer', '--line', 'Work=1000.00')
  const { offer } = await own.view()
  const { visitor } = own
  const spellings = [
    other.staff,
    own.staff,
    own.reference,
    visitor.toUpperCase(),
    visitor.toLowerCase(),
    `${visitor}=`,
    `${visitor}%20`,
    `%20${visitor}`,
    `${visitor}.`,
    visitor.slice(0, -1),
    visitor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    visitor.split('').toReversed().join(''),
  ]
  for (const [n, token] of spellings.entries()) {
    const path = `/api/bookings/by-link/${token}/accept`
    const { status } = await site.post(path, { offer: offer.id }, { from: `127.44.0.${n + 1}` })
    expect([token, status]).toEqual([token, 404])
  }
  // Another booking's own link meets its own booking, which has no offer.
  expect((await other.post('accept', { offer: offer.id })).status).toBe(409)
  expect([own.find().state, other.find().state]).toEqual(['offered', 'requested'])
  expect((await own.post('accept', { offer: offer.id })).status).toBe(200)
})

test.each([
  ['three decimals', { lines: [{ text: 'Work', quantity: 1, price: 100.5 }] }],
  ['a negative price', { lines: [{ text: 'Work', quantity: 1, price: -100 }] }],
  ['a price beyond a million', { lines: [{ text: 'Work', quantity: 1, price: 100_000_001 }] }],
  ['a price that no number holds', { lines: [{ text: 'Work', quantity: 1, price: 1e300 }] }],
  ['a text for a price', { lines: [{ text: 'Work', quantity: 1, price: '100' }] }],
  ['half a piece', { lines: [{ text: 'Work', quantity: 0.5, price: 100 }] }],
  ['no pieces', { lines: [{ text: 'Work', quantity: 0, price: 100 }] }],
  ['more pieces than anyone counts', { lines: [{ text: 'Work', quantity: 1e9, price: 100 }] }],
  ['negative travel', { travel: -1 }],
  ['a discount of the whole price', { discount: 89_000 }],
  ['a discount beyond the price', { discount: 89_001 }],
  [
    'twenty-one lines',
    { lines: Array.from({ length: 21 }, () => ({ text: 'Work', quantity: 1, price: 100 })) },
  ],
  ['an end that has passed', { validUntil: '2026-11-19' }],
  ['an end in a hundred years', { validUntil: '2126-11-19' }],
  ['an end that no calendar has', { validUntil: '2026-02-30' }],
  ['dates turned round', { from: '2027-02-10', to: '2027-02-09' }],
  ['a year of dates', { from: '2027-02-10', to: '2028-02-09' }],
] as [string, object][])('an offer with %s is refused, and nothing changes', async (_, offer) => {
  await using site = await startSite({ sending: false })
  const { answer, find } = await asked(site)
  const before = find()
  const { status, json } = await answer('offer', { offer })
  expect([status, Object.keys(json?.errors ?? {}).length > 0]).toEqual([400, true])
  expect(find()).toEqual(before)
})

test('the largest offer adds up to the cent', async () => {
  await using site = await startSite({ sending: false })
  const { answer, view } = await asked(site)
  const lines = Array.from({ length: 20 }, () => ({
    text: 'Work',
    quantity: 1000,
    price: 100_000_000,
  }))
  expect((await answer('offer', { offer: { lines } })).status).toBe(200)
  // Twenty times a thousand times a million euros.
  expect((await view()).total).toMatchObject({ net: 2_000_000_000_000, gross: 2_510_000_000_000 })
})

test.each(['0', '-5', '100', '101', '1e9', '30.55', '33,3', 'half'])(
  'a deposit of %s per cent is no deposit',
  async (percent) => {
    await using site = await startSite({ sending: false })
    const { cli, post, view } = await asked(site)
    await cli('confirm')
    await post('billing', billing)
    await expect(cli('invoice', '--send', '--deposit', percent)).rejects.toThrow()
    expect((await view()).documents).toEqual([])
  },
)

test.each(['0', '-1', '10.005', '1e3', '1000000.01', 'free'])(
  'a whole of %s euros is no price',
  async (amount) => {
    await using site = await startSite({ sending: false })
    const { cli, post, view } = await asked(site)
    await cli('confirm')
    await post('billing', billing)
    await expect(cli('invoice', '--send', '--amount', amount)).rejects.toThrow()
    expect((await view()).documents).toEqual([])
  },
)

test('less than what was invoiced is never a rest: fewer days leave a credit to staff', async () => {
  await using site = await startSite({ sending: false })
  const { cli, post, view } = await asked(site, { from: '2027-01-19', to: '2027-01-21' })
  await cli('confirm')
  await post('billing', billing)
  await cli('invoice', '--send', '--deposit', '60')
  site.clock.advance(60_000)
  await cli('move', '2027-01-19')
  expect((await view()).total.gross).toBe(111_695)
  await expect(cli('invoice', '--send')).rejects.toThrow(
    /is over €2,010\.51, and it costs €1,116\.95 now\. Credit the difference/,
  )
  const [deposit] = (await view()).documents
  const credit = ['--amount', '893.56', '--reason', 'fewer days']
  await runOn(site, 'orders', 'credit', deposit!.order, ...credit)
  await expect(cli('invoice', '--send')).rejects.toThrow('already fully invoiced')
  // A second move to more days is invoiced by what was agreed on last, with what was credited.
  site.clock.advance(60_000)
  await cli('move', '2027-01-18', '2027-01-21')
  expect(await cli('invoice', '--send')).toContain('over €3,350.85')
  const invoices = site.context.features.orders.actions.invoices.list()
  expect(invoices.reduce((sum, each) => sum + each.total, 0)).toBe((await view()).total.gross)
  await expect(cli('invoice', '--send')).rejects.toThrow('already fully invoiced')
})

test('the rules file changes between what is shown and what is done', async () => {
  using content = season([], {
    'booking-rules.json': JSON.stringify({
      deposit: { percent: 20 },
      cancellation: { freeUntilDays: 14, shares: [{ untilDays: 0, percent: 50 }] },
      services: { photography: { capacity: 3 }, videography: {} },
    }),
  })
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: content.directory } })
  const confirmed = await asked(site)
  const accepted = await asked(site, { from: '2027-02-10', to: '2027-02-10' }, '127.45.0.1')
  const offered = await asked(site, { from: '2027-03-10', to: '2027-03-10' }, '127.46.0.1')
  await accepted.cli('offer', '--line', 'Work=1000.00')
  const { offer } = await accepted.view()
  expect(offer.cancellation.join(' ')).toContain('14 days before')
  writeFileSync(
    join(content.directory, 'booking-rules.json'),
    JSON.stringify({
      deposit: { percent: 100 },
      cancellation: { freeUntilDays: 90, shares: [{ untilDays: 0, percent: 100 }] },
      services: { photography: { capacity: 3 } },
    }),
  )
  const { rules } = site.context.features.bookings.actions
  await eventually(() => expect(rules().deposit?.percent).toBe(100))
  // What a customer was shown is what they agree to.
  await confirmed.cli('confirm')
  expect((await accepted.post('accept', { offer: offer.id })).status).toBe(200)
  for (const { view } of [confirmed, accepted]) {
    const { agreement } = await view()
    expect(agreement).toMatchObject({ deposit: 20 })
    expect(agreement!.cancellation[0]).toContain('14 days before')
  }
  // Other dates leave them, too.
  site.clock.advance(60_000)
  await confirmed.cli('move', '2027-01-21')
  expect((await confirmed.view()).agreement).toMatchObject({ deposit: 20 })
  // What is offered from now on is offered on the new ones, and says so.
  await offered.cli('offer', '--line', 'Work=1000.00')
  expect((await offered.view()).offer.cancellation[0]).toContain('90 days before')
  // A service that went is refused at its field, whatever the form still showed.
  const gone = await book(site, { service: 'videography', from: '2027-04-10', to: '2027-04-10' })
  expect([gone.status, Object.keys(gone.json?.errors ?? {})]).toEqual([400, ['service']])
})

test('a booking is cancelled while the bank file with its payment is read: no cent is lost', async () => {
  for (const order of ['cancel first', 'file first', 'at once'] as const) {
    await using site = await startSite({ sending: false })
    const { cli, post, shown, reference } = await asked(site)
    await cli('confirm')
    await post('billing', billing)
    await cli('invoice', '--send')
    const { orders, invoices } = site.context.features.orders.actions
    const [placed] = orders.ofBooking(reference)
    const number = invoices.invoiceOf(placed!.id)!.reference
    const file = join(site.dataDir, 'statement.csv')
    writeFileSync(
      file,
      [
        '"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Viite";"Viesti";"Arkistointitunnus"',
        `"21.11.2026";"21.11.2026";"1116,95";"588";"VIITESIIRTO";"Aino Virtanen";"ref=${number}";"";"A1"`,
      ].join('\r\n'),
    )
    const read = () => runOn(site, 'orders', 'match', file)
    const steps = [() => post('cancel'), read]
    if (order === 'at once') await Promise.all(steps.map((step) => step()))
    else for (const step of order === 'file first' ? steps.toReversed() : steps) await step()
    // Read again, as staff do who aren't sure: nothing counts twice.
    const again = await read()
    const after = await shown()
    expect([order, after.state]).toEqual([order, 'cancelled'])
    const kept = orders.paid(placed!.id)
    const back = site.context.features.orders.actions
      .payouts({ all: true })
      .reduce((sum, { amount }) => sum + amount, 0)
    // What came in goes back, or waits as too much on its order, which staff see.
    expect([order, kept + back, again]).toEqual([order, 111_695, again])
    if (kept > 0) {
      const listed = await runOn(site, 'orders', 'show', placed!.number)
      expect(listed).toMatch(/too much|1,116\.95/)
    }
    // Nothing is dunned of what is over.
    site.clock.advance(40 * day)
    await site.context.jobs.runDue()
    const dunned = site.context.mails.list().filter(({ kind }) => kind === 'orderInvoiceReminder')
    expect(dunned).toEqual([])
  }
})

const crew = [
  { name: 'Aino', services: ['photography'], email: 'crew-aino@example.com' },
  { name: 'Elias', services: ['photography'], email: 'crew-elias@example.com' },
]

test('a call sheet opens to who works on the booking, and to nobody who did', async () => {
  const rules = { services: { photography: { capacity: 2 } }, crew }
  using files = contentFiles({ 'booking-rules.json': rules })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { cli, find } = await asked(site)
  await cli('confirm')
  await cli('assign', 'Aino', 'Elias')
  site.clock.advance(11 * 60_000)
  await settled(site)
  const sheetOf = (person: string) =>
    new URL(
      /http\S+\/booking\/sheet\/[\w-]+/.exec(
        mailFiles(site.dataDir).find(({ to }) => to.includes(`crew-${person}`))!.text,
      )![0],
    ).pathname
  const [ainos, elias] = [sheetOf('aino'), sheetOf('elias')]
  expect(ainos).not.toBe(elias)
  const status = async (path: string) => (await site.get(path)).status
  expect([await status(ainos), await status(elias)]).toEqual([200, 200])

  await cli('assign', 'Aino', '--remove')
  const closed = await site.get(ainos)
  expect([closed.status, closed.text.includes('Ice track')]).toEqual([410, false])
  expect(closed.text).toContain('no longer on this booking')
  expect(await status(elias)).toBe(200)
  await settled(site)
  const off = mailFiles(site.dataDir).find(({ subject }) => subject.startsWith('You’re off'))!
  expect(off.to).toContain('crew-aino')
  expect(off.calendar).toMatchObject({ method: 'CANCEL' })
  expect(off.text).not.toContain('/booking/sheet/')

  // Who has left the crew is erased from the file of rules.
  files.write('booking-rules.json', { ...rules, crew: [crew[0]] })
  await eventually(async () => expect(await status(elias)).toBe(410))
  // Staff's own link stays, and ends with the erasure of the booking.
  const staffs = new URL((await cli('sheet')).trim()).pathname
  expect(await status(staffs)).toBe(200)
  await runOn(site, 'privacy', 'erase', find().email, '--yes')
  expect(await status(staffs)).toBe(404)
  expect(await status(elias)).toBe(404)
})

test('the crew hear of other dates and of a cancellation, once it can’t be taken back', async () => {
  using files = contentFiles({
    'booking-rules.json': { services: { photography: { capacity: 2 } }, crew },
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { cli, reference } = await asked(site)
  await cli('confirm')
  await cli('assign', 'Aino')
  const told = async (ms = 11 * 60_000) => {
    site.clock.advance(ms)
    await settled(site)
    return mailFiles(site.dataDir)
      .filter(({ to }) => to.includes('crew-aino'))
      .map(({ subject, calendar }) => [subject.split(':')[0], calendar!.method])
  }
  expect(await told()).toEqual([['You’re on', 'REQUEST']])
  await cli('move', '2027-02-10')
  await cli('undo')
  expect(await told()).toHaveLength(1)
  await cli('move', '2027-02-10')
  expect(await told(60_000)).toHaveLength(1)
  expect(await told()).toContainEqual(['New dates', 'REQUEST'])
  await cli('cancel')
  expect((await told(0)).at(-1)).toEqual(['Cancelled', 'CANCEL'])
  // The day before the old dates, and before the new ones, brings no reminder of what is off.
  for (const days of [60, 30]) expect(await told(days * day)).toHaveLength(3)
  expect(reference).toMatch(/^B-/)
})

test('reminders are of the dates as they are, and none comes once they have begun', async () => {
  using files = contentFiles({
    'booking-rules.json': { visitorReminderDays: [7, 1], services: { photography: {} }, crew },
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { cli } = await asked(site)
  await cli('confirm')
  // With other reminder days in the file, those of before stay behind when the booking moves.
  files.write('booking-rules.json', {
    visitorReminderDays: [3],
    services: { photography: {} },
    crew,
  })
  const { rules } = site.context.features.bookings.actions
  await eventually(() => expect(rules().visitorReminderDays).toEqual([3]))
  await cli('move', '2027-03-10')
  const soon = () =>
    mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith('Soon')).length
  site.clock.advance(Date.UTC(2027, 0, 21) - site.clock())
  await site.context.jobs.runDue()
  await settled(site)
  expect(soon()).toBe(0)
  // The server was off from the week before until the day itself.
  site.clock.advance(Date.UTC(2027, 2, 10, 6) - site.clock())
  await site.context.jobs.runDue()
  await settled(site)
  expect(soon()).toBe(0)
})
