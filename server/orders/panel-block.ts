import { euros } from '#shared/money.ts'
import type { BlockRow } from '#shared/panel-block.ts'
import { panelDay, type PanelBlock } from '../panel-block.ts'
import type { OrderActions } from './actions.ts'
import type { Order } from './order.ts'

const tones: Readonly<Record<Order['state'], NonNullable<BlockRow['state']>>> = {
  pending: { label: 'Waits for payment', tone: 'open' },
  open: { label: 'To be paid', tone: 'open' },
  paid: { label: 'Paid', tone: 'done' },
  shipped: { label: 'Shipped', tone: 'done' },
  cancelled: { label: 'Cancelled', tone: 'done' },
  refunded: { label: 'Refunded', tone: 'done' },
  expired: { label: 'Not paid', tone: 'done' },
  attention: { label: 'In progress', tone: 'open' },
}

/** The block with a client's orders and invoices. */
export const orderBlock = (actions: OrderActions): PanelBlock => ({
  kind: 'orders',
  title: 'Orders and invoices',
  by: 'system',
  load: ({ client }) => ({
    view: 'rows',
    rows: actions.orders.ofEmails(client.emails, 20).map((order): BlockRow => {
      const invoice = actions.invoiceOf(order)
      return {
        title: `Order ${order.number}${invoice ? `, invoice ${invoice.number}` : ''}`,
        detail:
          `${panelDay(order.placedAt)}, ${order.lines.map(({ title }) => title).join(', ')}`.slice(
            0,
            200,
          ),
        value: euros(order.total),
        state: tones[order.state],
        href:
          new URL(actions.successUrl(order)).pathname + new URL(actions.successUrl(order)).search,
        way: 'page',
      }
    }),
  }),
})
