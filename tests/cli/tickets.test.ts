import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runCommand } from '#cli/main.ts'
import { enquiry, mailCalls, saveEnquiry, settled } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { runCli } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'

const day = 86_400_000

/** Three tickets on three days; the last sender has no proof and is over the limit. */
async function withTickets() {
  const site = await startSite({ sending: false })
  await saveEnquiry(site, { 'Ticket ID': 'aaaaaa', Message: 'Line one.\nLine "two", with comma.' })
  site.clock.advance(day)
  await saveEnquiry(site, { 'Ticket ID': 'bbbbbb', Name: '=1+1', Subject: '@SUM(A1)' })
  site.clock.advance(day)
  for (const n of [0, 1, 2, 3, 4, 5]) {
    await site.post('/api/save-contact-form', enquiry({ 'Ticket ID': `cccc0${n}` }))
  }
  return site
}

const json = async (site: Site, ...args: string[]) => {
  const { code, out, err } = await runCli(['tickets', ...args], site)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

test('the list shows tickets as a table, and as JSON', async () => {
  await using site = await withTickets()
  const { out } = await runCli(['tickets', 'list'], site)
  expect(out.split('\n')[0]).toMatch(/^ticket +status +received +due +name +email +subject$/)
  expect(out).toContain('aaaaaa  new')
  expect(out).toContain('2026-11-20 14:00  2026-11-23 17:00')
  expect(await json(site, 'list', '--json')).toHaveLength(8)
  expect(await json(site, 'list', '--json', '--status', 'quarantined')).toMatchObject([
    { ticketId: 'cccc05' },
  ])
})

test('a long cell is cut between two characters, never through an emoji', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site, { 'Ticket ID': 'aaaaaa', Subject: `${'a'.repeat(58)}🏁 at the end` })
  const { out } = await runCli(['tickets', 'list'], site)
  expect(out).toContain(`${'a'.repeat(58)}🏁…`)
  expect(out).not.toContain('\uFFFD')
})

test('days are days in Helsinki, the last one included', async () => {
  await using site = await withTickets()
  const ids = async (...args: string[]) =>
    (await json(site, 'list', '--json', ...args)).map((one: { ticketId: string }) => one.ticketId)
  expect(await ids('--from', '2026-11-20', '--to', '2026-11-21')).toEqual(['bbbbbb', 'aaaaaa'])
  expect(await ids('--to', '2026-11-20')).toEqual(['aaaaaa'])
  expect(await ids('--from', '2026-11-21T12:00:00Z', '--to', '2026-11-22')).toHaveLength(7)
  expect(await ids('--from', '2026-11-23')).toEqual([])
})

test('JSON exports hold every ticket with every field, quarantined ones too', async () => {
  await using site = await withTickets()
  const tickets = await json(site, 'export', '--format', 'json')
  expect(tickets).toHaveLength(8)
  expect(tickets[0]).toEqual({
    ticketId: 'aaaaaa',
    status: 'new',
    name: 'Aino Virtanen',
    email: 'aino@example.com',
    subject: 'Race weekend in Imatra',
    message: 'Line one.\nLine "two", with comma.',
    date: '2026-11-20T14:00:00.000+02:00',
    receivedAt: '2026-11-20T14:00:00.000+02:00',
    dueAt: '2026-11-23T17:00:00.000+02:00',
    proven: true,
  })
  expect(tickets.at(-1)).toMatchObject({ ticketId: 'cccc05', status: 'quarantined' })
})

test('NDJSON exports hold a ticket per line', async () => {
  await using site = await withTickets()
  const { out } = await runCli(['tickets', 'export', '--format', 'ndjson'], site)
  const lines = out.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).ticketId)).toHaveLength(8)
})

