import { failure } from '#shared/failures.ts'

/**
 * Some work that has to be done in time.
 * @param ms how long it may take
 * @param late makes the error when it takes longer
 * @throws failure `unavailable`, or what `late` makes, when it is late; what the work throws
 */
export function withTimeout<Value>(
  work: Promise<Value>,
  ms = 4_000,
  late: () => Error = () => failure('unavailable'),
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/** The value of some work, or another one when it takes longer. @throws what it throws in time */
export async function withFallback<Value, Fallback>(
  work: Promise<Value>,
  ms: number,
  fallback: Fallback,
): Promise<Value | Fallback> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<Fallback>((resolve) => {
    timer = setTimeout(resolve, ms, fallback).unref()
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/** Waits for some work up to a time limit; what is late goes on. @throws what it throws in time */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  await withFallback(work, ms, null)
}
