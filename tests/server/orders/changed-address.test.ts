import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import type { OrderView } from '#shared/shop/orders.ts'
import { builtRenderer } from '#server/renderer.ts'
import { dist } from '#server/dist.ts'
import { signIn } from '../../support/staff.ts'
import { actFields as formOf, postForm } from '../../support/page-form.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
const files = ['winter-wallpapers', 'personal'] as const

const move = (site: Site, order: string, ...args: string[]) =>
  runOn(site, 'orders', 'address', order, ...args)

/** What the packing slip of an order says. */
async function slipOf(site: Site, number: string): Promise<string> {
  const { actions, pdfs } = site.context.features.orders
  const bytes = await pdfs.packing([actions.slip(number)], '2026-11-20')
  const document = await getDocumentProxy(new Uint8Array(bytes))
  return (await extractText(document, { mergePages: true })).text
}

test('what hasn’t left goes to the address that the buyer asked for; invoice and VAT stay', async () => {
  await using site = await startSite()
  const { order, token } = await orderByInvoice(site, [[...print, 2]])
  await runOn(site, 'orders', 'paid', order)
  const { actions } = site.context.features.orders
  const invoice = actions.invoiceOf(actions.ofNumber(order)!)!.document
  const said = await move(site, order, '--street', 'Hämeenkatu 5', '--postcode', '33100')
  expect(said).toBe(`${order} goes to Hämeenkatu 5, 33100 Helsinki, Finland\n`)
  await move(site, order, '--city', 'Tampere', '--street2', 'B 7', '--by', 'mika')

  expect(await slipOf(site, order)).toContain('33100 Tampere')
  expect(await slipOf(site, order)).not.toContain('Mannerheimintie')
  const { details } = (await site.get(`/api/shop/orders/${token}`)).json as OrderView
  expect(details!.address).toEqual(['Hämeenkatu 5', 'B 7', '33100 Tampere', 'Finland'])
  expect(actions.invoiceOf(actions.ofNumber(order)!)!.document).toEqual(invoice)
  await settled(site)
  const mails = mailFiles(site.dataDir).filter(({ subject }) => subject.includes('has changed'))
  // The second one came while the first waited, or after it: both say where the order goes by then.
  expect(mails.at(-1)!.to).toContain('aino@example.com')
  expect(mails.at(-1)!.text).toContain('Hämeenkatu 5, B 7, 33100 Tampere, Finland')
  expect(mails.at(-1)!.text).toContain('we’ll send your order to the address below')
  const { history } = JSON.parse(await runOn(site, 'orders', 'show', order, '--json')) as {
    history: { actor: string; act: string }[]
  }
  expect(history.at(-1)).toMatchObject({ actor: 'mika', act: 'address changed' })

  // A part that has left stays where it went; once everything has, there is nothing to change.
  await runOn(site, 'orders', 'ship', order, '--line', '1x1')
  await move(site, order, '--street2', '')
  await settled(site)
  const partly = mailFiles(site.dataDir).filter(({ text }) => text.includes('what’s left of your'))
  expect(partly).toHaveLength(1)
  await runOn(site, 'orders', 'ship', order)
  await expect(move(site, order, '--city', 'Turku')).rejects.toThrow('has been sent in full')
})

test('an address sent as it stood, or with another phone number alone, tells the buyer of no change', async () => {
  await using site = await startSite()
  const { order } = await orderByInvoice(site, [[...print, 1]])
  await expect(move(site, order, '--street', 'Mannerheimintie 1 A 2')).rejects.toThrow(
    'already has this address',
  )
  await move(site, order, '--phone', '+358 40 123 4567', '--by', 'mika')
  await settled(site)
  const mails = mailFiles(site.dataDir).filter(({ subject }) => subject.includes('has changed'))
  expect(mails).toEqual([])
  const { history } = JSON.parse(await runOn(site, 'orders', 'show', order, '--json')) as {
    history: { actor: string; act: string }[]
  }
  expect(history.slice(1)).toMatchObject([{ actor: 'mika', act: 'phone changed' }])
})

test('an address that is taxed in another way, or isn’t one, is refused', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [[...print, 1]])
  const address = () => {
    const { actions } = site.context.features.orders
    return actions.addressOf(actions.ofNumber(order)!)
  }
  const before = address()
  // Åland is in Finland, and outside of its VAT area.
  await expect(move(site, order, '--postcode', '22100')).rejects.toThrow('VAT is different there')
  await expect(move(site, order, '--street', '')).rejects.toThrow('enter the street address')
  // The slip would print it after the town.
  await expect(move(site, order, '--state', 'CA')).rejects.toThrow('have no state')
  await expect(move(site, order, '--phone', 'call me')).rejects.toThrow('enter a phone number')
  await expect(move(site, order)).rejects.toThrow('Nothing to change')
  expect(address()).toEqual(before)
  const fetched = await orderByInvoice(site, [[...print, 1]], {
    delivery: 'pickup',
    expectedTotal: 8900,
  })
  await expect(move(site, fetched.order, '--city', 'Turku')).rejects.toThrow('is for pickup')
  const loaded = await orderByInvoice(site, [[...files, 1]])
  await expect(move(site, loaded.order, '--city', 'Turku')).rejects.toThrow('nothing to ship')
  await runOn(site, 'orders', 'cancel', order)
  await expect(move(site, order, '--city', 'Turku')).rejects.toThrow('is cancelled')
})

test('staff change the address at the desk, where the form has the present one', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order } = await orderByInvoice(site, [[...print, 1]])
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const path = `/desk/orders/${order}`
  const form = formOf((await site.get(path, { headers: cookie })).text, 'address')
  expect(form).toMatchObject({ street: 'Mannerheimintie 1 A 2', postcode: '00100' })
  const wrong = await postForm(site, path, { ...form, postcode: '22100' }, cookie)
  expect([wrong.status, wrong.text.includes('VAT is different there')]).toEqual([400, true])
  const moved = await postForm(site, path, { ...form, street: 'Aurakatu 1', city: 'Turku' }, cookie)
  expect(moved.status).toBe(303)
  const page = (await site.get(path, { headers: cookie })).text
  expect(page).toContain('Aurakatu 1, 00100 Turku')
  expect(page).toContain('Noora: address changed')
})