test('CSV exports follow RFC 4180 and start with a byte order mark', async () => {
  await using site = await withTickets()
  const { out } = await runCli(['tickets', 'export', '--format', 'csv', '--to', '2026-11-20'], site)
  expect(out).toBe(
    '\uFEFFticketId,status,name,email,subject,message,date,receivedAt,dueAt,proven\r\n' +
      'aaaaaa,new,Aino Virtanen,aino@example.com,Race weekend in Imatra,"Line one.\nLine ""two"", with comma.",' +
      '2026-11-20T14:00:00.000+02:00,2026-11-20T14:00:00.000+02:00,2026-11-23T17:00:00.000+02:00,true\r\n',
  )
})

test('cells that a spreadsheet would run are disarmed, unless asked for raw', async () => {
  await using site = await startSite({ sending: false })
  const openings = ['=1+1', '+1', '-1', '@SUM(A1)']
  for (const [n, Subject] of openings.entries()) {
    await saveEnquiry(site, { 'Ticket ID': `aaaaa${n}`, Subject })
  }
  const guarded = await runCli(['tickets', 'export'], site)
  const raw = await runCli(['tickets', 'export', '--raw'], site)
  for (const text of openings) {
    expect(guarded.out).toContain(`,'${text},`)
    expect(raw.out).toContain(`,${text},`)
  }
})

test('an export of nothing is an empty list, or the header alone', async () => {
  await using site = await startSite({ sending: false })
  const out = async (format: string) =>
    (await runCli(['tickets', 'export', '--format', format], site)).out
  expect(await out('json')).toBe('[]\n')
  expect(await out('ndjson')).toBe('')
  expect(await out('csv')).toMatch(/^\uFEFFticketId,[^\n]+\r\n$/)
})

test('a file appears when it is whole, and none when it cannot be written', async () => {
  await using site = await withTickets()
  const file = join(site.dataDir, 'export.csv')
  expect((await runCli(['tickets', 'export', '--out', file], site)).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('cccc05')
  const dash = await runCli(['tickets', 'export', '--out', '-'], site)
  expect(dash.out).toBe(readFileSync(file, 'utf8'))
  expect(existsSync('-')).toBe(false)
  const missing = join(site.dataDir, 'nowhere', 'export.csv')
  const refused = await runCli(['tickets', 'export', '--out', missing], site)
  expect(refused.code).toBe(1)
  expect(refused.err).toBe(`There’s no such directory: ${join(site.dataDir, 'nowhere')}.\n`)
  const directory = join(site.dataDir, 'a-directory')
  mkdirSync(directory)
  expect(await runCli(['tickets', 'export', '--out', directory], site)).toMatchObject({
    code: 1,
    err: `This is a directory, not a file: ${directory}.\n`,
  })
  expect(readdirSync(site.dataDir).filter((name) => name.includes('.part'))).toEqual([])
})

test('a ticket is shown, given a status and a note, and remembers who did it', async () => {
  await using site = await withTickets()
  const run = (...args: string[]) => runCli(['tickets', ...args], site)
  expect((await run('set', 'aaaaaa', 'answered', '--by', 'mika')).out).toBe(
    'aaaaaa: new → answered\n',
  )
  expect((await run('note', 'aaaaaa', 'called', 'back', '--by', 'mika')).code).toBe(0)
  const shown = await json(site, 'show', 'aaaaaa', '--json')
  expect(shown).toMatchObject({ status: 'answered', message: expect.stringContaining('Line one.') })
  expect(shown.changes).toMatchObject([
    { author: 'mika', kind: 'status', before: 'new', after: 'answered' },
    { author: 'mika', kind: 'note', before: null, after: 'called back' },
  ])
  expect((await run('show', 'aaaaaa')).out).toContain('called back')
  expect(await run('note', 'aaaaaa', ' ')).toMatchObject({ code: 1, err: 'Please write a note.\n' })
})

test('a terminal is not rewritten by what a visitor wrote', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site, { Message: 'Hello \u001b[2J\u001b]0;owned\u0007 there' })
  const { out } = await runCli(['tickets', 'show', 'abc123'], site)
  expect(out).toContain('owned')
  expect(out).not.toMatch(/[\u001b\u0007]/)
})

