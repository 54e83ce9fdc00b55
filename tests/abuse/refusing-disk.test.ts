import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { enquiry } from '../support/enquiry.ts'
import { csrfHeaders, send } from '../support/send.ts'
import { startProcess } from '../support/server-process.ts'

/** Of the log of changes: enough for a start, and for some messages. */
const maxFileBytes = 1024 * 1024

test('a disk that refuses what is written, without being full, is told by health and by every reply', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-refusing-'))
  await openDatabase(dataDir).close()
  const env = { DATA_DIR: dataDir, NODE_ENV: 'test' }
  await using server = await startProcess('tests/support/bare-server.ts', env, { maxFileBytes })
  const health = async () => {
    const { status, json } = await send(`${server.url}/api/health`)
    return [status, json?.db]
  }
  expect(await health()).toEqual([200, 'ok'])

  const saved: string[] = []
  const save = async (at: number) => {
    const ticketId = `full${10 + at}`
    const reply = await send(`${server.url}/api/save-contact-form`, {
      method: 'POST',
      headers: { ...csrfHeaders, 'Content-Type': 'application/json' },
      body: enquiry({ 'Ticket ID': ticketId, Message: 'Two photographers. '.repeat(250) }),
      from: `127.0.${10 + at}.1`,
    })
    if (reply.status === 201) saved.push(ticketId)
    return reply
  }
  let refused = await save(0)
  for (let at = 1; refused.status === 201 && at < 80; at += 1) refused = await save(at)
  expect([refused.status, refused.json?.code]).toEqual([503, 'unavailable'])
  expect(refused.headers['retry-after']).toBe('30')
  // What a message didn't fit into may have room for a page or two. Nobody else writes meanwhile.
  let told = await health()
  for (let at = 0; told[0] === 200 && at < 100; at += 1) told = await health()
  expect(told).toEqual([503, 'failed'])
  expect((await send(`${server.url}/robots.txt`)).status).toBe(200)

  await server.kill()
  await using again = await startProcess('tests/support/bare-server.ts', env)
  expect((await send(`${again.url}/api/health`)).status).toBe(200)
  const db = openDatabase(dataDir)
  const kept = db.prepare('SELECT ticket_id FROM tickets').pluck().all()
  await db.close()
  expect(saved.filter((id) => !kept.includes(id))).toEqual([])
  expect(saved.length).toBeGreaterThan(0)
})
