import { expect, test } from 'vitest'
import type { Panel } from '#shared/clients/clients.ts'
import { euros } from '#shared/money.ts'
import { book, bookingOf } from '../support/bookings.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { csrfHeaders } from '../support/send.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const lure = 'Our bank changed, pay to FI21 1234 5600 0007 85'
const email = 'aino@example.com'
const print = [['blue-hour-fine-art-print', '30x40-matte', 1]] as const
const staff = { name: 'staff', isVisitor: false }

/** A client with a panel, and what it shows. */
async function withPanel(options: Parameters<typeof startSite>[0] = { sending: false }) {
  const site = await startSite(options)
  const { code } = await makeClient(site, {
    emails: [email],
    scopes: ['view', 'download', 'select', 'manage'],
  })
  const Cookie = `${csrfHeaders.Cookie}; ${await signIn(site, code)}`
  const headers = { ...csrfHeaders, Cookie }
  const rows = async () => {
    const { panel } = (await site.get('/api/panel', { headers })).json as { panel: Panel }
    return panel.blocks.flatMap((block) =>
      block.view === 'rows' ? block.rows.map((row) => ({ kind: block.kind, ...row })) : [],
    )
  }
  return { site, headers, rows }
}

/** Everything that a stranger can send under the address of a client. */
async function sendAsStranger(site: Site) {
  await saveEnquiry(site, { 'Ticket ID': 'iban01', Email: email, Subject: lure, Message: lure })
  const { json } = await book(site, {
    email: 'AINO@example.com',
    place: lure,
    name: lure,
    message: lure,
    company: lure,
  })
  const { order } = await orderByInvoice(site, print, { email, name: lure, company: lure })
  return { reference: String(json?.reference), order }
}

test("nothing that anybody sent under a client's address stands in the client's panel", async () => {
  const { site, headers, rows } = await withPanel()
  await using _ = site
  const { reference, order } = await sendAsStranger(site)
  expect(await rows()).toEqual([])
  for (const path of [
    `/api/bookings/by-link/${reference}`,
    `/api/shop/orders/${order}`,
    `/shop/orders/${order}/invoice.pdf`,
    `/booking/${reference}.ics`,
  ]) {
    const { status, text } = await site.get(path, { headers })
    expect([path, status]).toEqual([path, 404])
    expect(text).not.toContain(lure)
  }
})

test('what a stranger makes of its own booking, and the clock, show it no more', async () => {
  const { site, rows } = await withPanel()
  await using _ = site
  const moved = await book(site, { email, place: lure })
  const link = String(moved.json?.url).split('/').at(-1)!
  const dates = { from: '2027-02-10', to: '2027-02-10' }
  expect((await site.post(`/api/bookings/by-link/${link}/move`, dates)).status).toBe(200)
  expect(await rows()).toEqual([])
  expect((await site.post(`/api/bookings/by-link/${link}/cancel`, {})).status).toBe(200)
  const { json } = await book(site, { email, place: lure })
  site.clock.advance(73 * 3_600_000)
  await site.context.features.bookings.actions.expire(String(json?.reference))
  expect(await rows()).toEqual([])
})

test('what staff answered stands there; what they declined, without a word of its sender', async () => {
  const { site, rows } = await withPanel()
  await using _ = site
  const { reference, order } = await sendAsStranger(site)
  const { bookings, contact, orders } = site.context.features
  const setStatus = (status: 'open' | 'answered' | 'closed') =>
    contact.actions.setStatus('iban01', status, 'mika')
  await bookings.actions.decline(reference, staff, null)
  await setStatus('open')
  const declined = await rows()
  expect(declined).toMatchObject([{ kind: 'bookings', state: { label: 'Declined' }, href: null }])
  expect(JSON.stringify(declined)).not.toContain('bank')

  const other = await book(site, { email, place: 'Ice track' })
  await bookings.actions.confirm(String(other.json?.reference), staff, null)
  await setStatus('answered')
  await orders.actions.paid(order, { note: 'bank/1', actor: 'mika' })
  const answered = await rows()
  expect(answered.map(({ kind, state }) => [kind, state?.label])).toEqual([
    ['tickets', 'Answered'],
    ['bookings', 'Confirmed'],
    ['bookings', 'Declined'],
    ['orders', 'Paid'],
  ])
  await setStatus('closed')
  expect(await rows()).toHaveLength(4)
})

test('what the client makes in its own session stands there at once', async () => {
  const { site, headers, rows } = await withPanel()
  await using _ = site
  await saveEnquiry(site, { 'Ticket ID': 'mine01', Email: email, Subject: 'Passes' }, { headers })
  await site.post('/api/bookings', bookingOf({ email, place: 'Ice track' }), { headers })
  expect(await rows()).toMatchObject([
    { kind: 'tickets', title: 'Passes' },
    { kind: 'bookings', detail: expect.stringContaining('Ice track') },
  ])
  // Under an address that isn't the client's, and in a session of another client, it proves nothing.
  const rival = await makeClient(site, { panel: 'rival', emails: ['rival@example.com'] })
  const Cookie = `${csrfHeaders.Cookie}; ${await signIn(site, rival.code)}`
  await saveEnquiry(site, { 'Ticket ID': 'rival1', Email: email }, { headers: { Cookie } })
  await site.post('/api/bookings', bookingOf({ email, from: '2027-02-10', to: '2027-02-10' }), {
    headers: { Cookie },
  })
  expect(await rows()).toHaveLength(2)
})

test('a project without a place stands there by the day on which it begins', async () => {
  const { site, headers, rows } = await withPanel()
  await using _ = site
  const project = { service: 'website-design', from: '2027-02-01', scope: 'A site for our series' }
  const fields = { ...bookingOf({ email, ...project }), to: undefined, place: undefined }
  expect((await site.post('/api/bookings', fields, { headers })).status).toBe(201)
  expect(await rows()).toMatchObject([{ kind: 'bookings', detail: 'from 1 February 2027' }])
})

test('an order stands there once a code from its mailbox was entered', async () => {
  const { site, rows } = await withPanel({})
  await using _ = site
  const { token, order } = await orderByInvoice(site, print, { email })
  expect(await rows()).toEqual([])
  expect((await site.post(`/api/shop/orders/${token}/code`, {})).status).toBe(200)
  await settled(site)
  expect((await site.post(`/api/shop/orders/${token}/code`, { code: '000 000' })).status).toBe(400)
  expect(await rows()).toEqual([])
  const mail = mailFiles(site.dataDir).find(({ subject }) => subject.endsWith('opens your order'))
  const code = mail!.subject.slice(0, 6)
  expect((await site.post(`/api/shop/orders/${token}/code`, { code })).status).toBe(200)
  expect(await rows()).toMatchObject([
    { kind: 'orders', href: `/shop/checkout/success?order=${order}` },
  ])
  const whole = site.context.features.orders.actions.orders.find(order)!.total
  await runOn(site, 'orders', 'credit', order, '--reason', 'scratched', '--line', '1=5.00')
  await runOn(site, 'orders', 'paid', order, '--amount', '20.00')
  expect(await rows()).toMatchObject([
    {
      value: euros(whole),
      detail: expect.stringContaining(
        `, ${euros(500)} credited, ${euros(whole - 2500)} left to pay, `,
      ),
    },
  ])
})
