import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { databaseFile } from '#server/db/open.ts'
import { todayGroups } from '#server/contributions/desk-source.ts'
import { book } from '../support/bookings.ts'
import { addTeam } from '../support/clients.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { median } from './load.ts'
import type { SideBySide } from './side-by-side.ts'

const many = 20_000
const few = 200
const rounds = 15

/** The panel of the client whose page is looked at. */
const team = 'team'

/**
 * Milliseconds for which the desk's search, its page of today, the page of a client and the digest hold
 * the event loop on a site with twenty thousand of everything that is over (orders sent, tickets closed,
 * bookings declined, emails sent, folders expired), and with two hundred.
 */
export async function deskOfYears(): Promise<SideBySide[]> {
  await using small = await siteWith(few)
  await using large = await siteWith(many)
  const looks = {
    'the desk’s search': ({ context }: Site) => context.features.desk.find('no-such-name'),
    'the desk’s today': ({ context }: Site) => todayGroups(context.contributions().desk),
    'the desk’s page of a client': ({ context }: Site) =>
      context
        .contributions()
        .desk.find(({ things }) => things?.name === 'clients')!
        .things!.find(team),
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

/** A site with one of each that is over, and its copies. */
async function siteWith(count: number): Promise<Site> {
  const site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [['blue-hour-fine-art-print', '30x40-matte', 1]])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  await saveEnquiry(site)
  await book(site)
  await addTeam(site)
  await site.context.commit((tx) =>
    site.context.features.folders.store.add(tx, {
      directory: 'rally',
      title: 'Rally',
      client: null,
      season: null,
      expiresAt: site.clock() + 1,
    }),
  )
  await runOn(site, 'panels', 'add', team, 'folders', '--folder', 'Rally')
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
    copyOf(db, 'tickets', {
      ticket_id: "'t' || :n",
      secret: "'secret-' || :n",
      status: "'closed'",
    }),
    copyOf(db, 'bookings', {
      reference: "'B-' || :n",
      key: "'key-' || :n",
      secret: "'secret-' || :n",
      state: "'declined'",
    }),
    copyOf(db, 'mails', {
      dedupe_key: "'mail-' || :n",
      message_id: "'mail-' || :n",
      status: "'sent'",
      due_at: 'NULL',
      settled_at: 'queued_at',
    }),
    copyOf(db, 'folders', { key: "'folder-' || :n", directory: "'rally-' || :n", expires_at: '1' }),
  ]
  db.transaction(() => {
    for (let n = 100; n < 100 + count; n += 1) for (const copy of copies) copy.run({ n })
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
