import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { GiftCard } from '#server/shop/schema.ts'
import { euros, sum } from '#shared/money.ts'
import { historyOf } from './history.ts'
import type { UseContext } from './common/command.ts'
import { printFound, searchOptions, type SearchFlags } from './common/list.ts'
import { AmbiguousName, findByName } from './common/named.ts'
import * as options from './common/options.ts'
import { end, lastDay, when, type Print } from './common/print.ts'
import { cents } from './products/options.ts'

/** `gift-cards`: cards that were paid for, and what they pay. */
export function addGiftCards(cards: Command, useContext: UseContext, print: Print): void {
  addMaking(cards, useContext, print)
  addReading(cards, useContext, print)
  addEnding(cards, useContext, print)
}

type ActFlags = { by: string; dryRun?: boolean; json?: boolean }

function addMaking(cards: Command, useContext: UseContext, print: Print): void {
  cards
    .command('add <euros>')
    .description('create a gift card that has been paid for; its code is shown once')
    .option('--name <name>', 'who it’s for')
    .option('--email <address>', 'email the card to this address')
    .addOption(options.expires().default(undefined, 'in three years; at least a year'))
    .option('--note <text>', 'how it was paid, for the bookkeeper')
    .addOption(options.by())
    .addOption(options.rehearse())
    .addOption(options.json())
    .action(
      async (
        value: string,
        {
          by,
          dryRun = false,
          json,
          ...given
        }: ActFlags & {
          name?: string
          email?: string
          note?: string
          expires?: options.Limit
        },
      ) => {
        const context = await useContext()
        const { giftCardActs } = context.features.shop
        const made = await giftCardActs.add(
          {
            value: cents(value),
            name: given.name ?? null,
            email: given.email ?? null,
            note: given.note ?? null,
            expiresAt: given.expires?.at,
          },
          { isRehearsal: dryRun, actor: by },
        )
        printCoded(context, print, { ...made, dryRun, json })
        if (dryRun && !json) print.line(options.dryRun('create it', 'without --dry-run'))
      },
    )

  cards
    .command('replace <card>')
    .description('give a card a new code and email it; the old one stops working')
    .addOption(options.by())
    .addOption(options.rehearse())
    .addOption(options.json())
    .action(async (typed: string, { by, dryRun = false, json }: ActFlags) => {
      const context = await useContext()
      const { giftCardActs } = context.features.shop
      const made = await giftCardActs.replace(cardNamed(context, typed).number, {
        isRehearsal: dryRun,
        actor: by,
      })
      printCoded(context, print, { ...made, dryRun, json })
      if (dryRun && !json) print.line(options.dryRun('replace its code', 'without --dry-run'))
    })
}

/** Prints a card with its code, which nothing shows again; none where nothing was made. */
function printCoded(
  context: Context,
  print: Print,
  {
    card,
    code,
    dryRun,
    json,
  }: { card: GiftCard; code: string; dryRun: boolean; json: boolean | undefined },
): void {
  const shown = dryRun ? null : context.features.shop.printedCode(code)
  if (json) {
    print.json({ ...fullRow(context, card), code: shown })
    return
  }
  const { card: number, ...facts } = shownRow(context, card)
  print.facts({ ...(!dryRun && { card: number }), code: shown, ...facts })
  if (dryRun) return
  print.line('')
  print.line(
    card.email === null
      ? 'The code isn’t kept: pass it on now.'
      : `The code isn’t kept here; it’s on its way to ${card.email}.`,
  )
}

