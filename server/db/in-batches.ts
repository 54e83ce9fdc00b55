import { setTimeout as pause } from 'node:timers/promises'
import type { Commit, Transaction } from './group-commit.ts'

/** Rows that one step of a clean-up may delete, so other writes aren't held up. */
export const batchSize = 100

/**
 * Repeats a step, each time in its own transaction, until nothing is left. Pauses after each step for
 * as long as it took, to leave the event loop and database to others.
 * @param step changes at most {@link batchSize} rows and returns how many
 */
export async function inBatches(commit: Commit, step: (tx: Transaction) => number): Promise<void> {
  for (;;) {
    let took = 0
    const timed = (tx: Transaction) => {
      const began = performance.now()
      const count = step(tx)
      took = performance.now() - began
      return count
    }
    if ((await commit(timed, { durable: false })) < batchSize) return
    await pause(Math.ceil(took))
  }
}
