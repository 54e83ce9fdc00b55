import { vatTable } from '#shared/money.ts'
import type { Download, OrderView } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { barcodeSvg } from './barcode-picture.ts'
import { addressOf } from './invoice-document.ts'
import type { Invoice } from './invoices.ts'
import type { Order } from './order.ts'

type Details = NonNullable<OrderView['details']>

/** All of an order, for who may see it whole. @param token opens its page and its documents */
export async function orderDetails(
  order: Order,
  token: string,
  { invoice, downloads }: { invoice: Invoice | null; downloads: Download[] },
): Promise<Details> {
  return {
    placedAt: new Date(order.placedAt).toISOString(),
    name: order.name,
    email: order.email,
    lines: order.lines.map(({ handle, variant, title, quantity, unit, total }) => ({
      handle: handle ?? '',
      variant: variant ?? '',
      title,
      quantity,
      unit,
      total,
    })),
    shipping: order.shipping,
    isSent: order.lines.some(({ kind }) => kind === 'physical'),
    total: order.total,
    vat: vatTable([
      ...order.lines.map(({ total, rate }) => ({ gross: total, rate })),
      ...(order.shippingRate === null ? [] : [{ gross: order.shipping, rate: order.shippingRate }]),
    ]),
    payment: order.payment,
    invoice: invoice && (await invoiceView(order, token, invoice)),
    downloads,
    address: order.street ? addressOf(order) : null,
  }
}

/** An invoice with what it is paid by, as long as it has to be paid. */
async function invoiceView(
  order: Order,
  token: string,
  { number, document }: Invoice,
): Promise<Details['invoice']> {
  // What was sent before it was paid has to be paid still.
  const isOwed = order.paidAt === null && ['open', 'shipped'].includes(order.state)
  const barcode = document.barcode ?? ''
  return {
    number: String(number),
    reference: document.reference,
    due: document.dueOn ?? '',
    iban: isOwed ? (document.seller.iban ?? '') : '',
    barcode,
    barcodePicture: isOwed && barcode ? await barcodeSvg(barcode) : '',
    href: paths.invoicePdf(token),
  }
}
