import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { createKeys } from '#server/secrets/secret-key.ts'
import { createSignedTokens } from '#server/secrets/tokens.ts'
import { bookingOf, keptDays, recounted } from '../../support/bookings.ts'
import { contentFiles } from '../../support/content-files.ts'
import { provenHeaders } from '../../support/enquiry.ts'
import { killUnderLoad } from '../../support/kill.ts'
import { send } from '../../support/send.ts'
import { startProcess } from '../../support/server-process.ts'
import { createClock, startSite, type Site } from '../../support/site.ts'
import { startSmtp, type Smtp } from '../../support/smtp.ts'

const connections = 12
const rounds = 20
const days = 60
const first = addDays(dateAt(Date.now()), 30)

test('acknowledged bookings survive twenty kills -9 once each, with their days and mails', async () => {
  using files = contentFiles()
  writeFileSync(
    join(files.dir, 'booking-rules.json'),
    JSON.stringify({ closedOnHolidays: false, services: { photography: { capacity: 100 } } }),
  )
  await using smtp = await startSmtp()
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-kill-bookings-'))
  const env = { CONTENT_DIR: files.dir, SMTP_URL: smtp.url, SHARES: 'off' }
  const acknowledged: string[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Sometimes right after the first answer, sometimes with the outbox well at work.
      const enough = 1 + ((round * 7) % 20)
      await liveAndDie({ dataDir, env, round, acknowledged, enough })
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds)
    // The emails that died on their way are taken up again when their lease is over.
    const clock = createClock(Date.now() + 60_000)
    await using site = await startSite({ dataDir, clock, env })
    await expect.poll(() => site.context.outbox.counts().queued, { timeout: 120_000 }).toBe(0)
    expectEachOnce(site, acknowledged)
    expectEachDelivered(site, smtp)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}, 900_000)

/** One life of the server under load: it is killed once it has acknowledged enough. */
async function liveAndDie({
  dataDir,
  env,
  round,
  acknowledged,
  enough,
}: {
  dataDir: string
  env: Record<string, string>
  round: number
  acknowledged: string[]
  enough: number
}): Promise<void> {
  const keys = createKeys({ secretKey: null, dataDir })
  await using server = await startProcess('tests/support/bare-server.ts', {
    DATA_DIR: dataDir,
    ...env,
  })
  let number = 0
  await killUnderLoad(server, {
    network: 20 + round,
    connections,
    enough,
    async ask(from) {
      const mine = number++
      const date = addDays(first, mine % days)
      const reply = await send(`${server.url}/api/bookings`, {
        method: 'POST',
        from,
        headers: provenHeaders({ keys, clock: Date.now }),
        body: bookingOf({ from: date, to: date, email: `${round}-${mine}@example.com` }),
      })
      expect([reply.status, reply.text]).toEqual([201, reply.text])
      acknowledged.push(String(reply.json?.reference))
      return true
    },
  })
}

/** What was acknowledged is there, nothing is there twice, and the days hold what the bookings say. */
function expectEachOnce({ context }: Site, acknowledged: readonly string[]): void {
  const { actions } = context.features.bookings
  const references = [...actions.bookings.list()].map(({ reference }) => reference)
  expect(new Set(references).size).toBe(references.length)
  expect(acknowledged.filter((reference) => !references.includes(reference))).toEqual([])
  const held = [...actions.days.loads(first, addDays(first, days)).values()]
    .flat()
    .reduce((sum, load) => sum + load.held, 0)
  expect(held).toBe(references.length)
  expect(context.db.prepare('PRAGMA integrity_check').pluck().get()).toBe('ok')
}

/**
 * Each booking has one email to its visitor and one to staff, and each of them arrived. A server that
 * died between the yes of the mail server and its own note of it repeats that email once, under the
 * same Message-ID, so the mailbox shows one.
 */
function expectEachDelivered({ context }: Site, smtp: Smtp): void {
  const bookings = [...context.features.bookings.actions.bookings.list()]
  // Staff get a digest by the clock, too.
  const mails = smtp.mails.filter(({ subject }) => /B-/.test(subject))
  const arrived = Map.groupBy(mails, ({ messageId }) => messageId)
  expect([...arrived.values()].filter(({ length }) => length > 2)).toEqual([])
  // Two emails are on their way at a time, so no death repeats more than two.
  expect(mails.length - arrived.size).toBeLessThanOrEqual(rounds * 2)
  const told = [...arrived.values()].map(([mail]) => `${mail!.envelopeTo.join()} ${mail!.subject}`)
  const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1))
  const staff = context.config.mail.staff
  expect(sorted(told.map((text) => text.replace(/ .*(B-[A-Z0-9]+).*/, ' $1')))).toEqual(
    sorted(
      bookings.flatMap(({ reference, email }) => [
        `${email} ${reference}`,
        `${staff} ${reference}`,
      ]),
    ),
  )
}

