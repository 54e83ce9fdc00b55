import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cart } from '#shared/shop.ts'
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

test('what was ordered before a kill -9 is there whole, and no invoice number is missing', async () => {
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
    processes.use(loadProcess('tests/support/bare-server.ts', { DATA_DIR: dataDir }))
  const loaded = Array.from({ length: ahead }, load)

  for (let round = 0; round < rounds; round += 1) {
    const server = await loaded.shift()!.start()
    if (round + ahead < rounds) loaded.push(load())
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const life = new AbortController()
    let placed = 0
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
    const client = async (from: string) => {
      while (!life.signal.aborted) {
        try {
          const cart = await post(from, '/api/shop/cart', { ...product, quantity: 1 })
          const cookie = String(cart.headers['set-cookie']).split(';', 1)[0]!
          const { total } = cart.json as Cart
          const body = checkoutOf({ expectedTotal: total })
          const { status, json } = await post(from, '/api/shop/checkout', body, cookie)
          if (status !== 201) continue
          acknowledged.set(String(json?.order), total)
          // Another number each time, so that death comes at another moment.
          if ((placed += 1) > round % 7) resolve()
        } catch {
          // The connection died with the server; that order was never acknowledged.
          if (!life.signal.aborted) await new Promise(setImmediate)
        }
      }
    }
    const clients = Array.from({ length: connections }, (_, n) =>
      client(`127.0.${round + 1}.${n + 1}`),
    )
    await enough
    await server.kill()
    life.abort()
    await Promise.all(clients)
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
