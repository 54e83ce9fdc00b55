import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import { book, keptDays, recounted } from '../support/bookings.ts'
import { contentFiles } from '../support/content-files.ts'
import { settled } from '../support/enquiry.ts'
import { toldOn } from '../support/in-process-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../data/content', name), 'utf8')

/** No more than a booking needs: the backup of every night copies what there is. */
const content = ['booking-rules.json', 'services.json', 'settings.json', 'menu_main.json']

/** Numbers from 0 up to 1, the same for the same seed (xorshift32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

type Walked = { reference: string; token: string }

const addresses = [
  { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi', country: 'FI' },
  {
    company: 'Weber GmbH',
    vatId: 'DE136695976',
    street: 'Ring 1',
    postcode: '53520',
    city: 'Nürburg',
    country: 'DE',
  },
  { street: '1 Speedway', postcode: '28027', city: 'Concord', region: 'NC', country: 'US' },
]

/**
 * Customers and staff do whatever comes to their minds, in any order, while time goes by.
 * @param done hears of each thing that was done, with what came of it
 */
async function walk(site: Site, seed: number, steps: number, done: (what: string) => void) {
  const random = randomOf(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <Value>(from: readonly Value[]): Value => from[below(from.length)]!
  const { orders } = site.context.features.orders.actions
  const bookings: Walked[] = []
  let calls = 0
  /** Each call from another network: what is tried here aren't limits. */
  const from = () => `127.${seed}.${(calls += 1) >> 8}.${calls & 255 || 1}`
  const aDay = () => addDays(dateAt(site.clock()), 5 + below(40))
  const range = () => {
    const first = aDay()
    return [first, addDays(first, below(3))] as const
  }

  const cli = async (...args: string[]) => {
    const { out, error } = await toldOn(site, ...args)
    // What is refused is refused with a sentence; other errors are faults of the code.
    if (error instanceof TypeError || error instanceof RangeError) throw error
    done(`${args.join(' ')}: ${error instanceof Error ? error.message : out}`)
  }
  const post = async ({ token, reference }: Walked, act: string, body: object = {}) => {
    const path = `/api/bookings/by-link/${token}/${act}`
    const { status, text } = await site.post(path, body, { from: from() })
    done(`${reference} ${act}: ${status} ${text}`)
    expect(status).toBeLessThan(500)
  }
  const anOrder = ({ reference }: Walked) => {
    const theirs = orders.list().filter(({ booking }) => booking === reference)
    return theirs.length > 0 ? pick(theirs).number : null
  }

  const request = async () => {
    const [first, last] = range()
    const service = pick(['photography', 'photography', 'public-relations', 'website-design'])
    const times = service === 'website-design' ? { to: undefined, scope: 'A site' } : { to: last }
    const email = `walker${bookings.length}@example.com`
    const { status, json } = await book(site, { service, from: first, email, ...times }, from())
    done(`a request for ${service}: ${status} ${JSON.stringify(json)}`)
    if (status !== 201) return
    const it = { reference: String(json?.reference), token: String(json?.url).split('/').at(-1)! }
    bookings.push(it)
    if (random() < 0.3) return
    await post(it, 'billing', pick(addresses))
    await cli('bookings', 'offer', it.reference)
    await post(it, 'accept')
  }
  const time = async () => {
    let left = pick([11 * minuteMs, hourMs, dayMs, 3 * dayMs, 8 * dayMs])
    while (left > 0) {
      site.clock.advance(Math.min(dayMs / 2, left))
      left -= dayMs / 2
      await site.context.jobs.runDue()
      await delivered(site)
    }
  }
  const acts: ((it: Walked) => unknown)[] = [
    request,
    time,
    time,
    ({ reference }) => cli('bookings', 'confirm', reference),
    ({ reference }) => cli('bookings', 'offer', reference, '--line', 'Work=3x333.33'),
    ({ reference }) => cli('bookings', 'offer', reference, '--discount', '50', '--travel', '12.50'),
    ({ reference }) => cli('bookings', 'decline', reference),
    ({ reference }) => {
      const whose = pick(['us', 'customer', 'organiser'])
      return cli('bookings', 'cancel', reference, '--because', whose)
    },
    ({ reference }) => cli('bookings', 'move', reference, ...range()),
    ({ reference }) => cli('bookings', 'undo', reference),
    ({ reference }) => cli('bookings', 'invoice', reference, '--send'),
    ({ reference }) => cli('bookings', 'invoice', reference, '--send', '--deposit', '30'),
    ({ reference }) => cli('bookings', 'edit', reference, '--company', 'Kaamos Oy'),
    (it) => post(it, 'accept'),
    (it) => post(it, 'refuse'),
    (it) => {
      const [first, last] = range()
      return post(it, 'move', { from: first, to: last })
    },
    (it) => post(it, 'cancel'),
    (it) => post(it, 'billing', pick(addresses)),
    ...[[], ['--amount', '100'], ['--amount', '5000']].map((amount, index) => (it: Walked) => {
      const order = anOrder(it)
      return order && cli('orders', 'paid', order, ...amount, '--note', `note ${index} ${calls}`)
    }),
    (it) => {
      const order = anOrder(it)
      return order && cli('orders', 'credit', order, '--amount', '50', '--reason', 'goodwill')
    },
    ...['cancel', 'refund', 'pay-back'].map((act) => (it: Walked) => {
      const order = anOrder(it)
      return order && cli('orders', act, order)
    }),
  ]
  for (let step = 0; step < steps; step += 1) {
    if (bookings.length === 0) await request()
    else await pick(acts)(pick(bookings))
    await delivered(site)
    await agree(site, bookings, from)
  }
}

async function delivered(site: Site) {
  site.context.outbox.wake()
  await settled(site)
}

/** Days, pages, money and emails tell one story of every booking. */
async function agree(site: Site, bookings: readonly Walked[], from: () => string) {
  const { orders, bookings: booked } = site.context.features
  const { balanceOf, overpaid, payouts } = orders.actions
  for (const service of ['photography', 'public-relations']) {
    expect(keptDays(site, service)).toEqual(recounted(site, service))
  }
  const tooMuch = new Set(overpaid().map(({ number }) => number))
  for (const { reference, token } of bookings) {
    const page = await site.get(`/api/bookings/by-link/${token}`, { from: from() })
    const booking = booked.actions.bookings.find(reference)!
    expect([page.status, page.json?.state]).toEqual([200, booking.state])
    if (!['declined', 'expired', 'cancelled'].includes(booking.state)) continue
    for (const { order: number, part } of orders.ofBookings.of(reference)) {
      const order = orders.actions.orders.find(number)!
      const { open } = balanceOf(order)
      // Of a booking that is off, its fee alone is owed.
      if (part !== 'fee') expect([number, open > 0]).toEqual([number, false])
      // And what was paid is on its way back, or waits for staff to send it.
      const isOnItsWay = payouts().some(({ order: id }) => id === order.id)
      if (open < 0) expect([number, isOnItsWay || tooMuch.has(number)]).toEqual([number, true])
    }
  }
  expect(site.context.mails.list('failed')).toEqual([])
}

test.each([11, 23, 77])('whatever is done to bookings, their story agrees (%i)', async (seed) => {
  using files = contentFiles(Object.fromEntries(content.map((name) => [name, sample(name)])))
  await using site = await startSite({ env: { CONTENT_DIR: files.dir } })
  const story: string[] = []
  try {
    await walk(site, seed, 30, (what) => story.push(what))
  } catch (error) {
    throw new Error(`After:\n${story.slice(-20).join('\n')}`, { cause: error })
  }
  // The clock jumps, so that emails are late at once: that alone may be an error.
  const late = 'email is not going out'
  const errors = site.logLines().filter((line) => line.includes('"level":"error"'))
  expect(errors.filter((line) => !line.includes(late))).toEqual([])
})
