import { officeTime } from '#shared/helsinki-time.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { dataSchema, type OrderMailDeps, type OrderMail } from './order-mail.ts'

/** Whether a text may be one of our references, which cannot say anything. */
const isReference = (text: string) => /^[A-Z\d-]{6,14}$/.test(text)

/** The acknowledgement of a statement of withdrawal, and what tells staff of it. */
export function withdrawalMails({ mail }: OrderMailDeps) {
  const inbox = mailbox(mail.staff)
  return {
    orderWithdrawal: {
      render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        const { order, name, email, at, isKnown = false } = withdrawal
        // A stranger may have entered the address: then none of the entered text is sent there.
        const number = isKnown || isReference(order) ? order : null
        return {
          to: { name: '', address: email },
          message: mailMessage(brand, {
            subject: `We have received your withdrawal${number ? `: ${number}` : ''}`,
            headline: 'We have received your withdrawal',
            ...(number && { number: `Order ${number}` }),
            body: paragraphs(
              `Your statement of withdrawal from the contract reached us on ${officeTime(at)}. Keep this message: it is your proof.`,
            ),
            details: [
              ['Statement', `I withdraw from the contract${number ? ` of order ${number}` : ''}.`],
              ...(isKnown ? [['Name', name] as const] : []),
              ['Email', email],
            ],
            next: [
              'We look at the order and write to you about the return of goods, if there are any.',
              'We pay back what you have paid, with the standard delivery, within 14 days.',
            ],
          }),
        }
      },
    },
    orderWithdrawalStaff: {
      render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        return {
          to: inbox,
          message: {
            ...mailMessage(brand, {
              subject: `Withdrawal: order ${withdrawal.order}`,
              headline: 'A customer withdraws',
              number: `Order ${withdrawal.order}`,
              details: [
                ['Name', withdrawal.name],
                ['Email', withdrawal.email],
                ['Received', officeTime(withdrawal.at)],
              ],
            }),
            replyTo: { name: withdrawal.name, address: withdrawal.email },
          },
        }
      },
    },
  } satisfies Partial<Record<OrderMail, MailTemplate>>
}
