import { failure } from '#shared/failures.ts'

/**
 * A read that has to come in time for a page.
 * @param ms how long it may take
 * @throws failure `unavailable` when it is late; what the read throws
 */
export function withTimeout<Value>(read: Promise<Value>, ms = 4_000): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure('unavailable')), ms)
  })
  return Promise.race([read, late]).finally(() => clearTimeout(timer))
}

/** Waits for some work up to a time limit; what is late goes on. @throws what it throws in time */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref()
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
