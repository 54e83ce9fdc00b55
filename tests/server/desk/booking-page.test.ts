import { expect, test } from 'vitest'
import type { BookingState } from '#shared/bookings/bookings.ts'
import { book } from '../../support/bookings.ts'
import { bookingAtDesk, deskSite, secondOfStaff } from '../../support/desk-booking.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { actFields, actsIn, postForm } from '../../support/page-form.ts'
import type { Site } from '../../support/site.ts'
import { cases, withdraw } from '../../support/withdrawals.ts'

const minute = 60_000
const day = 86_400_000
const staff = { name: 'Mika', isVisitor: false }

const billing = { country: 'FI', street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi' }

/** What the client of a booking is told, the oldest first. */
const toClient = (site: Site, reference: string) =>
  site.context.mails
    .of('booking', reference)
    .filter(({ kind }) => !kind.endsWith('Staff') && kind !== 'bookingCrew')
    .map(({ kind }) => kind)

test('staff confirm as agreed on the phone, take it back, and confirm again', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, page, find, path, reference } = await bookingAtDesk(site, cookie, {
    company: 'Kaamos Racing Oy',
    message: 'Two cars,\nand a night stage.',
  })
  const open = await site.get(path, { headers: cookie })
  expect(open.status).toBe(200)
  expect(open.headers['cache-control']).toContain('no-store')
  expect(open.headers['x-robots-tag']).toContain('noindex')
  const asked = await page()
  for (const said of [
    `Booking ${reference}`,
    'Kaamos Racing Oy, Wednesday 20 January 2027',
    'href="/desk/people/aino@example.com"',
    'Two cars,\nand a night stage.',
    'Held until',
    '€890 + VAT (€1,116.95 incl. VAT)',
    'Agreed at €890 + VAT (€1,116.95 incl. VAT).',
    'after 10 minutes; until then you can undo this',
    '1 more slot free<',
  ]) {
    expect(asked).toContain(said)
  }
  const first = actFields(asked, 'confirm')
  expect((await act('confirm', { byPhone: 'on', text: 'See you there' })).status).toBe(303)
  expect(find()).toMatchObject({
    state: 'confirmed',
    answer: 'See you there',
    agreement: { way: 'by-phone', by: 'Noora' },
  })
  expect(await page()).toContain('Noora: confirmed by phone, requested → confirmed')
  // The same form again is about a booking that has changed.
  expect((await postForm(site, path, first, cookie)).status).toBe(409)
  expect(await page()).toContain('It’s requested again, on Wednesday 20 January 2027')
  expect((await act('undo')).status).toBe(303)
  expect(find().state).toBe('requested')
  expect((await act('confirm')).headers.location).toBe(`${path}#result`)
  // The email about the decision that was taken back is gone.
  expect(toClient(site, reference)).toEqual(['bookingRequested', 'bookingConfirmed'])
  site.clock.advance(11 * minute)
  expect(actsIn(await page())).not.toContain('undo')
})

