import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { issueDays } from '#server/newsletter/mails.ts'
import { contentFiles } from '../support/content-files.ts'
import { settled } from '../support/enquiry.ts'
import { eventually } from '../support/eventually.ts'
import { runOn } from '../support/in-process-cli.ts'
import { ask } from '../server/newsletter/subscription.ts'
import { runCli } from '../support/run-cli.ts'
import { send as request } from '../support/send.ts'
import { startSite, type Site } from '../support/site.ts'
import { startSmtp } from '../support/smtp.ts'
import { runSql } from '../support/raw-database.ts'

const slug = 'forty-eight-hours-at-kymiring'
const title = '48 hours at Kymiring: how a night race gets published'

/** The clock of these sites is the real one, which the command line has too. */
const clock = Object.assign(() => Date.now(), { advance() {} })

const run = (site: Site, ...args: string[]) =>
  runCli(['newsletter', ...args], { dataDir: site.dataDir })

/** A list as someone brings it along. */
function peopleFile(...lines: string[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'pitlane-list-')), 'people.csv')
  writeFileSync(file, ['email,name,status', ...lines, ''].join('\r\n'))
  return file
}

const bring = (site: Site, ...lines: string[]) =>
  run(site, 'import', peopleFile(...lines), '--consent-note', 'Signed up at the Imatra paddock')

/** Puts addresses on the list. */
async function put(site: Site, ...emails: string[]) {
  for (const email of emails) {
    await site.context.commit((tx) =>
      site.context.features.newsletter.subscribers.import(
        tx,
        { email, name: '', status: 'subscribed' },
        'test',
      ),
    )
  }
}

test('an import keeps the consent note, and what it exports it takes back unchanged', async () => {
  await using site = await startSite({ sending: false })
  const people = [
    'aino@example.com,"Virtanen, ""Aino""",',
    '+tag@example.com,Plus,subscribed',
    'gone@example.com,,unsubscribed',
  ]
  const note = ['--consent-note', 'Signed up at the Imatra paddock', '--dry-run']
  expect((await run(site, 'import', peopleFile(...people), ...note)).out).toBe(
    '3 added, 0 changed, 0 left as they were\n\nDry run: nothing changed. Run it without --dry-run to import them.\n',
  )
  expect((await run(site, 'list')).out).toBe('No subscribers.\n')
  const first = await bring(site, ...people)
  expect(first).toMatchObject({ code: 0, out: '3 added, 0 changed, 0 left as they were\n' })
  const show = await run(site, 'show', 'AINO@example.com', '--json')
  expect(JSON.parse(show.out)).toMatchObject({
    name: 'Virtanen, "Aino"',
    status: 'subscribed',
    history: [{ kind: 'imported', note: 'Signed up at the Imatra paddock' }],
  })
  expect(show.out).not.toContain('leaveToken')

  const file = join(site.dataDir, 'list.csv')
  await run(site, 'export', '--out', file)
  expect(readFileSync(file, 'utf8')).toContain("'+tag@example.com")
  const again = await run(site, 'import', file, '--consent-note', 'again')
  expect(again.out).toBe('0 added, 0 changed, 3 left as they were\n')
  for (const format of ['json', 'ndjson']) {
    const path = join(site.dataDir, `list.${format}`)
    await run(site, 'export', '--format', format, '--out', path)
    const read = await run(site, 'import', path, '--consent-note', 'again')
    expect([format, read.out]).toEqual([format, '0 added, 0 changed, 3 left as they were\n'])
  }
})

test('an import reads names in the encodings of spreadsheets, and so does the one of links', async () => {
  await using site = await startSite({ sending: false })
  const list = 'email;name\r\njarvinen@example.com;Jukka Järvinen\r\n'
  const note = ['--consent-note', 'Signed up at the Imatra paddock'] as const
  const file = join(site.dataDir, 'list.csv')
  // What Excel saves as CSV, and as Unicode text.
  writeFileSync(file, Buffer.from(list, 'latin1'))
  expect((await run(site, 'import', file, ...note)).out).toContain('1 added')
  writeFileSync(file, `\uFEFF${list.replace('jarvinen', 'other').replaceAll(';', '\t')}`, 'utf16le')
  expect((await run(site, 'import', file, ...note)).out).toContain('1 added')
  const { subscribers } = site.context.features.newsletter
  for (const email of ['jarvinen@example.com', 'other@example.com']) {
    expect(subscribers.find(email)?.name).toBe('Jukka Järvinen')
  }
  writeFileSync(file, Buffer.from('target;code;note\r\nhttps://example.com/;ab;Näyttö', 'latin1'))
  await runCli(['links', 'import', file], { dataDir: site.dataDir })
  expect(site.context.features.links.find('ab')?.note).toBe('Näyttö')
})

