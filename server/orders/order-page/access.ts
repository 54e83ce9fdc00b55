import * as z from 'zod'
import { minuteMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { ClientFeature } from '../../clients/feature.ts'
import type { Platform } from '../../feature.ts'
import { cookieName, type RequestContext } from '../../http/request-context.ts'
import { isReference } from '../../secrets/ids.ts'
import { createSignedTokens } from '../../secrets/tokens.ts'
import type { Order } from '../order.ts'
import type { OrderStore } from '../store.ts'
import { randomInt } from 'node:crypto'

/** How long an order stays open after its code, and a link to its files works. */
const openMinutes = 60

/** An order that someone has reached, and what of it may be shown. */
export type OpenedOrder = {
  order: Order
  /** Whether all of it may be shown: who bought what, the invoice, the list of files. */
  isOpen: boolean
  /** Why the reader gets none of its files; null where nothing prevents it. */
  filesRefusal: string | null
}

/** Who sees which order; the only place that says so, for its page, documents, files and codes. */
export type OrderAccess = ReturnType<typeof createOrderAccess>

/**
 * Whether a client's code opens an order of the client, with its address and its invoice. The panel
 * shows the others without a link. An order that anyone may have placed opens to no code.
 */
export const opensInPanel = (
  { verifiedAt }: Pick<Order, 'verifiedAt'>,
  scopes: ReadonlySet<string>,
): boolean => verifiedAt !== null && scopes.has('view') && scopes.has('manage')

/**
 * Creates the access check for orders: the holder of its token, for a day, after that number and state
 * alone until a code is entered that goes to the buyer's own mailbox; and a client by its number, as
 * far as the secret code goes.
 */
export function createOrderAccess(
  { keys, clock, config }: Pick<Platform, 'keys' | 'clock' | 'config'>,
  {
    orders,
    clientIn,
  }: {
    orders: Pick<OrderStore, 'find' | 'findSecret' | 'secretOf'>
    clientIn: ClientFeature['clientIn']
  },
) {
  const tokens = createSignedTokens({
    keys,
    clock,
    purpose: 'order',
    // The secret of an order, or the row number that links of earlier versions were signed over.
    schema: z.tuple([z.union([z.string(), z.int()])]),
  })
  const opened = createSignedTokens({
    keys,
    clock,
    purpose: 'order-open',
    schema: z.tuple([z.string()]),
  })
  const downloads = createSignedTokens({
    keys,
    clock,
    purpose: 'download',
    schema: z.tuple([z.string(), z.int()]),
  })
  const isSecure = () => config.siteUrl.startsWith('https:')
  const cookie = () => cookieName('order', { secure: isSecure() })
  const codes = createOrderCodes({ clock })

  const isOpenedBy = ({ cookies }: Pick<RequestContext, 'cookies'>, order: Order) => {
    const read = opened.read(cookies[cookie()] ?? '')
    return read?.expired === false && read.payload[0] === orders.secretOf(order)
  }

  const byToken = (token: string, requestContext: RequestContext): OpenedOrder => {
    const [secret] = tokens.read(token)?.payload ?? []
    if (typeof secret === 'number') {
      throw failure('gone', {
        message: 'This link is from an older version of our site. Please ask us for a new one.',
      })
    }
    const order = secret === undefined ? null : orders.findSecret(secret)
    if (!order) throw missing()
    const isNew = clock() - order.placedAt < orderLimits.successHours * 60 * minuteMs
    return { order, isOpen: isNew || isOpenedBy(requestContext, order), filesRefusal: null }
  }

  const inSession = (number: string, requestContext: RequestContext): OpenedOrder => {
    const client = clientIn(requestContext)
    const order = client && orders.find(number)
    if (!order || order.verifiedAt === null || !client.owns(order.email)) throw missing()
    if (!opensInPanel(order, client.scopes)) {
      throw failure('forbidden', { message: client.refusal })
    }
    const filesRefusal = client.scopes.has('download') ? null : client.refusal
    return { order, isOpen: true, filesRefusal }
  }

  return {
    tokenOf: (order: Order) => tokens.issue([orders.secretOf(order)], null),

    /**
     * The order that the last part of an address reaches: the token of its link, or its number in
     * the session of its client.
     * @throws missing for every other text; forbidden for a code without the scope; gone for a link
     *   of an earlier version
     */
    of: (token: string, requestContext: RequestContext): OpenedOrder =>
      isReference(token) ? inSession(token, requestContext) : byToken(token, requestContext),

    /** A new code for an order, which goes to the buyer's mailbox alone. */
    makeCode: codes.make,

    /** Opens an order with its code for an hour. @throws invalid for a wrong or old one; too-many */
    enter(order: Order, typed: string, { setCookie }: Pick<RequestContext, 'setCookie'>): void {
      codes.use(order, typed)
      const until = clock() + openMinutes * minuteMs
      setCookie(cookie(), opened.issue([orders.secretOf(order)], until), {
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure(),
        path: '/',
        maxAge: openMinutes * minuteMs,
      })
    },

    /** A link to the files of a line, which works for an hour. @param line its place in the order */
    downloadToken: (order: Order, line: number) =>
      downloads.issue([orders.secretOf(order), line], clock() + openMinutes * minuteMs),
    /** The order and line of such a link; null for every other text, and for one that is too old. */
    readDownload(token: string): { order: Order; line: number } | null {
      const read = downloads.read(token)
      if (!read || read.expired) return null
      const order = orders.findSecret(read.payload[0])
      return order && { order, line: read.payload[1] }
    },
  }
}

const missing = () => failure('missing', { message: 'Order not found.' })

/** How long a code works. */
const codeMinutes = 15
/** Codes that may be tried for one order in the time of one. */
const maxTries = 5

/** Makes the codes that open orders. They are in memory alone, so a server that starts over knows none. */
function createOrderCodes({ clock }: { clock: () => number }) {
  const codes = new Map<string, { code: string; until: number; tries: number }>()

  return {
    /** A new code for an order; an earlier one opens nothing any more. */
    make({ number }: Order): string {
      for (const [other, { until }] of codes) if (until <= clock()) codes.delete(other)
      const [oldest] = codes.keys()
      if (codes.size >= 10_000 && oldest !== undefined) codes.delete(oldest)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      codes.set(number, { code, until: clock() + codeMinutes * minuteMs, tries: 0 })
      return code
    },

    /** Uses the code of an order up. @throws invalid for a wrong or old one; too-many */
    use({ number }: Order, typed: string): void {
      const known = codes.get(number)
      if (known) known.tries += 1
      if (known && known.tries > maxTries)
        throw failure('too-many', { retryAfter: 60 * codeMinutes })
      if (!known || known.until <= clock() || known.code !== typed.replaceAll(/\s/g, '')) {
        throw failure('invalid', { errors: { code: 'This code is wrong or has expired' } })
      }
      codes.delete(number)
    },
  }
}
