import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskCache } from '#server/state/disk-cache.ts'

let dir: string
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'pitlane-cache-'))))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const log = { warn: () => {} }
const open = (options: Partial<Parameters<typeof createDiskCache>[0]> = {}) =>
  createDiskCache({ dir, maxBytes: 1000, maxFiles: 100, log, ...options })
const bytes = (size: number) => Buffer.alloc(size, 'x')
const names = () => readdirSync(dir).toSorted()

/** A file of an earlier process, last used so many hours ago. */
function left(name: string, size: number, hours: number): void {
  writeFileSync(join(dir, name), bytes(size))
  const at = new Date(Date.now() - hours * 3_600_000)
  utimesSync(join(dir, name), at, at)
}

test('files beyond the bytes leave, the one unused for longest first', async () => {
  const cache = open()
  for (const name of ['a', 'b', 'c']) await cache.put(name, bytes(300))
  expect(await cache.get('a')).toHaveLength(300)
  expect(await cache.put('d', bytes(300))).toBe(true)
  expect(await cache.get('b')).toBeNull()
  expect(names()).toEqual(['a', 'c', 'd'])
})

test('files beyond the number leave, too', async () => {
  const cache = open({ maxFiles: 2 })
  for (const name of ['a', 'b', 'c']) await cache.put(name, bytes(1))
  expect(names()).toEqual(['b', 'c'])
})

test('a file that is kept anew counts once', async () => {
  const cache = open()
  for (let time = 0; time < 5; time += 1) await cache.put('a', bytes(400))
  await cache.put('b', bytes(400))
  expect(names()).toEqual(['a', 'b'])
})

test('what an earlier process kept is found, and leaves by its last use', async () => {
  left('new', 400, 1)
  left('old', 400, 9)
  const cache = open()
  expect(await cache.find('new')).toBe('new')
  await cache.put('more', bytes(400))
  expect(names()).toEqual(['more', 'new'])
})

test('a cache that was made smaller is brought to its size', async () => {
  for (const [hours, name] of ['a', 'b', 'c'].entries()) left(name, 400, 9 - hours)
  const cache = open()
  await cache.put('d', bytes(1))
  expect(names()).toEqual(['b', 'c', 'd'])
})

test('a file is found by its stem, and under its newest name', async () => {
  const cache = open()
  await cache.put('car~1', bytes(1))
  await cache.put('car~2', bytes(2))
  expect(await cache.find('car')).toBe('car~2')
  await cache.remove('car~1')
  expect(await cache.find('car')).toBe('car~2')
  await cache.remove('car~2')
  expect(await cache.find('car')).toBeNull()
})

test('a file that was cut short or taken away is missing', async () => {
  const cache = open()
  await cache.put('a', bytes(10))
  await cache.put('b', bytes(10))
  writeFileSync(join(dir, 'a'), bytes(9))
  rmSync(join(dir, 'b'))
  expect([await cache.get('a'), await cache.get('b')]).toEqual([null, null])
  expect(names()).toEqual([])
})

test('halves of a crash go once they are old, and a failed store leaves none', async () => {
  left('1-1.tmp', 10, 2)
  left('2-1.tmp', 10, 0)
  const cache = open()
  await expect(
    cache.store(async (path) => {
      writeFileSync(path, 'half')
      throw new Error('no more')
    }),
  ).rejects.toThrow('no more')
  expect(names()).toEqual(['2-1.tmp'])
})

test('a file that cannot be kept leaves no half, either', async () => {
  const cache = open()
  mkdirSync(join(dir, 'a/in-the-way'), { recursive: true })
  expect(await cache.put('a', bytes(300))).toBe(false)
  expect(names()).toEqual(['a'])
})

test('a directory that cannot be written only costs the keeping', async () => {
  rmSync(dir, { recursive: true })
  writeFileSync(dir, 'in the way')
  const cache = open()
  expect(await cache.put('a', bytes(1))).toBe(false)
  rmSync(dir)
  mkdirSync(dir)
  expect(await cache.put('a', bytes(1))).toBe(true)
  expect(existsSync(join(dir, 'a'))).toBe(true)
})

test('the last of a disk is left to what can’t be made again, until there is room', async () => {
  let free = 99 * 1024 * 1024
  const warnings: string[] = []
  const cache = open({
    freeBytes: async () => free,
    log: { warn: (_: unknown, text?: string) => void warnings.push(text ?? '') },
  })
  const store = async () =>
    cache.store(async (path) => (writeFileSync(path, bytes(10)), 'stored')).catch(String)
  expect([await cache.put('a', bytes(10)), await cache.put('b', bytes(10))]).toEqual([false, false])
  expect(await store()).toContain('ENOSPC')
  expect([names(), warnings]).toEqual([[], ['disk nearly full: pictures are no longer cached']])
  free = 101 * 1024 * 1024
  expect(await cache.put('a', bytes(10))).toBe(true)
  expect(await store()).toBeUndefined()
  // What others couldn't do without is kept all the same.
  const needed = open({ leaves: 0, freeBytes: async () => 0 })
  expect(await needed.put('c', bytes(10))).toBe(true)
  expect(names()).toEqual(['a', 'c', 'stored'])
})
