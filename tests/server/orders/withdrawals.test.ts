import { assert, asyncProperty, array, integer } from 'fast-check'
import { expect, test } from 'vitest'
import type { OrderView } from '#shared/shop/orders.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { credit } from '../../support/credits.ts'
import { caughtUp, settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { postForm } from '../../support/page-form.ts'
import { startSite } from '../../support/site.ts'
import { buyer, cases, mailTo, stock, withdraw } from '../../support/withdrawals.ts'

const day = 86_400_000
const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const cards = ['paddock-postcards', 'box-of-twelve'] as const
const files = ['winter-wallpapers', 'personal'] as const
const acrylic = ['pit-lane-in-the-rain-acrylic', '60x90-acrylic'] as const

test('one of three lines is withdrawn from: goods awaited, back, credited and paid back', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order } = await orderByInvoice(site, [
    [...print, 2],
    [...cards, 1],
    [...files, 1],
  ])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  const before = stock(site, print)
  const asked = await withdraw(site, order)
  expect(asked.json.lines.map(({ line, quantity, why }) => [line, quantity, why])).toEqual([
    [1, 2, null],
    [2, 1, null],
    [3, 1, null],
  ])
  const lines = [{ line: 1, quantity: 1 }]
  const done = await withdraw(site, order, { lines, confirm: true })
  expect(done.json).toMatchObject({ step: 'done', lines: [{ line: 1, quantity: 1 }] })
  const [statement] = await cases(site)
  expect(statement).toMatchObject({ stage: 'goods awaited', payBy: '2026-12-04', order })
  const id = String(statement!.withdrawal)
  const run = (...args: string[]) => runOn(site, 'orders', 'withdrawals', ...args)
  await expect(run('settle', id)).rejects.toThrow('aren’t back yet')
  expect(await run('back', id)).toContain('goods back')
  const said = await run('settle', id, '--restock')
  const unit = actions.ofNumber(order)!.lines[0]!.unit
  expect(said).toContain('to be paid')
  expect(actions.payouts()).toMatchObject([{ amount: unit, method: 'bank' }])
  expect(stock(site, print)).toBe(before! + 1)
  expect(actions.ofNumber(order)!.state).toBe('shipped')
  expect(actions.balanceOf(actions.ofNumber(order)!)).toMatchObject({ open: 0, credited: unit })
  await expect(run('settle', id)).rejects.toThrow('settled already')
  await runOn(site, 'orders', 'payouts-done', String(actions.payouts()[0]!.id))
  expect(await cases(site)).toMatchObject([{ stage: 'paid back' }])
  expect(await cases(site, '--open')).toEqual([])
  await settled(site)
  const [acknowledged] = mailTo(site, 'We have received your withdrawal')
  expect(acknowledged!.replyTo).toContain('staff@localhost')
  expect(acknowledged!.text).toContain('1 × Blue Hour')
  expect(acknowledged!.text).toContain('Satamaradankatu 4')
  expect(acknowledged!.text).not.toContain('postcards')
  const credited = mailTo(site, 'Credit note')[0]!.text.replaceAll(/\s+/g, ' ')
  expect(credited).toContain('Your refund is on its way')
  // Within 14 days of the statement, not of the credit note.
  expect(credited).toContain('by bank transfer by 4 December 2026, to the account')
  // The rest of it, with the standard delivery once no goods are kept.
  const rest = await withdraw(site, order)
  expect(rest.json.lines.map(({ quantity }) => quantity)).toEqual([1, 1, 1])
  await withdraw(site, order, { confirm: true })
  const second = String((await cases(site, '--open'))[0]!.withdrawal)
  expect(await run('proof', second)).toContain('goods awaited')
  await run('settle', second)
  const whole = actions.ofNumber(order)!
  expect([whole.state, actions.balanceOf(whole)]).toMatchObject([
    'refunded',
    { credited: whole.total, open: 0, paid: 0 },
  ])
})

test('what has not been sent is not shipped, skips the wait, and goes back on the shelf', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [
    [...print, 1],
    [...cards, 2],
  ])
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { lines: [{ line: 2, quantity: 2 }], confirm: true })
  const [statement] = await cases(site)
  expect(statement).toMatchObject({ stage: 'received' })
  const pack = JSON.parse(await runOn(site, 'orders', 'pack', '--json')) as { warning: string }[]
  expect(pack).toMatchObject([{ warning: 'withdrawn: 2' }])
  await expect(runOn(site, 'orders', 'ship', order)).rejects.toThrow('withdrawn from 2 pieces')
  const shipped = await runOn(site, 'orders', 'ship', order, '--line', '1')
  expect(shipped).toContain('The buyer has withdrawn from this order')
  const before = stock(site, cards)
  await runOn(site, 'orders', 'withdrawals', 'settle', String(statement!.withdrawal))
  expect(stock(site, cards)).toBe(before! + 2)
  const { actions } = site.context.features.orders
  expect(actions.toPack()).toEqual([])
  expect(actions.ofNumber(order)!.state).toBe('shipped')
})

