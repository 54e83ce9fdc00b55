import { expect, test } from 'vitest'
import type { DeskThingView } from '#shared/desk/things.ts'
import { settled } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { mailTo, withdraw } from '../support/withdrawals.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte', 3] as const

test('odd pieces, withdrawals and refunds are refused, and nothing of the order changes', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print])
  const { order: other } = await orderByInvoice(site, [print], { email: 'other@example.com' })
  for (const each of [order, other]) await runOn(site, 'orders', 'paid', each)
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const path = `/api/desk/things/orders/${order}`
  const view = async () => (await site.get(path, { headers })).json as DeskThingView
  const act = async (name: string, entries: Record<string, string>) => {
    const { state } = await view()
    return (await site.post(path, { act: name, state, entries }, { headers })).status
  }
  const before = await view()
  const { withdrawals } = site.context.features.orders.actions
  const odd = [
    ['ship', { 'pieces-0': '-1' }],
    ['ship', { 'pieces-0': '1e3' }],
    ['ship', { 'pieces-0': '999999' }],
    ['ship', { 'pieces-9999': '1' }],
    ['ship', { 'pieces-0': '1', 'pieces-00': '1' }],
    ['ship', Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`pieces-${at}`, '1']))],
    ['withdrawal-close', { reason: ' \n ' }],
    ['withdrawal-back', {}],
    ['refund-paid', { payout: '1' }],
    ['refund-account', { payout: '1', iban: 'FI2112345600000785' }],
    ['constructor', {}],
    ['__proto__', {}],
  ] as const
  for (const [name, entries] of odd) {
    expect([name, [400, 409].includes(await act(name, entries))]).toEqual([name, true])
  }
  expect(await view()).toEqual(before)
  expect(withdrawals.cases()).toHaveLength(1)
})

test('a withdrawal sent to be settled many times at once is one credit note, and a link gives no bank account', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [print])
  await runOn(site, 'orders', 'paid', order)
  await withdraw(site, order, { confirm: true })
  await settled(site)
  const link = /\/desk\/([\w-]{44,})/.exec(mailTo(site, 'Withdrawal: order')[0]!.text)![1]!
  const path = `/api/desk/things/orders/${link}`
  const { state } = (await site.get(path)).json as DeskThingView
  const body = { act: 'withdrawal-settle', state, by: 'Mika', entries: {} }
  const sent = await Promise.all(Array.from({ length: 20 }, () => site.post(path, body)))
  expect(sent.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  expect(sent.every(({ status }) => [200, 409, 429].includes(status))).toBe(true)
  const { actions } = site.context.features.orders
  expect(actions.payoutsOf(actions.ofNumber(order)!)).toHaveLength(1)
  const after = (await site.get(path)).json as DeskThingView
  for (const act of ['refund-account', 'refund-paid']) {
    const entries = { iban: 'FI2112345600000785' }
    const tried = await site.post(path, { act, state: after.state, by: 'Mika', entries })
    expect([act, tried.status]).toEqual([act, 409])
  }
  expect(actions.accountOf(actions.payoutsOf(actions.ofNumber(order)!)[0]!)).toBeNull()
})
