import { expect, test } from 'vitest'
import { addDays } from '#shared/dates/civil-dates.ts'
import { payableUntil } from '#shared/dates/due-dates.ts'
import { cases, serviceLine } from './booking-cases.ts'
import { openHouse, storyOf } from './booking-story.ts'
import { amountsIn, partOf } from './told-money.ts'

/**
 * When it is cancelled, by whom, and whether the deposit is paid by then: once in each period, and once
 * by another side than the customer's.
 */
const endings = [
  [
    [40, 'visitor', 'paid'],
    [20, 'visitor', 'open'],
    [10, 'visitor', 'paid'],
    [10, 'organiser', 'paid'],
  ],
  [
    [40, 'visitor', 'open'],
    [20, 'visitor', 'paid'],
    [3, 'customer', 'open'],
    [20, 'us', 'paid'],
  ],
] as const

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

test.each(cases.map((each, at) => [...each, endings[at % 2]!] as const))(
  'by the %s, for %s: cancelled in each period by each side, nothing is asked for that is not due',
  async (_, __, kind, buyer, ways) => {
    await using house = await openHouse()
    for (const [daysBefore, because, deposit] of ways) {
      const story = storyOf(house, kind, buyer)
      const { truth } = story
      const isPaid = deposit === 'paid'
      truth.lines = [serviceLine(kind), { text: 'Travel', net: 24_000 }]
      await story.request()
      await story.cli('offer', '--travel', '240.00')
      expect(await story.visitor('accept')).toBe(200)
      truth.state = 'confirmed'
      const down = partOf(story.total(), 30).gross
      expect(await story.visitor('billing', buyer.address)).toBe(200)
      if (isPaid) await story.pays('deposit')
      truth.papers = [['deposit', deposit, down]]
      await story.goTo(addDays(truth.dates.from, -daysBefore))
      await story.passesOver()

      const { fee, back } = story.dueBy(because === 'visitor' ? 'customer' : because)
      const kept = Math.min(fee.gross, isPaid ? down : 0)
      const left = fee.gross - kept
      await story.cancels(because)
      truth.state = 'cancelled'
      truth.endedOn = story.today()
      truth.moved = [back, kept, left]
      truth.papers = [['deposit', back > 0 ? 'refunded' : 'cancelled', down]]
      if (fee.gross > 0) truth.papers.push(['fee', left === 0 ? 'paid' : 'open', fee.gross])
      const mails = await story.reads(
        'customer: Cancelled',
        'staff: Booking cancelled',
        'customer: Credit note',
        ...(fee.gross > 0 ? ['customer: Invoice'] : []),
      )

      // Each email says what becomes of the money, and all of them the same.
      const [cancelled = '', credit = '', invoice = ''] = ['Cancelled', 'Credit', 'Invoice'].map(
        (subject) => mails.find((mail) => mail.subject.startsWith(subject))?.text,
      )
      const some = (...amounts: number[]) => new Set(amounts.filter((amount) => amount > 0))
      const parts = kept > 0 && left > 0 ? [kept, left] : []
      expect(new Set(amountsIn(cancelled))).toEqual(some(fee.net, fee.gross, back, ...parts))
      expect(new Set(amountsIn(credit))).toEqual(isPaid ? some(kept, back) : new Set())
      if (!isPaid) expect(credit).toContain('Please don’t pay it.')
      if (kept > 0 && left === 0) expect(inOneLine(invoice)).toContain('nothing left to pay')
      if (kept > 0 && left > 0)
        expect(amountsIn(invoice)).toEqual(expect.arrayContaining([kept, left]))
      expect(await story.owedBack()).toBe(back)

      // Whatever time goes by, only what is left of the fee is reminded of, twice.
      await story.goTo(addDays(payableUntil(addDays(story.today(), 14)), 2))
      const reminders = await story.reads(...(left > 0 ? ['customer: Reminder: invoice'] : []))
      for (const { text } of reminders) expect(amountsIn(text)).toContain(left)
      await story.goTo(addDays(truth.dates.to, 120))
      const second = await story.reads(...(left > 0 ? ['customer: Second reminder: invoice'] : []))
      for (const { text } of second) expect(amountsIn(text)).toContain(left)
    }
  },
  // A story waits for the disk a few hundred times, which a crowded machine draws out.
  180_000,
)