test('an offer takes its lines, travel and discount as typed, and is changed by another one', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, page, find } = await bookingAtDesk(site, cookie)
  expect(actFields(await page(), 'offer')).toMatchObject({
    'text-1': 'Photography',
    'price-1': '890.00',
    'text-2': '',
    from: '2027-01-20',
  })
  const wrong = await act('offer', { 'text-2': 'Second photographer', 'price-2': 'a lot' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('id="offer-price-2-error"')
  expect(wrong.text).toContain('value="Second photographer"')
  const tooMuch = await act('offer', { discount: '9000' })
  expect([
    tooMuch.status,
    tooMuch.text.includes('The discount has to leave something to pay'),
  ]).toEqual([400, true])
  const made = await act('offer', {
    'text-2': 'Second photographer',
    'quantity-2': '2',
    'price-2': '650,00',
    travel: '120',
    discount: '90',
    to: '2027-01-21',
    note: 'With a drone',
  })
  expect(made.status).toBe(303)
  expect(find()).toMatchObject({ state: 'offered', to: '2027-01-21' })
  const offered = await page()
  for (const said of [
    'Offered price',
    'Offer ends',
    '4 December 2026, 23:59 (Helsinki)',
    'Second photographer, 2 × €650',
    '€2,220 + VAT (€2,786.10 incl. VAT)',
  ]) {
    expect(offered).toContain(said)
  }
  // All lines are there to be changed, so none is lost.
  expect(actFields(offered, 'offer')).toMatchObject({
    'text-2': 'Second photographer',
    'text-3': '',
  })
  expect((await act('offer', { discount: '' })).status).toBe(303)
  expect(find().lines.map(({ kind }) => kind)).toEqual(['service', 'service', 'travel'])
  expect((await act('decline', { text: 'The crew is ill' })).status).toBe(303)
  expect(find()).toMatchObject({ state: 'declined', answer: 'The crew is ill' })
  // The crew is well again, and the client takes the new offer on the phone.
  await act('offer')
  expect(actsIn(await page()).slice(0, 2)).toEqual(['offer', 'confirm'])
  expect(await page()).toContain('accepts our offer by phone instead of by the link')
  const unsaid = await act('confirm')
  expect([unsaid.status, unsaid.text.includes('isn’t answered yet')]).toEqual([409, true])
  expect((await act('confirm', { byPhone: 'on' })).status).toBe(303)
  expect(find()).toMatchObject({ state: 'confirmed', agreement: { way: 'by-phone' } })
})

test('lines entered by hand keep their price on other days only where staff say so', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, page, find, reference } = await bookingAtDesk(site, cookie)
  const { actions } = site.context.features.bookings
  const [own] = find().lines
  await act('offer', { 'text-1': 'Whole weekend', 'quantity-1': '1', 'price-1': '1500' })
  expect(find().lines[0]).toMatchObject({ text: 'Whole weekend', unit: null, net: 150_000 })
  const longer = { from: '2027-01-20', to: '2027-01-24' }
  const told = await act('offer', longer)
  expect(told.status).toBe(400)
  expect(told.text).toContain('won’t follow the days')
  expect(told.text).toContain('become 5 days, and it stays at €1,500 + VAT')
  expect(find().to).not.toBe(longer.to)
  expect((await act('offer', { ...longer, 'price-1': '2500' })).status).toBe(303)
  expect(find()).toMatchObject({ to: longer.to, lines: [{ net: 250_000 }] })
  expect((await act('offer', { to: '2027-01-23', keepLines: 'on' })).status).toBe(303)
  expect(find()).toMatchObject({ to: '2027-01-23', lines: [{ net: 250_000 }] })

  // The same at the command line, and once it's agreed.
  const offer = ['bookings', 'offer', reference, '--to', '2027-01-22']
  await expect(runOn(site, ...offer)).rejects.toThrow('4 days become 3 days')
  await runOn(site, ...offer, '--keep-lines')
  await actions.accept(reference, { name: 'Aino', isVisitor: true }, undefined)
  const move = ['bookings', 'move', reference, '2027-02-10', '2027-02-14']
  await expect(runOn(site, ...move)).rejects.toThrow('it stays at €2,500')
  expect((await act('move', { from: '2027-02-10', to: '2027-02-14' })).status).toBe(400)
  await runOn(site, ...move, '--line', 'Whole week=3200')
  expect(find()).toMatchObject({
    state: 'confirmed',
    to: '2027-02-14',
    lines: [{ text: 'Whole week', net: 320_000 }],
    agreement: { lines: [{ net: 320_000 }] },
  })
  expect(
    (await act('move', { from: '2027-02-17', to: '2027-02-18', keepLines: 'on' })).status,
  ).toBe(303)
  expect(find().lines[0]!.net).toBe(320_000)

  // What its client asks for is decided in sight of it.
  const client = { name: 'Aino', isVisitor: true }
  await actions.move(reference, client, { from: '2027-03-10', to: '2027-03-12' })
  expect(await page()).toContain('2 days become 3 days, and it stays at €3,200')
  const confirm = ['bookings', 'confirm', reference]
  await expect(runOn(site, ...confirm)).rejects.toThrow('2 days become 3 days')
  expect((await act('confirm')).status).toBe(303)
  expect(find()).toMatchObject({ to: '2027-03-12', lines: [{ net: 320_000 }] })
  expect(own!.unit).toBe('day')
})

