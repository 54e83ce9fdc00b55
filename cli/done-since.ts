import { counted } from '#shared/text/counted.ts'
import { euros } from '#shared/money.ts'
import type { RestoredFromBackup } from '#server/backups/acts.ts'
import type { Print } from './common/print.ts'
import { harmless } from './common/terminal.ts'

/**
 * Says what was done since a backup, which its state would do again: money that left isn't back, and what
 * buyers were told stays told.
 * @param how `stillListed`, the addresses that left the newsletter and couldn't be taken off its list;
 *   `shortCards`, gift cards that aren't as their holders know them, null if that goes for all of them
 */
export function printDoneSince(
  {
    orders,
    sold,
    bookings,
    messages,
    leavers,
    giftCards,
    payments,
    refunds,
    mails,
  }: NonNullable<RestoredFromBackup['since']>,
  {
    stillListed,
    shortCards,
    print,
  }: Pick<RestoredFromBackup, 'stillListed' | 'shortCards'> & { print: Print },
): void {
  const paidAtBank = refunds.bank.filter(({ isNoted }) => isNoted).length
  const done = [
    [orders, 'order'],
    [bookings, 'booking'],
    [messages, 'message'],
    [leavers.length, 'reader', ' who left the newsletter'],
    [giftCards.sold, 'gift card'],
    [giftCards.used, 'use', ' of a gift card'],
    [payments.bank, 'payment', ' by transfer'],
    [payments.card, 'payment', ' by card'],
    [paidAtBank, 'refund', ' at the bank'],
    [refunds.bank.length - paidAtBank, 'refund', ' in a file for the bank'],
    [refunds.card, 'refund', ' through Stripe'],
    [mails.reminders, 'payment reminder'],
    [mails.sent - mails.reminders, 'other email'],
  ] as const
  const named = done.flatMap(([count, one, how = '']) =>
    count > 0 ? [counted(count, one) + how] : [],
  )
  if (named.length === 0) return
  print.line(`Done since the backup, and unknown to it: ${named.join(', ')}.`)
  for (const { payout, order, amount, isNoted, isDueAgain } of refunds.bank) {
    print.line(
      [
        `${isNoted ? 'Paid at the bank' : 'In a file for the bank'}: ${euros(amount)} for order ${order}, payout ${payout}.`,
        isDueAgain
          ? `It’s due again in the backup: ${isNoted ? '' : 'if the bank has paid it, '}run orders payouts-done ${payout} and don’t pay it again.`
          : 'The backup doesn’t have it: don’t refund it again.',
      ].join(' '),
    )
  }
  for (const { handle, variant, pieces } of sold) {
    print.line(
      `Sold: ${pieces} × ${harmless(handle)} ${harmless(variant)}. The backup has ${pieces === 1 ? 'it' : 'them'} for sale again: set what is left with products stock.`,
    )
  }
  if (payments.bank > 0) {
    print.line(
      'Before you start the server, record the transfers again with orders match or orders paid; otherwise their buyers are reminded of what they’ve paid.',
    )
  }
  for (const email of leavers) {
    print.line(
      stillListed.includes(email)
        ? `Left the newsletter: ${harmless(email)}. The backup may have it on the list again: run newsletter remove ${harmless(email)} before the next issue.`
        : `Left the newsletter: ${harmless(email)}, which stays off the list.`,
    )
  }
  if (giftCards.sold + giftCards.used > 0) {
    print.line(
      shortCards === null
        ? 'Gift cards are as they were in the backup: those sold since then are missing, and what was spent is on them again.'
        : 'Gift cards sold since then work, and what was spent stays off them.',
    )
  }
  for (const card of shortCards ?? []) {
    print.line(
      `${card} has what it had in the backup, but more was spent since then: look at gift-cards show ${card}.`,
    )
  }
  if (payments.card + refunds.card > 0) {
    print.line('Once the server runs, send Stripe’s events since then again from its dashboard.')
  }
  if (mails.seconds > 0) {
    print.line(`Second payment reminders sent since then go out once more: ${mails.seconds}.`)
  }
}
