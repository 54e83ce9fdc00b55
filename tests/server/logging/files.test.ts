import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLoggedPath } from '#server/http/request-log.ts'
import { createLog } from '#server/logging/log.ts'
import { eventually } from '../../support/eventually.ts'
import { openLogFiles } from '#server/logging/destination.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pitlane-logs-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const read = (name: string) => readFileSync(join(directory, name), 'utf8')

test('lines reach the file in order, readable for the owner and the group alone', async () => {
  const files = openLogFiles(directory)
  for (let n = 0; n < 100; n += 1) files.write(`${n}\n`)
  await files.close()
  expect(read('pitlane.log').trim().split('\n')).toEqual(
    Array.from({ length: 100 }, (_, n) => String(n)),
  )
  expect(statSync(join(directory, 'pitlane.log')).mode & 0o007).toBe(0)
})

test('a full file gets a number, and the oldest goes', async () => {
  for (let n = 0; n < 6; n += 1) {
    const files = openLogFiles(directory, { maxBytes: 100, keep: 3 })
    files.write(`${n} ${'x'.repeat(120)}\n`)
    await eventually(() => expect(readdirSync(directory)).toContain('pitlane.1.log'))
    await files.close()
  }
  const files = openLogFiles(directory, { maxBytes: 100, keep: 3 })
  files.write('newest\n')
  await files.close()
  expect(readdirSync(directory).toSorted()).toEqual([
    'pitlane.1.log',
    'pitlane.2.log',
    'pitlane.log',
  ])
  expect(read('pitlane.log')).toBe('newest\n')
  expect(read('pitlane.1.log')).toMatch(/^5 /)
  expect(read('pitlane.2.log')).toMatch(/^4 /)
})

test('a restart goes on with the file that is there', async () => {
  writeFileSync(join(directory, 'pitlane.log'), 'before\n')
  const files = openLogFiles(directory)
  files.write('after\n')
  await files.close()
  expect(read('pitlane.log')).toBe('before\nafter\n')
})

test('a directory that cannot be written costs lines, not the process, and says how many', async () => {
  rmSync(directory, { recursive: true })
  writeFileSync(directory, 'in the way')
  const files = openLogFiles(directory, { restMs: 50 })
  files.write('lost\n')
  await files.close()
  rmSync(directory)
  mkdirSync(directory)
  await eventually(() => {
    files.write('found\n')
    expect(read('pitlane.log')).toContain('found\n')
  })
})

test('that the files cannot be written is said once, where it can be', async () => {
  rmSync(directory, { recursive: true })
  writeFileSync(directory, 'in the way')
  const shown: string[] = []
  const { log, flush } = await createLog({
    level: 'info',
    directory,
    write: (line) => shown.push(line),
  })
  log.info('lost')
  await eventually(() => expect(shown.join('')).toContain('log files can’t be written'))
  await flush()
  const told: string[] = []
  const files = openLogFiles(directory, {
    restMs: 0,
    onFailure: ({ message }) => told.push(message),
  })
  files.write('lost\n')
  // However long the first try takes.
  await eventually(() => expect(told).toHaveLength(1))
  for (let n = 0; n < 2; n += 1) {
    files.write('lost\n')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(told).toEqual([expect.stringContaining('ENOTDIR')])
  rmSync(directory)
  mkdirSync(directory)
  await eventually(() => {
    files.write('found\n')
    expect(read('pitlane.log')).toContain('found\n')
  })
  await files.close()
})

test('a line that a full disk cut in half spoils none of those after it, and what was lost is counted', async () => {
  await eventually(async () => {
    rmSync(directory, { recursive: true })
    writeFileSync(directory, 'in the way')
    const files = openLogFiles(directory, { restMs: 0 })
    files.write('lost\nlost, too\n')
    await new Promise((resolve) => setImmediate(resolve))
    rmSync(directory)
    mkdirSync(directory)
    writeFileSync(join(directory, 'pitlane.log'), '{"half')
    files.write('found\n')
    await files.close()
    const [half, said, ...rest] = read('pitlane.log').split('\n')
    expect([half, rest]).toEqual(['{"half', ['found', '']])
    expect(JSON.parse(said!)).toMatchObject({ level: 'warn', lines: 2 })
  })
})

test('a file or directory that is removed while the server runs is made anew', async () => {
  const files = openLogFiles(directory, { restMs: 20 })
  for (const gone of [join(directory, 'pitlane.log'), directory]) {
    await eventually(() => {
      files.write('before\n')
      expect(read('pitlane.log')).toContain('before\n')
    })
    rmSync(gone, { recursive: true })
    await eventually(() => {
      files.write('after\n')
      expect(read('pitlane.log')).toContain('after\n')
    })
  }
  await files.close()
})

test('lines dropped because of a slow disk are counted in the file', async () => {
  const files = openLogFiles(directory)
  const line = `${'x'.repeat(1024 * 1024)}\n`
  for (let n = 0; n < 10; n += 1) files.write(line)
  await files.close()
  const all = readdirSync(directory).toSorted().map(read).join('')
  const kept = all.trim().split('\n')
  const counted = kept.filter((each) => each.startsWith('{'))
  expect(kept.length).toBeLessThan(8)
  expect(counted.map((each) => JSON.parse(each) as object)).toEqual([
    expect.objectContaining({ level: 'warn', lines: 10 - kept.length + 1 }),
  ])
})

test('e-mail addresses are masked wherever they stand', async () => {
  const lines: string[] = []
  const { log, accessLog, recentLog, privatePaths, flush } = await createLog({
    level: 'info',
    write: (line) => void lines.push(line),
    directory,
  })
  const loggedPath = createLoggedPath(privatePaths)
  log.error(
    { err: new Error('550 <aino.virtanen@example.com>: unknown') },
    'to staff@localhost failed',
  )
  accessLog({
    id: 'x',
    method: 'GET',
    path: loggedPath('/news/aino%40example.com'),
    status: 404,
    ms: 1,
    net: '127.0.0.0',
  })
  await flush()
  for (const text of [lines.join(''), recentLog.since(0).lines.join('')]) {
    expect(text).not.toMatch(/aino|virtanen|staff@/)
    expect(text).toContain('a***@example.com')
  }
})

test('whatever a path contains, its line is JSON, and the lines around a long one are all there', async () => {
  const { log, accessLog, recentLog, privatePaths } = await createLog({ level: 'info', write() {} })
  const loggedPath = createLoggedPath(privatePaths)
  const access = (path: string) =>
    accessLog({ id: 'x', method: 'GET', path: loggedPath(path), status: 404, ms: 1, net: '' })
  access('/a"b\\c\u00e4\u0007')
  log.info({ long: 'x'.repeat(100_000) }, 'long line')
  access('/after')
  const lines = recentLog.since(0).lines.map((line) => JSON.parse(line) as object)
  expect(lines).toEqual([
    expect.objectContaining({ path: '/a%22b%5Cc%C3%A4%07' }),
    expect.objectContaining({ msg: 'long line' }),
    expect.objectContaining({ path: '/after' }),
  ])
  expect(recentLog.end()).toBe(3)
})

test('lines that are too long are kept short in memory and stay JSON', async () => {
  const { log, recentLog } = await createLog({ level: 'info', write() {} })
  log.info({ long: 'x'.repeat(100_000) }, 'long line')
  const [line = ''] = recentLog.since(0).lines
  expect(line.length).toBeLessThan(4000)
  expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'long line' })
})
