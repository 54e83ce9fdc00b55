import { expect, test } from 'vitest'
import { addDays } from '#shared/dates/civil-dates.ts'
import { payableUntil } from '#shared/dates/due-dates.ts'
import { cases, serviceLine } from './booking-cases.ts'
import { openHouse, storyOf } from './booking-story.ts'
import { partOf } from './told-money.ts'

test.each(cases)(
  'by the %s, for %s: from the request to the last payment',
  async (unit, _, kind, buyer) => {
    const byDates = unit !== 'project'
    await using house = await openHouse()
    const story = storyOf(house, kind, buyer)
    const { truth } = story

    truth.lines = [serviceLine(kind)]
    await story.request()
    await story.reads('customer: Your ', 'staff: ')

    // Staff offer the work with travel, less a discount.
    truth.state = 'offered'
    truth.lines = [
      serviceLine(kind),
      { text: 'Travel', net: 24_000 },
      { text: 'Discount', net: -9_999 },
    ]
    await story.cli('offer', '--travel', '240.00', '--discount', '99.99', '--text', 'As discussed.')
    await story.reads('customer: Our offer', 'staff: Booking offered')

    truth.state = 'confirmed'
    const { offer } = await story.view()
    expect(await story.visitor('accept', { offer: offer!.id })).toBe(200)
    await story.reads('customer: Confirmed', 'staff: Offer accepted')

    // The deposit waits for whom to invoice.
    const deposit = partOf(story.total(), 30).gross
    truth.papers = [['deposit', 'open', deposit]]
    expect(await story.visitor('billing', buyer.address)).toBe(200)
    await story.reads('customer: Invoice ')
    truth.papers = [['deposit', 'paid', deposit]]
    await story.pays('deposit')
    await story.reads('customer: Your payment')

    if (byDates) {
      // Other dates, a day longer, in addition to those that were agreed on.
      const asked = story.later(7, 1)
      truth.asked = asked
      truth.askedLines = [serviceLine(kind, 1), ...truth.lines.slice(1)]
      expect(await story.visitor('move', asked)).toBe(200)
      await story.reads('customer: Date change', 'staff: Date change')
      truth.before = [truth.dates]
      truth.dates = asked
      truth.asked = null
      truth.askedLines = []
      truth.lines[0] = serviceLine(kind, 1)
      await story.cli('confirm')
      await story.undoTimeOver()
      await story.reads('customer: Confirmed', 'staff: New dates confirmed')
      truth.before = []
    } else {
      expect(await story.visitor('move', story.later(7))).toBe(409)
    }

    // Reminders come a week and a day before, of the dates as they are now.
    await story.goTo(addDays(truth.dates.from, -8))
    await story.reads()
    for (const days of [7, 1]) {
      await story.goTo(addDays(truth.dates.from, -days))
      await (byDates ? story.reads('customer: Soon') : story.reads())
    }
    await story.goTo(addDays(truth.dates.to, 1))
    await story.reads()

    // What is left is invoiced once the work is done, and reminded of once until it's paid.
    const rest = story.total().gross - deposit
    truth.papers = [...truth.papers, ['rest', 'open', rest]]
    await story.cli('invoice', '--send')
    await story.reads('customer: Invoice ')
    await story.goTo(addDays(payableUntil(addDays(truth.dates.to, 15)), 2))
    await story.reads('customer: Reminder: invoice')
    truth.papers = [truth.papers[0]!, ['rest', 'paid', rest]]
    await story.pays('rest')
    await story.reads('customer: Your payment')
    await expect(story.cli('invoice')).rejects.toThrow('already fully invoiced')
    for (const days of [30, 200]) {
      await story.goTo(addDays(truth.dates.to, days))
      await story.reads()
    }
  },
  // A story waits for the disk a few hundred times, which a crowded machine draws out.
  180_000,
)
