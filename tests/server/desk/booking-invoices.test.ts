import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { season } from '../../support/content-events.ts'
import { credit } from '../../support/credits.ts'
import { bookingAtDesk, deskSite } from '../../support/desk-booking.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { actFields, actsIn, postForm } from '../../support/page-form.ts'

const staff = { name: 'Mika', isVisitor: false }
const billing = { country: 'FI', street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi' }

test('a deposit, its balance and a cancellation: every sum is told before, and leads to its order', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, find, page, path, reference } = await bookingAtDesk(site, cookie)
  await act('confirm')
  expect(await page()).toContain('Invoice needs')
  expect(actsIn(await page())).not.toContain('invoice')
  await act('billing', billing)
  expect(await page()).toContain('Total: €890 + VAT (€1,116.95 incl. VAT), due')
  for (const percent of ['0', '100', 'half', '']) {
    expect([percent, (await act('deposit', { percent })).status]).toEqual([percent, 400])
  }
  expect((await act('deposit', { percent: '40' })).status).toBe(303)
  const [deposit] = site.context.features.bookings.actions.billing.of(reference)
  const afterDeposit = await page()
  expect(afterDeposit).toContain(`href="/desk/orders/${deposit!.order}"`)
  expect(afterDeposit).toContain('€446.78 open')
  expect(actsIn(afterDeposit)).not.toContain('deposit')
  expect((await site.get(`/desk/orders/${deposit!.order}`, { headers: cookie })).text).toContain(
    `href="${path}"`,
  )
  expect(afterDeposit).toContain('Invoice the balance of €670.17')
  expect((await act('invoice')).status).toBe(303)
  expect(actsIn(await page())).not.toContain('invoice')

  const before = actFields(await page(), 'cancel')
  await site.context.features.orders.actions.paid(deposit!.order, { actor: 'Mika' })
  // What cancelling settles has changed with the payment, so the form that promised it is refused.
  const unseen = await postForm(site, path, { ...before, because: 'us' }, cookie)
  expect(unseen.status).toBe(409)
  expect(await page()).toContain('We can’t do it: There’s nothing to pay.')
  expect(await page()).toContain('€446.78 already paid is refunded within 14 days.')
  expect((await act('cancel', { because: '' })).status).toBe(400)
  expect((await act('cancel', { because: 'us', text: 'Sorry' })).status).toBe(303)
  expect(find()).toMatchObject({ state: 'cancelled', answer: 'Sorry' })
  expect(actsIn(await page())).toEqual(['note'])
})

/** A booking that is confirmed and invoiced whole, a minute ago. */
async function invoicedAtDesk(
  { site, cookie }: Awaited<ReturnType<typeof deskSite>>,
  changes: Record<string, unknown> = {},
) {
  const booking = await bookingAtDesk(site, cookie, changes)
  const { billing: money } = site.context.features.bookings.actions
  await booking.act('confirm')
  await booking.act('billing', billing)
  await booking.act('invoice')
  site.clock.advance(60_000)
  return { ...booking, invoices: () => money.of(booking.reference) }
}

test('what was credited before other dates is named before the balance asks for it, and can be left out', async () => {
  const desk = await deskSite()
  const { site, cookie } = desk
  await using _ = site
  const { act, invoices, page, path, reference } = await invoicedAtDesk(desk)
  await credit(site, invoices()[0]!.order, '--amount', '50.00')
  expect((await act('move', { from: '2027-01-20', to: '2027-01-21' })).status).toBe(303)

  const told =
    'Credit notes took €50.00 off earlier invoices; this balance counts that as not invoiced.'
  const shown = await page()
  expect(shown).toContain('Invoice the balance of €1,166.95')
  expect(shown).toContain(told)
  expect(shown).toContain('The balance is then €1,116.95, and the whole booking €2,183.90.')
  const preview = await runOn(site, 'bookings', 'invoice', reference)
  expect(preview).toContain(`${told} To leave it out: --amount 2183.90`)
  expect(JSON.parse(await runOn(site, 'bookings', 'invoice', reference, '--json'))).toMatchObject({
    credited: 5000,
    total: { gross: 116_695 },
  })

  // A credit note that came in between makes another balance than the one that was shown.
  const form = actFields(shown, 'invoice')
  await credit(site, invoices()[0]!.order, '--amount', '10.00')
  expect((await postForm(site, path, form, cookie)).status).toBe(409)
  expect(await page()).toContain('Invoice the balance of €1,176.95')
  expect((await act('invoice', { withoutCredited: 'on' })).status).toBe(303)
  expect(invoices().map(({ total }) => total)).toEqual([111_695, 111_695])
  expect(actsIn(await page())).not.toContain('invoice')
})

