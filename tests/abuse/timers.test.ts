import { expect, test } from 'vitest'
import { openEvents } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { runSql } from '../support/raw-database.ts'
import { startSite } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

test('a database failure while the log is followed ends the stream, not the process', async () => {
  await using site = await startSite()
  const { headers } = await signIn(site, ['ops'])
  using viewer = await openEvents(`${site.url}/api/logs`, headers)
  expect(viewer.status).toBe(200)
  // Whoever asks for a session from now on gets an error of the database.
  runSql(site.dataDir, 'ALTER TABLE sessions RENAME TO lost')
  await eventually(() => expect(viewer.ended()).toBe(true))
  expect((await site.get('/api/health')).status).toBe(200)
})
