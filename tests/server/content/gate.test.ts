import { expect, test } from 'vitest'
import { createGate } from '#server/content/gate.ts'

test('runs a few tasks at once, lets some wait in line and turns the rest away for a moment', async () => {
  const gate = createGate({ parallel: 2, waiting: 2 })
  const ends: (() => void)[] = []
  const started: number[] = []
  const task = (id: number) =>
    gate(async () => {
      started.push(id)
      await new Promise<void>((resolve) => ends.push(resolve))
      return id
    })
  const first = task(1)
  const others = [task(2), task(3), task(4)]
  await expect(task(5)).rejects.toMatchObject({ failure: 'unavailable', retryAfter: 2 })
  expect(started).toEqual([1, 2])
  ends[0]!()
  expect(await first).toBe(1)
  await expect.poll(() => started).toEqual([1, 2, 3])
  ends[1]!()
  await expect.poll(() => started.length).toBe(4)
  ends[2]!()
  ends[3]!()
  expect(await Promise.all(others)).toEqual([2, 3, 4])
  const after = task(6)
  ends[4]!()
  expect(await after).toBe(6)
})

test('gives the place of a failed task to the next', async () => {
  const gate = createGate({ parallel: 1, waiting: 1 })
  const failed = gate(() => Promise.reject(new Error('no')))
  const next = gate(async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
