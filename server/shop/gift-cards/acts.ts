import { emailAddress } from '#shared/forms/fields.ts'
import { addMonths, dateAt, dayEnd } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { euros } from '#shared/money.ts'
import type { Platform } from '../../feature.ts'
import type { GiftCard } from '../schema.ts'
import type { GiftCardMail } from './mails.ts'
import type { GiftCardStore, NewGiftCard } from './store.ts'

/** Cents that a card may be over. */
const limits = { least: 100, most: 200_000 }
/** Years that a card works where staff name no end: as long as a debt without one (Act 728/2003 § 4). */
const defaultYears = 3
/** Years that it works at least. */
const leastYears = 1

/** What staff say of a new card; without an end it has the usual one, null is none at all. */
export type GiftCardRequest = Omit<NewGiftCard, 'expiresAt'> & {
  readonly expiresAt: number | null | undefined
}

/** How a card stands. */
export const giftCardStates = ['valid', 'used up', 'expired', 'over'] as const

/** What staff do with gift cards. */
export type GiftCardActs = ReturnType<typeof createGiftCardActs>

class Rehearsed extends Error {}

/** Creates the staff's acts on gift cards; each is one transaction with its timeline entry. */
export function createGiftCardActs(
  {
    commit,
    clock,
    timeline,
    keys,
    mails,
    outbox,
  }: Pick<Platform, 'commit' | 'clock' | 'timeline' | 'keys' | 'mails' | 'outbox'>,
  { store }: { store: GiftCardStore },
) {
  /** @throws missing */
  const known = (typed: string): GiftCard => {
    const card = store.find(typed)
    if (!card) throw failure('missing', { message: 'Gift card not found.' })
    return card
  }

  /** Does something, of which a rehearsal keeps nothing. */
  const perform = async <Done extends { card: GiftCard }>(
    { isRehearsal, actor }: { isRehearsal: boolean; actor: string },
    work: (tx: Parameters<Parameters<typeof commit>[0]>[0]) => Done & {
      act: string
      note: string | null
    },
  ): Promise<Done> => {
    let done: Done | null = null
    try {
      await commit((tx) => {
        const { act, note, ...rest } = work(tx)
        done = rest as unknown as Done
        timeline.record(tx, {
          thing: 'gift-card',
          thingId: rest.card.number,
          actor,
          act,
          note,
        })
        if (isRehearsal) throw new Rehearsed()
      })
      outbox.wake()
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
    return done!
  }

  /** Emails a card to whom it is for. The row of the email holds its code sealed. */
  const mail = (
    tx: Parameters<typeof mails.enqueue>[0],
    { number, email }: GiftCard,
    code: string,
  ) => {
    if (email === null) return
    mails.enqueue(tx, 'giftCard', {
      key: `gift-card/${number}/${clock()}`,
      about: { thing: 'gift-card', id: number },
      data: { number, code: keys.seal('gift-card', code) } satisfies GiftCardMail,
      recipient: email,
    })
  }

  return {
    /** A card by its number or code, null for none. */
    find: (typed: string): GiftCard | null => store.find(typed),
    known,
    list: store.list,
    usesOf: store.usesOf,

    /** The current state of a card. */
    stateOf(card: GiftCard): (typeof giftCardStates)[number] {
      if (card.endedAt !== null) return 'over'
      if (store.problemOf(card) !== null) return 'expired'
      return card.balance === 0 ? 'used up' : 'valid'
    },

    /**
     * Makes a card that was paid for, and emails it where there is an address.
     * @returns the card and its code, which nothing tells again
     * @throws invalid with what is wrong
     */
    add(
      { expiresAt, ...given }: GiftCardRequest,
      options: { isRehearsal: boolean; actor: string },
    ): Promise<{ card: GiftCard; code: string }> {
      const refuse = (field: string, message: string) =>
        failure('invalid', { message, errors: { [field]: message } })
      const { value, email } = given
      if (!Number.isInteger(value) || value < limits.least || value > limits.most) {
        throw refuse(
          'value',
          `Use ${euros(limits.least)} to ${euros(limits.most)} for a gift card.`,
        )
      }
      const address = email === null ? null : emailAddress.safeParse(email)
      if (address && !address.success) throw refuse('email', `${email} isn’t an email address.`)
      // To the end of the day of the same name: that is the day which its email names.
      const yearsOn = (years: number) => dayEnd(addMonths(dateAt(clock()), years * 12))
      const until = expiresAt === undefined ? yearsOn(defaultYears) : expiresAt
      if (until !== null && until < yearsOn(leastYears)) {
        throw refuse(
          'expires',
          'A gift card works for a year at least: its holder has paid for it.',
        )
      }
      return perform(options, (tx) => {
        const made = store.make(tx, { ...given, email: address?.data ?? null, expiresAt: until })
        mail(tx, made.card, made.code)
        return { ...made, act: 'added', note: euros(value) }
      })
    },

    /**
     * Gives a card another code, as when an email was lost or read by others, and emails it.
     * @throws missing; wrong-state once it has ended
     */
    replace: (
      typed: string,
      options: { isRehearsal: boolean; actor: string },
    ): Promise<{ card: GiftCard; code: string }> =>
      perform(options, (tx) => {
        const card = known(typed)
        if (card.endedAt !== null) {
          throw failure('wrong-state', { message: `${card.number} has ended.` })
        }
        const code = store.recode(tx, card)
        mail(tx, card, code)
        return { card, code, act: 'code replaced', note: null }
      }),

    /**
     * Ends a card at once; orders that it paid stay as they are.
     * @param options `isPaidBack` where staff pay what is on it back to its holder, also once it has ended
     * @returns the card, and the cents that are to be paid back
     * @throws missing; wrong-state once it has ended, or with nothing to pay back
     */
    end: (
      typed: string,
      { isPaidBack, ...options }: { isPaidBack: boolean; isRehearsal: boolean; actor: string },
    ): Promise<{ card: GiftCard; paidBack: number }> =>
      perform(options, (tx) => {
        const before = known(typed)
        const isNew = store.end(tx, before)
        const paidBack = isPaidBack ? store.payBack(tx, before) : 0
        if (!isNew && paidBack === 0) {
          throw failure('wrong-state', {
            message: `${before.number} has ended already${isPaidBack ? ', and there’s nothing on it' : ''}.`,
          })
        }
        const note = paidBack > 0 ? `${euros(paidBack)} paid back` : null
        return { card: known(before.number), paidBack, act: isNew ? 'ended' : 'paid back', note }
      }),
  }
}
