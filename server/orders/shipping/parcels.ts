import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'
import type { Order, OrderLine } from '../order.ts'
import { parcelLines, parcels, type Parcel } from '../schema.ts'

/** A parcel with its pieces. */
export type SentParcel = Parcel & {
  readonly lines: readonly { readonly line: number; readonly quantity: number }[]
}

/** What of a line has left, was taken back, and still has to be sent; pieces. */
export type LineProgress = {
  readonly line: OrderLine
  /** Its place in the order, from 0. */
  readonly at: number
  readonly sent: number
  /** What still has to be sent. */
  readonly rest: number
}

/** The parcels; the only place with their SQL. */
export type Parcels = ReturnType<typeof createParcels>

/**
 * Prepares the statements of what has been sent.
 * @param creditedOf pieces of each line of an order that credit notes took back, by its place
 */
export function createParcels(
  db: Database,
  { clock, creditedOf }: { clock: () => number; creditedOf: (order: number) => readonly number[] },
) {
  const insert = parcels.insert(db)
  const insertLine = parcelLines.insert(db)
  const ofOrder = parcels.select(db, 'WHERE "order" = :order ORDER BY id')
  const linesOf = parcelLines.select(db, 'WHERE parcel = :parcel ORDER BY line')
  const returned = query(
    db,
    `SELECT line, sum(sent) AS pieces FROM withdrawal_lines
     JOIN withdrawals ON withdrawals.id = withdrawal
     WHERE withdrawals."order" = :order AND state IN ('back', 'settled') AND exempt IS NULL
     GROUP BY line`,
    { line: integer(), pieces: integer() },
  )

  const of = (order: number): SentParcel[] =>
    ofOrder.all({ order }).map((parcel) => ({
      ...parcel,
      lines: linesOf.all({ parcel: parcel.id }).map(({ line, quantity }) => ({ line, quantity })),
    }))

  return {
    of,

    /**
     * What of the goods of an order has been sent, and what still has to be. Pieces that were credited
     * are not sent any more; those of them that had been sent before count as what came back.
     */
    progress(order: Order): LineProgress[] {
      const sent = new Map<number, number>()
      for (const { line, quantity } of of(order.id).flatMap(({ lines }) => lines)) {
        sent.set(line, (sent.get(line) ?? 0) + quantity)
      }
      const back = new Map(returned.all({ order: order.id }).map((row) => [row.line, row.pieces]))
      const credited = creditedOf(order.id)
      return order.lines.flatMap((line, at) => {
        if (line.kind !== 'physical') return []
        const gone = sent.get(line.id) ?? 0
        const neverSent = Math.max(0, (credited[at] ?? 0) - (back.get(line.id) ?? 0))
        return [{ line, at, sent: gone, rest: Math.max(0, line.quantity - gone - neverSent) }]
      })
    },

    /** Keeps a parcel. Call inside a transaction. */
    send(
      tx: Transaction,
      order: Order,
      {
        carrier,
        tracking,
        lines,
      }: Pick<Parcel, 'carrier' | 'tracking'> & Pick<SentParcel, 'lines'>,
    ): SentParcel {
      const parcel = insert(tx, { order: order.id, carrier, tracking, sentAt: clock() })!
      for (const { line, quantity } of lines) insertLine(tx, { parcel: parcel.id, line, quantity })
      return { ...parcel, lines }
    },
  }
}

/**
 * What its buyer still waits for: what still has to be sent, less what was withdrawn from before it left.
 * @param unsent pieces by line, of withdrawals that aren't settled
 */
export const awaitedOf = (
  progress: readonly LineProgress[],
  unsent: ReadonlyMap<number, number>,
): LineProgress[] =>
  progress.map((each) => ({
    ...each,
    rest: Math.max(0, each.rest - (unsent.get(each.line.id) ?? 0)),
  }))

/** The lines of an order with those pieces that are not sent, and were not taken back before. */
export const unsentOf = (
  { progress }: Pick<Parcels, 'progress'>,
  order: Order,
): { variantId: number | null; quantity: number }[] => {
  const goods = progress(order)
  return order.lines.map(({ id, variantId, quantity }) => ({
    variantId,
    quantity: goods.find(({ line }) => line.id === id)?.rest ?? quantity,
  }))
}

/** Where a parcel is followed, by the names that carriers are known by. */
const trackingPages: readonly (readonly [name: RegExp, page: (tracking: string) => string])[] = [
  [/^posti\b/i, (code) => `https://www.posti.fi/en/tracking#/lahetys/${code}`],
  [/^matkahuolto\b/i, (code) => `https://www.matkahuolto.fi/en/tracking?parcelNumber=${code}`],
  [/^postnord\b/i, (code) => `https://tracking.postnord.com/en/?id=${code}`],
  [/^dhl\b/i, (code) => `https://www.dhl.com/en/express/tracking.html?AWB=${code}`],
  [/^ups\b/i, (code) => `https://www.ups.com/track?tracknum=${code}`],
  [/^fedex\b/i, (code) => `https://www.fedex.com/fedextrack/?trknbr=${code}`],
]

/** The page on which a parcel is followed; null for a carrier without one that is known. */
export function trackingUrl({
  carrier,
  tracking,
}: Pick<Parcel, 'carrier' | 'tracking'>): string | null {
  if (carrier === null || tracking === null) return null
  const page = trackingPages.find(([name]) => name.test(carrier))?.[1]
  return page ? page(encodeURIComponent(tracking)) : null
}