test('lines without a right of withdrawal are named with the reason, and are not credited', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const { order } = await orderByInvoice(
    site,
    [
      [...acrylic, 1],
      [...files, 1],
      [...cards, 1],
    ],
    { digitalWaiver: true },
  )
  await runOn(site, 'orders', 'paid', order)
  const done = await withdraw(site, order, { confirm: true })
  expect(done.json.exempt.map(({ why }) => why)).toEqual([
    'It is made to your order.',
    'You asked for immediate access to the files and gave up the right of withdrawal for them.',
  ])
  const id = String((await cases(site))[0]!.withdrawal)
  await runOn(site, 'orders', 'withdrawals', 'settle', id)
  const after = actions.ofNumber(order)!
  expect(actions.balanceOf(after).credited).toBe(after.lines[2]!.total)
  await settled(site)
  const [mail] = mailTo(site, 'We have received your withdrawal')
  expect(mail!.text).toMatch(
    /No right of withdrawal\s+Pit Lane in the Rain[\s\S]*made\s+to\s+your\s+order/,
  )
  expect(mail!.text).toMatch(/gave\s+up\s+the\s+right\s+of\s+withdrawal/)
})

test('a statement that names nothing with a right of withdrawal promises no refund, and stops no reminder', async () => {
  await using site = await startSite()
  const { order, token } = await orderByInvoice(site, [
    [...acrylic, 1],
    [...cards, 1],
  ])
  const view = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  await settled(site)
  const words = (text: string) => text.replaceAll(/\s+/g, ' ')
  const [mail] = mailTo(site, 'We have received your withdrawal')
  expect(words(mail!.text)).toContain('It’s not refunded, and there’s nothing to send back.')
  expect(mail!.text).not.toContain('We pay back')
  expect((await view()).withdrawnAt).toBeNull()
  const [statement] = await cases(site, '--open')
  expect(statement).toMatchObject({ stage: 'received', payBy: null })
  // The invoice is owed as before.
  site.clock.advance(9 * day)
  await site.context.jobs.runDue()
  await settled(site)
  expect(mailTo(site, 'Reminder: invoice')).toHaveLength(1)
  site.clock.advance(3 * day)
  await site.context.jobs.runDue()
  await settled(site)
  const [due] = mailTo(site, 'Withdrawal from order')
  expect(due!.subject).toBe(`Withdrawal from order ${order}: it’s still to be answered`)
  expect(due!.text).toContain(`withdrawals close ${statement!.withdrawal}`)
  const run = (...args: string[]) => runOn(site, 'orders', 'withdrawals', ...args)
  await run('close', String(statement!.withdrawal), '--reason', 'made to order')
  // With something that has the right, it counts for that.
  const other = await orderByInvoice(site, [
    [...acrylic, 1],
    [...cards, 1],
  ])
  await runOn(site, 'orders', 'paid', other.order)
  await withdraw(site, other.order, { confirm: true })
  expect(await cases(site, '--open')).toMatchObject([{ payBy: '2026-12-16' }])
})

test('who withdraws before paying is told not to pay the invoice as it stands, and of no refund', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order, token } = await orderByInvoice(site, [
    [...print, 1],
    [...cards, 1],
  ])
  const page = async () => {
    const { text } = await site.get(`/shop/checkout/success?order=${token}`)
    return text.slice(text.indexOf('<main'), text.indexOf('</main>'))
  }
  expect(await page()).toContain('Virtual barcode')
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  await settled(site)
  const [mail] = mailTo(site, 'We have received your withdrawal')
  const words = mail!.text.replaceAll(/\s+/g, ' ')
  expect(words).toContain('Please don’t pay the open invoice as it stands.')
  expect(words).not.toContain('We pay back')
  // So says its page.
  expect(await page()).toContain('Please don’t pay the invoice as it stands')
  expect(await page()).not.toMatch(/Virtual barcode|Pay by bank transfer|refund/)
  // The promised credit note says what is left, and by when: as long as for a new order.
  site.clock.advance(20 * 3_600_000)
  await runOn(site, 'orders', 'withdrawals', 'settle', String((await cases(site))[0]!.withdrawal))
  await settled(site)
  const [credited] = mailTo(site, 'Credit note')
  expect(credited!.text.replaceAll(/\s+/g, ' ')).toMatch(
    /€[\d.]+ is left to pay by 30 November 2026\./,
  )
  expect(await page()).toContain('30 November 2026')
  expect(await page()).toMatch(/Virtual barcode[^]*Pay by bank transfer/)
  // Once it's paid, the money is what it's about.
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { confirm: true })
  await settled(site)
  const later = mailTo(site, 'We have received your withdrawal').at(-1)!.text
  expect(later).toContain('We pay back')
  expect(later).not.toContain('as it stands')
})

