import { printedRf, rfReference } from '#server/orders/documents/reference-number.ts'
import { expect, test } from 'vitest'
import type { DeskGroup, DeskLine } from '#shared/desk/lines.ts'
import { book } from '../../support/bookings.ts'
import { saveEnquiry } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { share } from '../../support/shared-folder.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

const groupsOf = async (site: Site, headers: Record<string, string>) => {
  const { json } = await site.get('/api/desk/today', { headers })
  const groups = (json as { groups: DeskGroup[] }).groups
  return new Map(groups.map((group) => [group.title, group]))
}

const linesOf = async (site: Site, path: string, headers: Record<string, string>) => {
  const { status, json } = await site.get(`/api/desk/${path}`, { headers })
  expect(status).toBe(200)
  return (json as { lines: DeskLine[] }).lines
}

test('today has what waits of every noun, what is late first', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site)
  await saveEnquiry(site, { 'Ticket ID': 'robot1', website: 'x' })
  await book(site)
  await orderByInvoice(site, [[...print, 1]])
  await share(site, 'rally', { 'a.txt': 'a' }, { expiresAt: site.clock() + 6 * day })
  expect([...(await groupsOf(site, headers)).keys()]).toEqual(
    expect.arrayContaining([
      'Tickets in quarantine',
      'Folders that expire within 7 days',
      'Booking requests',
    ]),
  )
  // What presses comes before what only came in, whichever noun it is of.
  const pressing = ['Booking requests', 'New messages', 'Tickets in quarantine']
  const inOrder = [...(await groupsOf(site, headers)).keys()]
  expect(inOrder.filter((title) => pressing.includes(title))).toEqual(pressing)
  // What came in and isn't due yet is there from the start, and is counted as it's shown.
  const fresh = await groupsOf(site, headers)
  expect(fresh.get('New messages')).toMatchObject({
    total: 1,
    command: 'pitlane tickets list',
    lines: [{ title: 'Race weekend in Imatra', urgent: false }],
  })
  const { json } = await site.get('/api/desk/counts', { headers })
  expect((json as { groups: object[] }).groups).toContainEqual({ title: 'New messages', total: 1 })
  const printed = JSON.parse(await runOn(site, 'today', '--json')) as DeskGroup[]
  expect(printed.find(({ title }) => title === 'New messages')?.total).toBe(1)
  // Monday, the day that the reply is promised for, before and after five.
  site.clock.advance(3 * day)
  const monday = await groupsOf(site, headers)
  expect(monday.has('New messages')).toBe(false)
  const due = monday.get('Replies due today')
  expect(due).toMatchObject({ total: 1, command: 'pitlane tickets list' })
  expect(due?.lines[0]).toMatchObject({
    label: 'Ticket',
    title: 'Race weekend in Imatra',
    urgent: false,
    href: '/desk/tickets/abc123',
  })
  site.clock.advance(day / 2)
  const late = await groupsOf(site, headers)
  expect(late.get('Late replies')?.lines[0]).toMatchObject({ urgent: true })
  expect(late.has('Replies due today')).toBe(false)
  site.clock.advance(30 * day)
  const month = await signIn(site, ['desk'], { name: 'Noora' })
  expect((await groupsOf(site, month.headers)).get('Late invoices')).toMatchObject({ total: 1 })
  expect(site.context.contributions().digest()).toContainEqual(
    expect.objectContaining({ count: 1, what: 'late invoice', group: 'Late invoices' }),
  )
})

test('a confirmed booking whose client asks for other dates waits for staff until they answer', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  const { reference, url } = (await book(site)).json as { reference: string; url: string }
  await runOn(site, 'bookings', 'confirm', reference)
  const openOfPerson = () =>
    site.context
      .contributions()
      .desk.map(({ aboutPerson }) => aboutPerson?.('aino@example.com').open ?? 0)
      .reduce((sum, each) => sum + each, 0)
  expect((await groupsOf(site, headers)).has('Date changes requested')).toBe(false)
  expect(openOfPerson()).toBe(0)
  site.clock.advance(day)
  const token = new URL(url).pathname.split('/').at(-1)!
  const asked = { from: '2027-02-10', to: '2027-02-10' }
  const moved = await site.post(`/api/bookings/by-link/${token}/move`, asked)
  expect(moved.status).toBe(200)
  expect((await groupsOf(site, headers)).get('Date changes requested')).toMatchObject({
    total: 1,
    lines: [{ urgent: true, href: `/desk/bookings/${reference}` }],
  })
  expect(openOfPerson()).toBe(1)
  expect(site.context.contributions().digest()).toContainEqual(
    expect.objectContaining({ count: 1, group: 'Date changes requested' }),
  )
  await runOn(site, 'bookings', 'decline', reference)
  expect((await groupsOf(site, headers)).has('Date changes requested')).toBe(false)
})