test('a list with the wrong columns says so in a screenful, and counts the rest', async () => {
  await using site = await startSite({ sending: false })
  const rows = Array.from({ length: 1_000 }, (_, index) => `Reader ${index}`)
  const file = join(site.dataDir, 'list.csv')
  writeFileSync(file, ['email', ...rows, 'aino@example.com'].join('\n'))
  const bringIn = (...args: string[]) =>
    runCli(['newsletter', 'import', file, '--consent-note', 'at the paddock', ...args], {
      dataDir: site.dataDir,
    })
  const refused = await bringIn()
  const lines = refused.out.trim().split('\n')
  expect(lines).toHaveLength(51)
  expect(lines[0]).toBe('Line 2: “Reader 0” is not an email address.')
  expect(lines.at(-1)).toBe('and 950 more invalid lines')
  expect(refused.err).toBe('Nothing was imported: 1000 invalid lines.\n')
  expect((await bringIn('--skip-invalid')).out).toContain(
    '1 added, 0 changed, 0 left as they were, 1000 skipped\n',
  )
})

test('an address has one spelling in a list and in the form, and no marks that nobody sees', async () => {
  await using site = await startSite({ sending: false })
  expect((await bring(site, 'aino@example.com', '\u200baino@exa\u00admple.com\u202c')).out).toBe(
    '1 added, 0 changed, 1 left as they were\n',
  )
  expect(
    (
      await bring(
        site,
        'jäärä@example.com',
        'JÄÄRÄ@example.com',
        'ja\u0308a\u0308ra\u0308@example.com',
      )
    ).out,
  ).toBe('1 added, 0 changed, 2 left as they were\n')
  await ask(site, { email: 'eero\u200b@example.com' })
  expect(site.context.features.newsletter.subscribers.find('eero@example.com')).not.toBeNull()
})

test('an export holds the days and the status that are asked for', async () => {
  await using site = await startSite({ sending: false })
  await put(site, 'friday@example.com')
  site.clock.advance(86_400_000)
  await put(site, 'saturday@example.com', 'left@example.com')
  await site.context.commit((tx) =>
    site.context.features.newsletter.subscribers.leave(
      tx,
      site.context.features.newsletter.subscribers.find('left@example.com')!,
    ),
  )
  const emails = async (...args: string[]) => {
    const { out, err } = await run(site, 'export', '--format', 'json', ...args)
    expect(err).toBe('')
    return (JSON.parse(out) as { email: string }[]).map(({ email }) => email.split('@')[0])
  }
  expect(await emails()).toEqual(['friday', 'saturday', 'left'])
  expect(await emails('--to', '2026-11-20')).toEqual(['friday'])
  expect(await emails('--from', '2026-11-21')).toEqual(['saturday', 'left'])
  const left = ['--from', '2026-11-21', '--to', '2026-11-21', '--status', 'unsubscribed']
  expect(await emails(...left)).toEqual(['left'])
})

test('an import never brings back who left or was blocked', async () => {
  await using site = await startSite({ sending: false })
  await bring(site, 'left@example.com', 'blocked@example.com')
  await run(site, 'remove', 'left@example.com')
  await run(site, 'remove', 'blocked@example.com', '--block')
  const { out } = await bring(site, 'left@example.com', 'blocked@example.com')
  expect(out).toBe('0 added, 0 changed, 2 left as they were\n')
  const list = JSON.parse((await run(site, 'list', '--json')).out) as { status: string }[]
  expect(list.map(({ status }) => status)).toEqual(['unsubscribed', 'blocked'])
})

test('a wrong line stops an import whole, and is named; a note of consent is demanded', async () => {
  await using site = await startSite({ sending: false })
  const wrong = await bring(site, 'fine@example.com', 'not an address', 'x@example.com,,maybe')
  expect(wrong.code).toBe(1)
  expect(wrong.out).toContain('Line 3: “not an address” is not an email address.')
  expect(wrong.out).toContain(
    'Line 4: “maybe” is not a status: use pending, subscribed, unsubscribed or blocked, or leave it empty.',
  )
  expect((await run(site, 'list')).out).toBe('No subscribers.\n')
  expect((await run(site, 'import', peopleFile('fine@example.com'))).code).toBe(2)
})