test('a credit that left nothing to invoice has nothing to be left out', async () => {
  const desk = await deskSite()
  const { site } = desk
  await using _ = site
  const { act, invoices, page } = await invoicedAtDesk(desk, { to: '2027-01-21' })
  await credit(site, invoices()[0]!.order, '--amount', '1150.00')
  await act('move', { from: '2027-01-20', to: '2027-01-20' })
  const shown = await page()
  expect(shown).toContain('Invoice the balance of €33.05')
  expect(shown).toContain('Credit notes took €1,150.00 off earlier invoices')
  expect(shown).not.toContain('name="withoutCredited"')
  expect((await act('invoice', { withoutCredited: 'on' })).status).toBe(409)
  expect(invoices()).toHaveLength(1)
})

test('a move that was invoiced or credited since isn’t undone, and one back is', async () => {
  const desk = await deskSite()
  const { site } = desk
  await using _ = site
  const { act, find, invoices, page, reference } = await invoicedAtDesk(desk)
  const undo = () => runOn(site, 'bookings', 'undo', reference)
  const move = (to: string) => act('move', { from: '2027-01-20', to })
  await move('2027-01-21')
  await act('invoice')
  expect(actsIn(await page())).not.toContain('undo')
  await expect(undo()).rejects.toThrow(/invoiced or credited since/)
  expect([find().to, (await page()).includes('€2,233.90')]).toEqual(['2027-01-21', true])

  // Fewer days, and the difference credited: what is undone then would be owed by no one.
  site.clock.advance(60_000)
  await move('2027-01-20')
  expect(actsIn(await page())).toContain('undo')
  await credit(site, invoices()[1]!.order, '--amount', '1116.95')
  expect(actsIn(await page())).not.toContain('undo')
  await expect(undo()).rejects.toThrow(/invoiced or credited since/)

  site.clock.advance(60_000)
  await move('2027-01-21')
  expect(await undo()).toContain('confirmed')
  expect(find().to).toBe('2027-01-20')

  // Another price for the same day.
  site.clock.advance(60_000)
  await runOn(site, 'bookings', 'move', reference, '2027-01-20', '--line', 'Two cameras=1500.00')
  expect(actsIn(await page())).toContain('undo')
  await act('invoice')
  expect(actsIn(await page())).not.toContain('undo')
  await expect(undo()).rejects.toThrow(/invoiced or credited since/)
})

test('chosen lines are shown as the invoice they make before it is issued, each line once', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, page, path, reference } = await bookingAtDesk(site, cookie)
  const { actions } = site.context.features.bookings
  const documents = () => actions.billing.of(reference)
  await act('offer', { 'text-2': 'Drone', 'quantity-2': '1', 'price-2': '650', travel: '120' })
  await actions.accept(reference, { name: 'Aino', isVisitor: true }, undefined)
  expect(actions.find(reference).state).toBe('confirmed')
  await act('billing', billing)

  const none = await act('lines')
  expect([none.status, none.text.includes('Tick at least one line.')]).toEqual([400, true])
  const stranger = await act('lines', { 'line-9': 'on' })
  expect([stranger.status, documents()]).toEqual([409, []])

  const chosen = { 'line-2': 'on', 'line-3': 'on' }
  const preview = await act('lines', chosen)
  expect([preview.status, documents()]).toEqual([200, []])
  const said = preview.text.replaceAll('<!-- -->', '')
  expect(said).toContain('Total: €770 + VAT (€966.35 incl. VAT), due')
  expect(said).toContain('>Invoice €966.35</button>')
  const form = actFields(said.slice(said.indexOf('id="preview"')), 'lines')

  // What was looked at is no longer so: the invoice isn't issued, and says why.
  await act('note', { note: 'Gate 4' })
  const stale = await postForm(site, path, form, cookie)
  expect([stale.status, documents()]).toEqual([409, []])
  expect(stale.text).toContain('This has changed since you opened it')

  const again = (await act('lines', chosen)).text
  const issued = await postForm(site, path, actFields(again, 'lines'), cookie)
  expect(issued.status).toBe(303)
  expect(documents().map(({ part, total }) => [part, total])).toEqual([['lines', 96_635]])
  const after = await page()
  expect([after.includes('name="line-1"'), after.includes('name="line-2"')]).toEqual([true, false])
  expect(after).toContain('Invoice the balance of €1,116.95')
  expect((await postForm(site, path, actFields(again, 'lines'), cookie)).status).toBe(409)
  expect(documents()).toHaveLength(1)
})

