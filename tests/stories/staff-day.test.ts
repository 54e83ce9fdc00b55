import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nouns } from '#cli/nouns.ts'
import { camt } from '../support/bank-statement.ts'
import { book } from '../support/bookings.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { toldOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

/** The commands in README's table of the staff's day, in its order; a lone option goes with what it follows. */
function printedCommands(): string[] {
  const [, table = ''] = readme.split("## The staff's day\n")
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  const found: string[] = []
  for (const row of rows) {
    for (const [, words] of row.matchAll(/`([^`]+)`/g)) {
      if (words!.startsWith('--')) found.push(`${found.at(-1)!} ${words}`)
      else if (nouns.some(({ name }) => name === words!.split(' ')[0])) found.push(words!)
    }
  }
  return found
}

/** The words of a command as a shell reads them. */
const wordsOf = (command: string): string[] =>
  Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word!)

/** One command of the day: what stands for README's placeholders, and what it has to say. */
type Step = {
  says: string | RegExp
  with?: Readonly<Record<string, string>>
  more?: string[]
  /** It goes on until Ctrl-C. */
  isEndless?: boolean
}

/** Presses Ctrl-C until the command that listens for it has ended. */
function pressingCtrlC(): Disposable {
  const timer = setInterval(() => {
    if (process.listenerCount('SIGINT') > 0) process.emit('SIGINT')
  }, 200)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

let elsewhere: string

beforeEach(() => {
  elsewhere = mkdtempSync(join(tmpdir(), 'pitlane-day-'))
  return () => rmSync(elsewhere, { recursive: true, force: true })
})
afterEach(() => void vi.useRealTimers())

/** What came in overnight. */
async function overnight(site: Site) {
  await saveEnquiry(site, { Message: 'Two photographers for the rally, please.' })
  const { json } = await book(site)
  const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const
  const looks = ['northern-light-colour-looks', 'single', 1] as const
  const sent = await orderByInvoice(site, [print])
  const sentBack = await orderByInvoice(site, [looks], { email: 'b@example.com' })
  const paid = ({ total }: { total: number }, reference: string, id: string) => ({
    amount: (total / 100).toFixed(2),
    reference,
    id,
    iban: 'FI2112345600000785',
  })
  writeFileSync(
    join(elsewhere, 'statement.xml'),
    camt([paid(sent, '10016', 'A1'), paid(sentBack, '10029', 'A2')]),
  )
  writeFileSync(
    join(elsewhere, 'season.ics'),
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:night\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20270612\r\nSUMMARY:Night Rally\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  )
  mkdirSync(join(site.dataDir, 'folders/rally'), { recursive: true })
  writeFileSync(join(site.dataDir, 'folders/rally/a.txt'), 'a')
  const people = [{ line: 2, email: 'fan@example.com', name: '', status: '' }]
  await site.context.features.newsletter.acts.import(people, 'Fair', { by: 'mika' })
  await signIn(site, ['desk'], { name: 'Noora' })
  // A link whose target is never asked from here, since it's no public address.
  const inside = { target: 'http://127.0.0.1:9/', code: 'inside' }
  await site.context.features.links.acts.create(inside, 'mika')
  writeFileSync(join(elsewhere, 'lap.txt'), 'One lap')
  return {
    reference: (json as { reference: string }).reference,
    sent: sent.order,
    sentBack: sentBack.order,
  }
}

test('staff get through their day with the commands that README prints, and with no others', async () => {
  const contentDir = join(elsewhere, 'content')
  cpSync(join(import.meta.dirname, '../../data/content'), contentDir, { recursive: true })
  const env = { SHARES: 'off', CONTENT_DIR: contentDir }
  await using site = await startSite({ sending: false, env })
  vi.useFakeTimers({ toFake: ['Date'], now: site.clock() })
  const { reference, sent, sentBack } = await overnight(site)
  let backup = ''
  let folder = ''
  const slug = 'forty-eight-hours-at-kymiring'
  const file = (name: string) => join(elsewhere, name)

  const day: Readonly<Record<string, () => Step>> = {
    today: () => ({ says: /Booking requests \(1\)/ }),
    'find virtanen imatra': () => ({ says: 'Race weekend in Imatra' }),
    'person aino@example.com': () => ({ says: reference }),
    'tickets list --since 7d --search rally': () => ({ says: 'abc123' }),
    'tickets reply abc123 --text "…"': () => ({ with: { '…': 'Gladly.' }, says: 'answered' }),
    'tickets assign abc123': () => ({ says: 'abc123: assigned to' }),
    'tickets export --format csv': () => ({ says: 'Two photographers for the rally' }),
    'tickets blocks add Prices --text "Dear {name}, …"': () => ({ says: 'Prices: added' }),
    'tickets reply abc123 --block prices': () => ({ says: 'abc123: answered' }),
    'tickets reply abc123 --text "…" --attach plan.pdf': () => ({
      with: { '…': 'The plan.', 'plan.pdf': file('lap.txt') },
      says: 'answered, email with lap.txt',
    }),
    'bookings list': () => ({ says: reference }),
    'bookings confirm <reference>': () => ({
      with: { '<reference>': reference },
      says: `${reference}: confirmed`,
    }),
    'bookings block 2027-06-01 2027-06-05': () => ({ says: /block/i }),
    'events add "Seven Lakes Rally" …': () => ({
      more: ['--start', '2028-06-02', '--end', '2028-06-04', '--city', 'Mikkeli'],
      says: 'added',
    }),
    'events import season.ics': () => ({
      with: { 'season.ics': file('season.ics') },
      says: '1 added, 0 changed',
    }),
    'discounts add SPRING10 --percent 10 --until 2027-05-31 --uses 100': () => ({
      says: 'SPRING10',
    }),
    'gift-cards add 50 --name Aino --email aino@example.com --note "transfer of 3 May"': () => ({
      says: 'on its way to aino@example.com',
    }),
    'gift-cards show <card>': () => ({
      with: { '<card>': site.context.features.shop.giftCardActs.list()[0]!.number },
      says: '€50.00',
    }),
    'products list': () => ({ says: 'blue-hour-fine-art-print' }),
    'products price <handle> <variant> 89.00': () => ({
      with: { '<handle>': 'blue-hour-fine-art-print', '<variant>': '30x40-matte' },
      says: '89.00',
    }),
    'orders list': () => ({ says: sent }),
    'orders match statement.xml': () => ({
      with: { 'statement.xml': file('statement.xml') },
      says: '2 paid',
    }),
    'orders ship <order>': () => ({ with: { '<order>': sent }, says: `${sent}: paid → shipped` }),
    'orders refund <order>': () => ({
      with: { '<order>': sentBack },
      says: `${sentBack}: paid → refunded`,
    }),
    'orders books --month 2027-05 --out book.csv': () => ({
      with: { 'book.csv': file('book.csv') },
      says: '',
    }),
    'orders vat-return --month 2027-05': () => ({ says: 'VAT return of May 2027' }),
    'orders eu-sales-list --month 2027-05': () => ({ says: 'country,vatId' }),
    'orders payouts export --out refunds.xml': () => ({
      with: { 'refunds.xml': file('refunds.xml') },
      says: 'File 1: 1 transfer,',
    }),
    'orders payouts-done --file 1': () => ({ says: /./ }),
    'privacy --help': () => ({ says: 'erase' }),
    'mail list --failed': () => ({ says: 'No emails found.' }),
    'mail retry all': () => ({ says: '0 emails queued' }),
    'mail retry --waiting': () => ({ says: '0 emails queued' }),
    'clients add "Nordic Rally Team"': () => ({ says: 'nordic-rally-team: added' }),
    'codes create nordic': () => ({ says: 'Sign in at' }),
    'codes totp <code>': () => ({ with: { '<code>': '1' }, says: 'Secret: ' }),
    'codes sessions': () => ({ says: 'Noora' }),
    'codes end-sessions <session>': () => ({ with: { '<session>': '1' }, says: '1: ended' }),
    'folders add <directory> --title …': () => ({
      with: { '<directory>': 'rally', '…': 'Arctic Rally' },
      says: '/s/',
    }),
    'panels add <client> folders --folder <id>': () => ({
      with: { '<client>': 'nordic', '<id>': folder },
      says: 'added',
    }),
    'folders set <id> --watermark': () => ({ with: { '<id>': folder }, says: 'watermark' }),
    'folders notify <id>': () => ({ with: { '<id>': folder }, more: to, says: 'Add --send' }),
    'folders notify <id> --send': () => ({
      with: { '<id>': folder },
      more: to,
      says: 'On its way to team@example.com',
    }),
    'folders upload <id> *.jpg --section "Day 1"': () => ({
      with: { '<id>': folder, '*.jpg': file('lap.txt') },
      says: 'lap.txt',
    }),
    'folders watch <id>': () => ({
      with: { '<id>': folder },
      says: 'Watching Arctic Rally',
      isEndless: true,
    }),
    'links create https://example.com --code rally --tags press': () => ({ says: '/l/rally' }),
    'links edit rally --random-password': () => ({ says: /password/i }),
    'links list --dead': () => ({ says: 'No links' }),
    'links check rally': () => ({ with: { rally: 'inside' }, says: 'inside: not checked' }),
    'links rename rally final': () => ({ says: 'final' }),
    'newsletter send --news <slug>': () => ({
      with: { '<slug>': slug },
      says: 'would go to 1 subscriber',
    }),
    'newsletter send --news <slug> --send': () => ({
      with: { '<slug>': slug },
      says: '1 email queued',
    }),
    'content check': () => ({ says: /Content OK|warning/ }),
    'content preview <slug>': () => ({ with: { '<slug>': slug }, says: slug }),
    'backup list': () => ({ says: /No backups|manual|daily/ }),
    'backup create --out /mnt/disk': () => ({
      with: { '/mnt/disk': file('disk') },
      says: 'files, ',
    }),
    'backup check <name>': () => ({ with: { '<name>': backup }, says: 'Backup OK' }),
    'keys show': () => ({ says: 'sessions' }),
    'keys rotate': () => ({ says: 'New key' }),
    'keys revoke': () => ({ says: 'Dry run: nothing changed.' }),
    'stats list --from 2027-01-01': () => ({ says: 'No statistics found.' }),
    'stats show pages': () => ({ says: /./ }),
    'stats show referrers': () => ({ says: /./ }),
    'stats show outcomes --from 2027-01-01': () => ({ says: /./ }),
    'history --since 7d': () => ({ says: 'shipped' }),
    doctor: () => ({ says: 'database' }),
  }
  const to = ['--to', 'team@example.com']

  const printed = printedCommands()
  // README is the source: what it names is run, and nothing else is.
  expect(printed.filter((command) => !Object.hasOwn(day, command))).toEqual([])
  expect(Object.keys(day).filter((command) => !printed.includes(command))).toEqual([])

  for (const command of printed) {
    const { with: values = {}, more = [], says, isEndless = false } = day[command]!()
    const words = wordsOf(command)
      .map((word) => values[word] ?? word)
      .filter((word) => word !== '…')
    using _ = isEndless ? pressingCtrlC() : null
    const { out, error } = await toldOn(site, ...words, ...more)
    // Help ends a command, and so does a doctor that finds something.
    const mayEnd = command === 'privacy --help' || command === 'doctor'
    expect([command, mayEnd ? null : error]).toEqual([command, null])
    expect([command, out]).toEqual([
      command,
      typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    ])
    if (command.startsWith('backup create')) backup = /^(.+): \d+ file/.exec(out)![1]!
    if (command.startsWith('folders add')) folder = /\/s\/([\w-]+)/.exec(out)![1]!
  }
  expect(readFileSync(file('book.csv'), 'utf8')).toContain(',')
})
