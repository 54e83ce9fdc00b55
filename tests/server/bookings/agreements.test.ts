import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { book } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { createMailReader } from '../../support/mail-files.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { contentFiles } from '../../support/content-files.ts'
import { startSite, type Site } from '../../support/site.ts'

/** What pages and commands show of a booking, as far as these tests read it. */
type Shown = {
  offer: { id: string }
  agreement: object
  missing: string[]
  documents: { order: string; part: string; state: string; total: number }[]
  acts: { cancelling: string[]; due: number }
} & Record<string, unknown>

const dayMs = 86_400_000

/** The visitor's own part of a booking: its link, and what is done by it. */
async function asked(site: Site, changes: Record<string, unknown>) {
  const reply = await book(site, changes)
  expect([reply.status, reply.json?.errors]).toEqual([201, undefined])
  const token = String(reply.json?.url).split('/').at(-1)!
  const reference = String(reply.json?.reference)
  const { actions } = site.context.features.bookings
  return {
    reference,
    heldUntil: reply.json?.heldUntil,
    staff: actions.staffUrl(actions.find(reference)).split('/').at(-1)!,
    post: (act: string, body: object = {}) =>
      site.post(`/api/bookings/by-link/${token}/${act}`, body),
    view: async () => (await site.get(`/api/bookings/by-link/${token}`)).json as Shown,
    cli: (...args: string[]) => runOn(site, 'bookings', args[0]!, reference, ...args.slice(1)),
    shown: async () =>
      JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as Shown,
  }
}

/** The emails that went out since the last look, with their subject and text. */
function mailbox(site: Site) {
  const fresh = createMailReader(site.dataDir)
  return async () => {
    site.clock.advance(11 * 60_000)
    site.context.outbox.wake()
    await settled(site)
    return fresh()
  }
}

/** The one email to an address with such a subject. */
function to<Some extends { to: string; subject: string }>(
  mails: readonly Some[],
  address: string,
  about: RegExp,
): Some {
  const found = mails.find((mail) => mail.to.includes(address) && about.test(mail.subject))
  if (!found) throw new Error(mails.map((mail) => `${mail.to}: ${mail.subject}`).join('; '))
  return found
}

const billing = { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi', country: 'FI' }

test('three days: one price from the request to the credit note of a cancellation in its period', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post, shown, reference } = await asked(site, {
    from: '2027-01-19',
    to: '2027-01-21',
    company: 'Kaamos Racing Oy',
    country: 'FI',
  })
  const price = '€2,670 + VAT (€3,350.85 incl. VAT)'
  const total = { net: 267_000, vat: 68_085, gross: 335_085 }
  expect(await view()).toMatchObject({
    total,
    travelQuoted: true,
    lines: [{ text: 'Photography', quantity: 3, unit: 'day', net: 267_000, rate: 25.5 }],
  })
  expect(await shown()).toMatchObject({ total: 335_085, change: null, state: 'requested' })
  const requested = to(await news(), 'aino@example.com', /Your booking request/)
  expect(requested.text).toContain('Photography, 3 days at €890')
  expect(requested.text).toContain('€3,350.85')

  await cli('confirm', '--text', 'See you there.')
  const confirmed = to(await news(), 'aino@example.com', /^Confirmed: Photography/)
  expect(confirmed.text).toContain(price)
  expect(confirmed.text).toContain('free of charge until 14 days before the first day')
  expect(confirmed.attachments.map(({ filename }) => filename)).toContain(
    `booking-${reference}.pdf`,
  )
  const agreed = await view()
  expect(agreed).toMatchObject({ state: 'confirmed', total, travelQuoted: false })
  expect(agreed.agreement).toMatchObject({ termsVersion: expect.any(String), deposit: null })
  expect(agreed.missing).toEqual(['street', 'postcode', 'city'])

  // An invoice waits for what the law wants on it, and for staff to send it.
  await expect(cli('invoice', '--send')).rejects.toThrow('street, postal code and town')
  expect((await post('billing', billing)).status).toBe(200)
  expect(await cli('invoice')).toContain('Add --send to issue and email it.')
  expect((await view()).documents).toEqual([])
  await cli('invoice', '--send', '--deposit', '30')
  const invoice = to(await news(), 'aino@example.com', /Invoice 1001 for booking/)
  expect(invoice.text).toContain('€1,005.26')
  expect(invoice.text).not.toContain('agree a date')
  // A company that gave no VAT ID may be a consumer's word: the right is theirs, as it is in the shop.
  expect(invoice.text).toContain('Right of withdrawal.')
  expect(await cli('invoice', '--send')).toContain('over €2,345.59')
  await news()

  // Ten days are left, so half of the price is due.
  site.clock.advance(Date.UTC(2027, 0, 9, 10) - site.clock())
  await site.context.jobs.runDue()
  await news()
  expect((await view()).acts.cancelling.join(' ')).toContain(
    'A cancellation fee of €1,335 + VAT (€1,675.43 incl. VAT) is due.',
  )
  expect((await post('cancel')).status).toBe(200)
  const after = await news()
  const cancelled = to(after, 'aino@example.com', /^Cancelled/)
  expect(cancelled.text).toContain('€1,675.43')
  expect(cancelled.text).toContain('Credit notes cancel invoices 1001 and 1002.')
  to(after, 'aino@example.com', /Credit note \d+ for invoice 1001/)
  to(after, 'aino@example.com', /Credit note \d+ for invoice 1002/)
  to(after, 'aino@example.com', /Invoice \d+ for booking/)
  const { documents } = await shown()
  expect(documents.map(({ part, state, total: sum }) => [part, state, sum])).toEqual([
    ['deposit', 'cancelled', 100_526],
    ['rest', 'cancelled', 234_559],
    ['fee', 'open', 167_543],
  ])

  // Only the fee is reminded of.
  site.clock.advance(40 * dayMs)
  await site.context.jobs.runDue()
  const reminders = (await news()).filter(({ subject }) => subject.startsWith('Reminder: invoice'))
  expect(reminders).toHaveLength(1)
  expect(reminders[0]!.text).toContain('€1,675.43')
})

