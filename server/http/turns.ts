import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClientAddress } from './client-address.ts'
import { createClientQueues } from './client-queues.ts'
import type { Listener } from './error-boundary.ts'
import { isSafe } from './guards.ts'

/** How long work of one kind is begun in a turn of the event loop, in milliseconds. */
const slice = 5

/**
 * Says when a client's work may begin.
 * @returns null for at once; else a promise that resolves when it is its turn
 */
export type Turns = (address: () => string) => Promise<void> | null

/**
 * Makes turns: in each turn of the event loop work is begun for a few milliseconds and at most so
 * many times, so that however much of it arrives at once, the loop gets to bodies, timers and what is
 * answered from memory in between. Where some has to wait, clients take turns.
 * @param most how much may begin in one turn; part of what it costs comes after its beginning
 */
export function createTurns(most: number): Turns {
  const waiting = createClientQueues<() => void>()
  let began: number | null = null
  let count = 0
  let isServing = false

  /** Takes a place in this turn of the event loop, if there is one. */
  const takePlace = () => {
    if (began === null) {
      began = performance.now()
      count = 0
      setImmediate(() => (began = null))
    } else if (count >= most || performance.now() - began >= slice) return false
    count += 1
    return true
  }

  const serve = async () => {
    isServing = true
    while (!waiting.isEmpty()) {
      if (takePlace()) {
        waiting.next()?.()
        await whatItDidAtOnce()
      } else await nextTurn()
    }
    isServing = false
  }

  return (address) => {
    if (waiting.isEmpty() && takePlace()) return null
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(address(), resolve)
    if (!isServing) void serve()
    return promise
  }
}

/** Resolves when all reactions of promises have run that did not have to wait: a tick comes after them. */
const whatItDidAtOnce = () =>
  new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)))

/**
 * Puts turns in front of a listener, for what arrives on hundreds of connections at once, or one
 * request behind another on a single one.
 * @param most requests that begin in one turn: those that read, and those that change something
 */
export function inTurns(
  listener: Listener,
  clientAddress: ClientAddress,
  most: { reads: number; writes: number },
): Listener {
  const reads = createTurns(most.reads)
  const writes = createTurns(most.writes)
  return (request, response) => {
    const turns = isSafe(request.method ?? '') ? reads : writes
    const turn = turns(() => clientAddress(request))
    if (turn === null) return listener(request, response)
    // The connection is gone, so no client reads the answer.
    return turn.then(() => (request.socket.destroyed ? undefined : listener(request, response)))
  }
}
