import { expect, test } from 'vitest'
import { settled } from '../../support/enquiry.ts'
import {
  balance,
  enter,
  newCard,
  orderCart,
  problem,
  shownCard,
  withCard,
} from '../../support/gift-cards.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'

const poster = ['five-red-lights-poster', '50x70'] as const
const dayMs = 86_400_000

test('the books have a card from its sale to its end, without VAT of its own', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const { card, code } = await newCard(site, '100')
  const { visitor, cart } = await withCard(site, code, [[...poster, 1]])
  const { placed } = await orderCart(visitor)
  const { books } = site.context.features.orders
  const month = new Date(site.clock()).toISOString().slice(0, 7)
  const rows = () => [...books.ledger(books.daysOf(month))]
  const vat = books.vatReturn(month)
  expect(rows().filter((row) => row.account === '2850' || row.contra === '2850')).toMatchObject([
    {
      kind: 'payment',
      order: placed.order,
      account: '2850',
      contra: '1700',
      gross: cart.total,
      box: null,
    },
    {
      kind: 'gift card sold',
      document: card,
      order: null,
      account: '1910',
      contra: '2850',
      gross: 10_000,
      vat: 0,
      box: null,
    },
  ])
  // The VAT is that of what was bought, as without a card.
  const sold = rows().filter(({ kind }) => kind === 'invoice')
  expect(sold.reduce((all, row) => all + row.gross, 0)).toBe(cart.total)
  expect(vat.boxes.find(({ box }) => box === 301)!.amount).toBe(cart.vat[0]!.vat)
  const told = await runOn(site, 'gift-cards', 'end', card, '--paid-back')
  expect(told).toContain(`Pay €${((10_000 - cart.total) / 100).toFixed(2)} back`)
  // What is owed to holders is what is on the cards.
  const owed = () =>
    rows().reduce(
      (all, row) =>
        all + (row.contra === '2850' ? row.gross : 0) - (row.account === '2850' ? row.gross : 0),
      0,
    )
  expect(owed()).toBe(0)
  await runOn(site, 'orders', 'refund', placed.order)
  expect(owed()).toBe(cart.total)
  expect(await balance(site, card)).toBe(cart.total)
  await runOn(site, 'gift-cards', 'end', card, '--paid-back')
  expect(owed()).toBe(0)
  await expect(runOn(site, 'gift-cards', 'end', card, '--paid-back')).rejects.toThrow('ended')
})

test('what expires, ends or gets another code says so, and whom it was for is forgotten', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { card, code } = await newCard(site, '30', '--name', 'Valtteri', '--email', 'v@example.com')
  const visitor = shopper(site)
  await visitor.put(...poster, 1)
  const replaced = JSON.parse(await runOn(site, 'gift-cards', 'replace', card, '--json')) as {
    code: string
  }
  expect(problem(await enter(visitor, code))).toContain('We don’t know this code')
  // Its number, which others may read, is no code.
  expect(problem(await enter(visitor, card))).toContain('We don’t know this code')
  expect((await enter(visitor, replaced.code)).status).toBe(200)
  const report = await runOn(site, 'privacy', 'export', 'v@example.com')
  expect(report).toContain(card)
  expect(report).not.toContain(replaced.code)

  // An order that runs over the end of its card gives the money back in time to spend it.
  const { placed } = await orderCart(visitor)
  site.clock.advance(3 * 366 * dayMs)
  await runOn(site, 'orders', 'cancel', placed.order)
  await visitor.put(...poster, 1)
  expect((await enter(visitor, replaced.code)).status).toBe(200)
  site.clock.advance(31 * dayMs)
  await visitor.put(...poster, 1)
  expect(problem(await enter(visitor, replaced.code))).toBe('This gift card has expired.')
  expect(await shownCard(site, card)).toMatchObject({ state: 'expired', name: 'Valtteri' })
  site.clock.advance(91 * dayMs)
  await site.context.jobs.runDue()
  expect(await shownCard(site, card)).toMatchObject({ name: null, email: null, balance: 3000 })
  site.clock.advance(9 * 366 * dayMs)
  await site.context.jobs.runDue()
  await expect(shownCard(site, card)).rejects.toThrow('not found')

  const erased = await newCard(site, '30', '--name', 'Mika', '--email', 'mika@example.com')
  await runOn(site, 'privacy', 'erase', 'MIKA@example.com', '--yes')
  expect(await shownCard(site, erased.card)).toMatchObject({ name: null, email: null })
  await runOn(site, 'gift-cards', 'end', erased.card)
  await visitor.put(...poster, 1)
  expect(problem(await enter(visitor, erased.code))).toBe('This gift card isn’t valid any more.')
})

test('money that goes back onto a card that has ended is paid out, and its buyer is told how', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { card, code } = await newCard(site, '30')
  const visitor = shopper(site)
  await visitor.put(...poster, 1)
  await enter(visitor, code)
  const { placed } = await orderCart(visitor)
  await runOn(site, 'orders', 'paid', placed.order)
  await runOn(site, 'gift-cards', 'end', card)
  await runOn(site, 'orders', 'refund', placed.order)
  await settled(site)
  const told = mailFiles(site.dataDir).find(({ subject }) => subject.endsWith('is refunded'))!
  expect(told.text).toContain('€30.00 is back on the gift card')
  expect(told.text).toContain('That card has ended, so please reply')
  const paidOut = JSON.parse(await runOn(site, 'gift-cards', 'end', card, '--paid-back', '--json'))
  expect(paidOut).toMatchObject({ balance: 0 })
})

test('who gets another code for a card that has paid is told what is left of it, subject and text alike', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const { card, code } = await newCard(site, '100', '--email', 'kimi@example.com')
  const { visitor, cart } = await withCard(site, code, [[...poster, 1]])
  await orderCart(visitor)
  site.clock.advance(60_000)
  await runOn(site, 'gift-cards', 'replace', card)
  await settled(site)
  const gifts = mailFiles(site.dataDir).filter(({ to }) => to.includes('kimi@example.com'))
  const left = `€${((10_000 - cart.total) / 100).toFixed(2)}`
  expect(gifts.at(-1)!.subject).toBe(`Your gift card: ${left} for the shop`)
  expect(gifts.at(-1)!.text).toContain(`${left} to spend in our shop`)
})