test('an event is priced once; an offer is accepted once, as it was shown and in time', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post, reference, staff } = await asked(site, {
    service: 'public-relations',
    from: '2027-01-19',
    to: '2027-01-21',
    name: 'Jonas Weber',
    email: 'jonas@example.de',
    company: 'Weber Motorsport GmbH',
    country: 'DE',
    vatId: 'DE136695976',
  })
  // A company elsewhere in the Union with a valid VAT ID owes the VAT itself.
  expect((await view()).total).toEqual({ net: 120_000, vat: 0, gross: 120_000 })
  expect((await view()).lines).toMatchObject([{ quantity: 1, unit: 'event' }])
  await news()

  for (const wrong of ['100.005', '-5', 'abc']) {
    await expect(cli('offer', '--travel', wrong)).rejects.toThrow()
  }
  await expect(cli('offer', '--discount', '2000.00')).rejects.toThrow('leave something to pay')
  await expect(cli('offer', '--until', '2026-01-01')).rejects.toThrow('has passed')
  const tooFine = { act: 'offer', offer: { lines: [{ text: 'Work', quantity: 1, price: 99.5 }] } }
  expect((await site.post(`/api/bookings/by-staff-link/${staff}`, tooFine)).status).toBe(400)

  await cli('offer', '--travel', '240.00', '--discount', '100.00', '--text', 'With a colleague.')
  const first = (await view()).offer.id
  expect(await view()).toMatchObject({ state: 'offered', total: { net: 134_000, gross: 134_000 } })
  const offered = to(await news(), 'jonas@example.de', /^Our offer for Public Relations/)
  expect(offered.text).toContain('With a colleague.')
  expect(offered.text).toContain('€1,340')

  await cli('offer', '--travel', '200.00')
  // It's an offer like the first one, not a note that something has changed.
  const changed = to(await news(), 'jonas@example.de', /^Our offer for Public Relations/)
  expect(changed.text).toContain('€1,400')
  expect(changed.text).toContain('Accepting makes the booking binding')
  expect((await post('accept', { offer: first })).json?.message).toContain('changed this offer')
  const second = (await view()).offer.id
  expect((await post('accept', { offer: second })).status).toBe(200)
  const again = await post('accept', { offer: second })
  expect([again.status, again.json?.message]).toEqual([
    409,
    'You’ve already accepted this offer, and your booking is confirmed.',
  ])
  expect(await view()).toMatchObject({ state: 'confirmed', total: { net: 140_000 } })
  const mails = await news()
  expect(to(mails, 'jonas@example.de', /^Confirmed/).text).toContain('Thank you for accepting')
  // A row for each line, as its customer reads it.
  const accepted = to(mails, 'staff', /^Offer accepted/).text
  expect(accepted).toMatch(/^Public Relations +€1,200\.00$/m)
  expect(accepted).toMatch(/^Travel +€200\.00$/m)

  await post('billing', { street: 'Ringstr. 1', postcode: '53520', city: 'Nürburg' })
  expect(await cli('invoice', '--send')).toContain('over €1,400.00')
  const { orders, invoiceOf } = site.context.features.orders.actions
  const [order] = orders.ofBooking(reference)
  expect(invoiceOf(order!)!.document.lines[0]!.reason).toContain('Reverse charge')

  await runOn(site, 'orders', 'credit', order!.number, '--reason', 'fog', '--line', '1=100.00')
  expect((await view()).documents).toMatchObject([
    { total: 140_000, credited: 10_000, open: 130_000 },
  ])

  // The organiser cancels: travel alone is due, and of that what is lost.
  await news()
  expect(await cli('show')).toContain(
    'organiser: Travel costs of €200, no VAT are due. If we get any of that back, we’ll take it off the invoice.',
  )
  await expect(cli('cancel', '--travel', '150.00')).rejects.toThrow('when the organiser cancels')
  const lost = (euros: string) => cli('cancel', '--because', 'organiser', '--travel', euros)
  await expect(lost('200.01')).rejects.toThrow('No more than the agreed €200.00')
  await lost('150.00')
  expect((await view()).documents).toMatchObject([
    { part: 'whole', isTravel: false, state: 'cancelled' },
    { part: 'fee', isTravel: true, total: 15_000, state: 'open' },
  ])
  const [, travel] = site.context.features.orders.actions.invoices
    .list()
    .toSorted((a, b) => a.number - b.number)
    .filter(({ kind }) => kind === 'invoice')
  expect(travel!.document.lines[0]!.title).toMatch(/^Travel costs, cancelled by the organiser: /)
  const told = await news()
  const { text } = to(told, 'jonas@example.de', /^Cancelled: booking/)
  expect(text).toContain('Travel costs of €150, no VAT are due.')
  expect(text).not.toMatch(/cancellation fee|get any of that back/)
  const history = await cli('show')
  expect(history).toMatch(/^ {2}travel: order .*€150\.00/m)
  expect(history).toMatch(/cancelled +confirmed +cancelled +The organiser cancelled the event/)
})

