import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { createKeys } from '#server/secrets/secret-key.ts'
import { answered } from '../support/enquiry.ts'
import type { StartSite } from './main.ts'
import { openBare, sameRows } from './same-rows.ts'

const connections = 32
const warmUp = 500
const total = 6000
/** One network makes 120 requests in ten minutes at most. */
const perAddress = 100

/**
 * Bookings saved per second through HTTP with everything that a browser sends, and the same rows
 * written by a bare loop, one durable transaction for each booking.
 */
export async function bookingSaves({ startSite, work }: { startSite: StartSite; work: string }) {
  const secretKey = randomBytes(32).toString('hex')
  const dataDir = mkdtempSync(join(work, 'booking-saves-'))
  const content = mkdtempSync(join(work, 'content-'))
  cpSync(join(import.meta.dirname, '../../data/content'), content, { recursive: true })
  writeFileSync(
    join(content, 'booking-rules.json'),
    JSON.stringify({ closedOnHolidays: false, services: { photography: { capacity: 100 } } }),
  )
  const site = await startSite({
    DATA_DIR: dataDir,
    CONTENT_DIR: content,
    UNLIMITED: '1',
    LOG_LEVEL: 'warn',
    SECRET_KEY: secretKey,
  })
  const keys = createKeys({ secretKey, dataDir: work })
  const http = await overHttp(site.url, () => answered({ keys, clock: Date.now }))
  await site.stop()
  const bare = await bareLoop(join(dataDir, 'pitlane.sqlite'), join(work, 'bare-bookings'))
  return { http, bare }
}

async function overHttp(url: string, proof: () => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const token = randomBytes(16).toString('hex')
  const first = addDays(dateAt(Date.now()), 30)
  const headers = {
    'Content-Type': 'application/json',
    Cookie: `X-CSRF-TOKEN=${token}`,
    'X-CSRF-TOKEN': token,
  }
  const save = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const date = addDays(first, n % 365)
      const body = JSON.stringify({
        key: `bench-booking-key-${n}`,
        service: 'photography',
        from: date,
        to: date,
        place: 'Ice track of Rovaniemi',
        name: `Visitor ${n}`,
        email: `visitor${n}@example.com`,
        message: 'Three cars, two photographers, please.',
        terms: true,
      })
      const options = {
        method: 'POST',
        agent,
        localAddress: `127.0.1.${Math.floor(n / perAddress) + 1}`,
        headers: { ...headers, 'X-Form-Proof': proof() },
      }
      request(`${url}/api/bookings`, options, (response) => {
        let reply = ''
        response.on('data', (chunk: Buffer) => (reply += chunk.toString()))
        response.on('end', () => {
          if (response.statusCode === 201) resolve()
          else reject(new Error(`A booking was answered with ${response.statusCode}: ${reply}`))
        })
      })
        .on('error', reject)
        .end(body)
    })
  let next = 0
  const run = async (until: number) => {
    const worker = async () => {
      while (next < until) await save(next++)
    }
    await Promise.all(Array.from({ length: connections }, worker))
  }
  await run(warmUp)
  const started = performance.now()
  await run(total)
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  return (total - warmUp) / seconds
}

/** What a booking writes, table by table, with what tells whose row it is. */
const tables = {
  bookings: 'reference',
  mails: 'thing_id',
  jobs: 'key',
  timeline: 'thing_id',
} as const

/** Writes the rows once more, booking by booking, into tables with the same indexes. */
async function bareLoop(file: string, dataDir: string): Promise<number> {
  const source = new Database(file, { readonly: true })
  const db = await openBare(dataDir)
  const parts = sameRows(source, db, tables)
  const proofs = source.prepare('SELECT * FROM used_proofs').all() as { id: string }[]
  const proof = db.prepare('INSERT INTO used_proofs VALUES (:id, :expires_at)')
  const day = db.prepare(`INSERT INTO booking_days (date, service, held)
    VALUES (:first_date, :service, 1) ON CONFLICT DO UPDATE SET held = held + 1`)
  const bookings = [...parts[0]!.byOwner.values()].map(([booking]) => booking!)
  const write = db.transaction((booking: Record<string, unknown>, n: number) => {
    proof.run(proofs[n])
    for (const { insert, byOwner } of parts) {
      for (const row of byOwner.get(booking.reference) ?? []) insert.run(row)
    }
    day.run(booking)
  })
  let started = 0
  for (const [n, booking] of bookings.entries()) {
    if (n === warmUp) started = performance.now()
    write.immediate(booking, n)
  }
  const seconds = (performance.now() - started) / 1000
  source.close()
  db.close()
  return (bookings.length - warmUp) / seconds
}
