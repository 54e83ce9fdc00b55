import type { Commit, Transaction } from './group-commit.ts'

/** Rows that one step of a clean-up may delete, so that it does not hold up other writes. */
export const batchSize = 500

/**
 * Repeats a step, each time in a transaction of its own, until it has nothing more to do.
 * @param step changes at most {@link batchSize} rows and returns how many
 */
export async function inBatches(commit: Commit, step: (tx: Transaction) => number): Promise<void> {
  while ((await commit(step, { durable: false })) >= batchSize);
}
