import { longDate } from '#shared/dates/date-format.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { deskGroup, isoOf, type DeskSource } from '../contributions/desk-source.ts'
import type { OrderAtDesk } from './desk-order.ts'
import { nationalReference } from './documents/reference-number.ts'
import { packingDoubt } from './desk-shipping.ts'
import { withdrawalLine } from './desk-withdrawals.ts'
import type { Order } from './order.ts'
import type { OrderActions } from './actions.ts'
import type { ToPack } from './shipping/ship-actions.ts'
import type { Payout } from './schema.ts'

/** Whether something is left to do: an answer, a payment or a parcel. */
const isOpen = ({ state, lines }: Order): boolean =>
  state === 'paid'
    ? lines.some(({ kind }) => kind === 'physical')
    : ['waiting', 'open', 'attention'].includes(state)

/** Words that are a payment reference in its international form as the national one, which documents have. */
const asReference = (words: readonly string[]): readonly string[] => {
  const reference = nationalReference(words.join(''))
  return reference === null ? words : [reference]
}

/** What may not be packed without a look stands before the rest. */
const doubtfulFirst = (a: ToPack, b: ToPack): number =>
  Number(b.withdrawn > 0 || b.gone > 0) - Number(a.withdrawn > 0 || a.gone > 0)

/** Orders at the desk: to check, to pack, on hold, money to send back or gone back, and invoices that are late. */
export function orderDesk(
  {
    orders,
    toPack,
    withdrawals,
    balanceOf,
    overpaid,
    wentBack,
    lateInvoices,
    payouts,
    accountOf,
  }: Pick<
    OrderActions,
    | 'orders'
    | 'toPack'
    | 'withdrawals'
    | 'balanceOf'
    | 'overpaid'
    | 'wentBack'
    | 'lateInvoices'
    | 'payouts'
    | 'accountOf'
  >,
  things: OrderAtDesk,
): DeskSource {
  const line = (order: Order): DeskLine => {
    const { number, state, name, company, email, total, placedAt, lines } = order
    return {
      label: 'Order',
      title: `${number}: ${lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')}`,
      detail: [company ?? name, email, euros(total), state].join(' · '),
      urgent: state === 'attention',
      at: isoOf(placedAt),
      href: paths.deskThing('orders', number),
    }
  }
  const packLine = ({ order, lines, ...packed }: ToPack): DeskLine => {
    const doubt = packingDoubt(packed)
    return {
      ...line(order),
      // What has left before, or needn't be sent, isn't to be packed.
      title: `${order.number}: ${lines.map((each) => `${each.rest} × ${each.line.title}`).join(', ')}`,
      ...(order.pickup && {
        detail: `${line(order).detail} · pickup, ${order.readyAt === null ? 'buyer not told yet' : 'buyer told'}`,
      }),
      ...(doubt !== null && { detail: doubt, urgent: true }),
    }
  }
  const lateLine = ({
    order,
    invoice: { number, dueOn },
  }: ReturnType<OrderActions['lateInvoices']>[number]): DeskLine => {
    const { open, charges } = balanceOf(order)
    return {
      ...line(order),
      title: `Invoice ${number}, order ${order.number}`,
      detail: [
        order.company ?? order.name,
        order.email,
        euros(open + charges),
        dueOn !== null && `due ${longDate(dueOn)}`,
      ]
        .filter(Boolean)
        .join(' · '),
      urgent: true,
    }
  }
  const wentBackLine = (order: Order): DeskLine => ({
    ...line(order),
    title: `Order ${order.number}`,
    detail: [
      order.company ?? order.name,
      order.email,
      `${euros(balanceOf(order).open)} went back, by a dispute or a refund at Stripe: issue its credit note, unless a dispute is still open`,
    ].join(' · '),
    urgent: true,
  })
  const overpaidLine = (order: Order): DeskLine => ({
    ...line(order),
    title: `Order ${order.number}`,
    detail: [
      order.company ?? order.name,
      order.email,
      `${euros(-balanceOf(order).open)} too much`,
      order.state,
    ].join(' · '),
  })
  const payoutLine = (payout: Payout): DeskLine[] => {
    const order = orders.findId(payout.order)
    if (!order) return []
    return [
      {
        ...line(order),
        title: `Payout ${payout.id}, order ${order.number}`,
        detail: [
          order.company ?? order.name,
          order.email,
          `${euros(payout.amount)} to pay at the bank`,
          payout.batch !== null
            ? `in file ${payout.batch}`
            : accountOf(payout)
              ? 'account known'
              : 'ask for the IBAN',
        ].join(' · '),
        urgent: payout.replaces !== null,
        at: isoOf(payout.madeAt),
      },
    ]
  }
  return {
    today: () => [
      ...deskGroup('Orders to check', orders.list({ state: 'attention' }), {
        line,
        command: 'pitlane orders list --state attention',
      }),
      ...deskGroup('Orders to pack', toPack().toSorted(doubtfulFirst), {
        line: packLine,
        command: 'pitlane orders pack',
      }),
      ...deskGroup('Withdrawals', withdrawals.cases(), {
        line: withdrawalLine,
        command: 'pitlane orders withdrawals',
      }),
      ...deskGroup(
        'Failed refunds',
        payouts()
          .filter(({ replaces }) => replaces !== null)
          .flatMap(payoutLine),
        { line: (failed) => failed, command: 'pitlane orders payouts' },
      ),
      ...deskGroup(
        'Refunds to pay',
        payouts()
          .filter(({ method, replaces }) => method === 'bank' && replaces === null)
          .flatMap(payoutLine),
        { line: (payout) => payout, command: 'pitlane orders payouts' },
      ),
      ...deskGroup('Overpaid orders', overpaid(), {
        line: overpaidLine,
        command: 'pitlane orders pay-back <order>',
      }),
      ...deskGroup('Payments that went back', wentBack(), {
        line: wentBackLine,
        command: 'pitlane orders credit <order>',
      }),
      ...deskGroup('Late invoices', lateInvoices(), {
        line: lateLine,
        command: 'pitlane orders list --state open',
      }),
      ...deskGroup('Orders on hold', orders.list({ state: 'waiting' }), {
        line,
        command: 'pitlane orders list --state waiting',
      }),
    ],
    find: async (words, limit) =>
      (await orders.search(asReference(words), limit))
        .flatMap((id) => orders.findId(id) ?? [])
        .map(line),
    ofPerson: (email) => [
      ...orders.ofEmail(email).map(line),
      ...withdrawals.ofEmail(email).map(withdrawalLine),
    ],
    aboutPerson(email) {
      const theirs = orders.ofEmail(email).toReversed()
      return {
        names: theirs.map(({ name }) => name),
        phones: theirs.map(({ phone }) => phone),
        companies: theirs.map(({ company }) => company),
        open: theirs.filter(isOpen).length,
      }
    },
    things,
    linkTarget: things.linkTarget,
  }
}