test('an offer that nobody answers ends, frees its dates, and cannot be accepted any more', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post } = await asked(site, {})
  await cli('offer', '--from', '2027-01-25', '--until', '2026-12-01', '--line', 'Work=2x400.50')
  expect(await view()).toMatchObject({
    state: 'offered',
    from: '2027-01-25',
    to: '2027-01-25',
    offer: { asked: { from: '2027-01-20', to: '2027-01-20' } },
    total: { net: 80_100 },
  })
  const { days } = site.context.features.bookings.actions
  const held = (date: string) => days.loads(date, date).get(date)?.[0]?.held ?? 0
  expect([held('2027-01-20'), held('2027-01-25')]).toEqual([0, 1])
  await news()
  site.clock.advance(Date.UTC(2026, 11, 1, 22, 1) - site.clock())
  await site.context.jobs.runDue()
  expect(to(await news(), 'aino@example.com', /Our offer .* has ended/).text).toContain(
    'nothing to pay',
  )
  expect((await post('accept')).status).toBe(410)
  expect([(await view()).state, held('2027-01-25')]).toEqual(['expired', 0])
  // No one is held to a price that they didn't accept.
  await expect(cli('confirm')).rejects.toThrow('Our offer ended unanswered')
  expect((await view()).state).toBe('expired')
  await cli('confirm', '--by-phone')
  expect(await view()).toMatchObject({ state: 'confirmed', total: { net: 80_100 } })
})

test('an offer is turned down by its visitor alone', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post } = await asked(site, {})
  expect((await post('refuse')).status).toBe(409)
  await cli('offer', '--line', 'Work=500.00')
  await news()
  expect((await post('refuse')).status).toBe(200)
  expect((await view()).state).toBe('declined')
  const mails = await news()
  to(mails, 'aino@example.com', /^You’ve declined our offer/)
  to(mails, 'staff', /^Offer declined/)
  expect((await post('accept')).status).toBe(409)
})

