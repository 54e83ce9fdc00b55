import { officeTime } from '#shared/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { html } from '../markup.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import type { MailTemplate } from '../mail/template.ts'
import {
  aboutOrder,
  attached,
  dataSchema,
  linesTable,
  paymentFacts,
  toBuyer,
  type OrderMailDeps,
  type OrderMail,
} from './order-mail.ts'
import type { Order } from './order.ts'
import { withdrawalForm } from './terms.ts'

/** What a buyer is told of the order itself; of its money, see `payment-mails.ts`. */
export const buyerMails = (deps: OrderMailDeps) =>
  ({
    orderConfirmed: confirmed(deps),
    orderShipped: shipped(deps),
    orderCode: openingCode(),
  }) satisfies Partial<Record<OrderMail, MailTemplate>>

/** The durable medium: order, terms, withdrawal and invoice. */
const confirmed = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, async ({ order, invoice, brand }) => {
    const pays = order.payment === 'invoice'
    return toBuyer(order, {
      ...mailMessage(brand, {
        subject: `Your order ${order.number}`,
        preheader: pays ? 'The invoice is attached.' : 'Thank you, your payment has arrived.',
        headline: 'Thank you for your order',
        number: `Order ${order.number}`,
        next: nextSteps(order),
        button: { label: 'See your order', url: deps.successUrl(order) },
        details: invoice ? paymentFacts(invoice) : [],
        more: [linesTable(order), ...paragraphs(withdrawalForm(order, brand))],
        small: html`Ordered on ${officeTime(order.placedAt)}. The terms of service, version
          ${order.termsVersion}, are attached and stand
          <a href="${brand.siteUrl + paths.termsOfService()}">on our site</a>. You can withdraw
          here: <a href="${brand.siteUrl + paths.withdraw()}">withdraw from contract here</a>.`,
      }),
      attachments: [...(invoice ? [await attached(deps, invoice)] : []), await deps.terms()],
    })
  }),
})

const shipped = (deps: OrderMailDeps): MailTemplate => ({
  keptDays: 'feature',
  render: aboutOrder(deps, ({ order, brand }) =>
    toBuyer(
      order,
      mailMessage(brand, {
        subject: `Your order ${order.number} is on its way`,
        headline: 'Your order is on its way',
        number: `Order ${order.number}`,
        body: paragraphs('We handed your parcel over today.'),
        more: linesTable(order),
      }),
    ),
  ),
})

const openingCode = (): MailTemplate => ({
  keptDays: 1,
  render(row, brand) {
    const { order, code, to } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
    if (!order || !code || !to) return { skip: 'nothing to tell' }
    return {
      to: { name: '', address: to },
      message: mailMessage(brand, {
        subject: `${code} opens your order`,
        headline: 'Your code',
        number: code,
        body: paragraphs(`Enter it on the page of order ${order}. It works for 15 minutes.`),
        small: 'If you did not ask for it, you can ignore this message.',
      }),
    }
  },
})

function nextSteps(order: Order): string[] {
  const kinds = new Set(order.lines.map(({ kind }) => kind))
  return [
    order.payment === 'invoice'
      ? 'Please pay the attached invoice by its due date, with its reference number.'
      : 'Your payment has arrived; the receipt is attached.',
    ...(kinds.has('physical')
      ? ['We pack your order and write to you once it is on its way.']
      : []),
    ...(kinds.has('digital')
      ? ['Your files wait on the page of your order, as soon as it is paid and you may have them.']
      : []),
    ...(kinds.has('service')
      ? ['We write to you within two working days to agree on a date.']
      : []),
  ]
}
