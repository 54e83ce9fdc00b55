import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { statement } from '../../support/bank-statement.ts'
import { actForm, doAct, offers } from '../../support/desk-forms.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { postForm } from '../../support/page-form.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { signIn } from '../../support/staff.ts'

const looks = ['northern-light-colour-looks', 'single', 1] as const
const day = 86_400_000

type Shown = {
  state: string
  paid: number
  open: number
  paidAt: string | null
  reservedUntil: string | null
  payments: { number: number; source: string; date: string; amount: number }[]
  history: { act: string; note: string | null }[]
}
const shown = async (site: Site, number: string) =>
  JSON.parse(await runOn(site, 'orders', 'show', number, '--json')) as Shown
const correct = (site: Site, ...args: string[]) =>
  runOn(site, 'orders', 'correct-payment', ...args, '--reason', 'typed the wrong number')
const referenceOf = async (site: Site, number: string) => {
  const [row] = JSON.parse(await runOn(site, 'orders', 'list', '--json', '--search', number)) as {
    reference: string
  }[]
  return row!.reference
}
async function outcomes(site: Site, ...rows: Parameters<typeof statement>): Promise<string[]> {
  const file = join(site.dataDir, 'statement')
  writeFileSync(file, statement(...rows))
  const matches = JSON.parse(await runOn(site, 'orders', 'match', file, '--json'))
  return (matches as { outcome: string }[]).map(({ outcome }) => outcome)
}
const books = async (site: Site) =>
  JSON.parse(await runOn(site, 'orders', 'books', '--month', '2026-11', '--format', 'json')) as {
    kind: string
    order: string
    account: string
    gross: string | number
    date: string
  }[]

test('a payment on the wrong order moves to the right one, once, with its day, its emails and its row of the statement', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const wrong = (await orderByInvoice(site, [looks])).order
  const right = (await orderByInvoice(site, [looks], { email: 'mikko@example.com' })).order
  site.clock.advance(2 * day)
  await runOn(site, 'orders', 'paid', wrong, '--on', '2026-11-21')
  await settled(site)
  site.clock.advance(day)
  expect(await correct(site, wrong, '--to', right)).toBe(
    `€39.00 moved to ${right}.\n${wrong}: open, €39.00 outstanding\n${right}: paid\n`,
  )
  expect(await shown(site, wrong)).toMatchObject({ state: 'open', paid: 0, paidAt: null })
  expect(await shown(site, right)).toMatchObject({ state: 'paid', paid: 3900, open: 0 })
  const history = (await shown(site, wrong)).history.map(({ act, note }) => `${act}: ${note}`)
  expect(history).toContain(
    `payment moved: €39.00 of 21 November 2026, to ${right}: typed the wrong number`,
  )
  await settled(site)
  const subjects = (address: string) =>
    mailFiles(site.dataDir)
      .filter(({ to }) => to.includes(address))
      .map(({ subject }) => subject)
  expect(subjects('aino@example.com').slice(1)).toEqual([
    `Your payment for order ${wrong} has arrived`,
    'Correction: invoice 1001 isn’t paid yet',
  ])
  expect(subjects('mikko@example.com').at(-1)).toBe(`Your payment for order ${right} has arrived`)

  // Its month keeps its sums, and the bank its day.
  const money = (await books(site)).filter(({ kind }) => kind === 'payment')
  expect(money.map(({ order, gross, date }) => [order, gross, date])).toEqual([
    [wrong, '39.00', '2026-11-21'],
    [wrong, '-39.00', '2026-11-21'],
    [right, '39.00', '2026-11-21'],
  ])

  // The statement tells of the same money, whichever of the two invoices its payer named.
  const [a, b] = [await referenceOf(site, wrong), await referenceOf(site, right)]
  expect(await outcomes(site, ['39,00', b, 'A1'])).toEqual(['known'])
  expect(await outcomes(site, ['39,00', b, 'A1'])).toEqual(['known'])
  expect(await outcomes(site, ['39,00', a, 'A2'])).toEqual(['paid'])
  await settled(site)
  // Paid in earnest, it's told again.
  expect(subjects('aino@example.com').at(-1)).toBe(`Your payment for order ${wrong} has arrived`)

  // A wrong move is one more payment to move.
  await correct(site, right, '--to', wrong)
  expect(await shown(site, right)).toMatchObject({ state: 'open', paid: 0 })
  expect(await shown(site, wrong)).toMatchObject({ state: 'paid', paid: 7800, open: -3900 })
  expect(await outcomes(site, ['39,00', b, 'A1'], ['39,00', a, 'A2'])).toEqual(['known', 'known'])
})

