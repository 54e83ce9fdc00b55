import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startStripe, stripeFee } from '../../support/stripe-double.ts'
import { hook, ordered } from '../../support/stripe-orders.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte', 2] as const

async function list(site: Site, ...told: string[]): Promise<Record<string, string>> {
  const text = await runOn(site, 'orders', 'stock-list', ...told)
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true })
  return rows.find(({ handle, variant }) => handle === print[0] && variant === print[1])!
}

test('the stock list of a fiscal year is kept at its end, with what is ordered and not sent', async () => {
  await using site = await startSite({ sending: false })
  const before = await list(site)
  expect(before.pieces).toBe(before.shelf)
  const { order } = await orderByInvoice(site, [print])
  const ordered_ = await list(site)
  expect(ordered_).toMatchObject({ ordered: '2', pieces: before.pieces, cost: '', value: '' })
  expect(Number(ordered_.shelf)).toBe(Number(before.shelf) - 2)
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  expect(await list(site)).toMatchObject({ ordered: '0', pieces: ordered_.shelf })
  await expect(list(site, '--on', '2026-12-31')).rejects.toThrow('No stock list for 2026-12-31')

  site.clock.advance(Date.UTC(2027, 0, 1, 2) - site.clock())
  await site.context.jobs.runDue()
  const kept = await list(site, '--on', '2026-12-31')
  expect(kept).toMatchObject({ day: '2026-12-31', pieces: ordered_.shelf })
  // What changes afterwards changes nothing of it.
  await runOn(site, 'products', 'stock', print[0], print[1], '1')
  expect(await list(site, '--on', '2026-12-31')).toEqual(kept)
  expect(await list(site)).toMatchObject({ pieces: '1' })
  site.clock.advance(86_400_000)
  await site.context.jobs.runDue()
  expect(await list(site, '--on', '2026-12-31')).toEqual(kept)
})

test('the stock list counts no piece that has left in a part delivery, and none twice that was credited and put back', async () => {
  await using site = await startSite({ sending: false })
  const before = await list(site)
  const { order } = await orderByInvoice(site, [[print[0], print[1], 4]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order, '--line', '1x1')
  const left = String(Number(before.pieces) - 1)
  expect(await list(site)).toMatchObject({ ordered: '3', pieces: left })
  const credited = ['--line', '1x1', '--reason', 'changed their mind', '--restock']
  await runOn(site, 'orders', 'credit', order, ...credited)
  expect(await list(site)).toMatchObject({ ordered: '2', pieces: left })
})

test('what Stripe keeps of a payment is in the books, also when it is down at first', async () => {
  await using stripe = await startStripe()
  await using site = await startSite({ env: stripe.env, sending: false })
  const { placed, session } = await ordered(site, stripe)
  await hook(site, stripe.event(stripe.pay(session)))
  const rows = async () =>
    JSON.parse(await runOn(site, 'orders', 'books', '--month', '2026-11', '--format', 'json')) as {
      kind: string
      gross: string
      account: string
      contra: string
    }[]
  stripe.down = true
  site.clock.advance(2 * 60_000)
  await site.context.jobs.runDue()
  expect((await rows()).map(({ kind }) => kind)).toEqual(['invoice', 'payment'])
  stripe.down = false
  stripe.feesBooked = false
  site.clock.advance(10 * 60_000)
  await site.context.jobs.runDue()
  expect((await rows()).map(({ kind }) => kind)).toEqual(['invoice', 'payment'])
  // Stripe books it with the payment, or some hours later.
  stripe.feesBooked = true
  site.clock.advance(60 * 60_000)
  await site.context.jobs.runDue()
  const fee = (stripeFee(placed.total) / 100).toFixed(2)
  expect((await rows()).at(-1)).toMatchObject({
    kind: 'payment fee',
    gross: fee,
    account: '8560',
    contra: '1920',
  })
  expect((await rows()).find(({ kind }) => kind === 'payment')).toMatchObject({ account: '1920' })
})
