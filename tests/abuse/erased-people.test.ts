import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { databaseFile, openDatabase } from '#server/db/open.ts'
import { emptyDirectory } from '../support/backups.ts'
import { book } from '../support/bookings.ts'
import { caughtUp, enquiry, mailCalls, saveEnquiry, settled } from '../support/enquiry.ts'
import { filesWith } from '../support/raw-state.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const aino = 'aino.erased@example.com'
const secrets = [aino, 'zanzibar quokka', 'yellow heliograph', 'Erasova']

/** A site that knows a person by messages, a lost call, a newsletter, a booking, notes and emails. */
async function withPerson(): Promise<Site> {
  const site = await startSite({ logFiles: true })
  const long = 'zanzibar quokka '.repeat(60).trim()
  for (let count = 0; count < 30; count += 1) {
    await saveEnquiry(
      site,
      {
        'Ticket ID': `aino${String(count).padStart(2, '0')}`,
        Email: aino,
        Name: 'Aino Erasova',
        Message: long,
      },
      { from: `127.2.${count}.2` },
    )
  }
  // Without a proof and with links: in quarantine.
  await site.post('/api/save-contact-form', {
    ...enquiry({ 'Ticket ID': 'spam00', Email: aino, Name: 'Aino Erasova' }),
    Message:
      'yellow heliograph https://a.example https://b.example https://c.example https://d.example',
  })
  const lost = enquiry({ 'Ticket ID': 'lost00', Email: aino, Message: 'yellow heliograph' })
  await site.post('/api/send-email', mailCalls(lost).notice)
  await book(site, { email: aino, name: 'Aino Erasova', message: 'yellow heliograph' })
  const { commit, features } = site.context
  await commit((tx) => {
    features.newsletter.subscribers.import(
      tx,
      { email: aino, name: 'Aino Erasova', status: 'subscribed' },
      'on paper',
    )
  })
  await features.contact.actions.note('aino01', `called ${aino} about the zanzibar quokka`, 'mika')
  await saveEnquiry(
    site,
    { 'Ticket ID': 'other1', Email: 'mika@example.com' },
    { from: '127.9.9.9' },
  )
  await caughtUp(site)
  await settled(site)
  return site
}

const erase = (site: Site) => runCli(['privacy', 'erase', aino, '--yes'], site)

test('after an erasure no byte of the state or of a new backup has the person any more', async () => {
  await using site = await withPerson()
  for (const secret of secrets) expect(filesWith(site.dataDir, secret), secret).not.toEqual([])
  const { code, err } = await erase(site)
  expect([code, err]).toEqual([0, ''])
  for (const secret of secrets) expect(filesWith(site.dataDir, secret), secret).toEqual([])
  // Others are still there.
  expect(filesWith(site.dataDir, 'mika@example.com')).toContain('pitlane.sqlite')
  expect(site.context.features.contact.tickets.find('other1')).not.toBeNull()

  const made = await runCli(['backup', 'create'], site)
  expect(made.code).toBe(0)
  for (const secret of secrets) {
    expect(filesWith(join(site.dataDir, 'backups'), secret), secret).toEqual([])
  }
})

test('what staff were told of a person in lists goes with them', async () => {
  await using site = await withPerson()
  // The rest of an hour's notices comes as one, and what waits as a list on Monday morning.
  site.clock.advance(3_600_000)
  await caughtUp(site)
  site.clock.advance(3 * 86_400_000)
  await caughtUp(site)
  const inMails = () => filesWith(join(site.dataDir, 'mail'), 'Erasova')
  for (const kind of ['staffSummary', 'staffDigest']) {
    expect(inMails()).toContainEqual(expect.stringContaining(kind))
  }
  await erase(site)
  expect(inMails()).toEqual([])
})

test('an erasure names the backups that still have the person, and until when', async () => {
  await using site = await withPerson()
  const elsewhere = emptyDirectory()
  const backups = { BACKUP_DIR: elsewhere }
  const first = await runCli(['backup', 'create'], { ...site, env: backups })
  const before = basename(first.out.slice(0, first.out.indexOf(': ')))
  const { out } = await runCli(['privacy', 'erase', aino, '--yes'], { ...site, env: backups })
  expect(out).toContain('The address is in 1 backup')
  expect(out).toMatch(new RegExp(`- ${before}, removed by \\d{4}-\\d\\d-\\d\\d at the latest`))
  expect(out).toContain('backup remove <name>')

  const second = await runCli(['backup', 'create'], { ...site, env: backups })
  expect(second.code).toBe(0)
  const { out: again } = await runCli(['privacy', 'erase', aino], { ...site, env: backups })
  expect(again).toContain('The address is in 1 backup')
  await runCli(['backup', 'remove', before, '--yes'], { ...site, env: backups })
  const { out: last } = await runCli(['privacy', 'erase', aino], { ...site, env: backups })
  expect(last).toContain(`No backup in ${elsewhere}`)
  rmSync(elsewhere, { recursive: true })
})

test('what an earlier version deleted leaves the file when this one opens it', async () => {
  const dataDir = emptyDirectory()
  await openDatabase(dataDir).close()
  const old = new Database(databaseFile(dataDir))
  old.pragma('secure_delete = OFF')
  old.pragma('user_version = 0')
  old.exec('CREATE TABLE junk (text TEXT)')
  const insert = old.prepare('INSERT INTO junk VALUES (?)')
  for (let count = 0; count < 500; count += 1) insert.run('zanzibar quokka '.repeat(20))
  old.exec('DELETE FROM junk')
  old.close()
  expect(filesWith(dataDir, 'zanzibar quokka')).toEqual(['pitlane.sqlite'])
  await openDatabase(dataDir).close()
  expect(filesWith(dataDir, 'zanzibar quokka')).toEqual([])
  rmSync(dataDir, { recursive: true })
})

test('while somebody reads an earlier state, the erasure says that the log is cleared later', async () => {
  await using site = await withPerson()
  const reader = new Database(databaseFile(site.dataDir), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM tickets').get()
  const { code, out } = await erase(site)
  expect(code).toBe(0)
  expect(out).toContain('its log still holds the erased data')
  reader.close()
  const job = site.context.contributions().jobs.find(({ kind }) => kind === 'privacy.empty-log')!
  await job.run({
    kind: job.kind,
    key: '',
    data: null,
    attempt: 1,
    dueAt: 0,
    signal: AbortSignal.timeout(30_000),
  })
  for (const secret of secrets) expect(filesWith(site.dataDir, secret), secret).toEqual([])
})
