import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveEnquiry } from '../support/enquiry.ts'
import { startSite, type Site } from '../support/site.ts'

const health = async (site: Site) => {
  const { status, json } = await site.get('/api/health')
  return [status, (json as { db: string }).db]
}

test('nothing is taken by a server whose database was moved away or replaced, until it is back', async () => {
  await using site = await startSite({ sending: false })
  const file = join(site.dataDir, 'pitlane.sqlite')
  const save = async (id: string) => {
    const { status, headers } = await saveEnquiry(site, { 'Ticket ID': id })
    return [status, headers['retry-after']]
  }
  expect(await save('first1')).toEqual([201, undefined])
  expect(await health(site)).toEqual([200, 'ok'])

  renameSync(file, `${file}-away`)
  expect(await save('second')).toEqual([503, '30'])
  expect(await health(site)).toEqual([503, 'moved'])
  expect(site.logLines().join('')).toContain('moved, removed or replaced')
  expect(site.logLines().join('')).toMatch(/"level":"error",.*"db":"moved",.*"health has failed"/)
  expect(site.logLines().join('')).not.toContain('health is degraded')

  // The next start opens this one, and doesn't see what would have been written to the other.
  copyFileSync(`${file}-away`, file)
  expect(await save('third3')).toEqual([503, '30'])
  expect((await site.get('/robots.txt')).status).toBe(200)

  renameSync(`${file}-away`, file)
  expect(await save('second')).toEqual([201, undefined])
  expect(await health(site)).toEqual([200, 'ok'])
  const ids = Array.from(site.context.features.contact.tickets.list(), (ticket) => ticket.ticketId)
  expect(ids.toSorted()).toEqual(['first1', 'second'])
})
