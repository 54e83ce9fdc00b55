import { expect, test } from 'vitest'
import type { OrderView } from '#shared/shop/orders.ts'
import { builtRenderer } from '#server/renderer.ts'
import { dist } from '#server/dist.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'
import { cases, mailTo, withdraw } from '../../support/withdrawals.ts'

const day = 86_400_000
const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const files = ['winter-wallpapers', 'personal'] as const

/** Why the first file of an order waits, for who opens its page by the code in an email. */
async function waitsAfterCode(site: Site, token: string): Promise<string | null> {
  const path = `/api/shop/orders/${token}`
  await site.post(`${path}/code`, {})
  await settled(site)
  const [code] = mailTo(site, 'opens your order').at(-1)!.subject.split(' ')
  const { headers } = await site.post(`${path}/code`, { code })
  const [cookie] = String(headers['set-cookie']).split(';')
  const { json } = await site.get(path, { headers: { Cookie: cookie! } })
  return (json as OrderView).details!.downloads[0]!.waits
}

test('files that wait can be asked for at once on the order’s page; that ends the right', async () => {
  await using site = await startSite()
  const { order, token } = await orderByInvoice(site, [[...files, 1]])
  const seen = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  const ask = (body: object = { digitalWaiver: true }) =>
    site.post(`/api/shop/orders/${token}/at-once`, body)
  expect((await seen()).mayAskAtOnce).toBe(false)
  expect((await ask()).status).toBe(409)
  await runOn(site, 'orders', 'paid', order)
  expect((await seen()).mayAskAtOnce).toBe(true)
  const hrefs = async () => (await seen()).downloads.map(({ href }) => href === null)
  expect(new Set(await hrefs())).toEqual(new Set([true]))
  expect((await ask({})).status).toBe(400)
  expect((await ask()).status).toBe(200)
  expect((await seen()).mayAskAtOnce).toBe(false)
  expect(new Set(await hrefs())).toEqual(new Set([false]))
  expect((await ask()).status).toBe(409)
  expect((await withdraw(site, order)).json.exempt).toHaveLength(1)
  await settled(site)
  expect(mailTo(site, 'are open')[0]!.text).toContain('you lose your right of withdrawal')
})

test('an order with nothing to withdraw from promises no right, by email and on its page', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const told = async (...lines: Parameters<typeof orderByInvoice>[1]) => {
    const { order, token } = await orderByInvoice(site, lines, { digitalWaiver: true })
    await settled(site)
    const page = (await site.get(`/shop/checkout/success?order=${token}`)).text
    const own = page.slice(page.indexOf('<main'), page.indexOf('</main>'))
    return { mail: mailTo(site, `Your order ${order}`)[0]!.text, page: own }
  }
  const none = await told([...files, 1])
  expect(none.mail).toContain('Right of withdrawal. There is none for what you ordered:')
  expect(none.mail).toContain('You asked for immediate access to the files')
  expect(none.mail).not.toMatch(/You can withdraw|withdrawal form|14 days/)
  expect(none.page).not.toMatch(/withdraw|14 days/i)
  // With a print beside the files, the right is there, and the email says for what it isn't.
  const some = await told([...files, 1], [...print, 1])
  expect(some.mail).toMatch(/You can withdraw[^]*Without a right of withdrawal:\s+Winter/)
  expect(some.page).toContain('Withdraw from contract here')
})

test('a company with its VAT id has no right of withdrawal, and its files once they are paid', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const company = { company: 'Rally Oy', vatId: '1572860-0' }
  const { order, token } = await orderByInvoice(
    site,
    [
      [...files, 1],
      [...print, 1],
    ],
    company,
  )
  const seen = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  expect(await seen()).toMatchObject({ canWithdraw: false, mayAskAtOnce: false })
  expect((await seen()).downloads[0]!.waits).toBe('It opens once your payment has arrived.')
  expect((await seen()).delivery[0]!.words).toBe('Download as soon as it’s paid.')
  const page = (await site.get(`/shop/checkout/success?order=${token}`)).text
  const own = page.slice(page.indexOf('<main'), page.indexOf('</main>'))
  expect(own).not.toMatch(/withdraw/i)
  await settled(site)
  const [mail] = mailTo(site, `Your order ${order}`)
  expect(mail!.text).toContain('the consumer’s right of withdrawal doesn’t apply')
  expect(mail!.text).not.toMatch(/withdraw from|withdrawal form|right of withdrawal has ended/i)
  expect(mail!.text).toContain('once your payment has arrived')
  await runOn(site, 'orders', 'paid', order)
  const [{ href } = { href: null }] = (await seen()).downloads
  expect((await site.get(href!)).status).toBe(200)
  await settled(site)
  expect(mailTo(site, 'ayment').at(-1)!.text).toContain('Your downloads are ready')
  // A statement is kept and answered, with the reason.
  const { json } = await withdraw(site, order)
  expect(json.exempt.map(({ why }) => why)).toEqual([
    'It was bought by a company; the right is for consumers.',
    'It was bought by a company; the right is for consumers.',
  ])

  // The name alone isn't a proof of a company, so the right stays.
  const named = await orderByInvoice(site, [[...files, 1]], { company: 'Rally Oy' })
  const { json: view } = await site.get(`/api/shop/orders/${named.token}`)
  expect((view as OrderView).details).toMatchObject({ canWithdraw: true })
})