test('late replies are listed until they are given', async () => {
  await using site = await startSite({ sending: false })
  site.clock.advance(-400 * day)
  await saveEnquiry(site)
  expect(await json(site, 'due', '--json')).toMatchObject([{ ticketId: 'abc123' }])
  site.clock.advance(30 * day)
  expect(site.context.contributions().digest()).toMatchObject([{ count: 1, what: 'late reply' }])
  await runCli(['tickets', 'set', 'abc123', 'answered'], site)
  expect((await runCli(['tickets', 'due'], site)).out).toBe('No overdue tickets.\n')
})

test('a ticket let out of quarantine gets its two mails from the running server', async () => {
  await using site = await startSite()
  for (const n of [0, 1, 2, 3, 4, 5]) {
    await site.post('/api/save-contact-form', enquiry({ 'Ticket ID': `cccc0${n}` }))
  }
  expect(site.context.mails.of('ticket', 'cccc05')).toEqual([])
  // The command has the real clock, so the site must be as late.
  site.clock.advance(Date.now() - site.clock() + 60_000)
  await runCli(['tickets', 'set', 'cccc05', 'open'], site)
  await expect
    .poll(() => mailFiles(site.dataDir).filter(({ file }) => file.includes('cccc05')))
    .toHaveLength(2)
})

test('a trace shows every hop', async () => {
  await using site = await startSite()
  const { confirmation, notice } = mailCalls()
  await saveEnquiry(site)
  await site.post('/api/send-email', confirmation)
  await site.post('/api/send-email', notice)
  await settled(site)
  await runCli(['tickets', 'set', 'abc123', 'open', '--by', 'mika'], site)
  const hops = await json(site, 'trace', 'abc123', '--json')
  expect(hops.map(({ what }: { what: string }) => what)).toEqual([
    'received',
    'confirmation call',
    'notice call',
    'confirmation queued',
    'confirmation sent',
    'notice queued',
    'notice sent',
    'status',
  ])
})

test('exit codes tell done, failed and wrong use apart', async () => {
  await using site = await startSite({ sending: false })
  const code = async (...args: string[]) => (await runCli(args, site)).code
  expect(await code('tickets', 'list')).toBe(0)
  expect(await code('tickets', 'show', 'zzzzzz')).toBe(1)
  expect(await code('tickets', 'set', 'zzzzzz', 'open')).toBe(1)
  expect(await code('tickets', 'note', 'zzzzzz', 'hello')).toBe(1)
  expect(await code('tickets', 'trace', 'zzzzzz')).toBe(1)
  expect(await code()).toBe(2)
  expect(await code('nothing')).toBe(2)
  expect(await code('tickets', 'show')).toBe(2)
  expect(await code('tickets', 'set', 'abc123', 'gone')).toBe(2)
  expect(await code('tickets', 'list', '--from', '2026-02-30')).toBe(2)
  expect(await code('tickets', 'list', '--nothing')).toBe(2)
  expect(await code('tickets', 'export', '--format', 'xml')).toBe(2)
})

test('a ticket that waits again after its day has passed gets another day, as one from quarantine does', async () => {
  await using site = await withTickets()
  const due = async (id: string) =>
    JSON.parse(await runOn(site, 'tickets', 'show', id, '--json')).dueAt as string
  await runOn(site, 'tickets', 'set', 'bbbbbb', 'closed')
  const kept = await due('bbbbbb')
  await runOn(site, 'tickets', 'set', 'bbbbbb', 'open')
  expect(await due('bbbbbb')).toBe(kept)
  site.clock.advance(7 * day)
  await runOn(site, 'tickets', 'set', 'bbbbbb', 'answered')
  expect(await due('bbbbbb')).toBe(kept)
  for (const id of ['bbbbbb', 'cccc05']) {
    await runOn(site, 'tickets', 'set', id, 'open')
    expect(await due(id)).toBe('2026-11-30T17:00:00.000+02:00')
  }
})