test('an offer is turned down as it was shown and in time, like it’s accepted', async () => {
  await using site = await startSite({ sending: false })
  const { cli, view, post } = await asked(site, {})
  await cli('offer', '--line', 'Work=900.00')
  const first = (await view()).offer.id
  site.clock.advance(60_000)
  await cli('offer', '--line', 'Work=500.00')
  // The page of the first one is still open in a tab.
  const old = await post('refuse', { offer: first })
  expect([old.status, old.json?.message]).toEqual([
    409,
    'We’ve changed this offer since you opened it. Please look at it again.',
  ])
  expect((await view()).state).toBe('offered')
  const second = (await view()).offer.id
  site.clock.advance(15 * dayMs)
  expect((await post('refuse', { offer: second })).status).toBe(410)
  await site.context.jobs.runDue()
  expect((await post('refuse', { offer: second })).status).toBe(410)
  expect((await view()).state).toBe('expired')
})

test('a client accepts an offer by phone while it’s open, and staff never for them', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post, staff, reference } = await asked(site, {})
  await cli('offer', '--line', 'Work=900.00', '--travel', '60.00')
  // What is held by an offer is the client’s, whatever is blocked afterwards.
  await runOn(site, 'bookings', 'block', '2027-01-20')
  await news()
  await expect(cli('confirm')).rejects.toThrow('Our offer isn’t answered yet')
  const byLink = await site.post(`/api/bookings/by-staff-link/${staff}`, { act: 'confirm' })
  expect([byLink.status, (await view()).state]).toEqual([409, 'offered'])
  await cli('confirm', '--by-phone', '--text', 'See you there')
  await cli('undo')
  expect(await view()).toMatchObject({ state: 'offered', agreement: null })
  await cli('confirm', '--by-phone', '--text', 'See you there')
  expect(await view()).toMatchObject({ state: 'confirmed', total: { net: 96_000 } })
  const { actions } = site.context.features.bookings
  expect(actions.find(reference).agreement).toMatchObject({ way: 'by-phone', deposit: null })
  expect(to(await news(), 'aino@example.com', /^Confirmed/).text).toContain('See you there')
  expect((await post('refuse')).status).toBe(409)
})

test('a booking is not cancelled at another fee than its page named', async () => {
  await using site = await startSite({ sending: false })
  const { cli, view, post } = await asked(site, {})
  await cli('confirm')
  // The last day on which it’s free, two weeks before the first one.
  site.clock.advance(Date.parse('2027-01-06T23:59+02:00') - site.clock())
  const { acts } = await view()
  expect(acts).toMatchObject({ due: 0, cancelling: ['There’s nothing to pay.'] })
  site.clock.advance(60_000)
  const late = await post('cancel', { due: acts.due })
  expect([late.status, late.json?.message]).toEqual([
    409,
    'The cost of cancelling has changed since you opened this page. Please check it before you cancel.',
  ])
  const now = await view()
  expect(now).toMatchObject({ state: 'confirmed', acts: { due: 55_848 } })
  expect((await post('cancel', { due: now.acts.due })).status).toBe(200)
  expect((await view()).state).toBe('cancelled')
  expect((await post('cancel', { due: 0 })).status).toBe(200)
})

test('a project holds nothing, is offered and agreed on, and a US company pays no VAT', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post, heldUntil } = await asked(site, {
    service: 'website-design',
    from: '2027-03-01',
    to: undefined,
    place: undefined,
    scope: 'A site for our team, eight pages.',
    budget: 'up to €10,000',
    name: 'Dana Cole',
    email: 'dana@example.com',
    company: 'Cole Racing LLC',
    country: 'US',
  })
  expect(heldUntil).toBeNull()
  expect(await view()).toMatchObject({ unit: 'project', scope: expect.any(String), place: null })
  const { days } = site.context.features.bookings.actions
  expect(days.loads('2027-03-01', '2027-03-01').size).toBe(0)
  const [asking] = await news()
  expect(asking!.text).not.toMatch(/crew|accreditation|hold/i)
  expect(asking!.calendar).toBeNull()
  // Weeks later it still waits for an answer.
  site.clock.advance(20 * dayMs)
  await site.context.jobs.runDue()
  expect((await view()).state).toBe('requested')
  await cli('offer', '--line', 'Team site, eight pages=8200.00')
  await post('accept')
  expect(await view()).toMatchObject({
    state: 'confirmed',
    total: { net: 820_000, gross: 820_000 },
  })
  const mail = to(await news(), 'dana@example.com', /^Confirmed/)
  expect(mail.text).not.toMatch(/crew|accreditation/i)
  const address = { street: '1 Speedway', postcode: '28027', city: 'Concord' }
  const without = await post('billing', address)
  expect([without.status, without.json?.errors]).toEqual([
    400,
    { region: 'Please enter the state, such as IN or Indiana' },
  ])
  await expect(cli('edit', '--region', 'QQ')).rejects.toThrow('such as IN or Indiana')
  expect((await post('billing', { ...address, region: 'NC' })).status).toBe(200)
  expect(await view()).toMatchObject({ address: { ...address, region: 'NC' } })
  expect(await cli('invoice', '--send')).toContain('over €8,200.00')
  const { actions } = site.context.features.orders
  const buyer = actions.invoices.list().at(-1)!.document.buyer
  expect(buyer).toMatchObject({ region: 'NC', city: 'Concord' })
  expect(buyer.address).toContain('Concord, NC 28027')
  const ubl = join(site.dataDir, 'invoice.xml')
  const [issued] = (await view()).documents
  await runOn(site, 'orders', 'documents', issued!.order, '--format', 'ubl', '--out', ubl)
  expect(readFileSync(ubl, 'utf8')).toContain('<cbc:CountrySubentity>NC</cbc:CountrySubentity>')
  // Another country has no states.
  await cli('edit', '--country', 'DE')
  expect(JSON.parse(await cli('show', '--json'))).toMatchObject({ country: 'DE', region: null })
})

