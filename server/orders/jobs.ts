import { inBatches } from '../db/in-batches.ts'
import type { Platform } from '../feature.ts'
import type { JobDefinition } from '../jobs/job.ts'
import type { OrderActions } from './actions.ts'
import { closePageKind, expireKind, payBackKind } from './ending.ts'
import { orderMail } from './mails.ts'
import { forgetKind } from './personal-data.ts'
import type { OrderRetention } from './retention.ts'

/** The kinds of jobs of orders. Each looks again whether it is still wanted when it runs. */
export function orderJobs(
  { commit, mails }: Pick<Platform, 'commit' | 'mails'>,
  { actions, forgetting }: { actions: OrderActions; forgetting: OrderRetention },
): JobDefinition[] {
  const { orders, invoices } = actions
  return [
    {
      kind: expireKind,
      about: 'frees the pieces of an order that nobody paid in time',
      run: ({ key }) => actions.expire(key),
    },
    {
      kind: closePageKind,
      about: 'closes the payment page of an order that is over',
      run: ({ key }) => actions.closePage(key),
    },
    {
      kind: payBackKind,
      about: 'pays back what came for an order that another one has replaced',
      run: ({ key }) => actions.payBack(key),
    },
    {
      kind: forgetKind,
      about: 'forgets orders that were never paid, and vouchers whose years are over',
      recurs: { daily: '08:00' },
      run: () => inBatches(commit, forgetting.overdue),
    },
    {
      kind: 'orders.remind',
      about: 'reminds of invoices whose due date has passed',
      recurs: { daily: '09:00' },
      run: () =>
        commit((tx) => {
          for (const { number, order: id } of invoices.overdue()) {
            const order = orders.findId(id)
            if (order) orderMail(tx, mails, 'orderInvoiceReminder', order, number)
            invoices.remind(tx, number)
          }
        }),
    },
  ]
}