test('files that were withdrawn from or credited never open, and their licence goes with them', async () => {
  await using site = await startSite()
  const kept = ['paddock-surfaces', 'four-plates'] as const
  const { order, token } = await orderByInvoice(site, [
    [...files, 1],
    [...kept, 1],
  ])
  await runOn(site, 'orders', 'paid', order)
  const seen = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  const ofLine = async (at: number) => {
    const { downloads } = await seen()
    const names = site.context.features.orders.actions.ofNumber(order)!.lines[at]!.files
    return downloads.filter(({ name }) => names.includes(name))
  }
  expect((await seen()).licences).toHaveLength(2)
  const lines = [{ line: 1, quantity: 1 }]
  await withdraw(site, order, { lines, confirm: true })
  expect(await ofLine(0)).toEqual([])
  expect((await seen()).licences.map(({ number }) => number)).toEqual([`${order}-L2`])

  const [statement] = await cases(site)
  await runOn(site, 'orders', 'withdrawals', 'settle', String(statement!.withdrawal))
  // What was paid back can't be asked for at once; what is left can.
  await site.post(`/api/shop/orders/${token}/at-once`, { digitalWaiver: true })
  expect(await ofLine(0)).toEqual([])
  const [{ href } = { href: null }] = await ofLine(1)
  expect((await site.get(href!)).status).toBe(200)

  // A link of before the credit note opens nothing after it; a reduced price takes no file.
  await runOn(site, 'orders', 'credit', order, '--reason', 'late', '--line', '2=5')
  expect((await site.get(href!)).status).toBe(200)
  await runOn(site, 'orders', 'credit', order, '--reason', 'wrong file', '--line', '2')
  expect((await site.get(href!)).status).toBe(404)
  expect((await site.get(`/shop/orders/${token}/licence.pdf`)).status).toBe(404)
  expect((await seen()).mayAskAtOnce).toBe(false)
})

test('files open, and work begins, on the day after the last day for withdrawing, as everything says', async () => {
  await using site = await startSite()
  const portrait = ['driver-portrait-session', 'one-driver'] as const
  const { order, token } = await orderByInvoice(site, [
    [...files, 1],
    [...portrait, 1],
  ])
  const details = async () =>
    ((await site.get(`/api/shop/orders/${token}`)).json as OrderView).details!
  const waits = async () => (await details()).downloads[0]!.waits
  expect(await waits()).toContain(
    'once your payment has arrived, on 5 December 2026 at the earliest',
  )
  await settled(site)
  const [confirmed] = mailTo(site, `Your order ${order}`)
  const text = confirmed!.text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('once your payment has arrived, on 5 December 2026 at the earliest')
  expect(text).toContain('We begin on 5 December 2026 at the earliest')
  expect((await details()).delivery[0]!.words).toContain('14 days for withdrawal')
  await runOn(site, 'orders', 'paid', order)
  expect(await waits()).toContain('It opens on 5 December 2026')
  // Placed on 20 November: the fourteenth day after it is 4 December.
  site.clock.advance(14 * day)
  expect(await waitsAfterCode(site, token)).toContain('It opens on 5 December 2026')
  expect((await withdraw(site, order)).json.lines[0]).toMatchObject({ quantity: 1, why: null })
  site.clock.advance(day)
  expect(await waitsAfterCode(site, token)).toBeNull()
})

test('a last day on a weekend or a holiday is followed by the next working day, and files wait for it', async () => {
  await using site = await startSite()
  // A Saturday: its fourteenth day is Saturday 5 December, and Independence Day is the Sunday after it.
  site.clock.advance(day)
  const { order, token } = await orderByInvoice(site, [[...files, 1]])
  await settled(site)
  const [confirmed] = mailTo(site, `Your order ${order}`)
  const text = confirmed!.text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('on 8 December 2026 at the earliest')
  expect(text).toContain('a public holiday, you have until the next working day')
  await runOn(site, 'orders', 'paid', order)
  // Monday 7 December: the right still runs.
  site.clock.advance(16 * day)
  expect(await waitsAfterCode(site, token)).toContain('It opens on 8 December 2026')
  site.clock.advance(day)
  expect(await waitsAfterCode(site, token)).toBeNull()
})