test('a group that is too long for the first page is a page of its own, for staff alone', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  for (let id = 10; id < 22; id += 1) {
    await saveEnquiry(site, { 'Ticket ID': `spam${id}`, Subject: `Spam ${id}`, website: 'x' })
  }
  await saveEnquiry(site)
  const title = 'Tickets in quarantine'
  const first = (await groupsOf(site, headers)).get(title)
  expect([first?.total, first?.lines.length]).toEqual([12, 10])
  const groupsAt = async (group: string) => {
    const { json } = await site.get(`/api/desk/today?group=${encodeURIComponent(group)}`, {
      headers,
    })
    return (json as { groups: DeskGroup[] }).groups
  }
  const [whole, ...others] = await groupsAt(title)
  expect([whole?.title, whole?.total, whole?.lines.length, others]).toEqual([title, 12, 12, []])
  expect(whole?.lines.slice(0, 10)).toEqual(first?.lines)
  // Settled since, or never one.
  expect(await groupsAt('Late replies')).toEqual([])
  expect(await groupsAt('__proto__')).toEqual([])
  expect((await site.get('/api/desk/today?group=New%20messages')).status).toBe(401)
})

test('a search finds things of every noun by any words, whatever their case and accents', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site, { Name: 'Väinö Mäkinen', Subject: 'Rally in Jyväskylä' })
  await orderByInvoice(site, [[...print, 1]], { name: 'Väinö Mäkinen' })
  const found = await linesOf(site, 'find?q=MAKINEN%20vaino', headers)
  expect(found.map(({ label }) => label)).toEqual(['Ticket', 'Order'])
  expect(await linesOf(site, 'find?q=makinen%20imatra', headers)).toEqual([])
  expect(await linesOf(site, 'find?q=m', headers)).toEqual([])
})

test('a search finds an order by its invoice and by its payment reference in either form', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await orderByInvoice(site, [[...print, 1]])
  const {
    actions: { orders, invoiceOf },
  } = site.context.features.orders
  const { number, reference } = invoiceOf(orders.list()[0]!)!
  for (const words of [String(number), reference, printedRf(rfReference(reference))]) {
    const found = await linesOf(site, `find?q=${encodeURIComponent(words)}`, headers)
    expect(found.map(({ label }) => label)).toEqual(['Order'])
  }
})

test.each([
  ['O’Brien', "o'brien"],
  ['Søren Østberg', 'ostberg soren'],
])('the name %s is found as everyone types it: %s', async (name, typed) => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site, { Name: name })
  for (const words of [typed, name]) {
    const found = await linesOf(site, `find?q=${encodeURIComponent(words)}`, headers)
    expect(found.map(({ label }) => label)).toEqual(['Ticket'])
  }
})

test('everything of a person is in order of time', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await orderByInvoice(site, [[...print, 1]])
  site.clock.advance(day)
  await saveEnquiry(site)
  await saveEnquiry(site, { 'Ticket ID': 'other1', Email: 'eero@example.com' })
  const lines = await linesOf(site, 'person?email=AINO@example.com', headers)
  expect(lines.filter(({ label }) => label !== 'Email').map(({ label }) => label)).toEqual([
    'Ticket',
    'Order',
  ])
})

test('the desk gives nothing to anybody but staff', async () => {
  await using site = await startSite({ sending: false })
  const client = await signIn(site, ['view', 'manage'])
  for (const path of ['today', 'find?q=aino', 'person?email=aino@example.com']) {
    expect((await site.get(`/api/desk/${path}`)).status).toBe(401)
    expect((await site.get(`/api/desk/${path}`, { headers: client.headers })).status).toBe(403)
  }
})

test('a name of one sign is found; a single letter would find nearly everything', async () => {
  await using site = await startSite({ sending: false })
  const { headers } = await signIn(site, ['desk'])
  await saveEnquiry(site, { Name: '林 美咲', Subject: 'Photos' })
  await saveEnquiry(site, { 'Ticket ID': 'korean', Name: '김', Subject: 'Korea' })
  const titles = async (q: string) =>
    (await linesOf(site, `find?q=${encodeURIComponent(q)}`, headers)).map(({ title }) => title)
  expect(await titles('林')).toContain('Photos')
  expect(await titles('김')).toContain('Korea')
  expect(await titles('a')).toEqual([])
  expect(await runOn(site, 'find', '林')).toContain('Photos')
})