test('staff are reminded before the 14 days end and after, once each, until the money has gone', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [[...print, 1]])
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { confirm: true })
  const reminders = async () => {
    await site.context.jobs.runDue()
    await settled(site)
    return mailTo(site, 'Withdrawal from order').map(({ subject }) => subject)
  }
  site.clock.advance(9 * day)
  expect(await reminders()).toEqual([])
  site.clock.advance(3 * day)
  const soon = `Withdrawal from order ${order}: pay back by 4 December 2026`
  expect(await reminders()).toEqual([soon])
  const id = String((await cases(site))[0]!.withdrawal)
  // Settled is not paid: the transfer is still to be made.
  await runOn(site, 'orders', 'withdrawals', 'settle', id)
  site.clock.advance(3 * day)
  expect(await reminders()).toEqual([soon, soon])
  await runOn(site, 'orders', 'payouts-done', '1')
  site.clock.advance(10 * day)
  expect(await reminders()).toHaveLength(2)
})

test('bad choices are refused beside their lines, and a stranger learns nothing of an order', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [[...print, 2]])
  for (const lines of [
    [{ line: 1, quantity: 3 }],
    [{ line: 2, quantity: 1 }],
    [{ line: 1, quantity: 0 }],
  ]) {
    const refused = await withdraw(site, order, { lines, confirm: true })
    expect([refused.status, refused.json.errors]).toEqual([400, { lines: expect.any(String) }])
  }
  for (const lines of ['all', [{ line: 0, quantity: 1 }], [{ line: 1, quantity: 1.5 }]]) {
    const { status, json } = await withdraw(site, order, { lines, confirm: true })
    const errors = json.errors as Record<string, string>
    expect([status, Object.values(errors)]).toEqual([400, [expect.stringMatching(/^Please/)]])
  }
  const stranger = await withdraw(site, order, { email: 'other@example.com' })
  expect([stranger.json.lines, stranger.json.exempt]).toEqual([[], []])
  expect(await cases(site)).toEqual([])
  await withdraw(site, order, { email: 'other@example.com', confirm: true })
  const [unknown] = await cases(site)
  const id = String(unknown!.withdrawal)
  await expect(runOn(site, 'orders', 'withdrawals', 'settle', id)).rejects.toThrow(
    'doesn’t name one',
  )
  const closed = await runOn(site, 'orders', 'withdrawals', 'close', id, '--reason', 'not theirs')
  expect(closed).toContain('closed')
  await expect(runOn(site, 'orders', 'withdrawals', 'show', '99')).rejects.toThrow(
    'Withdrawal not found: 99',
  )
})

test('two settle the same withdrawal at once: one credit note, one payout', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { confirm: true })
  const { withdrawals, payouts } = site.context.features.orders.actions
  const { id } = withdrawals.cases()[0]!.withdrawal
  const settle = () => withdrawals.settle(id, { actor: 'mika', restock: false, isEarly: false })
  const outcomes = await Promise.allSettled([settle(), settle(), settle()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(payouts()).toHaveLength(1)
})

test('a form sent twice is one statement; the same pieces later, or all that is left, are another one', async () => {
  await using site = await startSite()
  const { actions } = site.context.features.orders
  const lines = [
    [...print, 3],
    [...cards, 3],
  ] as const
  const { order } = await orderByInvoice(site, lines, { email: buyer.email })
  await actions.paid(order, { actor: 'mika' })
  const one = [
    { line: 1, quantity: 1 },
    { line: 2, quantity: 1 },
  ]
  const stated = () => actions.withdrawals.cases().length
  await withdraw(site, order, { lines: one, confirm: true })
  await withdraw(site, order, { lines: one, confirm: true })
  expect(stated()).toBe(1)
  site.clock.advance(day / 24)
  await withdraw(site, order, { lines: one, confirm: true })
  expect(stated()).toBe(2)
  // As many as the one before, and nothing was chosen: it is about the rest.
  await withdraw(site, order, { confirm: true })
  expect(stated()).toBe(3)
  const again = await withdraw(site, order, { confirm: true })
  expect(stated()).toBe(3)
  // Days later, too, there's nothing to add; the latest statement is the one that is acknowledged.
  site.clock.advance(3 * day)
  const later = await withdraw(site, order, { confirm: true })
  expect(later.json).toEqual(again.json)
  expect(stated()).toBe(3)
})