test('a transfer with the reference of another invoice moves from it, and the same statement changes nothing', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const old = (await orderByInvoice(site, [looks])).order
  const fresh = (await orderByInvoice(site, [looks])).order
  const [a, b] = [await referenceOf(site, old), await referenceOf(site, fresh)]
  expect(await outcomes(site, ['39,00', a, 'A1'], ['39,00', a, 'A2'])).toEqual(['paid', 'double'])
  await expect(correct(site, old, '--to', fresh)).rejects.toThrow(/several payments/)
  const [, second] = (await shown(site, old)).payments
  await correct(site, old, '--to', fresh, '--payment', String(second!.number))
  expect(await shown(site, old)).toMatchObject({ state: 'paid', open: 0 })
  expect(await shown(site, fresh)).toMatchObject({ state: 'paid', open: 0 })
  expect(await outcomes(site, ['39,00', a, 'A1'], ['39,00', a, 'A2'])).toEqual(['known', 'known'])
  // It stands for that row alone: another transfer is one more payment.
  expect(await outcomes(site, ['39,00', b, 'A3'])).toEqual(['double'])
})

test('a payment that never came is taken back: the order can be paid, ends unpaid, and its buyer has days to pay in', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { order } = await orderByInvoice(site, [looks], { digitalWaiver: true })
  await runOn(site, 'orders', 'paid', order, '--note', 'seen in the app')
  site.clock.advance(12 * day)
  const { payments } = await shown(site, order)
  expect(await correct(site, order)).toBe(
    `€39.00 taken back.\n${order}: open, €39.00 outstanding\n`,
  )
  await expect(correct(site, order)).rejects.toThrow(/no transfer to correct/)
  await expect(correct(site, order, '--payment', String(payments[0]!.number))).rejects.toThrow(
    /no transfer to correct/,
  )
  // The days to pay in begin again, since its buyer took it for paid.
  const { reservedUntil, state } = await shown(site, order)
  expect(state).toBe('open')
  expect(Date.parse(reservedUntil!)).toBeGreaterThan(site.clock() + 9 * day)
  // Seen once more without a reference, it counts as the first one did, and is taken back as well.
  for (const _ of [1, 2]) {
    await runOn(site, 'orders', 'paid', order)
    expect(await shown(site, order)).toMatchObject({ state: 'paid', open: 0 })
    await correct(site, order)
  }
  // What never came isn't a row of the statement; what comes now is.
  expect(await outcomes(site, ['39,00', await referenceOf(site, order), 'A1'])).toEqual(['paid'])
})

