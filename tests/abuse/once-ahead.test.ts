import { expect, test } from 'vitest'
import { dayMs } from '#shared/dates/durations.ts'
import type { CheckoutReply } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { createPageCache } from '#server/pages/page-cache.ts'
import { book, bookingOf } from '../support/bookings.ts'
import { enquiry, mailCalls, saveEnquiry } from '../support/enquiry.ts'
import { checkoutOf, shopper } from '../support/shop.ts'
import { createClock, startSite, type Site } from '../support/site.ts'
import { startStripe } from '../support/stripe-double.ts'
import { ordered } from '../support/stripe-orders.ts'
import { startVies } from '../support/vies-double.ts'

// What a clock that was years ahead for a while leaves behind must not last until then. Whatever was
// limited or remembered in those minutes is as good as forgotten once the clock is right again.

const years = (count: number) => count * 365 * dayMs

/** Does something while the clock is three years ahead, and puts it right. */
async function ahead<Value>({ clock }: Pick<Site, 'clock'>, act: () => Promise<Value>) {
  clock.jump(years(3))
  const value = await act()
  clock.jump(-years(3))
  return value
}

const queued = ({ context }: Site, kind: string) =>
  context.mails.list().filter((mail) => mail.kind === kind)
const id = (n: number) => n.toString(36).padStart(6, '0')

test('the newsletter asks a mailbox and a network again that asked while the clock was ahead', async () => {
  await using site = await startSite({ sending: false })
  const ask = (email: string) =>
    site.context.commit((tx) =>
      site.context.features.newsletter.subscribers.ask(
        tx,
        { email, name: '' },
        { network: 'a network', policy: '1', source: null },
      ),
    )
  await ahead(site, async () => {
    for (let n = 0; n < 7; n += 1) await ask(`fan-${n}@example.com`)
  })
  expect(await ask('fan-0@example.com')).not.toBeNull()
  expect(await ask('another@example.com')).not.toBeNull()
})

test('bookings made while the clock was ahead are not the ones of the last minutes', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const day = (n: number) => `2029-12-${String(n).padStart(2, '0')}`
  const plain = (from: string) => site.post('/api/bookings', bookingOf({ from, to: from }))
  await ahead(site, async () => {
    for (let n = 1; n <= 4; n += 1) expect((await plain(day(n))).status).toBe(201)
  })
  const { bookings } = site.context.features.bookings.actions
  const before = [...bookings.list()].length
  expect((await plain('2027-01-20')).status).toBe(201)
  const [last] = [...bookings.list()].filter(({ from }) => from === '2027-01-20')
  expect([before, last?.state]).toEqual([4, 'requested'])
})

test('moves of a booking while the clock was ahead are none of today', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { from: '2027-01-20', to: '2027-01-20' })
  const token = String(json?.url).split('/').at(-1)!
  const { reference } = json as { reference: string }
  const { timeline } = site.context
  await ahead(site, () =>
    site.context.commit((tx) => {
      for (let n = 0; n < 3; n += 1) {
        timeline.record(tx, {
          thing: 'booking',
          thingId: reference,
          actor: 'visitor',
          act: 'moved',
        })
      }
    }),
  )
  const moved = await site.post(`/api/bookings/by-link/${token}/move`, {
    from: '2027-01-21',
    to: '2027-01-21',
  })
  expect(moved.status).toBe(200)
})

test('an enquiry whose record got lost reaches staff, however many did while the clock was ahead', async () => {
  await using site = await startSite({ sending: false })
  const { contact } = site.context.features
  const lose = async (n: number) => {
    const call = mailCalls(enquiry({ 'Ticket ID': id(n) })).notice
    expect((await site.post('/api/send-email', call)).status).toBe(202)
    site.clock.advance(10 * 60_000)
    await contact.calls.settleOverdue()
  }
  await ahead(site, async () => {
    for (let n = 0; n < 8; n += 1) await lose(n)
  })
  const before = queued(site, 'recordMissing').length
  await lose(50)
  expect([contact.calls.heldCount() > 0, queued(site, 'recordMissing').length]).toEqual([
    true,
    before + 1,
  ])
})

