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
import { createLog } from '#server/log/log.ts'
import { createLogFiles } from '#server/log/files.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pitlane-logs-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const inBytes = (text: string) => Buffer.from(text)
const read = (name: string) => readFileSync(join(directory, name), 'utf8')

test('lines reach the file in order, readable for the owner and the group alone', async () => {
  const files = createLogFiles(directory)
  for (let n = 0; n < 100; n += 1) files.write(inBytes(`${n}\n`), () => {})
  await files.settled()
  files.write(inBytes('last\n'), () => {})
  files.flushSync()
  expect(read('pitlane.log').trim().split('\n')).toHaveLength(101)
  expect(statSync(join(directory, 'pitlane.log')).mode & 0o007).toBe(0)
})

test('a full file gets a number, and the oldest goes', async () => {
  const files = createLogFiles(directory, { maxBytes: 100, keep: 3 })
  for (let n = 0; n < 6; n += 1) {
    files.write(inBytes(`${n} ${'x'.repeat(120)}\n`), () => {})
    await files.settled()
  }
  files.write(inBytes('newest\n'), () => {})
  await files.settled()
  expect(readdirSync(directory).toSorted()).toEqual([
    'pitlane.1.log',
    'pitlane.2.log',
    'pitlane.log',
  ])
  files.flushSync()
  expect(read('pitlane.log')).toBe('newest\n')
  expect(read('pitlane.1.log')).toMatch(/^5 /)
  expect(read('pitlane.2.log')).toMatch(/^4 /)
})

test('a restart goes on with the file that is there', async () => {
  writeFileSync(join(directory, 'pitlane.log'), 'before\n')
  const files = createLogFiles(directory)
  files.write(inBytes('after\n'), () => {})
  await files.settled()
  files.flushSync()
  expect(read('pitlane.log')).toBe('before\nafter\n')
})

test('a directory that cannot be written costs lines, not the process', async () => {
  rmSync(directory, { recursive: true })
  writeFileSync(directory, 'in the way')
  const files = createLogFiles(directory)
  files.write(inBytes('lost\n'), () => {})
  await files.settled()
  files.flushSync()
  rmSync(directory)
  mkdirSync(directory)
  files.write(inBytes('found\n'), () => {})
  files.flushSync()
  expect(read('pitlane.log')).toBe('found\n')
})

test('lines dropped because of a slow disk are counted in the file', async () => {
  const files = createLogFiles(directory)
  const line = `${'x'.repeat(1024 * 1024)}\n`
  for (let n = 0; n < 10; n += 1) files.write(inBytes(line), () => {})
  files.flushSync()
  const kept = read('pitlane.log').trim().split('\n')
  expect(kept.length).toBeLessThan(8)
  expect(JSON.parse(kept.at(-1)!)).toMatchObject({ level: 'warn', lines: 10 - kept.length + 1 })
})

test('e-mail addresses are masked wherever they stand', async () => {
  const lines: string[] = []
  const { log, access, ring, flush } = await createLog({
    level: 'info',
    write: (line) => void lines.push(line),
    directory,
  })
  log.error(
    { err: new Error('550 <aino.virtanen@example.com>: unknown') },
    'to staff@localhost failed',
  )
  access({
    id: 'x',
    method: 'GET',
    path: '/news/aino%40example.com',
    status: 404,
    ms: 1,
    net: '127.0.0.0',
  })
  await flush()
  for (const text of [lines.join(''), ring.since(0).lines.join('')]) {
    expect(text).not.toMatch(/aino|virtanen|staff@/)
    expect(text).toContain('a***@example.com')
  }
})

test('lines that are too long are kept short in memory and stay JSON', async () => {
  const { log, ring } = await createLog({ level: 'info', write() {} })
  log.info({ long: 'x'.repeat(100_000) }, 'long line')
  const [line = ''] = ring.since(0).lines
  expect(line.length).toBeLessThan(4000)
  expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'long line' })
})
