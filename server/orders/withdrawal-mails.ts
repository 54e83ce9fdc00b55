import { officeTime } from '#shared/helsinki-time.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import { mailbox } from '../mail/message.ts'
import type { MailTemplate } from '../mail/template.ts'
import { dataSchema, type MailParts, type OrderMail } from './mail-parts.ts'

/** The acknowledgement of a statement of withdrawal, and what tells staff of it. */
export function withdrawalMails({ mail }: MailParts) {
  const inbox = mailbox(mail.staff)
  return {
    orderWithdrawal: {
      render(row, brand) {
        const { withdrawal } = dataSchema.parse(JSON.parse(row.data ?? '{}'))
        if (!withdrawal) return { skip: 'nothing to tell' }
        return {
          to: { name: '', address: withdrawal.email },
          message: mailMessage(brand, {
            subject: `We have received your withdrawal: ${withdrawal.order}`,
            headline: 'We have received your withdrawal',
            number: `Order ${withdrawal.order}`,
            body: paragraphs(
              `Your statement of withdrawal from the contract reached us on ${officeTime(withdrawal.at)}. Keep this message: it is your proof.`,
            ),
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
