import { longDate } from '#shared/dates/date-format.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import { mailbox, type Brand } from '../../mail/message.ts'
import type { MailTemplate } from '../../mail/template.ts'
import { html, type Markup } from '../../text/markup.ts'
import { printedLine } from '../documents/printed-line.ts'
import type { Balance } from '../payment/balance.ts'
import { todoOf, type WithdrawalCase } from '../withdrawal/withdrawal-cases.ts'
import { isAllExempt } from '../withdrawal/right.ts'
import { dataSchema, type OrderMailDeps, type OrderMail } from './order-mail-template.ts'
import { openOrder } from './staff-mails.ts'

/** What a statement names by its number: an order, or a booking by a reference as all of them have. */
const thingOf = (number: string) => (/^B-[A-Z\d]{8}$/.test(number) ? 'booking' : 'order')

/** What comes of a statement about a booking. @param url its page, where it's the sender's */
const bookingSteps = (url: string | null): (string | Markup)[] => [
  'We’ll look at the booking and reply to you. If your right of withdrawal still runs, the booking ends without a fee: you pay only for work you asked us to begin, and we pay back the rest of what you have paid within 14 days of your statement.',
  ...(url === null ? [] : [html`<a href="${url}">The booking’s page</a> shows how it stands.`]),
]

/** Whether a text may be one of our references, which cannot say anything. */
const isReference = (text: string) => /^[A-Z\d-]{6,14}$/.test(text)

/** What comes of a statement that names nothing with a right of withdrawal. */
const nothingDue = [
  'What you’ve named has no right of withdrawal, for the reason below. It’s not refunded, and there’s nothing to send back.',
  'We’ll look at your statement and reply to it. If something is faulty, tell us by replying to this email: that’s another matter.',
]

/**
 * What comes of a statement.
 * @param about `balance` of its order, null for one that isn't known; `hasDelivery` whether anything may have
 *   been paid for sending it; `owesForWork` whether work was to begin before the right ended
 */
function stepsOf({
  lines,
  returnTo,
  balance,
  hasDelivery,
  owesForWork,
}: {
  lines: WithdrawalCase['lines']
  returnTo: string
  balance: Balance | null
  hasDelivery: boolean
  owesForWork: boolean
}): string[] {
  const isBack = lines.some(({ sent, exempt }) => sent > 0 && exempt === null)
  const isOwed = balance !== null && balance.open > 0
  return [
    isBack
      ? `Please send the goods back within 14 days, at your cost, to ${returnTo}, with the order number in the parcel.`
      : lines.length > 0
        ? 'There’s nothing to send back.'
        : 'We’ll look at the order and email you about the return of goods, if there are any.',
    ...(isOwed
      ? [
          'Please don’t pay the open invoice as it stands. We’ll email you a credit note for what you’ve withdrawn from; it says what’s left to pay, if anything.',
        ]
      : []),
    ...(isOwed && balance.paid <= 0
      ? []
      : [
          isBack
            ? 'We pay back what you have paid within 14 days of your statement, or as soon as the goods are back or you’ve shown us that they’re on their way. Standard delivery is included where you keep nothing of it.'
            : hasDelivery
              ? 'We pay back what you have paid for this within 14 days, with the standard delivery where you keep no goods of the order.'
              : 'We pay back what you have paid for this within 14 days.',
        ]),
    ...(owesForWork
      ? [
          'You asked us to begin before the withdrawal period ended: you pay for the work done by now, and for nothing more of it.',
        ]
      : []),
  ]
}

/** What of a line is withdrawn from; of pieces of which only some had been sent, which come back. */
const withdrawnInWords = ({ quantity, title, sent }: WithdrawalCase['lines'][number]): string =>
  sent > 0 && sent < quantity
    ? `${quantity} × ${title} (${sent} to send back; we don’t send the rest)`
    : `${quantity} × ${title}`

/** Leads staff to a booking at the desk. */
const openBooking = (reference: string, { siteUrl }: Brand) => ({
  label: 'Open booking',
  url: siteUrl + paths.deskThing('bookings', reference),
})