test('erasing leaves nothing of an address', async () => {
  await using site = await startSite({ sending: false })
  await put(site, 'aino@example.com')
  expect((await run(site, 'remove', 'aino@example.com', '--erase', '--yes')).code).toBe(0)
  expect((await run(site, 'show', 'aino@example.com')).code).toBe(1)
})

test('sending does nothing by default but tell', async () => {
  await using site = await startSite({ sending: false })
  await put(site, 'aino@example.com')
  const { code, out } = await run(site, 'send', '--news', slug)
  expect(code).toBe(0)
  expect(out).toContain(`“${title}” would go to 1 subscriber.`)
  expect(out).toContain('Dry run: nothing changed. Add --send to send it.')
  expect(site.context.mails.list()).toEqual([])
  const unknown = await run(site, 'send', '--news', 'no-such-article', '--send')
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.err).toContain('No published article is called no-such-article.')
})

test('every subscriber gets the article once, with whole addresses and a way out of his own', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({
    clock,
    env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'desk@pitlane.example' },
  })
  await put(site, 'aino@example.com', 'eero@example.com', 'gone@example.com')
  await site.context.commit((tx) =>
    site.context.features.newsletter.subscribers.leave(
      tx,
      site.context.features.newsletter.subscribers.find('gone@example.com')!,
    ),
  )
  for (let time = 0; time < 2; time += 1) {
    const { code, out } = await run(site, 'send', '--news', slug, '--send')
    expect(code).toBe(0)
    expect(out).toContain(`${time === 0 ? 2 : 0} emails queued`)
  }
  await settled(site)
  expect(smtp.mails).toHaveLength(2)
  expect(new Set(smtp.mails.map(({ envelopeTo }) => envelopeTo[0]))).toEqual(
    new Set(['aino@example.com', 'eero@example.com']),
  )
  const mail = smtp.mails.find(({ to }) => to.includes('aino'))!
  const { leaveToken } = site.context.features.newsletter.subscribers.find('aino@example.com')!
  const leave = `${site.url}/subscription/leave/${leaveToken}`
  expect(mail.subject).toBe(title)
  expect(mail.headers['list-unsubscribe']?.replaceAll(/\s+/g, ' ')).toBe(
    `<${leave}>, <mailto:desk@pitlane.example?subject=unsubscribe%20${leaveToken}>`,
  )
  expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(leave)
    expect(part).toContain(`${site.url}/news/${slug}`)
    expect(part).toContain('Business ID 9284716-0')
  }
  for (const [, address] of mail.html.matchAll(/(?:href|src)="([^"]*)"/g)) {
    expect(address).toMatch(/^(https?:|mailto:|tel:)/)
  }
  expect(mail.html).not.toMatch(/srcset|format=webp/)
  expect(mail.text).not.toMatch(/<\w|&amp;/)
  const [, picture] = /<img\s+src="([^"]*)"/.exec(mail.html) ?? []
  const image = await request(picture!.replaceAll('&amp;', '&'))
  expect(image.headers['content-type']).toBe('image/jpeg')
})

test('an unsubscriber gets none of the queued mails, and undelivered ones are listed', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ clock, sending: false, env: { SMTP_URL: smtp.url } })
  await put(site, 'leaves@example.com', 'broken@example.com')
  await run(site, 'send', '--news', slug, '--send')
  await site.context.commit((tx) =>
    site.context.features.newsletter.subscribers.leave(
      tx,
      site.context.features.newsletter.subscribers.find('leaves@example.com')!,
    ),
  )
  smtp.mood = { recipient: 550 }
  site.context.outbox.start()
  await settled(site)
  const report = await run(site, 'issues', '--news', slug, '--json')
  expect(JSON.parse(report.out)).toMatchObject({
    waiting: 0,
    sent: 0,
    failed: 1,
    dropped: 1,
    failures: [{ email: 'broken@example.com', reply: expect.stringContaining('550') }],
  })
  expect((await run(site, 'issues')).out).toContain(slug)

  // What waits for a person can be sent again without old newsletters going along.
  smtp.mood = 'take'
  const { outcome } = site.context.features.newsletter.acts
  const listed = async (...flags: string[]) => (await runCli(['mail', 'list', ...flags], site)).out
  expect(await listed('--failed')).toBe('No emails found.\n')
  expect(await listed('--status', 'failed')).toContain('broken@example.com')
  expect(await runCli(['mail', 'retry', '--news', 'no-such-article'], site)).toMatchObject({
    code: 1,
    err: 'No issue sent: no-such-article\n',
  })
  await runCli(['mail', 'retry', '--failed'], site)
  await settled(site)
  expect(outcome(slug).deliveries).toMatchObject({ sent: 0, failed: 1 })
  const { out } = await runCli(['mail', 'retry', '--news', slug], site)
  expect(out).toContain('1 email queued')
  await settled(site)
  expect(outcome(slug).deliveries).toMatchObject({ sent: 1, failed: 0, dropped: 1 })
})

