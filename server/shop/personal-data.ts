import { shopLimits } from '#shared/shop/limits.ts'
import type { PersonalData } from '../contributions/personal-data.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { eraseMails } from '../mail/erase.ts'
import type { Platform } from '../feature.ts'
import { cardYears, nameDays, type GiftCardStore } from './gift-cards/store.ts'
import { unconfirmedDays, waitingDays, type StockAlerts } from './stock-alerts/store.ts'

/** The job that forgets carts. */
export const forgetKind = 'shop.forget'

/** What the shop keeps of people: carts, which carry nothing that tells whose they are. */
export const cartData: PersonalData = {
  name: 'carts',
  policy: [
    {
      what: 'Shopping cart',
      data: 'What you put in your cart, and a random cookie to find it again',
      ground: 'Steps before a contract, at your request (Art. 6(1)(b))',
      kept: `${shopLimits.cartDays} days after its last change`,
    },
  ],
  forgottenBy: { job: forgetKind },
  find: () => [],
  note: 'Carts hold no name or address, so they can’t be searched by one.',
}

/** Who used a discount code, as a hash that finds the orders of one address with the same code. */
export const discountData: PersonalData = {
  name: 'discount codes',
  policy: [
    {
      what: 'Discount code',
      data: 'A keyed hash of your email address with the code you used; the order keeps the code',
      ground: 'Our legitimate interest that a code is used as often as we offer it (Art. 6(1)(f))',
      kept: 'Until the code ends; the code itself as long as the order',
    },
  ],
  forgottenBy: { job: forgetKind },
  find: () => [],
  note: 'The uses of codes hold a hash alone; the code of an order is found with the order.',
}

/** For whom gift cards are. What was paid for a card and with it is a record of its own, without a name. */
export const giftCardData = (
  { config, mails }: Pick<Platform, 'config' | 'mails'>,
  cards: GiftCardStore,
): PersonalData => ({
  name: 'gift cards',
  policy: [
    {
      what: 'Gift cards',
      data: 'The name and email address of who a card is for; what is on it, and what it paid. Of its code only a hash that can’t be turned back',
      ground:
        'The contract (Art. 6(1)(b)), our legitimate interest to bring a gift (Art. 6(1)(f)), and the Finnish Accounting Act (Art. 6(1)(c))',
      kept: `Name and address until ${nameDays} days after the card is used up or over; the card, without them, ${cardYears} years after the last year in which something happened`,
    },
  ],
  forgottenBy: { job: forgetKind },
  addresses: cards.addresses,
  find: (email) => [
    ...cards.ofEmail(email).map((card) => ({
      card: card.number,
      name: card.name,
      email: card.email,
      note: card.note,
      value: card.value,
      balance: card.balance,
      made: helsinkiIso(card.madeAt),
      expires: card.expiresAt === null ? null : helsinkiIso(card.expiresAt),
      uses: cards
        .usesOf(card)
        .map(({ amount, back, usedAt }) => ({ at: helsinkiIso(usedAt), amount, back })),
    })),
    // Of someone else's card, only what was noted of this person.
    ...cards
      .mentioning(email)
      .filter((card) => card.email?.toLowerCase() !== email.toLowerCase())
      .map(({ number, note }) => ({ card: number, note })),
  ],
  erase(tx, email) {
    const own = cards.ofEmail(email)
    const about = own.flatMap(({ number }) => mails.of('gift-card', number))
    const { afterwards } = eraseMails(tx, about, { mails, dataDir: config.dataDir })
    const noted = cards.mentioning(email)
    cards.redactNotes(tx, email)
    cards.eraseNames(tx, email)
    const cardsOf = new Set([...own, ...noted].map(({ number }) => number))
    return { erased: cardsOf.size, afterwards }
  },
})

/** Addresses that wait for something to be back in stock. */
export const stockAlertData = (alerts: StockAlerts): PersonalData => ({
  name: 'stock alerts',
  policy: [
    {
      what: '“Email me when it’s back”',
      data: 'Your email address and the product',
      ground: 'Your consent (Art. 6(1)(a))',
      kept: `Until the email is sent, ${waitingDays} days at most; ${unconfirmedDays} days if you don’t confirm`,
    },
  ],
  forgottenBy: { job: forgetKind },
  find: (email) =>
    alerts.ofMailbox(email).map(({ email: address, variant, askedAt, confirmedAt }) => ({
      at: helsinkiIso(askedAt),
      email: address,
      variant,
      confirmed: confirmedAt !== null,
    })),
  erase: (tx, email) => ({ erased: alerts.erase(tx, email) }),
})