test('an order’s page offers to withdraw only while anything is left, and says what was withdrawn from', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order, token } = await orderByInvoice(
    site,
    [
      [...print, 2],
      [...cards, 1],
    ],
    { company: 'Rally Oy' },
  )
  const page = async () => {
    const { text } = await site.get(`/shop/checkout/success?order=${token}`)
    return text
      .slice(text.indexOf('<main'), text.indexOf('</main>'))
      .replaceAll(/<!-- -->/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  }
  await runOn(site, 'orders', 'paid', order)
  expect(await page()).toContain('By Rally Oy, Aino Virtanen')
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  expect(await page()).toMatch(
    /We’ve received your withdrawal 1 × Blue Hour.* cotton paper Received on .*Changed your mind\?/,
  )
  await withdraw(site, order, { confirm: true })
  expect(await page()).toMatch(/withdrawal 2 × Blue Hour.* 1 × Paddock Post[^×]* Received on/)
  expect(await page()).not.toContain('Changed your mind?')
  const form = await postForm(site, '/shop/withdraw', { order, ...buyer })
  expect(form.text).toContain('There’s nothing left to withdraw from')
  expect(form.text).not.toContain('Confirm withdrawal')
})

test('an order’s page says that money goes back, by which way, and that it went', async () => {
  await using site = await startSite()
  const { order, token } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  const seen = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!.refunds
  expect(await seen()).toEqual([])
  await runOn(site, 'orders', 'credit', order, '--amount', '20', '--reason', 'scratched')
  expect(await seen()).toEqual([{ name: 'Refund by bank transfer, to follow', amount: 2000 }])
  await runOn(site, 'orders', 'payouts-done', '1')
  expect(await seen()).toEqual([{ name: 'Refunded by bank transfer', amount: 2000 }])
})

test('whatever is withdrawn in whatever parts, it ends at zero and every piece is on the shelf', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const { actions } = site.context.features.orders
  const wanted = [print, cards] as const
  let round = 0
  await assert(
    asyncProperty(
      array(integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 2 }),
      array(integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 2 }),
      async (sent, first) => {
        const email = `buyer-${(round += 1)}@example.com`
        const shelf = wanted.map((each) => stock(site, each))
        const { order } = await orderByInvoice(
          site,
          wanted.map((each) => [...each, 2] as const),
          { email },
        )
        await actions.paid(order, { actor: 'mika' })
        const parcel = sent.flatMap((quantity, line) => (quantity > 0 ? [{ line, quantity }] : []))
        if (parcel.length > 0) await actions.ship(order, { lines: parcel, actor: 'mika' })
        const chosen = first.map((quantity, at) => ({ line: at + 1, quantity }))
        for (const lines of first.some(Boolean) ? [chosen, undefined] : [undefined]) {
          await withdraw(site, order, { email, lines, confirm: true })
          for (const { withdrawal, order: of } of actions.withdrawals.cases()) {
            if (of?.number !== order || withdrawal.state === 'settled') continue
            await actions.withdrawals.settle(withdrawal.id, {
              actor: 'mika',
              restock: true,
              isEarly: true,
            })
          }
        }
        const after = actions.ofNumber(order)!
        expect(actions.balanceOf(after)).toEqual({
          credited: after.total,
          paid: 0,
          open: 0,
          charges: 0,
        })
        expect(
          actions
            .payouts({ all: true })
            .filter((each) => each.order === after.id)
            .reduce((sum, { amount }) => sum + amount, 0),
        ).toBe(after.total)
        expect(wanted.map((each) => stock(site, each))).toEqual(shelf)
        expect(actions.progressOf(after).map(({ rest }) => rest)).toEqual([0, 0])
      },
    ),
    // One address states at most 30 withdrawals in ten minutes.
    { numRuns: 14 },
  )
})

