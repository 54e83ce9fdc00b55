import { untilDay } from '#shared/dates/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import type { Keys } from '../../secrets/secret-key.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import type { Mailbox } from '../../mail/message.ts'
import type { MailTemplate } from '../../mail/template.ts'
import type { GiftCardStore } from './store.ts'

/** What a queued gift card remembers; its code is sealed. */
export type GiftCardMail = { number: string; code: string }

/** A code as it is printed, in groups of four. */
export const printedCode = (code: string): string => code.match(/.{4}/g)!.join('-')

/** The email that brings a gift card. @param staff whom an answer to it goes to */
export const giftCardMails = (
  store: Pick<GiftCardStore, 'find' | 'ofCode'>,
  keys: Pick<Keys, 'unseal'>,
  staff: Mailbox,
): Record<'giftCard', MailTemplate> => ({
  giftCard: {
    keptDays: 7,
    render({ data }, brand) {
      const { number, code: sealed } = JSON.parse(data!) as GiftCardMail
      const code = keys.unseal('gift-card', sealed)?.text ?? null
      const card = store.find(number)
      if (!card || card.email === null || card.endedAt !== null || code === null) {
        return { skip: 'the gift card is gone' }
      }
      if (store.ofCode(code)?.number !== number) return { skip: 'it has another code by now' }
      return {
        to: { name: '', address: card.email },
        message: {
          replyTo: staff,
          ...mailMessage(brand, {
            subject: `Your gift card: ${euros(card.balance)} for the shop`,
            preheader: 'The code is inside. Enter it at the checkout.',
            headline: `${euros(card.balance)} to spend in our shop`,
            number: printedCode(code),
            body: paragraphs(
              `${card.name === null ? '' : `For ${card.name}.\n\n`}Enter this code in your cart or at the checkout. It pays for anything in the shop, delivery included; what you don’t spend stays on the card.`,
            ),
            button: { label: 'Go to the shop', url: brand.siteUrl + paths.shop() },
            details: [
              ['Gift card', number],
              ['On the card', euros(card.balance)],
              ...(card.expiresAt === null
                ? []
                : [['Valid through', untilDay(card.expiresAt)] as const]),
            ],
            small:
              'Keep this email: anyone with the code can spend the card. Lost it? Reply, and we’ll give the card a new code.',
          }),
        },
      }
    },
  },
})