test('a deposit that was agreed is announced, and its invoice rules out an undo', async () => {
  using files = season(undefined, {
    'booking-rules.json': JSON.stringify({
      deposit: { percent: 40 },
      services: { photography: { capacity: 2 } },
    }),
  })
  const { site, cookie } = await deskSite({ CONTENT_DIR: files.directory })
  await using _ = site
  const { act, page } = await bookingAtDesk(site, cookie, { country: 'FI' })
  expect(await page()).toContain('That invoice waits for the billing details.')
  await act('billing', billing)
  const shown = await page()
  expect(shown).toContain('A deposit of 40 %, €446.78 incl. VAT, is invoiced at confirmation.')
  expect(shown).not.toContain('That invoice waits')
  await act('confirm')
  expect(actsIn(await page())).not.toContain('undo')
})

test('a project without a price: its start moves, and its whole price is invoiced', async () => {
  const services = JSON.parse(readFileSync('data/content/services.json', 'utf8')) as {
    url: string
  }[]
  const unpriced = services.map((row) =>
    row.url === 'website-design' ? { ...row, price_from: null } : row,
  )
  using files = season(undefined, { 'services.json': JSON.stringify(unpriced) })
  const { site, cookie } = await deskSite({ CONTENT_DIR: files.directory })
  await using _ = site
  const { actions } = site.context.features.bookings
  const entered = await runOn(
    site,
    'bookings',
    'add',
    ...'--service website-design --from 2027-03-01 --name Aino --no-mail --confirm --json'.split(
      ' ',
    ),
  )
  const { reference } = JSON.parse(entered) as { reference: string }
  const path = `/desk/bookings/${reference}`
  const page = async () => (await site.get(path, { headers: cookie })).text
  const act = async (name: string, fields: Record<string, string> = {}) =>
    postForm(site, path, { ...actFields(await page(), name), ...fields }, cookie)
  expect(await page()).toContain('The client gets no emails about this booking.')
  expect(actFields(await page(), 'move')).not.toHaveProperty('to')
  expect((await act('move', { from: '2027-04-01' })).status).toBe(303)
  expect(actions.find(reference)).toMatchObject({ from: '2027-04-01', to: '2027-04-01' })
  const found = (await site.get(`/desk?q=${reference}`, { headers: cookie })).text
  expect(found).toContain('Aino, from 1 April 2027')
  expect(found).toContain(`${reference} · website-design · confirmed`)
  await act('billing', billing)
  const wrong = await act('invoice', { whole: 'soon' })
  expect([wrong.status, wrong.text.includes('Please enter an amount such as 120.00')]).toEqual([
    400,
    true,
  ])
  expect((await act('invoice', { whole: '300,00' })).status).toBe(303)
  expect(actions.billing.of(reference)).toMatchObject([{ part: 'whole', total: 30_000 }])
  expect(actsIn(await page())).not.toContain('invoice')
})

test('of two invoices sent at once only one is issued, and of two notes one is kept', async () => {
  const { site, cookie } = await deskSite()
  await using _ = site
  const { act, page, path, reference, find } = await bookingAtDesk(site, cookie)
  await act('billing', billing)
  await act('confirm')
  const shown = await page()
  const both = await Promise.all(
    ['invoice', 'deposit'].map((each) => postForm(site, path, actFields(shown, each), cookie)),
  )
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([303, 409]))
  expect(site.context.features.bookings.actions.billing.of(reference)).toHaveLength(1)
  const { actions } = site.context.features.bookings
  const seen = { ...staff, seen: find().sequence }
  const edits = { place: undefined, name: undefined }
  const notes = await Promise.allSettled(
    ['Gate 4', 'Gate 5'].map((note) => actions.edit(reference, seen, { ...edits, note })),
  )
  expect(notes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(find().note).toBe('Gate 4')
})