test('what has gone back, or came by no transfer, is not moved; the desk shows payments and corrects them', async () => {
  const renderer = await builtRenderer(dist)
  await using site = await startSite({ renderer, sending: false, env: { SHARES: 'off' } })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const wrong = (await orderByInvoice(site, [looks])).order
  const right = (await orderByInvoice(site, [looks])).order
  await runOn(site, 'orders', 'paid', wrong)
  await runOn(site, 'orders', 'paid', wrong, '--amount', '39.00', '--note', 'twice')
  await runOn(site, 'orders', 'pay-back', wrong)
  const [first, second] = (await shown(site, wrong)).payments
  await correct(site, wrong, '--to', right, '--payment', String(second!.number))
  await expect(correct(site, wrong, '--payment', String(first!.number))).rejects.toThrow(
    /€39\.00 has been refunded, or is on the list of payouts/,
  )
  await runOn(site, 'orders', 'cancel', wrong)
  await expect(correct(site, right, '--to', wrong)).rejects.toThrow(
    /is cancelled, so it has no invoice/,
  )

  const third = (await orderByInvoice(site, [looks])).order
  const path = `/desk/orders/${right}`
  const refused = await doAct(site, path, 'correct-payment', {
    cookie,
    fields: { to: 'A-XXXXXXX', reason: 'theirs' },
  })
  expect(refused.text).toContain('There’s no such order')
  await doAct(site, path, 'correct-payment', {
    cookie,
    fields: { to: third.toLowerCase(), reason: 'theirs' },
  })
  const page = await site.get(path, { headers: cookie })
  expect(page.text).toContain(`moved to ${third}`)
  expect(await shown(site, third)).toMatchObject({ state: 'paid', paid: 3900 })
})

test('the link of a staff email, the right to one order, moves no money to another', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const [mine, other] = [await orderByInvoice(site, [looks]), await orderByInvoice(site, [looks])]
  await runOn(site, 'orders', 'paid', mine.order)
  await settled(site)
  const told = mailFiles(site.dataDir).find(
    ({ subject, text }) => subject.includes(mine.order) && /\/desk\/[\w-]{44,}/.test(text),
  )!
  const way = await site.get(/\/desk\/[\w-]{44,}/.exec(told.text)![0])
  const path = way.headers.location as string
  const page = (await site.get(path)).text
  expect([offers(page, 'credit'), offers(page, 'correct-payment')]).toEqual([true, false])

  const atDesk = await site.get(`/desk/orders/${mine.order}`, { headers })
  const form = { ...actForm(atDesk.text, 'correct-payment'), to: other.order, reason: 'mine' }
  expect((await postForm(site, path, { ...form, by: 'Mika' })).status).toBe(409)
  expect(await shown(site, other.order)).toMatchObject({ state: 'open', paid: 0 })
})

test('a transfer that paid two invoices in one sum is split, and pays both with its day and its row of the statement', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const named = (await orderByInvoice(site, [looks])).order
  const other = (await orderByInvoice(site, [looks], { email: 'mikko@example.com' })).order
  site.clock.advance(2 * day)
  const both = ['78,00', await referenceOf(site, named), 'A1'] as const
  expect(await outcomes(site, both)).toEqual(['over'])
  await settled(site)
  const split = (...args: string[]) => correct(site, named, ...args)
  await expect(split('--amount', '39.00')).rejects.toThrow('Name the order')
  await expect(split('--amount', '78.01', '--to', other)).rejects.toThrow('to €78.00')
  expect(await split('--amount', '39.00', '--to', other)).toBe(
    `€39.00 moved to ${other}.\n${named}: paid\n${other}: paid\n`,
  )
  expect(await shown(site, named)).toMatchObject({ state: 'paid', paid: 3900, open: 0 })
  expect(await shown(site, other)).toMatchObject({ state: 'paid', paid: 3900, open: 0 })
  await settled(site)
  // The buyer of the first one has nothing to hear.
  const subjects = mailFiles(site.dataDir).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.startsWith('Correction'))).toEqual([])
  expect(subjects).toContain(`Your payment for order ${other} has arrived`)
  const moneyOf = (await books(site)).filter(({ kind }) => kind.includes('payment'))
  expect(moneyOf.every(({ date }) => date === '2026-11-21')).toBe(true)
  const booked = (order: string) =>
    moneyOf.reduce((all, row) => all + (row.order === order ? Number(row.gross) : 0), 0)
  expect([booked(named), booked(other)]).toEqual([39, 39])
  // The statement says nothing new, and another payment of the part is another one.
  const again = ['39,00', await referenceOf(site, other), 'A2'] as const
  expect(await outcomes(site, both, again)).toEqual(['known', 'double'])
})