test('a visitor may add to a ticket again that had a lot added while the clock was ahead', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const { tickets, actions } = site.context.features.contact
  const { ticketId } = [...tickets.list()][0]!
  const add = (n: number) =>
    site.context.commit((tx) =>
      actions.addByEmail(tx, ticketId, { text: `Number ${n}`, key: `key-${n}` }),
    )
  await ahead(site, async () => {
    for (let n = 0; n < 20; n += 1) await add(n)
  })
  expect(await add(30)).toMatchObject({ text: 'Number 30' })
})

test('staff are told of a limit again that was reached while the clock was ahead', async () => {
  await using site = await startSite({ sending: false })
  const reach = () =>
    site.context.commit((tx) => site.context.shares.reached(tx, 'booking', 'a limit'))
  await ahead(site, reach)
  const before = queued(site, 'limitAlarm').length
  await reach()
  await reach()
  expect(queued(site, 'limitAlarm')).toHaveLength(before + 1)
})

test('orders of a mailbox that came to nothing while the clock was ahead are none of today', async () => {
  await using site = await startSite({ sending: false })
  const { actions } = site.context.features.orders
  const order = async (from: string) => {
    const visitor = shopper(site, from)
    await visitor.put('blue-hour-fine-art-print', '30x40-matte', 1)
    const { total } = (await visitor.get('/api/shop/cart')).json as Cart
    const { json } = await visitor.post('/api/shop/checkout', checkoutOf({ expectedTotal: total }))
    return json as CheckoutReply
  }
  const states = () => [...actions.orders.list()].map(({ state }) => state)
  await ahead(site, async () => {
    for (let n = 0; n < 3; n += 1) await order(`127.3.${n}.1`)
    const numbers = Array.from(actions.orders.list(), ({ number }) => number)
    for (const number of numbers) await actions.cancel(number, 'mika')
  })
  expect(states()).toEqual(['cancelled', 'cancelled', 'cancelled'])
  await order('127.4.0.1')
  expect(states()).toContain('open')
})

test('a page rendered while the clock was ahead is rendered again once it is right', () => {
  const clock = createClock()
  const pages = createPageCache({ version: () => 1, clock })
  clock.jump(years(3))
  pages.set('/calendar', [], 1)
  expect(pages.isFresh('/calendar')).toBe(true)
  clock.jump(-years(3))
  expect(pages.isFresh('/calendar')).toBe(false)
})

test('VIES is asked again once the clock is right, where it did not answer while it was ahead', async () => {
  await using vies = await startVies()
  await using site = await startSite({ sending: false, env: vies.env })
  const visitor = shopper(site)
  await visitor.put('blue-hour-fine-art-print', '30x40-matte', 1)
  const check = async () => {
    const buyer = { country: 'DE', vatId: 'DE136695976', company: 'Nordschleife GmbH' }
    return (await visitor.post('/api/shop/cart/quote', buyer)).json?.reverseCharge
  }
  vies.answer = 'down'
  await ahead(site, async () => {
    await visitor.put('blue-hour-fine-art-print', '30x40-matte', 1)
    expect(await check()).toBe(false)
  })
  vies.answer = 'yes'
  expect(await check()).toBe(true)
})

test('targets of short links that were checked while the clock was ahead are due again', async () => {
  await using site = await startSite({ sending: false })
  const { links } = site.context.features
  await links.acts.create({ target: 'https://example.com/', code: 'paddock' }, 'test')
  await ahead(site, () =>
    site.context.commit((tx) =>
      links.noteCheck(tx, links.find('paddock')!, {
        checkedAt: site.clock(),
        failures: 0,
        problem: null,
      }),
    ),
  )
  const due = () => {
    const now = site.clock()
    return links.dueForCheck({ now, before: now - dayMs, failingBefore: now - dayMs }, 9).length
  }
  expect(due()).toBe(1)
})

test('the payment of an order is asked for again after the clock was set back', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { visitor, placed, session, state } = await ordered(site, stripe)
  await visitor.get(`/api/shop/orders/${placed.token}`)
  // As a time service does it: less than what puts the clock in doubt.
  site.clock.jump(-50 * 60_000)
  stripe.pay(session)
  await visitor.get(`/api/shop/orders/${placed.token}`)
  expect(state()).toBe('paid')
})