/** The acknowledgement of a statement of withdrawal, and what tells staff of it. */
export function withdrawalMails(deps: OrderMailDeps) {
  const { mail, withdrawalOf, seller, balanceOf } = deps
  const inbox = mailbox(mail.staff)
  const linesOf = ({ id, isKnown }: { id?: number | undefined; isKnown?: boolean | undefined }) =>
    isKnown && id !== undefined ? withdrawalOf(id).lines : []
  return {
    orderWithdrawal: {
      async render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        const { id, order, name, email, at, isKnown = false } = withdrawal
        const found = isKnown && id !== undefined ? withdrawalOf(id) : null
        const lines = found?.lines ?? []
        const isExempt = isAllExempt(lines)
        const { name: to, address } = await seller()
        // A stranger may have entered the address: then none of the entered text is sent there.
        const number = isKnown || isReference(order) ? order : null
        const thing = thingOf(order)
        return {
          to: { name: '', address: email },
          message: {
            replyTo: inbox,
            ...mailMessage(brand, {
              subject: `We have received your withdrawal${number ? `: ${number}` : ''}`,
              headline: 'We have received your withdrawal',
              ...(number && { number: `${thing === 'order' ? 'Order' : 'Booking'} ${number}` }),
              body: paragraphs(
                `Your statement of withdrawal from the contract reached us on ${officeTime(at)}. Keep this message: it is your proof.`,
              ),
              details: [
                [
                  'Statement',
                  `I withdraw from the contract${number ? ` of ${thing} ${number}` : ''}.`,
                ],
                // The law wants the statement acknowledged with what it says (Directive 2011/83/EU, 11a).
                ...(isKnown ? [['Name', printedLine(name)] as const] : []),
                ['Email', email],
                ...lines
                  .filter(({ exempt }) => exempt === null)
                  .map((line) => ['Withdrawn', withdrawnInWords(line)] as const),
                ...lines.flatMap(({ title, exempt }) =>
                  exempt === null
                    ? []
                    : [['No right of withdrawal', `${title}: ${exempt}`] as const],
                ),
              ],
              next: isExempt
                ? nothingDue
                : thing === 'booking'
                  ? bookingSteps(found?.booking ? deps.bookingUrl(found.booking) : null)
                  : stepsOf({
                      lines,
                      returnTo: [to, ...address].join(', '),
                      balance: found?.order ? balanceOf(found.order) : null,
                      hasDelivery: found?.order ? found.order.shipping > 0 : true,
                      owesForWork: typeof found?.work === 'string',
                    }),
            }),
          },
        }
      },
    },
    orderWithdrawalStaff: {
      render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        const {
          order = null,
          booking = null,
          work = null,
        } = withdrawal.id === undefined ? {} : withdrawalOf(withdrawal.id)
        const thing = thingOf(withdrawal.order)
        return {
          to: inbox,
          message: {
            ...mailMessage(brand, {
              subject: `Withdrawal: ${thing} ${withdrawal.order}`,
              headline: 'A customer withdraws',
              number: `${thing === 'order' ? 'Order' : 'Booking'} ${withdrawal.order}`,
              details: [
                ['Name', withdrawal.name],
                ['Email', withdrawal.email],
                ['Received', officeTime(withdrawal.at)],
                ...linesOf(withdrawal).map(
                  ({ quantity, title, exempt, sent }) =>
                    [
                      exempt === null ? 'Withdrawn' : 'No right of withdrawal',
                      `${quantity} × ${title}${sent > 0 ? ` (${sent} sent)` : ''}${exempt === null ? '' : `: ${exempt}`}`,
                    ] as const,
                ),
                ...(work ? [['Work', work] as const] : []),
              ],
              ...(order && { button: openOrder(deps, order) }),
              ...(booking !== null && { button: openBooking(booking, brand) }),
              small:
                withdrawal.id === undefined
                  ? 'pitlane orders withdrawals'
                  : `pitlane orders withdrawals show ${withdrawal.id}`,
            }),
            replyTo: { name: withdrawal.name, address: withdrawal.email },
          },
        }
      },
    },
    orderWithdrawalDueStaff: {
      render(row, brand) {
        const { case: id } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (id === undefined) return { skip: 'nothing to tell' }
        const found = withdrawalOf(id)
        const { withdrawal, order, booking, lines, stage, payBy, isOver, isExempt, isPaid } = found
        if (isOver) return { skip: 'it was settled meanwhile' }
        const isAwaited = stage === 'goods awaited' && withdrawal.proofAt === null
        const number = order?.number ?? withdrawal.orderNumber
        const todo = isAwaited
          ? 'the goods aren’t back'
          : isExempt
            ? 'it’s still to be answered'
            : isPaid
              ? todoOf(found)
              : booking === null
                ? 'its invoice is still to be credited'
                : 'it’s still to be settled'
        return {
          to: inbox,
          message: mailMessage(brand, {
            subject: `Withdrawal from ${thingOf(number)} ${number}: ${todo}`,
            headline: isAwaited
              ? 'Withdrawn goods haven’t come back'
              : isExempt
                ? 'A withdrawal waits for an answer'
                : isPaid
                  ? 'A withdrawal refund is due'
                  : booking === null
                    ? 'A withdrawal waits for its credit note'
                    : 'A withdrawal waits to be settled',
            number: `${booking === null ? 'Order' : 'Booking'} ${number}`,
            body: paragraphs(
              isAwaited
                ? `The 14 days end on ${longDate(payBy)}. You can wait for the goods or for proof that they were sent; after that the refund is due at once.`
                : stage === 'to be paid'
                  ? `The credit note is issued, but the refund hasn’t been made yet. It’s due by ${longDate(payBy)}.`
                  : isExempt
                    ? 'Nothing it names has a right of withdrawal, so no refund is due. Answer the customer, then close it with a reason.'
                    : !isPaid
                      ? booking === null
                        ? 'Nothing has been paid, so no refund is due. The customer is waiting for the credit note: settle the withdrawal on the order’s page.'
                        : 'Nothing has been paid, so there’s nothing to pay back. Settle it on the booking’s page, answer the customer, then close it with a reason.'
                      : booking === null
                        ? `The refund is due by ${longDate(payBy)}. Settle it on the order’s page.`
                        : `What was paid is due back by ${longDate(payBy)}. Settle it on the booking’s page, answer the customer, then close it with a reason.`,
            ),
            details: [
              ['Received', officeTime(withdrawal.receivedAt)],
              ['Stage', stage],
              ...lines.map(({ quantity, title, exempt }) =>
                exempt === null
                  ? (['Withdrawn', `${quantity} × ${title}`] as const)
                  : (['No right of withdrawal', `${quantity} × ${title}: ${exempt}`] as const),
              ),
            ],
            ...(order && { button: openOrder(deps, order) }),
            ...(booking !== null && { button: openBooking(booking, brand) }),
            small:
              stage === 'to be paid'
                ? 'pitlane orders payouts'
                : `pitlane orders withdrawals ${isExempt || booking !== null ? 'close' : 'settle'} ${id}`,
          }),
        }
      },
    },
  } satisfies Partial<Record<OrderMail, MailTemplate>>
}
