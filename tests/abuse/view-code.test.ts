import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import type { Panel } from '#shared/clients/clients.ts'
import type { OrderView } from '#shared/shop/orders.ts'
import type { Scope } from '#shared/clients/secret-code.ts'
import { book } from '../support/bookings.ts'
import { makeClient, signIn } from '../support/clients.ts'
import { csrfHeaders } from '../support/send.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const email = 'aino@example.com'
const staff = { name: 'staff', isVisitor: false }

/** Signs a client in whose code has some scopes. @returns the headers of its browser */
async function browserOf(
  site: Site,
  scopes: readonly Scope[],
  { emails = [email], panel = `panel-${scopes.join('-')}` } = {},
) {
  const { code, codeId } = await makeClient(site, { scopes: [...scopes], emails, panel })
  const Cookie = `${csrfHeaders.Cookie}; ${await signIn(site, code)}`
  return { codeId, headers: { ...csrfHeaders, Cookie } }
}

/** A confirmed booking and a paid order with a file, both known to be the client's. */
async function withMatters(options: Parameters<typeof startSite>[0] = {}) {
  const site = await startSite({ sending: false, ...options })
  const { bookings, orders } = site.context.features
  const name = 'winter-wallpapers.zip'
  mkdirSync(join(site.dataDir, 'products'), { recursive: true })
  writeFileSync(join(site.dataDir, 'products', name), 'a file')
  const { json } = await book(site, { email })
  const reference = String(json?.reference)
  await bookings.actions.confirm(reference, staff, null)
  const { order, token } = await orderByInvoice(site, [['winter-wallpapers', 'personal', 1]], {
    email,
    street: 'Mannerheimintie 1 A 2',
    digitalWaiver: true,
  })
  await orders.actions.paid(order, { note: 'bank/1', actor: 'staff' })
  const link = { booking: String(json?.url).split('/').at(-1)!, order: token }
  const state = () => bookings.actions.bookings.find(reference)!

  /** What a browser reaches of booking and order under the names that an address may have. */
  const reached = async (headers: Record<string, string>, at = { booking: reference, order }) => {
    const get = async (path: string) => (await site.get(path, { headers })).status
    const post = async (path: string, body: unknown) =>
      (await site.post(path, body, { headers })).status
    const dates = { from: '2027-02-10', to: '2027-02-10' }
    const page = await site.get(`/api/shop/orders/${at.order}`, { headers })
    const { details = null } = (page.json ?? {}) as Partial<OrderView>
    const file = details?.downloads[0]?.href
    return {
      booking: await get(`/api/bookings/by-link/${at.booking}`),
      days: await get(`/api/bookings/by-link/${at.booking}/days`),
      calendar: await get(`/booking/${at.booking}.ics`),
      move: await post(`/api/bookings/by-link/${at.booking}/move`, dates),
      cancel: await post(`/api/bookings/by-link/${at.booking}/cancel`, {}),
      order: page.status,
      buyer: details?.email === email && details.address !== null,
      invoice: await get(`/shop/orders/${at.order}/invoice.pdf`),
      file: file ? await get(file) : null,
      code: await post(`/api/shop/orders/${at.order}/code`, {}),
    }
  }
  const panel = async (headers: Record<string, string>) =>
    (await site.get('/api/panel', { headers })).json?.panel as Panel
  return { site, reference, order, link, state, reached, panel }
}

const nothing = (status: number) => ({
  booking: status,
  days: status,
  calendar: status,
  move: status,
  cancel: status,
  order: status,
  buyer: false,
  invoice: status,
  file: null,
  code: status,
})

const everything: Omit<ReturnType<typeof nothing>, 'file'> & { file: number | null } = {
  booking: 200,
  days: 200,
  calendar: 200,
  move: 200,
  cancel: 200,
  order: 200,
  buyer: true,
  invoice: 200,
  file: 200,
  code: 200,
}

