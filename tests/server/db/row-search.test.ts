import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { saveEnquiry } from '../../support/enquiry.ts'
import { runSql } from '../../support/raw-database.ts'
import { startSite } from '../../support/site.ts'

test('a search of staff goes back to the first row of a large table, and others have their turn', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site, { Name: 'Eetu Järvinen', Subject: 'Winter tests' })
  runSql(
    site.dataDir,
    `INSERT INTO tickets (ticket_id, name, email, subject, message, sent_at, received_at, due_at,
       status, content_hash, secret, network, proven)
     WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 2000)
     SELECT printf('%06d', n), 'Someone Else', 'else@example.com', 'Other', 'Other words', sent_at,
       received_at, due_at, 'closed', 'hash' || n, 'secret' || n, network, proven
     FROM tickets, more`,
  )
  const { desk } = site.context.features
  expect(await desk.find('jarvinen WINTER')).toMatchObject([
    { label: 'Ticket', title: 'Winter tests' },
  ])
  expect(await desk.find('jarvinen summer')).toEqual([])
  // No more than are shown, the newest first.
  const many = await desk.find('someone else')
  expect(many.length).toBeLessThan(200)
  expect(many[0]!.detail).toContain('002000')

  const order: string[] = []
  await Promise.all([
    desk.find('in no ticket').then(() => order.push('found')),
    setImmediate().then(() => order.push('another request')),
  ])
  expect(order).toEqual(['another request', 'found'])
})