test('a request moves, dates that are taken are refused with free ones, and the agreed move counts at once', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  for (let n = 0; n < 2; n += 1) {
    await book(site, { from: '2027-03-10', to: '2027-03-10' }, `127.70.${n}.1`)
  }
  const { act, find, page } = await bookingAtDesk(site, cookie)
  const taken = await act('move', { from: '2027-03-10', to: '2027-03-10' })
  expect(taken.status).toBe(409)
  expect(taken.text).toContain('These dates were just taken. Available instead: ')
  expect(taken.text).toContain('value="2027-03-10"')
  expect((await act('move', { from: '2027-02-40', to: '2027-03-10' })).status).toBe(400)
  expect((await act('move', { from: '2027-02-10', to: '2027-02-11' })).status).toBe(303)
  expect(find()).toMatchObject({ state: 'requested', from: '2027-02-10', to: '2027-02-11' })
  await act('confirm')
  expect((await act('move', { from: '2027-02-12', to: '2027-02-12' })).status).toBe(303)
  expect(find()).toMatchObject({ state: 'confirmed', from: '2027-02-12' })
  expect(await page()).toContain('€890 + VAT (€1,116.95 incl. VAT)')
})

test.each(['confirm', 'decline'] as const)(
  'staff %s the other dates that a client asks for',
  async (answer) => {
    const { site, cookie } = await deskSite()
    await using _ = site
    const { act, find, page, visitor } = await bookingAtDesk(site, cookie)
    await act('confirm')
    site.clock.advance(day)
    const asked = { from: '2027-02-10', to: '2027-02-11' }
    expect((await site.post(`/api/bookings/by-link/${visitor}/move`, asked)).status).toBe(200)
    const shown = await page()
    for (const said of [
      'Asks for',
      'Confirm the other dates',
      'Moves it from Wednesday 20 January 2027 to 10–11 February 2027.',
      'Agreed at €1,780 + VAT',
      'It stays on Wednesday 20 January 2027.',
    ]) {
      expect(shown).toContain(said)
    }
    expect((await act(answer)).status).toBe(303)
    expect(find()).toMatchObject({
      state: 'confirmed',
      from: answer === 'confirm' ? '2027-02-10' : '2027-01-20',
      change: null,
    })
    expect(actsIn(await page())).not.toContain(answer)
  },
)

test('crew are put on a booking and taken off; conflicts are named', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const first = await bookingAtDesk(site, cookie)
  const second = await bookingAtDesk(site, cookie)
  expect(await first.page()).toContain('not assigned yet')
  expect((await first.act('assign', { person: 'Aino' })).status).toBe(303)
  expect((await first.act('assign', { person: 'Nemo' })).status).toBe(400)
  const clashing = await second.act('assign', { person: 'Aino' })
  expect(clashing.status).toBe(200)
  expect(clashing.text).toContain('Aino is on this booking. Please check: ')
  expect(await second.page()).toContain(`Aino is on ${first.reference}`)
  expect((await second.act('unassign', { person: 'Aino' })).status).toBe(303)
  expect(await second.page()).toContain('Noora: unassigned (Aino)')
  expect(actsIn(await second.page())).not.toContain('unassign')
})

test('a withdrawal from a booking is on its page until staff close it there', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, page, reference, visitor, staff: link } = await bookingAtDesk(site, cookie)
  const own = async () => (await site.get(`/booking/${visitor}`)).text
  expect(await own()).toContain('What happens next')
  const byLink = async () => (await site.get(`/booking/staff/${link}`)).text
  expect(await page()).not.toContain('<h2>Withdrawals</h2>')
  await withdraw(site, reference, { confirm: true })
  expect(await page()).toContain('received · nothing paid, so nothing to pay back')
  expect(await page()).toContain('visitor: withdrawal')
  expect(await own()).toContain('We’ve received your withdrawal')
  expect(await own()).not.toContain('What happens next')
  expect(await byLink()).toContain('The client has withdrawn')
  expect((await act('confirm')).status).toBe(303)
  expect(await own()).not.toContain('see you at the track')
  expect((await act('withdrawal-close', { reason: ' ' })).status).toBe(400)
  expect((await act('withdrawal-close', { reason: 'ended without a fee' })).status).toBe(303)
  expect(await page()).toContain('Noora: withdrawal closed')
  expect(await own()).not.toContain('We’ve received your withdrawal')
  expect(await own()).toContain('see you at the track')
  expect(await byLink()).not.toContain('The client has withdrawn')
  expect(actsIn(await page())).not.toContain('withdrawal-close')
  expect(await cases(site)).toMatchObject([{ stage: 'closed' }])
})

