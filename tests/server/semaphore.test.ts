import { expect, test } from 'vitest'
import { createSemaphore } from '#server/semaphore.ts'

/** A task that ends when it is told to. */
function task() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let begun = false
  return { run: () => ((begun = true), promise), begun: () => begun, end: resolve }
}

test('some run, some wait in turn, and one more is turned away', async () => {
  const semaphore = createSemaphore({ parallel: 2, waiting: 1 })
  const [a, b, c, d] = [task(), task(), task(), task()]
  const results = [a, b, c].map((each) => semaphore(each.run))
  await expect(semaphore(d.run)).rejects.toMatchObject({ failure: 'unavailable' })
  expect([a, b, c, d].map((each) => each.begun())).toEqual([true, true, false, false])
  a.end('a')
  await expect(results[0]).resolves.toBe('a')
  await expect.poll(c.begun).toBe(true)
  b.end('b')
  c.end('c')
  await expect(Promise.all(results)).resolves.toEqual(['a', 'b', 'c'])
})

test('a task that fails gives its place back', async () => {
  const semaphore = createSemaphore({ parallel: 1, waiting: 0 })
  await expect(semaphore(() => Promise.reject(new Error('spin')))).rejects.toThrow('spin')
  await expect(semaphore(async () => 'on')).resolves.toBe('on')
})
