import { mkdtempSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { createCatalogue } from '#server/shop/catalogue/catalogue.ts'
import { createEditing } from '#server/shop/catalogue/editing.ts'
import { openDatabase } from '#server/db/open.ts'
import { compare, requestsPerSecond } from './load.ts'
import type { StartSite } from './main.ts'
import { openBare, sameRows } from './same-rows.ts'

const products = 10_000
const connections = 32
const checkouts = 2000
const path = '/api/shop/products?sort=price-up&page=1'

/** The list of 10 000 products against that of the sample, in requests per second. */
export async function productList({ startSite, work }: { startSite: StartSite; work: string }) {
  const dataDir = mkdtempSync(join(work, 'shop-'))
  await fill(dataDir)
  const large = await startSite({ DATA_DIR: dataDir, UNLIMITED: '1' })
  const sample = await startSite({ UNLIMITED: '1' })
  const results = await compare({
    large: () => requestsPerSecond(large.url + path),
    sample: () => requestsPerSecond(sample.url + path),
  })
  await Promise.all([large.stop(), sample.stop()])
  return results
}

async function fill(dataDir: string): Promise<void> {
  const db = openDatabase(dataDir)
  const clock = Date.now
  const siteVersion = { version: () => 0, changed() {}, onChange: () => () => {} }
  const editing = createEditing(
    { db, clock, siteVersion },
    createCatalogue(db, { clock, siteVersion }),
  )
  await db.commit((tx) => {
    for (let n = 0; n < products; n += 1) {
      editing.save(
        tx,
        {
          handle: `print-${n}`,
          title: `Print ${n}`,
          kind: 'physical',
          category: 'prints',
          summary: 'A fine art print of the season.',
          description: '',
          pictures: [],
          vat: 'standard',
          published: true,
          tags: ['print'],
          madeToOrder: false,
          formerHandles: [],
          history: [],
          variants: ['30x40', '50x70'].map((variant, at) => ({
            variant,
            title: variant,
            price: 5000 + n * 10 + at,
            stock: 100,
            weight: 500,
            files: [],
          })),
        },
        '',
      )
    }
  })
  await db.close()
}

/** Checkouts per second through HTTP, and the same rows written by a bare loop, each durable. */
export async function checkoutsPerSecond({
  startSite,
  work,
}: {
  startSite: StartSite
  work: string
}) {
  const dataDir = mkdtempSync(join(work, 'checkouts-'))
  const site = await startSite({ DATA_DIR: dataDir, UNLIMITED: '1', LOG_LEVEL: 'warn' })
  const http = await overHttp(site.url)
  await site.stop()
  return {
    http,
    bare: await bareLoop(join(dataDir, 'pitlane.sqlite'), mkdtempSync(join(work, 'bare-orders-'))),
  }
}

async function overHttp(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const token = randomBytes(16).toString('hex')
  const post = (to: string, body: unknown, cart = '') =>
    new Promise<{ status: number; cookie: string; json: { total: number } }>((resolve, reject) => {
      const headers = {
        'Content-Type': 'application/json',
        'X-CSRF-TOKEN': token,
        Cookie: [`X-CSRF-TOKEN=${token}`, cart].filter(Boolean).join('; '),
      }
      request(url + to, { method: 'POST', agent, headers }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({
          status: response.statusCode!,
          cookie: String(response.headers['set-cookie'] ?? '').split(';', 1)[0]!,
          json: JSON.parse(Buffer.concat(chunks).toString('utf8')) as { total: number },
        })
      })
        .on('error', reject)
        .end(JSON.stringify(body))
    })
  const line = { handle: 'parc-ferme-quarterly', variant: 'four-issues', quantity: 1 }
  const carts: { cookie: string; total: number }[] = []
  for (let n = 0; n < checkouts; n += 1) {
    const { cookie, json } = await post('/api/shop/cart', line)
    carts.push({ cookie, total: json.total })
  }
  let next = 0
  const worker = async () => {
    for (let n = next++; n < checkouts; n = next++) {
      const body = {
        key: `bench-checkout-${n}`,
        email: `visitor${n}@example.com`,
        name: `Visitor ${n}`,
        street: 'Mannerheimintie 1',
        postcode: '00100',
        city: 'Helsinki',
        country: 'FI',
        payment: 'invoice',
        terms: true,
        expectedTotal: carts[n]!.total,
      }
      const { status } = await post('/api/shop/checkout', body, carts[n]!.cookie)
      if (status !== 201) throw new Error(`A checkout was answered with ${status}`)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  return checkouts / seconds
}

/** What a checkout writes, table by table, with the column that tells whose row it is. */
const tables = {
  orders: 'id',
  order_lines: 'order',
  cart_orders: 'order',
  invoices: 'order',
  mails: 'thing_id',
  jobs: 'key',
  timeline: 'thing_id',
  claims: 'thing',
} as const

/** Writes the rows of the orders once more, order by order, into tables with the same indexes. */
async function bareLoop(file: string, dataDir: string): Promise<number> {
  const source = new Database(file, { readonly: true })
  const db = await openBare(dataDir)
  // What they refer to, such as products, isn't there.
  db.pragma('foreign_keys = OFF')
  const parts = sameRows(source, db, tables)
  const placed = source.prepare('SELECT id, number FROM orders').all() as {
    id: number
    number: string
  }[]
  const write = db.transaction((order: { id: number; number: string }) => {
    for (const { insert, byOwner } of parts) {
      for (const whose of [order.id, order.number]) {
        for (const row of byOwner.get(whose) ?? []) insert.run(row)
      }
    }
  })
  const started = performance.now()
  for (const order of placed) write.immediate(order)
  const seconds = (performance.now() - started) / 1000
  source.close()
  db.close()
  return placed.length / seconds
}