/** What each code reaches of bookings and orders; 404 where it doesn't even open the panel. */
const table: [readonly Scope[], ReturnType<typeof nothing> | typeof everything][] = [
  [['view'], nothing(403)],
  [['view', 'web', 'download', 'select'], nothing(403)],
  [['view', 'links', 'ops'], nothing(403)],
  [['manage', 'download'], nothing(404)],
  [['links', 'ops'], nothing(404)],
  [['view', 'manage'], { ...everything, file: null }],
  [['view', 'manage', 'download'], everything],
]

test.each(table)('a code with %j reaches what the table says, by every address', async (...row) => {
  const [scopes, expected] = row
  const { site, reached, state } = await withMatters()
  await using _ = site
  const { headers } = await browserOf(site, scopes)
  expect(await reached(headers)).toEqual(expected)
  expect(state().state).toBe(expected.cancel === 200 ? 'cancelled' : 'confirmed')
})

test('a panel never hands out the link of a visitor, and a code without manage no link at all', async () => {
  const { site, reference, order, link, panel } = await withMatters()
  await using _ = site
  for (const scopes of [['view'], ['view', 'download', 'select'], ['view', 'manage']] as const) {
    const { headers } = await browserOf(site, scopes)
    const shown = await panel(headers)
    const text = JSON.stringify(shown)
    expect(text).not.toContain(link.booking)
    expect(text).not.toContain(link.order)
    const rows = shown.blocks.flatMap((block) => (block.view === 'rows' ? block.rows : []))
    expect(rows.map(({ value, title }) => [value, title])).toEqual([
      [reference, 'Photography'],
      [expect.any(String), expect.stringContaining(order)],
    ])
    const mayAct = (scopes as readonly string[]).includes('manage')
    expect(rows.map(({ href }) => href)).toEqual(
      mayAct ? [`/booking/${reference}`, `/shop/checkout/success?order=${order}`] : [null, null],
    )
    const entry = await site.get(`/booking/${reference}.ics`, { headers })
    expect(entry.text.replaceAll(/\r?\n /g, '')).not.toContain(link.booking)
  }
})

test('no other client and no stranger reaches them by their numbers', async () => {
  const { site, reached } = await withMatters()
  await using _ = site
  const all: readonly Scope[] = ['view', 'download', 'select', 'manage', 'links', 'ops']
  const rival = await browserOf(site, all, { emails: ['rival@example.com'], panel: 'rival' })
  expect(await reached(rival.headers)).toEqual(nothing(404))
  expect(await reached(csrfHeaders)).toEqual(nothing(404))
})

test('what a code reached ends with the code', async () => {
  const { site, reached } = await withMatters()
  await using _ = site
  const { headers, codeId } = await browserOf(site, ['view', 'manage', 'download'])
  expect((await reached(headers)).invoice).toBe(200)
  await site.context.commit((tx) => site.context.features.clients.codes.revoke(tx, codeId))
  expect(await reached(headers)).toEqual(nothing(404))
})

test('the link of the visitor opens everything without a code, and no code takes from it', async () => {
  const { site, reached, link } = await withMatters()
  await using _ = site
  const { headers } = await browserOf(site, ['view'])
  expect(await reached(headers, link)).toEqual(everything)
})

test('the pages of a booking, and their forms without scripts, keep to the same rule', async () => {
  const { site, reference, order, state } = await withMatters({
    renderer: await builtRenderer(dist),
  })
  await using _ = site
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const answers = async (headers: Record<string, string>) => [
    (await site.get(`/booking/${reference}`, { headers })).status,
    (await site.get(`/shop/checkout/success?order=${order}`, { headers })).status,
    (await site.post(`/booking/${reference}/cancel`, '', { headers: { ...headers, ...form } }))
      .status,
  ]
  const viewer = await browserOf(site, ['view', 'download', 'select'])
  expect(await answers(csrfHeaders)).toEqual([404, 404, 404])
  expect(await answers(viewer.headers)).toEqual([403, 403, 403])
  expect(state().state).toBe('confirmed')
  const manager = await browserOf(site, ['view', 'manage'])
  expect(await answers(manager.headers)).toEqual([200, 200, 303])
  expect(state().state).toBe('cancelled')
})