/** What becomes of a booking, step by step; the second booking is confirmed and then asks to move. */
const ways = [
  ['requested', 'offered', 'confirmed'],
  ['requested', 'confirmed', 'change'],
  ['requested', 'offered', 'declined'],
  ['requested', 'confirmed', 'cancelled'],
] as const

test('answers of staff and visitors that were acknowledged survive kills -9 whole, with their days', async () => {
  using files = contentFiles({
    'booking-rules.json': {
      closedOnHolidays: false,
      services: { photography: { capacity: 100, needsCrew: false } },
    },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-kill-answers-'))
  const env = { CONTENT_DIR: files.dir, SHARES: 'off' }
  const acknowledged = new Map<string, { way: readonly string[]; step: number }>()
  try {
    for (let round = 0; round < 4; round += 1)
      await answerAndDie({ dataDir, env, round, acknowledged })
    await using site = await startSite({ dataDir, env, sending: false })
    const { actions } = site.context.features.bookings
    expect(acknowledged.size).toBeGreaterThan(4)
    for (const [reference, { way, step }] of acknowledged) {
      const { state, change, agreement } = actions.find(reference)
      // A step further than was heard of, at most: the answer to it was lost, not the step.
      const at = way.indexOf(change ? 'change' : state)
      expect([reference, way, at]).toEqual([reference, way, Math.min(Math.max(at, step), step + 1)])
      expect([reference, agreement !== null]).toEqual([
        reference,
        way.slice(0, at + 1).includes('confirmed'),
      ])
    }
    expect(keptDays(site)).toEqual(recounted(site))
    expect(site.context.db.prepare('PRAGMA integrity_check').pluck().get()).toBe('ok')
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}, 180_000)

/** One life of the server, with bookings that are asked for, answered and changed until it dies. */
async function answerAndDie({
  dataDir,
  env,
  round,
  acknowledged,
}: {
  dataDir: string
  env: Record<string, string>
  round: number
  acknowledged: Map<string, { way: readonly string[]; step: number }>
}): Promise<void> {
  const keys = createKeys({ secretKey: null, dataDir })
  const tokens = (purpose: string) =>
    createSignedTokens({
      keys,
      clock: Date.now,
      purpose,
      schema: z.tuple([z.string()], z.string()),
    })
  await using server = await startProcess('tests/support/bare-server.ts', {
    DATA_DIR: dataDir,
    ...env,
  })
  let number = 0
  const post = (path: string, body: unknown, from: string) =>
    send(server.url + path, {
      method: 'POST',
      from,
      headers: provenHeaders({ keys, clock: Date.now }),
      body,
    })
  await killUnderLoad(server, {
    network: 60 + round,
    connections: 6,
    enough: 5 + round * 3,
    async ask(from) {
      const mine = number++
      const way = ways[mine % ways.length]!
      const date = addDays(first, mine % days)
      const email = `${round}-${mine}@example.com`
      const asked = await post('/api/bookings', bookingOf({ from: date, to: date, email }), from)
      expect([asked.status, asked.text]).toEqual([201, asked.text])
      const reference = String(asked.json?.reference)
      acknowledged.set(reference, { way, step: 0 })
      const visitor = String(asked.json?.url).split('/').at(-1)!
      const [secret] = tokens('booking').read(visitor)!.payload
      const staff = tokens('booking-staff').issue([secret], null)
      const offer = { lines: [{ text: 'Work', quantity: 1, price: 100 }] }
      const later = addDays(date, 90)
      const acts: Record<string, () => Promise<{ status: number; text: string }>> = {
        offered: () => post(`/api/bookings/by-staff-link/${staff}`, { act: 'offer', offer }, from),
        confirmed: () =>
          way[1] === 'offered'
            ? post(`/api/bookings/by-link/${visitor}/accept`, {}, from)
            : post(`/api/bookings/by-staff-link/${staff}`, { act: 'confirm' }, from),
        declined: () => post(`/api/bookings/by-link/${visitor}/refuse`, {}, from),
        cancelled: () => post(`/api/bookings/by-link/${visitor}/cancel`, {}, from),
        change: () =>
          post(`/api/bookings/by-link/${visitor}/move`, { from: later, to: later }, from),
      }
      for (const [step, name] of way.entries()) {
        if (step === 0) continue
        const reply = await acts[name]!()
        expect([name, reply.status, reply.text]).toEqual([name, 200, reply.text])
        acknowledged.set(reference, { way, step })
      }
      return true
    },
  })
}