test('who asked for an early start hears that work done is paid for, and staff are told before they refund it', async () => {
  await using site = await startSite()
  const coaching = ['half-day-photo-coaching', 'one-person', 1] as const
  const { order } = await orderByInvoice(site, [coaching], { beginEarly: true })
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { confirm: true })
  await settled(site)
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ')
  const [told] = mailTo(site, 'We have received your withdrawal')
  expect(plain(told!.text)).toContain('you pay for the work done by now')
  const forStaff = 'credit the rest by amount and close the withdrawal instead'
  expect(plain(mailTo(site, 'Withdrawal: order')[0]!.text)).toContain(forStaff)
  const [{ withdrawal } = { withdrawal: 0 }] = await cases(site)
  const shown = await runOn(site, 'orders', 'withdrawals', 'show', String(withdrawal))
  expect(shown).toContain(forStaff)

  // Beside goods each line is credited by itself: an amount alone would be spread over all of them.
  const mixed = await orderByInvoice(site, [[...print, 1], coaching], { beginEarly: true })
  await runOn(site, 'orders', 'paid', mixed.order)
  await withdraw(site, mixed.order, { confirm: true })
  const { actions } = site.context.features.orders
  const [second] = actions.withdrawals.ofOrder(actions.ofNumber(mixed.order)!)
  expect(second!.work).toContain(
    `pitlane orders credit ${mixed.order} --line 1x1 --line 2=<euros> --reason "Withdrawal", where <euros> is what isn’t owed of the service, with --line 3 for the delivery if no goods are kept.`,
  )
  const by = ['--line', '1x1', '--line', '2=50', '--line', '3', '--reason', 'Withdrawal']
  await runOn(site, 'orders', 'credit', mixed.order, ...by)
  const { lines: bought, shipping } = actions.ofNumber(mixed.order)!
  expect(actions.balanceOf(actions.ofNumber(mixed.order)!)).toMatchObject({
    credited: bought[0]!.total + 5_000 + shipping,
    open: 0,
  })

  // Without the request nothing has begun, so there's nothing to pay for.
  const later = await orderByInvoice(site, [coaching])
  await runOn(site, 'orders', 'paid', later.order)
  await withdraw(site, later.order, { confirm: true })
  await settled(site)
  for (const mail of mailTo(site, later.order)) expect(plain(mail.text)).not.toMatch(/work done/)
})

test('an order whose buyer was asked not to pay yet does not end unpaid; the credit note gives the rest new time', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [
    [...print, 1],
    [...cards, 1],
  ])
  const state = () => site.context.features.orders.actions.ofNumber(order)!.state
  const lines = [{ line: 1, quantity: 1 }]
  await withdraw(site, order, { lines, confirm: true })
  await caughtUp(site)
  expect(mailTo(site, 'We have received your withdrawal')[0]!.text).toContain('don’t pay')
  // Its last day was 1 December; staff, who have nothing to pay back, are asked for the credit note.
  site.clock.advance(13 * day)
  await caughtUp(site)
  expect(state()).toBe('open')
  const [due] = mailTo(site, `Withdrawal from order ${order}`)
  expect(due!.subject).toContain('its invoice is still to be credited')
  expect(due!.text).not.toMatch(/refund is due by|pay back by/)
  const [waiting] = mailTo(site, 'Waiting for you: Withdrawals').slice(-1)
  expect(waiting!.text).toContain('nothing paid: settle it to credit the invoice')

  const [{ withdrawal } = { withdrawal: 0 }] = await cases(site)
  const settledAs = await runOn(site, 'orders', 'withdrawals', 'settle', String(withdrawal))
  expect(settledAs).toContain(`from ${order}: settled`)
  await caughtUp(site)
  const [credited] = mailTo(site, 'Credit note')
  const told = credited!.text.replaceAll(/\s+/g, ' ')
  expect(told).toContain(
    'is left to pay by 10 December 2026. If it stays unpaid, the order ends on 14 December 2026.',
  )
  site.clock.advance(10 * day)
  await caughtUp(site)
  expect(state()).toBe('open')
  site.clock.advance(2 * day)
  await caughtUp(site)
  expect(state()).toBe('expired')
})

test('a piece that staff credited after its withdrawal goes back on the shelf once', async () => {
  await using site = await startSite()
  const settle = async (order: string, ...more: string[]) => {
    const { actions } = site.context.features.orders
    const [first] = actions.withdrawals.ofOrder(actions.ofNumber(order)!)
    const id = String(first!.withdrawal.id)
    await runOn(site, 'orders', 'withdrawals', 'settle', id, ...more)
  }
  for (const isSent of [false, true]) {
    const before = stock(site, print)!
    const { order } = await orderByInvoice(site, [[...print, 3]])
    await runOn(site, 'orders', 'paid', order)
    if (isSent) await runOn(site, 'orders', 'ship', order, '--line', '1x1')
    await withdraw(site, order, { confirm: true })
    await credit(site, order, '--line', '1x1', '--restock')
    expect(stock(site, print)).toBe(before - 2)
    await settle(order, ...(isSent ? ['--early'] : []))
    // What had been sent isn't back yet.
    expect(stock(site, print)).toBe(isSent ? before - 1 : before)
  }
})
