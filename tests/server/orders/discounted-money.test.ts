import { constantFrom, integer, option, record, sample, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { amounts, buyers, goods, sum } from '../../support/order-sums.ts'
import { checkoutOf, shopper } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'

const scenario = record({
  lines: uniqueArray(
    record({ of: integer({ min: 0, max: goods.length - 1 }), pieces: integer({ min: 1, max: 4 }) }),
    { minLength: 1, maxLength: 4, selector: ({ of }) => of },
  ),
  code: record({
    percent: option(integer({ min: 1, max: 90 })),
    amount: integer({ min: 1, max: 1500 }),
    category: constantFrom('prints', null),
  }),
  buyer: constantFrom('finland', 'germany', 'states', 'swedishCompany'),
  parts: uniqueArray(integer({ min: 1, max: 900 }), { maxLength: 3 }),
  isByPiece: constantFrom(true, false),
})

test('with any code and any credits, documents, payments and books agree to the cent', async () => {
  await using site = await startSite({ env: { SHARES: 'off' }, sending: false })
  const { actions, books, documents } = site.context.features.orders
  await runOn(site, 'products', 'stock', 'five-red-lights-poster', '50x70', 'unlimited')
  await runOn(site, 'products', 'stock', 'ice-track-poster', '70x100', 'unlimited')
  await runOn(site, 'products', 'stock', 'paddock-postcards', 'box-of-twelve', 'unlimited')
  let discounted = 0
  for (const [at, { lines, code, buyer, parts, isByPiece }] of sample(scenario, {
    numRuns: 16,
    seed: 20_261_126,
  }).entries()) {
    const name = `RUN-${at}`
    const told = code.percent
      ? ['--percent', String(code.percent)]
      : ['--amount', (code.amount / 100).toFixed(2)]
    const only = code.category ? ['--category', code.category] : []
    await runOn(site, 'discounts', 'add', name, ...told, ...only)
    const visitor = shopper(site, `127.${at + 1}.1.1`)
    for (const { of, pieces } of lines) {
      const [handle, variant] = goods[of]!
      await visitor.put(handle, variant, pieces)
    }
    const entered = await visitor.post('/api/shop/cart/discount', { code: name })
    const facts = { ...checkoutOf(), ...buyers[buyer] }
    const { country, postcode, city, street } = facts
    const quoted = await visitor.post('/api/shop/cart/quote', {
      country,
      postcode,
      city,
      street,
      ...('company' in facts && { company: facts.company, vatId: facts.vatId }),
    })
    const cart = quoted.json as Cart
    const isValid = entered.status === 200
    expect(cart.discount === undefined, name).toBe(!isValid)
    const off = cart.discount?.amount ?? 0
    if (off > 0) discounted += 1
    // The cart adds up, for every buyer.
    expect(sum(cart.lines.map((line) => line.total)) - off + cart.shipping).toBe(cart.total)
    expect(sum(cart.vat.map(({ gross }) => gross))).toBe(cart.total)

    const reply = await visitor.post('/api/shop/checkout', {
      ...facts,
      email: `buyer${at}@example.com`,
      digitalWaiver: true,
      expectedTotal: cart.total,
    })
    expect([reply.status, name]).toEqual([201, name])
    const { order: number } = reply.json as { order: string }
    const order = () => actions.ofNumber(number)!
    expect(order().discount).toBe(off)
    expect(sum(order().lines.map(({ discount }) => discount))).toBe(off)
    expect(order().lines.every((line) => line.total >= 0 && line.discount >= 0)).toBe(true)
    expect(sum(order().lines.map((line) => line.total)) + order().shipping).toBe(cart.total)

    await runOn(site, 'orders', 'paid', number)
    const { document } = actions.invoiceOf(order())!
    const credit = (wanted: Parameters<typeof actions.credit>[1]) =>
      actions.credit(number, wanted, { reason: 'test', restock: false, actor: 'test' })
    if (isByPiece && document.lines[0]!.quantity > 1) {
      await credit({ lines: [{ line: 0, quantity: 1 }] })
    }
    for (const amount of parts) {
      if (amount < actions.balanceOf(order()).paid) await credit({ amount })
    }
    const partly = actions.balanceOf(order())
    expect(partly.paid).toBe(cart.total - partly.credited)
    if (partly.paid > 0) await credit({ all: true })

    // Every document adds up in each format, and all of them make nothing.
    const papers = actions.invoices.ofOrder(order().id)
    expect(sum(papers.map((paper) => paper.total))).toBe(0)
    expect(sum(papers.flatMap((paper) => paper.document.vat.map(({ vat }) => vat)))).toBe(0)
    for (const paper of papers) {
      const { vat, lines: rows, total: gross } = paper.document
      expect(sum(rows.map((row) => row.total))).toBe(gross)
      expect(sum(vat.map((row) => row.net + row.vat))).toBe(gross)
      const finvoice = String((await documents.write(paper, order(), 'finvoice')).content)
      expect(amounts(finvoice, 'InvoiceTotalVatIncludedAmount')).toEqual([gross])
      expect(sum(amounts(finvoice, 'RowAmount'))).toBe(gross)
      const ubl = String((await documents.write(paper, order(), 'ubl')).content)
      expect(amounts(ubl, 'TaxInclusiveAmount')).toEqual([Math.abs(gross)])
      expect(sum(amounts(ubl, 'LineExtensionAmount').slice(1))).toBe(
        Math.abs(sum(vat.map(({ net }) => net))),
      )
      expect(ubl.includes(`Discount code ${name}`)).toBe(off > 0 && paper.kind === 'invoice')
    }
    // What came in went back, and the books say so.
    expect(actions.balanceOf(order())).toMatchObject({ paid: 0, credited: cart.total })
    const month = books.daysOf(new Date(site.clock()).toISOString().slice(0, 7))
    const own = [...books.ledger(month)].filter((row) => row.order === number)
    const isMoney = ({ kind }: { kind: string }) => /payment|refund/.test(kind)
    expect(sum(own.filter(isMoney).map(({ gross }) => gross))).toBe(0)
    const sales = own.filter((row) => !isMoney(row))
    expect(sum(sales.map(({ gross }) => gross))).toBe(0)
    expect(sum(sales.map(({ vat }) => vat))).toBe(0)
    expect(sum(sales.filter(({ kind }) => kind === 'invoice').map(({ gross }) => gross))).toBe(
      cart.total,
    )
  }
  expect(discounted).toBeGreaterThan(9)
}, 180_000)
