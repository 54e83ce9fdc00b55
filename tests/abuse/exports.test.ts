import { expect, test } from 'vitest'
import { csvLine, parseCsv } from '#cli/common/csv.ts'
import { saveEnquiry } from '../support/enquiry.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

/** What a spreadsheet takes for the fields of a file when its list separator is another one. */
const fieldsOf = (csv: string, separator: string) =>
  csv.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator))

/** Whether a field would be run: quotes and spaces around it do not matter. */
const runs = (field: string) => /^[\s"]*[=+\-@＝＋－＠]/.test(field)

const formulas = [
  '=HYPERLINK("https://evil.example";"click")',
  'harmless;=1+1',
  'harmless; =1+1',
  'harmless;"=1+1"',
  'harmless\t=1+1',
  'harmless\n=1+1',
  '\t=1+1',
  '\r=1+1',
  '\n@SUM(A1)',
  '  +1',
  '-2+3',
  '＝1+1',
]

test('no text becomes a formula, whatever separates the fields of a spreadsheet', () => {
  for (const text of formulas) {
    const line = csvLine(['abc', text, 'end'])
    for (const separator of [',', ';', '\t']) {
      expect([text, separator, fieldsOf(line, separator).filter(runs)]).toEqual([
        text,
        separator,
        [],
      ])
    }
    const file = `a,b,c\r\n${line}`
    expect(parseCsv(file)[0]!.fields.b).toBe(text.trim())
  }
})

test('a number stays a number, also a negative one; a text that looks like one does not', () => {
  expect(csvLine([-5, -0.5, 7])).toBe('-5,-0.5,7\r\n')
  expect(csvLine(['-5', '+358 40 123'])).toBe("'-5,'+358 40 123\r\n")
  expect(csvLine(['-5'], { raw: true })).toBe('-5\r\n')
})

test('the export of tickets escapes formulas', async () => {
  await using site = await startSite({ sending: false })
  await saveEnquiry(site, {
    'Ticket ID': 'aaaaaa',
    Subject: 'Rally;=cmd|calc',
    Message: 'Hello,\n=HYPERLINK("https://evil.example")\n-1;+2',
  })
  const { out } = await runCli(['tickets', 'export'], site)
  expect(out).toContain('Rally')
  for (const separator of [',', ';', '\t']) {
    expect(fieldsOf(out, separator).filter(runs)).toEqual([])
  }
})

/** Moves the cursor, sets the title, ends a string of the terminal, turns text round. */
const tricks = [
  '\u001b[2J',
  '\u009b31m',
  '\u0007',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u061c',
  '\u2028',
]

const obeyed =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

async function withTricks(site: Site) {
  const {
    commit,
    features: { clients },
  } = site.context
  const name = `Rally ${tricks.join('')}Team`
  await commit((tx) => clients.add(tx, { panel: 'rally', name, season: null, emails: [] }))
  return name
}

test('no command obeys what stands in the data: neither for people nor for machines', async () => {
  await using site = await startSite({ sending: false })
  const name = await withTricks(site)
  for (const args of [
    ['clients', 'list'],
    ['clients', 'show', 'rally'],
    ['clients', 'list', '--json'],
    ['clients', 'show', 'rally', '--json'],
  ]) {
    const { code, out } = await runCli(args, site)
    expect([args, code, obeyed.exec(out)]).toEqual([args, 0, null])
    expect(out).toContain(String.raw`\u001b[2J`)
  }
  const { out } = await runCli(['clients', 'show', 'rally', '--json'], site)
  expect((JSON.parse(out) as { name: string }).name).toBe(name)
})

test('errors and complaints of the command line obey nothing either', async () => {
  await using site = await startSite({ sending: false })
  for (const args of [
    ['clients', 'show', '\u001b[2Jx'],
    ['content', 'check', '--\u001b[2J'],
    ['panels', 'add', 'x', 'text', '--text-file', '/nowhere/\u001b[2J\u202e'],
    ['folders', 'add', '\u001b]0;x\u0007'],
  ]) {
    const { code, err } = await runCli(args, site)
    expect(code).toBeGreaterThan(0)
    expect([args, obeyed.exec(err)]).toEqual([args, null])
  }
})

test('a further line of a text cannot be taken for a fact of its own', async () => {
  await using site = await startSite({ sending: false })
  const {
    commit,
    features: { clients },
  } = site.context
  const name = 'Rally\npanel: other'
  await commit((tx) => clients.add(tx, { panel: 'rally', name, season: null, emails: [] }))
  const { out } = await runCli(['clients', 'show', 'rally'], site)
  expect(out.split('\n').filter((line) => line.startsWith('panel:'))).toEqual(['panel: rally'])
})
