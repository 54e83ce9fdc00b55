import { euros } from '#shared/money.ts'
import type { BlockRow } from '#shared/clients/panel-block.ts'
import { panelDay, type PanelBlock } from '../contributions/panel-block.ts'
import { paths } from '#shared/paths.ts'
import { opensInPanel } from './order-page/access.ts'
import type { OrderActions } from './actions.ts'
import type { Order } from './order.ts'
import { leftOf } from './payment/balance.ts'

const tones: Readonly<Record<Order['state'], NonNullable<BlockRow['state']>>> = {
  waiting: { label: 'On hold', tone: 'open' },
  pending: { label: 'Awaiting payment', tone: 'open' },
  open: { label: 'Payment due', tone: 'open' },
  paid: { label: 'Paid', tone: 'done' },
  shipped: { label: 'Shipped', tone: 'done' },
  cancelled: { label: 'Cancelled', tone: 'done' },
  refunded: { label: 'Refunded', tone: 'done' },
  expired: { label: 'Expired unpaid', tone: 'done' },
  attention: { label: 'In progress', tone: 'open' },
}

/**
 * The block with a client's orders and invoices that are known to be the client's or are paid, each
 * with a link to its page for a code that may see it.
 */
export const orderBlock = (actions: OrderActions): PanelBlock => ({
  kind: 'orders',
  title: 'Orders and invoices',
  by: 'system',
  load: ({ client, session }) => ({
    view: 'rows',
    rows: actions.orders.ofClient(client.emails, 20).map((order): BlockRow => {
      const invoice = actions.invoiceOf(order)
      const { credited, ...balance } = actions.balanceOf(order)
      const left = leftOf(balance)
      const isOwed = order.paidAt === null && (order.state === 'open' || order.state === 'shipped')
      const money = [
        credited > 0 && credited < order.total && `${euros(credited)} credited`,
        // That it's due says the state of one that hasn't left.
        isOwed &&
          (left !== order.total || order.state === 'shipped') &&
          left > 0 &&
          `${euros(left)} left to pay`,
      ].filter((each) => each !== false)
      return {
        title: `Order ${order.number}${invoice ? `, invoice ${invoice.number}` : ''}`,
        detail: [
          panelDay(order.placedAt),
          ...money,
          order.lines.map(({ title }) => title).join(', '),
        ]
          .join(', ')
          .slice(0, 200),
        value: euros(order.total),
        state: tones[order.state],
        href: opensInPanel(order, session.scopes) ? paths.checkoutSuccess(order.number) : null,
        way: 'page',
      }
    }),
  }),
})
