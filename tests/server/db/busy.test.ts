import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { databaseFile } from '#server/db/open.ts'
import { enquiry } from '../../support/enquiry.ts'
import { startSite } from '../../support/site.ts'

test('while another process writes, pages are answered and messages wait, and none is lost', async () => {
  await using site = await startSite()
  const other = new Database(databaseFile(site.dataDir))
  other.exec('BEGIN IMMEDIATE')
  const order: string[] = []
  const saves = ['busy01', 'busy02'].map(async (ticketId) => {
    const { status } = await site.post('/api/save-contact-form', enquiry({ 'Ticket ID': ticketId }))
    order.push(ticketId)
    return status
  })
  const health = site.get('/api/health').then(({ json, status }) => [status, json])
  for (let page = 0; page < 5; page += 1) await site.get('/portfolio')
  order.push('pages')
  expect(await health).toMatchObject([503, { db: 'busy' }])
  other.exec('COMMIT')
  other.close()
  expect(await Promise.all(saves)).toEqual([201, 201])
  expect(order[0]).toBe('pages')
  expect((await site.get('/api/health')).json).toMatchObject({ db: 'ok' })
})
