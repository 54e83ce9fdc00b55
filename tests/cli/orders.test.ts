import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runOn } from '../support/in-process-cli.ts'
import { list, order, postcards, print } from '../support/listed-orders.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite } from '../support/site.ts'

test('orders are listed, shown, shipped and cancelled; unknown ones are an error', async () => {
  await using site = await startSite({ sending: false })
  const [first, second] = [await order(site), await order(site)]
  expect(await list(site)).toMatchObject([
    {
      order: first,
      state: 'open',
      payment: 'invoice',
      total: expect.any(Number),
      reference: '10016',
      invoice: '1001',
      lines: [{ handle: print[0], variant: print[1], quantity: 2 }, { handle: postcards[0] }],
    },
    { order: second, invoice: '1002' },
  ])
  await expect(runOn(site, 'orders', 'ship', first)).rejects.toThrow('isn’t paid yet')
  await expect(runOn(site, 'orders', 'ship', first, '--unpaid')).rejects.toThrow('consumer')
  await runOn(site, 'orders', 'paid', first)
  expect(await runOn(site, 'orders', 'ship', first.toLowerCase())).toBe(
    `${first}: paid → shipped\n`,
  )
  expect(await runOn(site, 'orders', 'cancel', second)).toBe(`${second}: open → cancelled\n`)
  expect((await list(site, '--state', 'cancelled')).map((each) => each.order)).toEqual([second])
  const shown = await runOn(site, 'orders', 'show', second)
  expect(shown).toContain('cancelled')
  expect(shown).toContain('€')
  await expect(runOn(site, 'orders', 'show', 'A-NOTHING')).rejects.toThrow(
    'Order not found: A-NOTHING',
  )
  await expect(runOn(site, 'orders', 'ship', second)).rejects.toThrow('cancelled')
})

test('payments in parts are recorded once each, and the rest is printed', async () => {
  await using site = await startSite({ sending: false })
  const number = await order(site)
  const paid = (...args: string[]) => runOn(site, 'orders', 'paid', number, ...args)
  expect(await paid('--amount', '100.00', '--note', 'cash')).toContain('outstanding')
  await expect(paid('--amount', '100.00', '--note', 'cash')).rejects.toThrow('already recorded')
  // The site's clock is in November 2026.
  await expect(paid('--on', '2027-11-20')).rejects.toThrow('in the future')
  await expect(paid('--on', '2025-11-20')).rejects.toThrow('2025-11-20 is before the order')
  expect(await paid()).toBe(`${number}: paid\n`)
  const unsaid = runOn(site, 'orders', 'credit', number, '--amount', '1', '--reason', ' ')
  await expect(unsaid).rejects.toThrow('Say why.')
  await expect(paid()).rejects.toThrow('already paid')
  expect(await runOn(site, 'orders', 'refund', number)).toContain('Refund €')
})

test('exit codes tell done, failed and wrong use apart', async () => {
  await using site = await startSite({ sending: false })
  const code = async (...args: string[]) => (await runCli(['orders', ...args], site)).code
  expect(await code('list', '--json')).toBe(0)
  expect(await code('show', 'A-NOTHING')).toBe(1)
  expect(await code('match', join(site.dataDir, 'nothing.csv'))).toBe(1)
  expect(await code('paid', 'A-NOTHING', '--amount', '-1')).toBe(2)
  expect(await code('invoice', 'A-NOTHING')).toBe(2)
  expect(await code('list', '--status', 'gone')).toBe(2)
  // The ledger of a month, or of other days: never one of them while the other was asked for, too.
  expect(await code('books', '--month', '2026-11')).toBe(0)
  expect(await code('books', '--month', '2026-11', '--from', '2026-01-01')).toBe(2)
  expect(await code('books', '--month', '2026-11', '--to', '2026-12-31')).toBe(2)
})