test('help touches nothing', async () => {
  await using site = await startSite({ sending: false })
  const dataDir = join(site.dataDir, 'not-there')
  for (const args of [['--help'], ['tickets', '--help'], ['tickets', 'export', '--help']]) {
    const { code, out } = await runCli(args, { dataDir })
    expect(code).toBe(0)
    expect(out).toContain('Usage: pitlane')
  }
  expect(existsSync(dataDir)).toBe(false)
})

test('state that cannot be opened is said in one sentence', async () => {
  await using site = await startSite({ sending: false })
  const file = join(site.dataDir, 'a-file')
  await runCli(['tickets', 'export', '--out', file], site)
  chmodSync(file, 0o400)
  const { code, err } = await runCli(['tickets', 'list'], { dataDir: join(file, 'below') })
  expect(code).toBe(1)
  expect(err).toContain('cannot be opened for writing')
  expect(err).not.toContain('    at ')
})

test('a terminal is told after each command what waits for a person', async () => {
  await using site = await withTickets()
  const told = async (more: Record<string, string>) => {
    const err = Object.assign(new PassThrough(), { isTTY: true })
    const mask = process.umask()
    const env = { DATA_DIR: site.dataDir, ...more }
    expect(await runCommand(['tickets', 'due'], { env, out: new PassThrough(), err })).toBe(0)
    process.umask(mask)
    return String(err.read())
  }
  const said = '1 in quarantine (pitlane tickets list --status quarantined)'
  expect(await told({})).toContain(said)
  expect(await told({})).toContain('\u001b[31m')
  const plain = await told({ NO_COLOR: '1' })
  expect(plain).toContain(said)
  expect(plain).not.toContain('\u001b')
})

test('a list has the newest 30 unless told otherwise, of an address or with words', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 32; n += 1) {
    const id = `t${String(n).padStart(5, '0')}`
    const Email = n === 7 ? 'eero@example.com' : `aino${n}@example.com`
    const Name = n === 9 ? 'Väinö Mäkinen' : 'Aino Virtanen'
    await saveEnquiry(site, { 'Ticket ID': id, Email, Name }, { from: `127.0.1.${n}` })
    site.clock.advance(60_000)
  }
  const table = await runCli(['tickets', 'list'], site)
  const lines = table.out.trim().split('\n')
  expect(lines[1]).toContain('t00031')
  expect(lines).toHaveLength(31)
  expect(table.err).toBe('Showing 30 of 32 tickets. More with --limit.\n')
  expect(await json(site, 'list', '--json')).toHaveLength(32)
  expect(await json(site, 'list', '--json', '--limit', '2')).toMatchObject([
    { ticketId: 't00031' },
    { ticketId: 't00030' },
  ])
  const one = async (...args: string[]) =>
    (await json(site, 'list', '--json', ...args)).map((row: { ticketId: string }) => row.ticketId)
  expect(await one('--email', 'EERO@example.com')).toEqual(['t00007'])
  expect(await one('--search', 'makinen imatra')).toEqual(['t00009'])
})