test('a send that was cut off goes on where it stopped, and mails are spread over time', async () => {
  await using site = await startSite({ sending: false })
  await put(site, ...Array.from({ length: 25 }, (_, index) => `p${index}@example.com`))
  await run(site, 'send', '--news', slug, '--send', '--per-minute', '10')
  const mails = site.context.mails.list()
  const first = mails[0]!.dueAt!
  const waits = mails.map(({ dueAt }) => (dueAt! - first) / 60_000)
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
  expect(waits.at(-1)).toBe(2)
  // As after a crash in the middle of queueing.
  runSql(site.dataDir, 'DELETE FROM mails WHERE id > 20')
  const { out } = await run(site, 'send', '--news', slug, '--send')
  expect(out).toContain('5 emails queued')
  expect(new Set(site.context.mails.list().map(({ dedupeKey }) => dedupeKey)).size).toBe(25)
})

test('an article whose slug has changed since it was sent goes only to who does not have it', async () => {
  using files = contentFiles({})
  const article = { id: 1, title: 'Ice', content: '<p>Ice.</p>', published_at: '2026-01-01' }
  files.write('news.json', [{ ...article, slug: 'ice' }])
  await using site = await startSite({ sending: false, env: { CONTENT_DIR: files.dir } })
  const cli = (...args: string[]) => runOn(site, 'newsletter', ...args)
  await put(site, 'aino@example.com', 'eero@example.com')
  expect(await cli('send', '--news', 'ice')).toContain('“Ice” would go to 2 subscribers.')
  await cli('send', '--news', 'ice', '--send')
  await put(site, 'new@example.com')

  // Another article's present slug isn't a former one of this.
  files.write('news.json', [
    { ...article, slug: 'lake-ice', old_slugs: ['ice', 'other'] },
    { ...article, id: 2, slug: 'other', title: 'Other' },
  ])
  await eventually(async () =>
    expect(await cli('send', '--news', 'lake-ice')).toMatch(
      /^It was sent on .*\. “Ice” would go to 1 more subscriber\./,
    ),
  )
  expect(await cli('send', '--news', 'other')).toContain('“Other” would go to 3 subscribers.')
  expect(await cli('send', '--news', 'lake-ice', '--send')).toContain('1 email queued')
  expect(await cli('send', '--news', 'ice', '--send')).toContain('0 emails queued')
  expect(site.context.mails.list()).toHaveLength(3)
  expect(JSON.parse(await cli('issues', '--news', 'lake-ice', '--json'))).toMatchObject({
    slug: 'ice',
    waiting: 3,
  })
})

test('an issue whose recipients are forgotten is not sent again', async () => {
  await using site = await startSite({ sending: false })
  await put(site, 'aino@example.com')
  await run(site, 'send', '--news', slug, '--send')
  // As much later, when the emails have been forgotten.
  runSql(site.dataDir, 'DELETE FROM mails')
  const before = Date.now() - (issueDays + 1) * 86_400_000
  runSql(site.dataDir, 'UPDATE newsletter_issues SET created_at = ?', before)
  const { code, err } = await run(site, 'send', '--news', slug, '--send')
  expect(code).toBe(1)
  expect(err).toContain(`was sent on ${dateAt(before)}`)
  expect(site.context.mails.list()).toEqual([])
})

test('a trial copy goes to its one address each time', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ clock, env: { SMTP_URL: smtp.url } })
  await put(site, 'aino@example.com')
  for (let time = 1; time <= 2; time += 1) {
    await run(site, 'send', '--news', slug, '--test', 'me@example.com')
    await eventually(() => expect(smtp.mails).toHaveLength(time))
  }
  expect(smtp.mails[0]).toMatchObject({ to: 'me@example.com', subject: `[Test] ${title}` })
  expect(smtp.mails[0]?.headers['list-unsubscribe']).toBeUndefined()
})