test('note, place and billing are mended, and nothing that stays the same is kept', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, find, page, reference } = await bookingAtDesk(site, cookie)
  expect((await act('note', { note: 'Gate 4\nAsk for Sanna' })).status).toBe(303)
  expect(find().note).toBe('Gate 4\nAsk for Sanna')
  const same = await act('note', { note: 'Gate 4\nAsk for Sanna' })
  expect([same.status, same.text.includes('Nothing would change.')]).toEqual([400, true])
  expect((await act('edit', { start: '25:00' })).status).toBe(400)
  expect((await act('edit', { start: '09:00', end: '17:30', quiet: 'on' })).status).toBe(303)
  expect((await act('edit', { place: 'Levi' })).status).toBe(303)
  expect(find()).toMatchObject({ start: '09:00', end: '17:30', place: 'Levi' })
  expect((await act('billing', { ...billing, vatId: 'x' })).status).toBe(400)
  expect((await act('billing', billing)).status).toBe(303)
  expect(await page()).toContain('Ratakatu 1, 96100 Rovaniemi')
  const { sequence } = find()
  const saved = await act('billing', billing)
  expect([saved.status, saved.text.includes('Nothing would change.')]).toEqual([400, true])
  expect(find().sequence).toBe(sequence)
  const ofBilling = site.context.timeline
    .of('booking', reference)
    .filter(({ act: did }) => did === 'billing')
  expect(ofBilling).toHaveLength(1)
  // At the command line, what is there already keeps nothing else from being changed.
  const words = ['--country', 'FI', '--place', 'Ruka', '--no-mail']
  await runOn(site, 'bookings', 'edit', reference, ...words)
  expect(find()).toMatchObject({ place: 'Ruka', sequence: sequence + 1 })
  // What the form showed and came back empty was emptied; the rest stays.
  expect((await act('billing', { company: 'Kaamos Oy', street: '' })).status).toBe(303)
  expect(find()).toMatchObject({ company: 'Kaamos Oy', street: null, city: 'Rovaniemi' })
  expect((await act('billing', { company: '' })).status).toBe(303)
  expect(find()).toMatchObject({ company: null, city: 'Rovaniemi', country: 'FI' })
  expect((await act('note', { note: '' })).status).toBe(303)
  expect(find().note).toBeNull()
  // One about the request, one about the place; the times went without.
  expect(toClient(site, reference)).toEqual(['bookingRequested', 'bookingEdited'])
})

test.each<[BookingState, string, string[]]>([
  [
    'requested',
    'as it came',
    ['confirm', 'offer', 'decline', 'move', 'assign', 'billing', 'edit', 'note'],
  ],
  ['offered', 'offered', ['offer', 'confirm', 'decline', 'assign', 'billing', 'edit', 'note']],
  ['confirmed', 'confirmed', ['undo', 'move', 'assign', 'billing', 'edit', 'note', 'cancel']],
  ['declined', 'declined', ['offer', 'undo', 'note']],
  ['cancelled', 'cancelled', ['note']],
  ['expired', 'forgotten', ['confirm', 'offer', 'note']],
  ['quarantined', 'doubtful', ['confirm', 'offer', 'decline', 'billing', 'edit', 'note']],
])('a booking that is %s offers what can be done with it', async (state, how, acts) => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { actions } = site.context.features.bookings
  const { find, reference, path } = await bookingAtDesk(
    site,
    cookie,
    how === 'doubtful' ? { website: 'https://spam.example' } : {},
  )
  if (how === 'offered') await actions.offer(reference, staff, null, {})
  if (how === 'confirmed') await actions.confirm(reference, staff, null)
  if (how === 'declined') await actions.decline(reference, staff, null)
  if (how === 'cancelled') await actions.cancel(reference, staff)
  if (how === 'forgotten') {
    site.clock.advance(4 * day)
    await site.context.jobs.runDue()
  }
  expect(find().state).toBe(state)
  const headers = how === 'forgotten' ? await secondOfStaff(site) : cookie
  const { text } = await site.get(path, { headers })
  expect(actsIn(text)).toEqual(acts)
  // What isn't offered is refused, however it is sent.
  const form = actFields(text, 'note')
  for (const act of ['confirm', 'offer', 'cancel', 'undo', 'invoice', 'dance']) {
    if (acts.includes(act)) continue
    const sent = await postForm(site, path, { ...form, act }, headers)
    expect([act, sent.status]).toEqual([act, 409])
  }
  expect(find().state).toBe(state)
  if (!acts.includes('decline')) return
  expect((await postForm(site, path, actFields(text, 'decline'), headers)).status).toBe(303)
  expect(find().state).toBe('declined')
})

