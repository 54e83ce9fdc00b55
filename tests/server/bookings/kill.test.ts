import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addDays, dateAt } from '#shared/civil-dates.ts'
import { createKeys } from '#server/secret-key.ts'
import { bookingOf } from '../../support/bookings.ts'
import { contentFiles } from '../../support/content-files.ts'
import { answered } from '../../support/enquiry.ts'
import { csrfHeaders, send } from '../../support/send.ts'
import { startProcess } from '../../support/server-process.ts'
import { createClock, startSite } from '../../support/site.ts'

const connections = 12
const rounds = 4

test('what was acknowledged before a kill -9 is there once, holds its day, and has its mails', async () => {
  using files = contentFiles()
  writeFileSync(
    join(files.dir, 'booking-rules.json'),
    JSON.stringify({ closedOnHolidays: false, services: { photography: { capacity: 100 } } }),
  )
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-kill-bookings-'))
  const keys = createKeys({ secretKey: null, dataDir })
  const acknowledged = new Set<string>()
  const first = addDays(dateAt(Date.now()), 30)
  let next = 0

  for (let round = 0; round < rounds; round += 1) {
    await using server = await startProcess('tests/support/bare-server.ts', {
      DATA_DIR: dataDir,
      CONTENT_DIR: files.dir,
    })
    const life = new AbortController()
    const client = async (from: string) => {
      while (!life.signal.aborted) {
        const number = (next += 1)
        const date = addDays(first, number % 60)
        try {
          const { status, json } = await send(`${server.url}/api/bookings`, {
            method: 'POST',
            from,
            headers: {
              ...csrfHeaders,
              'Content-Type': 'application/json',
              'X-Form-Proof': answered({ keys, clock: Date.now }),
            },
            body: bookingOf({ from: date, to: date, email: `visitor-${number}@example.com` }),
          })
          if (status === 201) acknowledged.add(String(json?.reference))
        } catch {
          // The connection died with the server; that request was never acknowledged.
        }
      }
    }
    const clients = Array.from({ length: connections }, (_, n) =>
      client(`127.0.${20 + round}.${n + 1}`),
    )
    await new Promise((resolve) => setTimeout(resolve, 700))
    await server.kill()
    life.abort()
    await Promise.all(clients)
  }

  expect(acknowledged.size).toBeGreaterThan(connections)
  const site = await startSite({
    dataDir,
    clock: createClock(Date.now()),
    env: { CONTENT_DIR: files.dir },
    sending: false,
  })
  try {
    const { bookings, days } = site.context.features.bookings.actions
    const kept = [...bookings.list()]
    const references = kept.map(({ reference }) => reference)
    expect(new Set(references).size).toBe(references.length)
    expect([...acknowledged].filter((reference) => !references.includes(reference))).toEqual([])
    const keysOfMails = site.context.mails.list().map(({ kind, data }) => {
      const { reference } = JSON.parse(data ?? '{}') as { reference: string }
      return `${reference} ${kind}`
    })
    expect(new Set(keysOfMails).size).toBe(keysOfMails.length)
    expect(keysOfMails.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      references
        .flatMap((reference) => [
          `${reference} bookingRequested`,
          `${reference} bookingRequestedStaff`,
        ])
        .toSorted((a, b) => (a < b ? -1 : 1)),
    )
    // The days hold exactly what the bookings say.
    const held = [...days.loads(first, addDays(first, 60)).values()]
      .flat()
      .reduce((sum, load) => sum + load.held, 0)
    expect(held).toBe(kept.length)
    expect(site.context.db.prepare('PRAGMA integrity_check').pluck().get()).toBe('ok')
  } finally {
    await site[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  }
}, 90_000)
