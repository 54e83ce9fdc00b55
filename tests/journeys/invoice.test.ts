import { invoiceHtml } from '#server/orders/documents/invoice-html.ts'
import { orderByInvoice } from '../support/shop.ts'
import { expect, test, violations } from './site.ts'

const lines = [
  ['northern-light-colour-looks', 'single', 1],
  ['blue-hour-fine-art-print', '30x40-matte', 2],
] as const

for (const width of [320, 820]) {
  test(`an invoice as HTML fits ${width} px and has no violation`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 640 })
    await orderByInvoice(site, lines, { company: 'Äijö Racing Oy' })
    const [invoice] = site.context.features.orders.actions.invoices.list()
    await page.setContent(invoiceHtml(invoice!.document))
    await expect(page.getByRole('img', { name: /^Virtual barcode to scan: \d{54}$/ })).toBeVisible()
    await expect(page.getByText('FI37 1590 3000 0007 76')).toBeVisible()
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wider).toBe(0)
    expect(await violations(page)).toEqual([])
  })
}
