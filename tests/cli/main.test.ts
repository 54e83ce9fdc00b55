import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bareEnvironment } from '../support/bare-environment.ts'
import { runCliProcess } from '../support/run-cli.ts'

test('the version is that of package.json, and asking for it touches nothing', async () => {
  const file = join(import.meta.dirname, '../../package.json')
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  const dataDir = join(mkdtempSync(join(tmpdir(), 'pitlane-cli-')), 'not-there')
  expect(await runCliProcess(['--version'], { dataDir })).toEqual({
    code: 0,
    out: `${version}\n`,
    err: '',
  })
  expect(existsSync(dataDir)).toBe(false)
})

test.each([
  ['tickets', 'edit'],
  ['codes', 'add'],
  ['codes', 'disable'],
  ['clients', 'enable'],
  ['links', 'add'],
  ['folders', 'edit'],
  ['folders', 'disable'],
  ['folders', 'enable'],
  ['backup', 'add'],
])('%s has the verb %s, as every noun that can do it', async (noun, verb) => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'pitlane-cli-')), 'not-there')
  const { code, out } = await runCliProcess([noun, verb, '--help'], { dataDir })
  expect([code, out]).toEqual([0, expect.stringMatching(`^Usage: pitlane ${noun} .*${verb}`)])
})

test.each([
  { words: ['tickets'], usage: 'tickets [options] [command]', says: /^ {2}reply /m },
  { words: ['tickets', 'list'], usage: 'tickets list [options]', says: /--status/ },
  { words: ['orders', 'payouts', 'export'], usage: 'orders payouts export', says: /--again/ },
  { words: ['find'], usage: 'find [options] <words...>', says: /--json/ },
])('help $words says what --help says there', async ({ words, usage, says }) => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'pitlane-cli-')), 'not-there')
  const { code, out } = await runCliProcess(['help', ...words], { dataDir })
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: pitlane ${usage}`)])
  expect(out).toMatch(says)
  expect(out).toBe((await runCliProcess([...words, '--help'], { dataDir })).out)
})

test('help for what is no command says so', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'pitlane-cli-')), 'not-there')
  const { code, err } = await runCliProcess(['help', 'tikets'], { dataDir })
  expect([code, err]).toEqual([2, expect.stringContaining("unknown command 'tikets'")])
})

test('a reader of mistakes that stops early, as in 2>&1 | head, changes no exit code', async () => {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  const child = spawn(process.execPath, [main, 'no-such-noun'], { env: bareEnvironment })
  child.stderr.destroy()
  expect(await once(child, 'exit')).toEqual([2, null])
})

test('help says in words what a repeatable option is without one', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'pitlane-cli-')), 'not-there')
  const { out } = await runCliProcess(['bookings', 'offer', '--help'], { dataDir })
  expect(out.match(/\(default:[^)]*\)/g)?.slice(0, 2)).toEqual([
    expect.stringMatching(/^\(default: the price\s+shown so far\)$/),
    expect.stringContaining('(default: "'),
  ])
})
