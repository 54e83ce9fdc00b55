import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { databaseFile } from '#server/db/open.ts'
import { todayGroups } from '#server/desk-source.ts'
import { runOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { median } from './load.ts'
import type { SideBySide } from './side-by-side.ts'

const many = 20_000
const few = 200
const rounds = 15

/**
 * Milliseconds for which the desk's search, its page of today and the digest hold the event loop with
 * twenty thousand orders that were sent, and with two hundred.
 */
export async function deskWithOrders(): Promise<SideBySide[]> {
  await using small = await siteWith(few)
  await using large = await siteWith(many)
  const looks = {
    'the desk’s search': ({ context }: Site) => context.features.desk.find('no-such-name'),
    'the desk’s today': ({ context }: Site) => todayGroups(context.contributions().desk),
    'the digest': ({ context }: Site) => context.contributions().digest(),
  }
  const results: SideBySide[] = []
  for (const [name, look] of Object.entries(looks)) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, site] of [small, large].entries()) {
        const turn = longestTurn(async () => {
          await look(site)
          await setImmediate()
        })
        times[index]!.push(await turn)
      }
    }
    results.push({ name, few: median(times[0]), many: median(times[1]) })
  }
  return results
}

/** A site with one order that was paid and sent, and its copies. */
async function siteWith(orders: number): Promise<Site> {
  const site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [['blue-hour-fine-art-print', '30x40-matte', 1]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  const db = new Database(databaseFile(site.dataDir))
  const copies = [
    copyOf(db, 'orders', {
      number: "'A-' || :n",
      session: "'session-' || :n",
      secret: "'secret-' || :n",
      cart_key: 'NULL',
      reference: ':n + 100000',
    }),
    copyOf(db, 'order_lines', { order: ':n' }),
    copyOf(db, 'invoices', { order: ':n', number: ':n + 10000' }),
    copyOf(db, 'payments', { order: ':n', external_id: "'payment-' || :n" }),
  ]
  db.transaction(() => {
    for (let n = 100; n < 100 + orders; n += 1) for (const copy of copies) copy.run({ n })
  })()
  db.close()
  return site
}

/** Copies the one row of a table. @param other expressions of columns that differ; `:n` counts the copies */
function copyOf(db: Database.Database, table: string, other: Readonly<Record<string, string>>) {
  const columns = db
    .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
  const values = columns.map((name) => other[name] ?? (name === 'id' ? ':n' : `"${name}"`))
  const names = columns.map((name) => `"${name}"`)
  return db.prepare(
    `INSERT INTO "${table}" (${names.join()}) SELECT ${values.join()} FROM "${table}" LIMIT 1`,
  )
}
