import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createTurns } from '#server/http/early-responses.ts'

/** Longer than one turn of the event loop begins anything new. */
const work = () => {
  const until = performance.now() + 6
  while (performance.now() < until);
}

/** What the queue in front of the site asks each kind of request for. */
const costs = { memory: 1, write: 2, page: 200 }

test('a flood of writes from many addresses keeps neither a reply from memory nor a page waiting', async () => {
  const inTurn = createTurns((request) => request.url!)
  const begun: string[] = []
  const ask = (kind: keyof typeof costs, address: string) =>
    inTurn({ url: address, socket: {} } as IncomingMessage, costs[kind], () => {
      begun.push(kind)
      if (kind !== 'memory') work()
    })
  const flood = Array.from({ length: 40 }, (_, n) => ask('write', `192.0.2.${n}`))
  await Promise.all([...flood, ask('page', '198.51.100.1'), ask('memory', '198.51.100.2')])
  expect(begun).toHaveLength(42)
  expect(begun.indexOf('memory')).toBeLessThan(4)
  expect(begun.indexOf('page')).toBeLessThan(4)
})

test('a flood of replies from memory does not keep a write or a page waiting', async () => {
  const inTurn = createTurns((request) => request.url!)
  const begun: string[] = []
  const ask = (kind: keyof typeof costs, address: string) =>
    inTurn({ url: address, socket: {} } as IncomingMessage, costs[kind], () => {
      begun.push(kind)
      work()
    })
  const flood = Array.from({ length: 40 }, (_, n) => ask('memory', `192.0.2.${n}`))
  await Promise.all([...flood, ask('write', '198.51.100.1'), ask('page', '198.51.100.2')])
  expect(begun).toHaveLength(42)
  expect(begun.indexOf('write')).toBeLessThan(6)
  expect(begun.indexOf('page')).toBeLessThan(6)
})