function addReading(cards: Command, useContext: UseContext, print: Print): void {
  searchOptions(cards.command('list'))
    .description('list cards, newest first')
    .addOption(new Option('--status <status>', 'only rows with this status').choices(states))
    .action(async (flags: SearchFlags & { status?: string }) => {
      const context = await useContext()
      const { giftCardActs } = context.features.shop
      const { status, since = 0, json } = flags
      const found = giftCardActs
        .list()
        .toReversed()
        .filter(
          (card) =>
            card.madeAt >= since &&
            (status === undefined || giftCardActs.stateOf(card).replace(' ', '-') === status),
        )
      printFound(print, found, flags, {
        textsOf: ({ number, name, email, note }) => [number, name, email, note],
        what: 'cards',
        none: 'No gift cards.',
        row: (card) => {
          const { card: number, state, value, balance, name } = shownRow(context, card)
          return { card: number, state, value, balance, name, expires: lastDay(card.expiresAt) }
        },
        full: (card) => fullRow(context, card),
      })
      if (!json && found.length > 0) {
        print.line(`\n${euros(sum(found.map(({ balance }) => balance)))} left on them.`)
      }
    })

  cards
    .command('show <card>')
    .description('show a card, the orders that it paid and its history')
    .addOption(options.json())
    .action(async (typed: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const { giftCardActs } = context.features.shop
      const card = cardNamed(context, typed)
      const history = historyOf(context.timeline, 'gift-card', card.number)
      const uses = giftCardActs.usesOf(card).map(({ order: id, amount, back, usedAt, backAt }) => {
        const order = id === null ? null : context.features.orders.actions.orders.findId(id)
        return {
          order: order?.number ?? null,
          state: order?.state ?? null,
          paid: json ? amount : euros(amount),
          back: json ? back : euros(back),
          usedAt: when(usedAt),
          backAt: when(backAt),
        }
      })
      if (json) {
        print.json({ ...fullRow(context, card), orders: uses, history })
        return
      }
      print.facts(shownRow(context, card))
      print.line('')
      print.listing(uses, { none: 'It has paid no order.' })
      print.line('')
      print.listing(history, { none: 'No history yet.' })
    })
}

function addEnding(cards: Command, useContext: UseContext, print: Print): void {
  cards
    .command('end <card>')
    .description('end a card now; orders it paid for don’t change')
    .option('--paid-back', 'refund what’s left on it, even if the card has already ended')
    .addOption(options.by())
    .addOption(options.rehearse())
    .addOption(options.json())
    .action(
      async (
        typed: string,
        { by, dryRun = false, json, paidBack = false }: ActFlags & { paidBack?: boolean },
      ) => {
        const context = await useContext()
        const { giftCardActs } = context.features.shop
        const { card, paidBack: amount } = await giftCardActs.end(
          cardNamed(context, typed).number,
          {
            isPaidBack: paidBack,
            isRehearsal: dryRun,
            actor: by,
          },
        )
        if (json) {
          print.json({ ...fullRow(context, card), paidBack: amount })
          return
        }
        print.line(`${card.number} ${dryRun ? 'would end' : 'has ended'}.`)
        if (amount > 0) print.line(`Pay ${euros(amount)} back to its holder.`)
        else if (card.balance > 0) print.line(`${euros(card.balance)} was left on it.`)
        if (dryRun) print.line(options.dryRun('end it', 'without --dry-run'))
      },
    )
}

const states = ['valid', 'used-up', 'expired', 'over']

/**
 * A card by its number or code, else the only one with all these words in name, address or note.
 * @throws when there is none; AmbiguousName when there are several
 */
function cardNamed({ features: { shop } }: Context, given: string): GiftCard {
  const { giftCardActs } = shop
  const found = giftCardActs.find(given)
  if (found) return found
  try {
    return findByName('Gift card', given, giftCardActs.list(), {
      namesOf: ({ name, email, note }) => [name, email, note],
      about: (card) =>
        [card.number, euros(card.balance), card.name, card.email, card.note]
          .filter(Boolean)
          .join('  '),
    })
  } catch (error) {
    if (error instanceof AmbiguousName) throw error
    // Doesn't repeat what was typed, which may be a code.
    return giftCardActs.known(given)
  }
}

/** A card without its code; money in cents. */
function fullRow({ features }: Context, card: GiftCard) {
  return {
    card: card.number,
    state: features.shop.giftCardActs.stateOf(card),
    value: card.value,
    balance: card.balance,
    name: card.name,
    email: card.email,
    note: card.note,
    made: when(card.madeAt),
    expires: when(card.expiresAt),
    ended: when(card.endedAt),
  }
}

/** The same for people. */
function shownRow(context: Context, card: GiftCard) {
  const { value, balance, ...row } = fullRow(context, card)
  return { ...row, expires: end(card.expiresAt), value: euros(value), balance: euros(balance) }
}
