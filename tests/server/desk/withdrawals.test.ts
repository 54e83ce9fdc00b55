import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { euros } from '#shared/money.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { actFields, postForm } from '../../support/page-form.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { cases, mailTo, stock, withdraw } from '../../support/withdrawals.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const cards = ['paddock-postcards', 'box-of-twelve'] as const

test('the desk shows a withdrawal where its line leads: at its order, and with its sender', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  const foreign = { name: 'Mika', email: 'mika@example.com', confirm: true }
  await withdraw(site, order, foreign)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const read = async (path: string) => {
    const { text } = await site.get(path, { headers: { Cookie: headers.Cookie! } })
    return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  }
  const [known, unknown] = site.context.features.orders.actions.withdrawals.cases()
  const today = await site.get('/desk', { headers: { Cookie: headers.Cookie! } })
  expect(today.text).toContain(
    `href="/desk/orders/${order}" data-thing="true">${known!.withdrawal.id}`,
  )
  expect(today.text).toContain('href="/desk/people/mika@example.com"')
  expect(today.text).toContain('goods awaited · pay back by 4 December 2026')
  const page = await read(`/desk/orders/${order}`)
  expect(page).toContain('Withdrawals')
  expect(page).toMatch(/1 × Blue Hour[^·]* goods awaited · pay back by 4 December 2026/)
  expect(await read('/desk/people/aino@example.com')).toContain(`${known!.withdrawal.id}: order`)
  expect(await read('/desk/people/mika@example.com')).toContain(`${unknown!.withdrawal.id}: order`)

  // Once it's over nothing is to be paid any more.
  const run = (...args: string[]) => runOn(site, 'orders', 'withdrawals', ...args)
  await run('back', String(known!.withdrawal.id))
  await run('settle', String(known!.withdrawal.id))
  await runOn(site, 'orders', 'payouts-done', '1')
  const after = await read(`/desk/orders/${order}`)
  expect(after).toContain('paid back')
  expect(after).not.toContain('pay back by')
})

test('a withdrawal from what nobody has paid for owes nothing back, and says so everywhere', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order } = await orderByInvoice(site, [[...print, 1]])
  await withdraw(site, order, { confirm: true })
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  for (const path of ['/desk', `/desk/orders/${order}`]) {
    const { text } = await site.get(path, { headers: { Cookie: headers.Cookie! } })
    expect(text).toContain('received · nothing paid: settle it to credit the invoice')
    expect(text).not.toContain('pay back by')
  }
  const listed = await runOn(site, 'orders', 'withdrawals', 'list', '--json')
  expect(JSON.parse(listed)).toMatchObject([{ order, payBy: null }])
  site.clock.advance(12 * 86_400_000)
  await site.context.jobs.runDue()
  await settled(site)
  const [mail] = mailTo(site, 'Withdrawal from order').filter(({ subject }) =>
    subject.includes(order),
  )
  expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
    'Nothing has been paid, so no refund is due. The customer is waiting for the credit note',
  )
})

/** The desk in a browser without scripts: reads the page of an order, and sends the form of an act there. */
async function orderPage(site: Site, order: string) {
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const path = `/desk/orders/${order}`
  const read = async () => (await site.get(path, { headers: cookie })).text
  return {
    read,
    offers: async (act: string) => (await read()).includes(`name="act" value="${act}"`),
    async send(act: string, entries: Record<string, string> = {}) {
      const { status, text } = await postForm(
        site,
        path,
        { ...actFields(await read(), act), ...entries },
        cookie,
      )
      return { status, text: text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') }
    },
  }
}

test('a withdrawal is dealt with at the desk, from the goods on their way back to the refund', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { actions } = site.context.features.orders
  const { order } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  const before = stock(site, print)
  await withdraw(site, order, { lines: [{ line: 1, quantity: 2 }], confirm: true })
  const desk = await orderPage(site, order)
  await settled(site)
  // The email leads there, and its link has the right to this order alone, not to the bank account.
  const byLink = /\/desk\/[\w-]+/.exec(mailTo(site, 'Withdrawal: order')[0]!.text)![0]
  const { headers } = await site.get(byLink)
  expect((await site.get(String(headers.location))).text).toContain('value="withdrawal-settle"')

  const soon = await desk.send('withdrawal-settle')
  expect(soon.status).toBe(409)
  expect(soon.text).toContain('aren’t back yet')
  expect((await desk.send('withdrawal-proof')).status).toBe(303)
  expect(await desk.offers('withdrawal-proof')).toBe(false)
  expect((await desk.send('withdrawal-back')).status).toBe(303)
  expect(await desk.offers('withdrawal-back')).toBe(false)

  const done = await desk.send('withdrawal-settle', { restock: 'on' })
  expect(done.status).toBe(200)
  const note = actions.invoices.ofOrder(actions.ofNumber(order)!.id).at(-1)!
  const paid = actions.payoutsOf(actions.ofNumber(order)!)[0]!
  expect(done.text).toContain(`Credit note ${note.number} over ${euros(paid.amount)}.`)
  expect(done.text).toContain('back to the buyer’s account by 4 December 2026')
  expect(stock(site, print)).toBe(before! + 2)
  for (const act of ['back', 'proof', 'settle', 'close']) {
    expect([act, await desk.offers(`withdrawal-${act}`)]).toEqual([act, false])
  }

  const linked = (await site.get(String(headers.location))).text
  expect(linked).not.toContain('value="refund-account"')
  expect(linked).not.toContain('value="refund-paid"')
  const wrong = await desk.send('refund-account', { iban: 'FI21 1234 5600 0007 86' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('isn’t an IBAN')
  const account = { iban: 'FI21 1234 5600 0007 85', name: 'Aino Virtanen' }
  expect((await desk.send('refund-account', account)).status).toBe(303)
  expect(actions.accountOf(actions.payoutsOf(actions.ofNumber(order)!)[0]!)).toMatchObject({
    name: 'Aino Virtanen',
  })
  expect((await desk.send('refund-paid')).status).toBe(303)
  await settled(site)
  expect(mailTo(site, `We’ve paid back ${euros(paid.amount)}`)).toHaveLength(1)
  expect(await desk.read()).toContain('Noora: refunded')
  expect(await desk.offers('refund-paid')).toBe(false)
  expect(await cases(site, '--open')).toEqual([])
})

test('of several withdrawals the desk asks which one is meant, and closes one only with a reason', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order } = await orderByInvoice(site, [
    [...print, 2],
    [...cards, 1],
  ])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  await withdraw(site, order, { lines: [{ line: 1, quantity: 1 }], confirm: true })
  await withdraw(site, order, { lines: [{ line: 2, quantity: 1 }], confirm: true })
  const [first, second] = (await cases(site)).map(({ withdrawal }) => String(withdrawal))
  const desk = await orderPage(site, order)
  expect((await desk.send('withdrawal-back', { withdrawal: '99' })).status).toBe(400)
  expect((await desk.send('withdrawal-back', { withdrawal: second! })).status).toBe(303)
  const stages = async () => (await cases(site)).map(({ stage }) => stage)
  expect(await stages()).toEqual(['goods awaited', 'goods back'])
  expect((await desk.send('withdrawal-close', { withdrawal: first! })).status).toBe(400)
  const kept = { withdrawal: first!, reason: 'Aino keeps it after all' }
  expect((await desk.send('withdrawal-close', kept)).status).toBe(303)
  expect(await stages()).toEqual(['closed', 'goods back'])
  expect((await desk.send('withdrawal-settle')).status).toBe(200)
  expect(await stages()).toEqual(['closed', 'to be paid'])
})
