import { addMonths, dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Platform } from '../feature.ts'
import type { JobDefinition } from '../jobs/job.ts'
import type { OrderActions } from './actions.ts'
import { accountMonths, type CreditAccounts } from './checkout/credit-accounts.ts'
import type { StockLists } from './books/stock-list.ts'
import { closePageKind, expireKind, feeKind, payBackKind } from './payment/end-order.ts'
import { payOutKind } from './payment/payouts.ts'
import type { Reminders } from './payment/reminders.ts'
import { forgetKind } from './personal-data.ts'
import { withdrawalsKind } from './withdrawal/withdrawal-desk.ts'
import type { OrderRetention } from './retention.ts'

/** The kinds of jobs of orders. Each looks again whether it is still wanted when it runs. */
export function orderJobs(
  { clock, commit }: Pick<Platform, 'clock' | 'commit'>,
  {
    accounts,
    actions,
    forgetting,
    reminders,
    stockLists,
  }: {
    accounts: Pick<CreditAccounts, 'forgetIdle'>
    actions: OrderActions
    forgetting: OrderRetention
    reminders: Reminders
    stockLists: Pick<StockLists, 'keep'>
  },
): JobDefinition[] {
  return [
    {
      kind: expireKind,
      about: 'ends an order not paid in time and releases its stock',
      run: ({ key }) => actions.expire(key),
    },
    {
      kind: closePageKind,
      about: 'closes the payment page of an order that has ended',
      waitsForTrustedClock: false,
      run: ({ key }) => actions.closePage(key),
    },
    {
      kind: payBackKind,
      about: 'refunds a payment for a replaced order',
      waitsForTrustedClock: false,
      run: ({ key }) => actions.payBack(key),
    },
    {
      kind: payOutKind,
      about: 'refunds through the payment service',
      waitsForTrustedClock: false,
      run: ({ key }) => actions.sendPayout(key),
    },
    {
      kind: forgetKind,
      about:
        'deletes orders never paid, accounting records past their retention period, and permission to pay later that no one uses',
      recurs: { daily: '03:30' },
      async run() {
        await inBatches(commit, forgetting.overdue)
        const before = dayStart(addMonths(dateAt(clock()), -accountMonths))
        await inBatches(commit, (tx) => accounts.forgetIdle(tx, before))
      },
    },
    {
      kind: withdrawalsKind,
      about: 'reminds staff of withdrawal refunds that are due soon or late',
      recurs: { daily: '08:30' },
      run: () => actions.withdrawals.remind(),
    },
    {
      kind: 'orders.remind',
      about: 'reminds buyers of overdue invoices',
      recurs: { daily: '09:00' },
      run: () => reminders.remind(),
    },
    {
      kind: feeKind,
      about: 'reads the payment service’s fee for a payment, and what it refunded by then',
      waitsForTrustedClock: false,
      run: ({ key }) => actions.noteFee(key),
    },
    {
      kind: 'orders.stock-list',
      about: 'keeps the stock list of a fiscal year that has ended',
      recurs: { daily: '00:05' },
      run: () => commit((tx) => void stockLists.keep(tx)),
    },
  ]
}
