import { expect } from 'vitest'
import { book } from './bookings.ts'
import { contentFiles } from './content-files.ts'
import { settled } from './enquiry.ts'
import { runOn } from './in-process-cli.ts'
import { createMailReader } from './mail-files.ts'
import { startSite, type Site } from './site.ts'
import type { StripeDouble } from './stripe-double.ts'

/** What the booking page reads, as far as these tests do. */
type Shown = {
  state: string
  documents: {
    order: string
    part: string
    invoice: number
    total: number
    open: number
    charges: number
    state: string
    paidBy: string | null
    isPayableByCard: boolean
  }[]
}

/** Rules that ask for a deposit of 40 per cent, and the reference rate of the winter. */
const rules = {
  'books.json': {
    referenceRates: [
      { from: '2026-07-01', percent: 2.5 },
      { from: '2027-01-01', percent: 2.5 },
    ],
  },
  'booking-rules.json': { deposit: { percent: 40 }, services: { photography: { capacity: 3 } } },
}

const billing = { street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi', country: 'FI' }

/** Starts a site with deposits and, unless it is null, a payment service; what it sends is read as files. */
export async function open(
  stripe: StripeDouble | null,
  options: Parameters<typeof startSite>[0] = {},
) {
  const files = contentFiles(rules)
  const site = await startSite({
    ...options,
    env: { CONTENT_DIR: files.dir, ...stripe?.env },
  })
  const fresh = createMailReader(site.dataDir)
  return {
    site,
    /** The emails since the last look. */
    async news() {
      site.clock.advance(11 * 60_000)
      site.context.outbox.wake()
      await settled(site)
      return fresh()
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      files[Symbol.dispose]()
    },
  }
}

/** A booking over €1,255 that its visitor has accepted, with its deposit of €502 invoiced. */
export async function agreed(site: Site, changes: Record<string, unknown> = {}) {
  const reply = await book(site, { from: '2027-02-10', to: '2027-02-10', ...changes })
  expect(reply.status).toBe(201)
  const token = String(reply.json?.url).split('/').at(-1)!
  const reference = String(reply.json?.reference)
  const cli = (...args: string[]) => runOn(site, 'bookings', args[0]!, reference, ...args.slice(1))
  const post = (act: string, body: object = {}) =>
    site.post(`/api/bookings/by-link/${token}/${act}`, body)
  await post('billing', billing)
  await cli('offer', '--line', 'Work=1000.00')
  expect((await post('accept')).status).toBe(200)
  const view = async () => (await site.get(`/api/bookings/by-link/${token}`)).json as Shown
  const [deposit] = (await view()).documents
  const { orders } = site.context.features.orders.actions
  return {
    reference,
    token,
    deposit: deposit!,
    cli,
    post,
    view,
    paid: () => orders.paid(orders.find(deposit!.order)!.id),
  }
}

/** The payment page that was opened last. */
export const last = (stripe: StripeDouble) => [...stripe.sessions.values()].at(-1)!
