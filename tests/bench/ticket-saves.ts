import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createKeys } from '#server/secrets/secret-key.ts'
import { answered } from '../support/enquiry.ts'
import type { StartSite } from './main.ts'
import { openBare } from './same-rows.ts'

const connections = 32
const total = 6000

/**
 * Tickets saved per second through HTTP with everything that a browser sends, and the same rows
 * written by a bare loop, one durable transaction each.
 */
export async function ticketSaves({ startSite, work }: { startSite: StartSite; work: string }) {
  const secretKey = randomBytes(32).toString('hex')
  const site = await startSite({ UNLIMITED: '1', LOG_LEVEL: 'warn', SECRET_KEY: secretKey })
  // Without a proof the sixth ticket of one client goes into quarantine and queues no email.
  const keys = createKeys({ secretKey, dataDir: work })
  const http = await overHttp(site.url, () => answered({ keys, clock: Date.now }))
  await site.stop()
  return { http, bare: await bareLoop(join(work, 'bare-tickets')) }
}

const id = (n: number) => n.toString(36).padStart(6, '0')
const message =
  'We run three cars in the championship and look for photographs of the next round. '.repeat(4)

async function overHttp(url: string, proof: () => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const token = randomBytes(16).toString('hex')
  const headers = {
    'Content-Type': 'application/json',
    Cookie: `X-CSRF-TOKEN=${token}`,
    'X-CSRF-TOKEN': token,
  }
  const save = (n: number, client: number) =>
    new Promise<void>((resolve, reject) => {
      const body = JSON.stringify({
        Name: `Visitor ${n}`,
        Email: `visitor${n}@example.com`,
        Subject: 'Season coverage',
        Message: message,
        'Ticket ID': id(n),
        Date: new Date().toISOString(),
      })
      const options = {
        method: 'POST',
        agent,
        // One network sends a thousand tickets a day at most.
        localAddress: `127.0.0.${client + 1}`,
        headers: { ...headers, 'X-Form-Proof': proof() },
      }
      request(`${url}/api/save-contact-form`, options, (response) => {
        response.resume()
        response.on('end', () => {
          if (response.statusCode === 201) resolve()
          else reject(new Error(`A save was answered with ${response.statusCode}`))
        })
      })
        .on('error', reject)
        .end(body)
    })
  let next = 0
  const worker = async (until: number, client: number) => {
    while (next < until) await save(next++, client)
  }
  const run = (until: number) =>
    Promise.all(Array.from({ length: connections }, (_, client) => worker(until, client)))
  await run(500)
  const started = performance.now()
  const before = next
  await run(total)
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  return (next - before) / seconds
}

async function bareLoop(dataDir: string): Promise<number> {
  const db = await openBare(dataDir)
  const columns = (table: string) =>
    db.pragma(`table_info(${table})`) as {
      name: string
      type: string
      notnull: number
      pk: number
      dflt_value: unknown
    }[]
  const inserter = (table: string) => {
    const needed = columns(table).filter(
      ({ notnull, pk, dflt_value }) => notnull && !pk && dflt_value === null,
    )
    const statement = db.prepare(
      `INSERT INTO ${table} (${needed.map(({ name }) => name).join(', ')}) VALUES (${needed.map(() => '?').join(', ')})`,
    )
    return (values: Record<string, unknown>) =>
      statement.run(
        needed.map(
          ({ name, type }) =>
            values[name] ?? (type === 'TEXT' ? new Date().toISOString() : Date.now()),
        ),
      )
  }
  const ticket = inserter('tickets')
  const mail = inserter('mails')
  const both = db.transaction((n: number) => {
    const { lastInsertRowid } = ticket({
      ticket_id: id(n),
      name: `Visitor ${n}`,
      email: `visitor${n}@example.com`,
      subject: 'Season coverage',
      message,
      status: 'new',
      content_hash: randomBytes(32).toString('base64url'),
    })
    for (const kind of ['confirmation', 'notice'])
      mail({
        kind,
        reference: lastInsertRowid,
        dedupe_key: `${id(n)}:${kind}`,
        data: '{}',
        status: 'queued',
      })
  })
  for (let n = 0; n < 500; n += 1) both.immediate(n)
  const started = performance.now()
  for (let n = 500; n < total; n += 1) both.immediate(n)
  const seconds = (performance.now() - started) / 1000
  db.close()
  return (total - 500) / seconds
}
