import type { Context } from '#server/context.ts'
import type { Order } from '#server/orders/feature.ts'
import { termsLine } from '#shared/shop/licences.ts'
import { euros } from '#shared/money.ts'
import { minute, when, type Print, type Row } from '../common/print.ts'

/** The columns of a table. */
export function tableRow(context: Context, order: Order): Row {
  const { invoiceOf, paymentOf } = context.features.orders.actions
  const invoice = invoiceOf(order)
  return {
    order: order.number,
    state: order.state,
    placed: minute(order.placedAt),
    payment: paymentOf(order),
    total: euros(order.total),
    invoice: invoice?.number ?? null,
    reference: invoice?.reference ?? null,
    name: order.company ?? order.name,
    email: order.email,
  }
}

/** All that staff see of an order; money in cents. */
export function fullRow({ features }: Context, order: Order) {
  const { actions } = features.orders
  const invoice = actions.invoiceOf(order)
  const {
    id: _id,
    number,
    sequence: _s,
    session: _u,
    sessionUrl: _p,
    verifiedAt: _v,
    lines,
    ...facts
  } = order
  return {
    ...facts,
    payment: actions.paymentOf(order),
    order: number,
    replacedBy:
      facts.replacedBy === null ? null : (actions.orders.findId(facts.replacedBy)?.number ?? null),
    reference: invoice?.reference ?? null,
    invoice: invoice === null ? null : String(invoice.number),
    documents: actions.invoices.ofOrder(order.id).map((document) => ({
      number: String(document.number),
      kind: document.kind,
      date: document.issuedOn,
      due: document.dueOn,
      total: document.total,
    })),
    parcels: actions.parcelsOf(order).map(({ sentAt, carrier, tracking, lines: sent }) => ({
      sent: when(sentAt),
      carrier,
      tracking,
      lines: sent.map(({ line, quantity }) => ({
        line: order.lines.findIndex(({ id }) => id === line) + 1,
        quantity,
      })),
    })),
    payments: actions.orders.paymentsOf(order.id).map((payment) => ({
      number: payment.id,
      source: payment.source,
      date: payment.paidOn,
      amount: payment.amount,
      payer: payment.payer,
      corrects: payment.corrects,
    })),
    ...actions.balanceOf(order),
    placedAt: when(order.placedAt),
    changedAt: when(order.changedAt),
    paidAt: when(order.paidAt),
    shippedAt: when(order.shippedAt),
    reservedUntil: when(order.reservedUntil),
    lines: lines.map(({ id: _line, variantId: _variant, ...line }) => line),
  }
}

/** Prints an order with its lines, documents and what was done. */
export function showOrder(
  context: Context,
  order: Order,
  { history, print }: { history: Row[]; print: Print },
): void {
  const {
    lines,
    documents,
    parcels,
    payments,
    total,
    paid,
    credited,
    open,
    charges,
    shipping,
    shippingParts,
    vatCheck,
    discount: saved,
    giftCardAmount,
    ...facts
  } = fullRow(context, order)
  print.facts({
    ...facts,
    discount: euros(saved),
    giftCardAmount: euros(giftCardAmount),
    shipping: [euros(shipping), ...shippingParts.map(({ rate }) => `VAT ${rate} %`)].join(', '),
    vatCheck:
      vatCheck && [`VIES: ${vatCheck.state}`, vatCheck.consultation].filter(Boolean).join(', '),
    total: euros(total),
    credited: euros(credited),
    paid: euros(paid),
    open: euros(open),
    charges: euros(charges),
    url: context.features.orders.actions.successUrl(order),
  })
  print.line('')
  const rest = new Map(
    context.features.orders.actions.progressOf(order).map((each) => [each.at, each.rest]),
  )
  const bought = lines.map(
    (
      {
        quantity,
        title,
        unit,
        discount,
        total: sum,
        rate,
        taxGround,
        handle,
        variant,
        soldLicence,
      },
      at,
    ) => ({
      pieces: quantity,
      ...(parcels.length > 0 && { 'to send': rest.get(at) ?? '' }),
      title,
      unit: euros(unit),
      off: discount > 0 ? euros(discount) : '',
      total: euros(sum),
      vat: `${rate} %`,
      why: taxGround,
      product: handle === null ? '' : `${handle} ${variant}`,
      licence: soldLicence ? termsLine(soldLicence) : '',
    }),
  )
  print.listing(bought, { none: 'No lines.' })
  print.line('')
  const papers = documents.map((each) => ({ ...each, total: euros(each.total) }))
  print.listing(papers, { none: 'No documents yet.' })
  if (parcels.length > 0) {
    print.line('')
    print.listing(
      parcels.map(({ lines: sent, ...each }) => ({
        ...each,
        pieces: sent
          .map(({ line, quantity }) => `${quantity} × ${lines[line - 1]?.title ?? ''}`)
          .join(', '),
      })),
      { none: '' },
    )
  }
  print.line('')
  const money = payments.map((each) => ({ ...each, amount: euros(each.amount) }))
  print.listing(money, { none: 'No payments yet.' })
  print.line('')
  print.listing(history, { none: 'No history yet.' })
}
