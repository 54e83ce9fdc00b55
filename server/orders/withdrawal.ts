import { dayMs } from '#shared/durations.ts'
import type { WithdrawReply } from '#shared/orders.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { normalReference } from '../ids.ts'
import type { Order } from './order.ts'
import type { OrderStore } from './store.ts'
import { exemptionOf } from './terms.ts'

/** Acknowledgements of orders that we do not find which one mailbox gets in a day. */
const mailsADay = { proven: 5, unproven: 3 }

/** A statement as the form sends it. */
type Statement = {
  order: string
  name: string
  email: string
  confirm?: boolean
  website?: string
}

/** What was stated. */
export type Withdrawal = {
  readonly id: number
  readonly orderNumber: string
  readonly order: string | null
  readonly name: string
  readonly email: string
  readonly receivedAt: number
}

/** A statement that was just kept. */
type Stated = Pick<Withdrawal, 'id' | 'orderNumber' | 'name' | 'email'> & {
  /** The order of its sender; null where there is none. */
  order: Order | null
  at: number
}

/** The statements of withdrawal; the only place with their SQL. */
export type Withdrawals = ReturnType<typeof createWithdrawals>

/**
 * Makes the withdrawal function (docs/contract.md, Orders): every statement is kept, whatever order
 * it names and whoever sends it. Those about an order of their sender are always acknowledged;
 * others are until a mailbox has had enough, since strangers could enter its address.
 */
export function createWithdrawals(
  { db, commit, clock, mails, outbox, timeline, formProofs }: Platform,
  orders: OrderStore,
) {
  const insert = db
    .prepareWrite(
      `INSERT INTO withdrawals (order_number, "order", name, email, received_at)
       VALUES (:orderNumber, :order, :name, :email, :now) RETURNING id`,
    )
    .pluck()
  const list = db.prepare(
    `SELECT withdrawals.id, order_number AS orderNumber, orders.number AS "order",
       withdrawals.name, withdrawals.email, received_at AS receivedAt
     FROM withdrawals LEFT JOIN orders ON orders.id = withdrawals."order" ORDER BY withdrawals.id`,
  )
  const same = db
    .prepare(
      `SELECT received_at FROM withdrawals
       WHERE order_number = :orderNumber AND email = :email COLLATE NOCASE AND received_at > :after
       ORDER BY id LIMIT 1`,
    )
    .pluck()

  return {
    list: () => list.all() as Withdrawal[],

    /** Takes a statement; without `confirm` it only tells what would be stated. */
    async state(
      { order: typed, name, email, confirm, website }: Statement,
      { proof }: { proof: string | null },
    ): Promise<WithdrawReply> {
      const orderNumber = normalReference(typed)
      const found = orders.find(orderNumber)
      // An order of another buyer is answered like one that does not exist.
      const order = found?.email.toLowerCase() === email.toLowerCase() ? found : null
      const exempt = order ? exemptLines(order) : []
      if (!confirm) return { success: true, step: 'confirm', receivedAt: null, exempt }
      const now = clock()
      const at = await commit((tx) => {
        const before = same.get({ orderNumber, email, after: now - dayMs }) as number | undefined
        if (before !== undefined) return before
        const id = insert.get(tx, {
          orderNumber,
          order: order?.id ?? null,
          name,
          email,
          now,
        }) as number
        const read = website ? null : formProofs.read(proof)
        const isProven = read !== null && formProofs.use(tx, read)
        const stated = { id, orderNumber, order, name, email, at: now }
        tellWithdrawal(tx, { mails, timeline }, stated, mailsADay[isProven ? 'proven' : 'unproven'])
        return now
      })
      outbox.wake()
      return { success: true, step: 'done', receivedAt: new Date(at).toISOString(), exempt }
    },
  }
}

/**
 * Queues the mails about a statement, and writes it into the timeline of its order.
 * @param most acknowledgements in a day of orders that we do not find
 */
function tellWithdrawal(
  tx: Transaction,
  { mails, timeline }: Pick<Platform, 'mails' | 'timeline'>,
  { id, orderNumber, order, name, email, at }: Stated,
  most: number,
): void {
  const isKnown = order !== null
  const data = { withdrawal: { order: orderNumber, name, email, at, isKnown } }
  const key = `withdrawal-${id}`
  if (order || mails.queuedTo(email, 'orderWithdrawal', at - dayMs) < most) {
    mails.enqueue(tx, 'orderWithdrawal', { key, data, recipient: email })
  }
  mails.enqueue(tx, 'orderWithdrawalStaff', { key, data })
  if (order) {
    timeline.record(tx, {
      thing: 'order',
      thingId: order.number,
      actor: 'visitor',
      act: 'withdrawal',
    })
  }
}

/** The lines of an order without a right of withdrawal, with the reason. */
const exemptLines = (order: Order) =>
  order.lines.flatMap((line) => {
    const why = exemptionOf(line, order)
    return why ? [{ title: line.title, why }] : []
  })