test('a deposit by the rules is invoiced at confirmation, as soon as there is an address', async () => {
  using files = contentFiles({
    'booking-rules.json': {
      deposit: { percent: 40 },
      services: { photography: {} },
    },
  })
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const { cli, view, post } = await asked(site, {})
  await cli('offer', '--line', 'Work=1000.00')
  await post('accept')
  expect((await view()).documents).toEqual([])
  await post('billing', billing)
  expect((await view()).documents).toMatchObject([
    { part: 'deposit', total: 50_200, state: 'open' },
  ])
  await post('billing', billing)
  expect((await view()).documents).toHaveLength(1)
  const [issued] = (await view()).documents
  const { paid } = site.context.features.orders.actions
  await paid(issued!.order, { actor: 'mika' })

  // Other dates have another price, and the deposit that was asked for stays as it is.
  const news = mailbox(site)
  await news()
  await cli('move', '2027-04-14', '2027-04-15', '--line', 'Work=2000.00')
  const moved = to(await news(), 'aino@example.com', /^New dates/)
  expect(moved.text).toContain('The price is €2,000 + VAT (€2,510 incl. VAT).')
  expect(moved.text).toContain(
    'A deposit of €502.00 incl. VAT has been invoiced and paid; it counts towards this price.',
  )
  expect(moved.text).not.toContain('40 %')
})

test('what was paid covers the fee, and the rest waits to be paid back', async () => {
  await using site = await startSite()
  const { cli, view, post, reference } = await asked(site, { from: '2027-02-10', to: '2027-02-10' })
  await cli('confirm')
  await post('billing', billing)
  await cli('invoice', '--send')
  const { orders, paid } = site.context.features.orders.actions
  const [order] = orders.ofBooking(reference)
  await paid(order!.number, { actor: 'mika' })
  site.clock.advance(Date.UTC(2027, 0, 30, 10) - site.clock())
  expect((await view()).acts.cancelling.join(' ')).toContain(
    '€558.47 already paid is refunded within 14 days.',
  )
  await post('cancel')
  expect((await view()).documents).toMatchObject([
    { part: 'whole', state: 'refunded' },
    { part: 'fee', total: 55_848, state: 'paid' },
  ])
  expect(orders.find(order!.number)!.state).toBe('refunded')
  expect(orders.paid(order!.id)).toBe(0)
  expect(await runOn(site, 'orders', 'payouts')).toContain('558.47')
  expect(site.context.timeline.of('order', order!.number).at(-1)).toMatchObject({
    act: 'booking ended',
    note: '€558.47 to refund',
  })
})

test('the invoice of a fee waits until there is an address for it', async () => {
  await using site = await startSite()
  const news = mailbox(site)
  const { cli, view, post } = await asked(site, { from: '2027-01-20', to: '2027-01-21' })
  await cli('confirm')
  site.clock.advance(Date.UTC(2027, 0, 8, 10) - site.clock())
  await news()
  await post('cancel')
  expect(await view()).toMatchObject({ state: 'cancelled', documents: [] })
  expect((await view()).missing).toEqual(['street', 'postcode', 'city'])
  const cancelled = to(await news(), 'aino@example.com', /^Cancelled/)
  expect(cancelled.text).toContain('Its invoice follows once we have a billing address.')
  expect((await post('billing', billing)).status).toBe(200)
  expect((await view()).documents).toMatchObject([{ part: 'fee', total: 111_695, state: 'open' }])
  expect((await post('billing', billing)).status).toBe(409)
})
