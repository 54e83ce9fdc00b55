import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop/shop.ts'
import { killUnderLoad } from '../../support/kill.ts'
import { toBeWhole } from '../../support/orders.ts'
import { csrfHeaders, send } from '../../support/send.ts'
import { loadProcess, type LoadedProcess } from '../../support/server-process.ts'
import { checkoutOf } from '../../support/shop.ts'
import { startSite } from '../../support/site.ts'

const product = { handle: 'paddock-postcards', variant: 'box-of-twelve' }
const connections = 4
/** Servers that load their code while another one serves: that takes longer than a round. */
const ahead = 2
const rounds = 20
const pieces = 100_000

test('orders acknowledged before a kill -9 are whole, and no invoice number is missing', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-kill-'))
  const stockOf = async (change?: number) => {
    const site = await startSite({ dataDir, sending: false })
    const { catalogue, editing } = site.context.features.shop
    const { id, stock } = catalogue.find(product.handle)!.variants[0]!
    if (change !== undefined) await site.context.commit((tx) => editing.setStock(tx, id, change))
    await site[Symbol.asyncDispose]()
    return stock
  }
  await stockOf(pieces)
  const acknowledged = new Map<string, number>()

  await using processes = new AsyncDisposableStack()
  const load = (): LoadedProcess =>
    processes.use(loadProcess('tests/support/bare-server.ts', { DATA_DIR: dataDir, SHARES: 'off' }))
  const loaded = Array.from({ length: ahead }, load)

  for (let round = 0; round < rounds; round += 1) {
    const server = await loaded.shift()!.start()
    if (round + ahead < rounds) loaded.push(load())
    const post = (from: string, path: string, body: unknown, cookie = '') =>
      send(server.url + path, {
        method: 'POST',
        from,
        headers: {
          ...csrfHeaders,
          Cookie: [csrfHeaders.Cookie, cookie].filter(Boolean).join('; '),
          'Content-Type': 'application/json',
        },
        body,
      })
    await killUnderLoad(server, {
      network: round + 1,
      connections,
      // Another number each time, so death comes at another moment.
      enough: (round % 7) + 1,
      async ask(from) {
        const cart = await post(from, '/api/shop/cart', { ...product, quantity: 1 })
        const cookie = String(cart.headers['set-cookie']).split(';', 1)[0]!
        const { total } = cart.json as Cart
        const body = checkoutOf({ expectedTotal: total })
        const { status, json } = await post(from, '/api/shop/checkout', body, cookie)
        if (status === 201) acknowledged.set(String(json?.order), total)
        return status === 201
      },
    })
  }

  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds)
  const site = await startSite({ dataDir, sending: false })
  try {
    const { orders, invoices, invoiceOf } = site.context.features.orders.actions
    for (const [number, total] of acknowledged) {
      const order = orders.find(number)!
      expect(order).toMatchObject({ state: 'open', total })
    }
    const all = [...orders.list()]
    for (const order of all) toBeWhole(order, invoiceOf(order)!)
    expect(invoices.list().map(({ number }) => number)).toEqual(all.map((_, index) => 1001 + index))
    const confirmed = site.context.mails.list().filter(({ kind }) => kind === 'orderConfirmed')
    expect(confirmed).toHaveLength(all.length)
    expect(site.context.db.prepare('PRAGMA integrity_check').pluck().get()).toBe('ok')
    const { catalogue } = site.context.features.shop
    expect(catalogue.find(product.handle)!.variants[0]!.stock).toBe(pieces - all.length)
  } finally {
    await site[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  }
}, 600_000)
