import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { startSite, type Site } from '../../support/site.ts'

const day = 86_400_000
/** Longer than any email but those of the newsletter is kept, and than tickets are. */
const mailDays = 90

const kinds: [string, unknown][] = [
  ['recordMissing', { subject: 'New message', htmlContent: '<p>Hello</p>', replyTo: null }],
  ['staffDigest', { quarantined: 1, failed: 0, held: 0 }],
  ['newsletterConfirm', { subscriber: 1, from: 0 }],
  ['newsletterIssue', { slug: 'gone', subscriber: 1 }],
  [
    'folderFavourites',
    { title: 'T', key: 'k', name: 'N', note: null, round: 1, count: 0, picks: [] },
  ],
  ['folderExpiring', { title: 'T', client: null, key: 'k', expiresAt: 0 }],
  ['logAlert', { errors: 1, messages: [] }],
]

const queueOne = ({ context }: Site, [kind, data]: (typeof kinds)[number]) =>
  context.commit((tx) => context.mails.enqueue(tx, kind, { key: 'test', data }))

test('mails of every kind, and their files, are forgotten three months after they were settled', async () => {
  await using site = await startSite()
  await saveEnquiry(site)
  for (const kind of kinds) await queueOne(site, kind)
  await settled(site)
  const last = Math.max(...site.context.mails.list().map(({ id }) => id))
  const rows = () => site.context.mails.list().map(({ kind }) => kind)
  const files = () => readdirSync(join(site.dataDir, 'mail'))
  expect(rows()).toHaveLength(kinds.length + 2)
  expect(files().length).toBeGreaterThan(4)
  writeFileSync(join(site.dataDir, 'mail', 'note-of-staff.txt'), 'not a mail of ours')

  site.clock.advance((mailDays - 1) * day)
  await saveEnquiry(site, { 'Ticket ID': 'later1' })
  await settled(site)
  expect(rows()).toEqual(expect.arrayContaining(['folderFavourites', 'folderExpiring']))

  // Emails of tickets stay as long as the ticket, issues as long as no one may get one twice.
  const gone = new Set(kinds.map(([kind]) => kind).filter((kind) => kind !== 'newsletterIssue'))
  const before = site.context.mails.list().filter(({ id, kind }) => id <= last && gone.has(kind))
  site.clock.advance(day)
  // A job that was at it while the clock was moved takes the rest a day later.
  await eventually(async () => {
    site.clock.advance(day)
    await site.context.jobs.runDue()
    const ids = new Set(site.context.mails.list().map(({ id }) => id))
    expect(before.filter(({ id }) => ids.has(id))).toEqual([])
  })
  expect(files()).toContain('note-of-staff.txt')
  await eventually(() =>
    expect(files().filter((name) => /folderFavourites|recordMissing/.test(name))).toEqual([]),
  )
})

test('a mail that still waits is not forgotten, however old it is', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  site.clock.advance(2 * mailDays * day)
  const { context } = site
  const before = context.clock() - mailDays * day
  expect(await context.commit((tx) => context.mails.forgetSettled(tx, 'notice', before))).toBe(0)
  expect(context.mails.list()).toHaveLength(2)
})
