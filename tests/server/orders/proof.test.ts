import { expect, test } from 'vitest'
import type { CheckoutReply } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { answered, settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { csrfHeaders } from '../../support/send.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const

/** An order of one print by a new visitor. @param proof the answered sum */
async function order(site: Site, proof?: string) {
  const visitor = shopper(site)
  const put = await visitor.put(...print, 1)
  const cookie = [put.headers['set-cookie']].flat()[0]!.split(';', 1)[0]!
  const body = checkoutOf({ expectedTotal: (put.json as Cart).total })
  const reply = await site.post('/api/shop/checkout', body, {
    headers: {
      Cookie: `${csrfHeaders.Cookie}; ${cookie}`,
      ...(proof && { 'X-Form-Proof': proof }),
    },
  })
  expect(reply.status).toBe(201)
  return reply.json as CheckoutReply
}

test('an order spam check skipped is taken, and its mail asks staff to look at it', async () => {
  await using site = await startSite()
  const proof = answered(site.context)
  const proven = await order(site, proof)
  const plain = await order(site)
  const again = await order(site, proof)
  await settled(site)
  const doubted = (number: string) =>
    mailFiles(site.dataDir)
      .find(({ subject }) => subject.startsWith(`New order ${number}`))!
      .text.includes('Spam check skipped')
  expect([proven, plain, again].map(({ order: number }) => doubted(number))).toEqual([
    false,
    true,
    true,
  ])
})

test('orders without a proof use up another quota than those with one', async () => {
  await using site = await startSite({ sending: false })
  const post = (headers: Record<string, string> = {}) =>
    site.post('/api/shop/checkout', checkoutOf({ expectedTotal: 0 }), { headers })
  const statuses = await Promise.all(Array.from({ length: 301 }, async () => (await post()).status))
  expect(statuses.filter((status) => status === 409)).toHaveLength(300)
  const refused = await post()
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect((await post({ 'X-Form-Proof': answered(site.context) })).status).toBe(409)
})

test('withdrawals from an order are always acknowledged, others until a mailbox has had enough', async () => {
  await using site = await startSite()
  const email = 'aino@example.com'
  const state = (number: string, proof?: string) =>
    site.post(
      '/api/shop/withdraw',
      { order: number, name: 'Buy now at evil.example', email, confirm: true },
      { headers: proof ? { 'X-Form-Proof': proof } : {} },
    )
  for (let n = 0; n < 5; n += 1) {
    expect((await state(`A-UNKNOWN${n}`)).json).toMatchObject({ step: 'done' })
  }
  const acknowledged = () =>
    site.context.mails.list().filter(({ kind }) => kind === 'orderWithdrawal').length
  expect(acknowledged()).toBe(3)
  await state('A-UNKNOWN7', answered(site.context))
  await state('look at evil.example', answered(site.context))
  await state('A-UNKNOWN8', answered(site.context))
  // An answered sum costs a script nothing.
  expect(acknowledged()).toBe(3)
  const mine = await order(site)
  await state(mine.order)
  expect(acknowledged()).toBe(4)
  expect(site.context.features.orders.withdrawals.list()).toHaveLength(9)
  await settled(site)
  const mails = mailFiles(site.dataDir).filter(({ subject }) =>
    subject.startsWith('We have received your withdrawal'),
  )
  expect(mails).toHaveLength(4)
  // The name goes to the buyer of the order alone, and no one can put a link into an email of ours.
  expect(mails.filter(({ text }) => text.includes('evil.example'))).toEqual([])
  expect(
    mails.filter(({ text }) => text.includes('Buy now')).map(({ subject }) => subject),
  ).toEqual([`We have received your withdrawal: ${mine.order}`])
})
