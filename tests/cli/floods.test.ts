import { expect, test } from 'vitest'
import { book } from '../support/bookings.ts'
import { runOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const bookingsOf = (site: Site) => [...site.context.features.bookings.actions.bookings.list()]
const ordersOf = (site: Site) => [...site.context.features.orders.actions.orders.list()]

test('bookings decline --like takes what is unanswered from a network or mailbox, once --yes says so', async () => {
  await using site = await startSite({ sending: false })
  const day = (n: number) => ({ from: `2027-02-0${n}`, to: `2027-02-0${n}` })
  const ask = (n: number, email: string, from: string) => book(site, { ...day(n), email }, from)
  const first = String((await ask(1, 'a@example.com', '127.50.1.1')).json?.reference)
  const network = String((await ask(2, 'b@example.com', '127.50.1.9')).json?.reference)
  const mailbox = String((await ask(3, 'A+x@example.com', '127.51.1.1')).json?.reference)
  const other = String((await ask(4, 'c@example.com', '127.52.1.1')).json?.reference)
  const agreed = String((await ask(5, 'd@example.com', '127.50.1.5')).json?.reference)
  await runOn(site, 'bookings', 'confirm', agreed)
  const offered = String((await ask(6, 'e@example.com', '127.50.1.6')).json?.reference)
  await runOn(site, 'bookings', 'offer', offered)

  const shown = await runOn(site, 'bookings', 'decline', '--like', first)
  for (const reference of [first, network, mailbox]) expect(shown).toContain(reference)
  for (const reference of [other, agreed, offered]) expect(shown).not.toContain(reference)
  expect(shown).toContain('Dry run')
  expect(bookingsOf(site).filter(({ state }) => state === 'declined')).toEqual([])

  await runOn(site, 'bookings', 'decline', '--like', first, '--yes')
  expect(bookingsOf(site).map(({ state }) => state)).toEqual([
    'declined',
    'declined',
    'declined',
    'requested',
    'confirmed',
    'offered',
  ])
  expect(await runOn(site, 'bookings', 'cancel', other, agreed)).toMatch(
    /cancelled[\s\S]*cancelled/,
  )
})

test('orders cancel takes several at once, and --like all unpaid ones of a flood', async () => {
  await using site = await startSite({ sending: false })
  const files = [['winter-wallpapers', 'personal', 1]] as const
  for (let n = 0; n < 12; n += 1) {
    await orderByInvoice(site, files, { email: `a${n}@example.com` })
  }
  const [first, second, third, ...others] = ordersOf(site).map(({ number }) => number)
  expect(ordersOf(site).filter(({ state }) => state === 'waiting')).toHaveLength(2)
  expect(await runOn(site, 'orders', 'cancel', first!, second!)).toMatch(
    /open → cancelled[\s\S]*open → cancelled/,
  )
  // Someone who has paid a part is no flood.
  const [inPart = ''] = others
  await runOn(site, 'orders', 'paid', inPart, '--amount', '2.00')
  const shown = await runOn(site, 'orders', 'cancel', '--like', third!)
  expect(shown).not.toContain(inPart)
  expect(shown).toContain('Add --yes to end all 9')
  // Staff have no limits: what waits goes on when they say so.
  expect(await runOn(site, 'orders', 'accept', others.at(-1)!)).toContain('waiting → open')
  await runOn(site, 'orders', 'cancel', '--like', third!, '--yes')
  expect(ordersOf(site).filter(({ state }) => state !== 'cancelled')).toMatchObject([
    { number: inPart, state: 'open' },
  ])
  const numbers = site.context.features.orders.actions.invoices.list().map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, n) => 1001 + n))
})
