import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKeys } from '#server/secrets/secret-key.ts'
import { enquiry, provenHeaders } from '../../support/enquiry.ts'
import { killUnderLoad } from '../../support/kill.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { send } from '../../support/send.ts'
import { startProcess } from '../../support/server-process.ts'
import { createClock, startSite } from '../../support/site.ts'

const connections = 16

test('acknowledged messages survive a kill -9 once each, with their two mails', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-kill-'))
  const keys = createKeys({ secretKey: null, dataDir })
  const acknowledged = new Set<string>()
  let next = 0

  for (let round = 0; round < 3; round += 1) {
    await using server = await startProcess('tests/support/bare-server.ts', {
      DATA_DIR: dataDir,
      SHARES: 'off',
    })
    await killUnderLoad(server, {
      network: round + 1,
      connections,
      // Another number each time, so death comes at another moment.
      enough: 25 + 10 * round,
      async ask(from) {
        const ticketId = (next++).toString(36).padStart(6, '0')
        const { status } = await send(`${server.url}/api/save-contact-form`, {
          method: 'POST',
          from,
          headers: provenHeaders({ keys, clock: Date.now }),
          body: enquiry({ 'Ticket ID': ticketId, Email: `${ticketId}@example.com` }),
        })
        if (status === 201) acknowledged.add(ticketId)
        return status === 201
      },
    })
  }

  expect(acknowledged.size).toBeGreaterThan(connections)
  const clock = createClock(Date.now() + 60_000)
  const site = await startSite({ dataDir, clock })
  try {
    const tickets = Array.from(
      site.context.features.contact.tickets.list(),
      ({ ticketId }) => ticketId,
    )
    expect(new Set(tickets).size).toBe(tickets.length)
    expect([...acknowledged].filter((ticketId) => !tickets.includes(ticketId))).toEqual([])
    for (const ticketId of tickets) {
      const kinds = site.context.mails.of('ticket', ticketId).map(({ kind }) => kind)
      expect(kinds).toEqual(['confirmation', 'notice'])
    }
    await expect.poll(() => site.context.outbox.counts().queued, { timeout: 120_000 }).toBe(0)
    expect(mailFiles(dataDir)).toHaveLength(tickets.length * 2)
    expect(site.context.db.prepare('PRAGMA integrity_check').pluck().get()).toBe('ok')
  } finally {
    await site[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  }
})
