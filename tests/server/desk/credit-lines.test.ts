import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { shownOrder } from '../../support/credits.ts'
import { actForm, doAct, offers } from '../../support/desk-forms.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { stock } from '../../support/stripe-orders.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte', 3] as const
const files = ['winter-wallpapers', 'personal', 1] as const

test('staff credit pieces, a line and a reduction at the desk, each with its own note', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const { order, total } = await orderByInvoice(site, [print, files], { digitalWaiver: true })
  await runOn(site, 'orders', 'paid', order)
  const path = `/desk/orders/${order}`
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const credit = (fields: Record<string, string>) =>
    doAct(site, path, 'credit-lines', { cookie, fields: { reason: 'scratched', ...fields } })
  const words = async () =>
    (await site.get(path, { headers: cookie })).text.replaceAll(/<!-- -->|<[^>]*>/g, ' ')
  const before = stock(site)!

  // A form that says nothing, or two things of one line, credits nothing.
  for (const [fields, message] of [
    [{}, 'Please fill in what is credited'],
    [{ 'returned-0': '4' }, 'Please enter up to 3 pieces for line 1'],
    [{ 'returned-0': '1', 'reduced-0': '5.00' }, 'Please enter one or the other for line 1'],
    [{ 'reduced-0': '-5' }, 'Please enter an amount such as 120.00'],
    [{ 'reduced-1': '900.00' }, 'more than is left of line 2'],
    [{ 'returned-0': '1', reason: ' ' }, 'Please say why'],
  ] as const) {
    const { status, text } = await credit(fields)
    expect([message, status]).toEqual([message, message.startsWith('more') ? 409 : 400])
    expect(text).toContain(message)
  }
  expect(await shownOrder(site, order)).toMatchObject({ credited: 0, paid: total })

  const back = await credit({ 'returned-0': '1', 'reduced-1': '2.00', restock: 'on' })
  expect([back.status, back.headers.location]).toEqual([303, `${path}#result`])
  expect(stock(site)).toBe(before + 1)
  expect(await shownOrder(site, order)).toMatchObject({ state: 'paid', credited: 9100, open: 0 })
  expect(await words()).toMatch(/2 left, €178\.00\./)

  // What is left of the file goes whole, and the line is no longer offered.
  expect((await credit({ 'all-1': 'on' })).status).toBe(303)
  const page = (await site.get(path, { headers: cookie })).text
  expect(Object.keys(actForm(page, 'credit-lines'))).not.toContain('reduced-1')
  expect(page).toContain('Noora: credited')

  const shown = await shownOrder(site, order)
  const rest = shown.total - shown.credited
  await runOn(site, 'orders', 'credit', order, '--amount', (rest / 100).toFixed(2), '--reason', 'x')
  expect(offers((await site.get(path, { headers: cookie })).text, 'credit-lines')).toBe(false)
  await settled(site)
  const notes = mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith('Credit note'))
  expect(notes).toHaveLength(3)
  expect(notes[0]!.text).toContain('scratched')
})