test('of two of staff only one decides, and the other sees what was done', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { page, path, find } = await bookingAtDesk(site, cookie)
  const shown = await page()
  const others = await secondOfStaff(site)
  const [confirming, declining] = await Promise.all([
    postForm(site, path, actFields(shown, 'confirm'), cookie),
    postForm(site, path, actFields(shown, 'decline'), others),
  ])
  const { state } = find()
  expect([confirming.status, declining.status]).toEqual(
    state === 'confirmed' ? [303, 409] : [409, 303],
  )
  const late = await postForm(site, path, { ...actFields(shown, 'note'), note: 'Mine' }, others)
  expect(late.status).toBe(409)
  expect(late.text).toContain(`requested → ${state}`)
  expect(late.text).toContain('>Mine</textarea>')
})

test('a name that is written from the right leaves the dates and the phone number beside it alone', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const name = 'محمد علي'
  const { act, page } = await bookingAtDesk(site, cookie, {
    name,
    phone: '+358 50 1234567',
    from: '2027-01-20',
    to: '2027-01-21',
  })
  const isolated = `\u2068${name}\u2069`
  expect(await page()).toContain(`${isolated}, 20–21 January 2027`)
  expect((await site.get('/desk', { headers: cookie })).text).toContain(`${isolated}, 20–21`)
  await act('confirm')
  site.clock.advance(11 * minute)
  site.context.outbox.wake()
  await settled(site)
  const [confirmed] = mailFiles(site.dataDir).filter(({ subject }) => subject.includes('Confirmed'))
  expect(confirmed!.text).toContain(`${isolated}, +358 50 1234567`)
})

test('how many slots are free is said until the last day, and “on each day” of several', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { page, act } = await bookingAtDesk(site, cookie, { from: '2026-11-25', to: '2026-11-26' })
  expect((await act('confirm')).status).toBe(303)
  expect(await page()).toContain('1 more slot free on each day<')
  site.clock.advance(6 * 86_400_000)
  expect(await page()).toContain('1 more slot free on each day<')
  site.clock.advance(86_400_000)
  expect(await page()).not.toContain('slot free')
})

test('moving a booking to the dates that it has changes nothing and emails no one', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, find, reference } = await bookingAtDesk(site, cookie)
  expect((await act('confirm')).status).toBe(303)
  const before = { ...find(), mails: toClient(site, reference) }
  const same = await act('move')
  expect(same.status).toBe(400)
  expect(same.text).toContain('These are already its dates')
  expect({ ...find(), mails: toClient(site, reference) }).toEqual(before)
  // Other dates move it as before, and an empty name is refused as no member of the crew.
  const nobody = await act('assign')
  expect([nobody.status, nobody.text.includes('Please enter a name')]).toEqual([400, true])
  expect((await act('move', { from: '2027-01-21', to: '2027-01-21' })).status).toBe(303)
})

test('what is too long in a correction is said with its limit', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act } = await bookingAtDesk(site, cookie)
  const { status, text } = await act('edit', { place: 'x'.repeat(2_000) })
  expect(status).toBe(400)
  expect(text).toContain('Please use at most 200 characters')
  expect(text).not.toContain('Invalid input')
})