test('a reply and an assignee go the way that the desk takes, with who did it', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const by = ['--by', 'Noora']
  const { out } = await runCli(['tickets', 'reply', 'abc123', '--text', 'Yes.', ...by], site)
  expect(out).toBe('abc123: answered, email queued to aino@example.com\n')
  await runCli(['tickets', 'assign', 'abc123', ...by], site)
  await runCli(['tickets', 'assign', 'abc123', 'Mika', ...by], site)
  const both = await runCli(['tickets', 'assign', 'abc123', 'Mika', '--nobody', ...by], site)
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('not both')])
  await runCli(['tickets', 'assign', 'abc123', '--nobody', ...by], site)
  const { contact } = site.context.features
  expect(contact.tickets.messages('abc123')).toMatchObject([{ name: 'Noora', text: 'Yes.' }])
  expect(contact.history.changes('abc123').map(({ kind, after }) => `${kind} ${after}`)).toEqual([
    'replied answered',
    'assigned Noora',
    'assigned Mika',
    'assigned nobody',
  ])
  const empty = await runCli(['tickets', 'reply', 'abc123', '--text', ' '], site)
  expect([empty.code, empty.err]).toEqual([1, 'A reply can have 1 to 10,000 characters.\n'])
  const missing = await runCli(['tickets', 'reply', 'zzzzzz', '--text', 'Yes.'], site)
  expect([missing.code, missing.err]).toEqual([1, 'Ticket not found: zzzzzz.\n'])
})

test('a ticket is shown with everything that was written since, and who takes care of it', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const { actions } = site.context.features.contact
  await runCli(['tickets', 'reply', 'abc123', '--text', 'Which day?', '--by', 'Noora'], site)
  await actions.add('abc123', { text: 'Saturday, please.', key: 'k'.repeat(32) })
  await runCli(['tickets', 'assign', 'abc123', 'Mika'], site)
  const { out } = await runCli(['tickets', 'show', 'abc123'], site)
  expect(out).toContain('assignee: Mika\n')
  expect((await runCli(['tickets', 'show', 'ABC123'], site)).out).toBe(out)
  expect(out).toMatch(/Noora, 20\d\d-\d\d-\d\d \d\d:\d\d\n\nWhich day\?\n\nEmail: On its way\n/)
  expect(out).toMatch(/\d\d:\d\d\n\nSaturday, please\.\n/)
  expect(await json(site, 'show', 'abc123', '--json')).toMatchObject({
    assignee: 'Mika',
    messages: [
      { author: 'staff', name: 'Noora', text: 'Which day?', delivery: { failed: false } },
      { author: 'visitor', text: 'Saturday, please.', delivery: null },
    ],
  })
})

test('a text block is the reply, with what is known of the ticket filled in', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site)
  const text = 'Dear {name}, thanks for {ticket}.'
  await runCli(['tickets', 'blocks', 'add', 'Thanks', '--text', text], site)
  const reply = (...args: string[]) => runCli(['tickets', 'reply', 'abc123', ...args], site)
  expect((await reply('--block', 'thanks')).code).toBe(0)
  const [{ text: sent } = { text: '' }] = site.context.features.contact.tickets.messages('abc123')
  expect(sent).toMatch(/^Dear .+, thanks for abc123\.$/)
  expect(sent).not.toContain('{')
  expect(await reply('--block', 'nosuch')).toMatchObject({
    code: 1,
    err: 'Text block not found: nosuch.\n',
  })
  expect((await reply('--block', 'thanks', '--text', 'Yes.')).code).toBe(2)
})

test('today, find and person show at the command line what the desk shows', async () => {
  // The command line reads the clock of the machine, and what is due depends on it.
  await using site = await startSite({ sending: false, clock: createClock(Date.now()) })
  await saveEnquiry(site)
  const server = site.context.features.desk
  const today = await runCli(['today', '--json'], site)
  expect(JSON.parse(today.out).map(({ title }: { title: string }) => title)).toEqual(
    expect.arrayContaining((await server.today()).map(({ title }) => title)),
  )
  const found = await runCli(['find', 'VIRTANEN', 'imatra', '--json'], site)
  expect(JSON.parse(found.out)).toMatchObject([{ label: 'Ticket', href: '/desk/tickets/abc123' }])
  const person = await runCli(['person', 'aino@example.com'], site)
  expect(person.out).toContain('Race weekend in Imatra')
  expect((await runCli(['find', 'nobody-of-this-name'], site)).out).toBe('Nothing found.\n')
})
