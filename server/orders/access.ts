import * as z from 'zod'
import { minuteMs } from '#shared/durations.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/order-limits.ts'
import type { Platform } from '../feature.ts'
import { cookieName } from '../http/cookie-name.ts'
import type { RequestContext } from '../http/request-context.ts'
import { createSignedTokens } from '../tokens.ts'
import type { Order } from './order.ts'
import { createOrderCodes } from './order-codes.ts'
import type { OrderStore } from './store.ts'

/** How long an order stays open after its code, and a link to its files works. */
const openMinutes = 60

/** Who sees which order. */
export type OrderAccess = ReturnType<typeof createOrderAccess>

/**
 * Makes what decides who sees an order: the holder of its token, for a day; after that number and
 * state alone, until a code is entered that goes to the buyer's own mailbox.
 */
export function createOrderAccess(
  { keys, clock, config }: Pick<Platform, 'keys' | 'clock' | 'config'>,
  orders: Pick<OrderStore, 'findId'>,
) {
  const schema = z.tuple([z.int()])
  const tokens = createSignedTokens({ keys, clock, purpose: 'order', schema })
  const opened = createSignedTokens({ keys, clock, purpose: 'order-open', schema })
  const downloads = createSignedTokens({
    keys,
    clock,
    purpose: 'download',
    schema: z.tuple([z.int(), z.int()]),
  })
  const isSecure = () => config.siteUrl.startsWith('https:')
  const cookie = () => cookieName('order', { secure: isSecure() })
  const codes = createOrderCodes({ clock })

  const find = (token: string): Order => {
    const read = tokens.read(token)
    const order = read && orders.findId(read.payload[0])
    if (!order) throw failure('missing', { message: 'There is no such order.' })
    return order
  }
  const isOpenedBy = ({ cookies }: Pick<RequestContext, 'cookies'>, { id }: Order) => {
    const read = opened.read(cookies[cookie()] ?? '')
    return read?.expired === false && read.payload[0] === id
  }

  return {
    tokenOf: ({ id }: Order) => tokens.issue([id], null),
    /** The order of a token. @throws missing for every other text */
    find,
    /** Whether everything of an order may be shown now. */
    isOpen: (order: Order, requestContext: Pick<RequestContext, 'cookies'>): boolean =>
      clock() - order.placedAt < orderLimits.successHours * 60 * minuteMs ||
      isOpenedBy(requestContext, order),

    /** A new code for an order, which goes to the buyer's mailbox alone. */
    makeCode: codes.make,

    /** Opens an order with its code for an hour. @throws invalid for a wrong or old one; too-many */
    enter(order: Order, typed: string, { setCookie }: Pick<RequestContext, 'setCookie'>): void {
      codes.use(order, typed)
      setCookie(cookie(), opened.issue([order.id], clock() + openMinutes * minuteMs), {
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure(),
        path: '/',
        maxAge: openMinutes * minuteMs,
      })
    },

    /** A link to the files of a line, which works for an hour. */
    downloadToken: (order: Order, line: number) =>
      downloads.issue([order.id, line], clock() + openMinutes * minuteMs),
    /** The order and line of such a link; null for every other text, and for one that is too old. */
    readDownload(token: string): { order: Order; line: number } | null {
      const read = downloads.read(token)
      if (!read || read.expired) return null
      const order = orders.findId(read.payload[0])
      return order && { order, line: read.payload[1] }
    },
  }
}
