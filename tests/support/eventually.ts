/**
 * Repeats a check until it passes.
 * @returns what the check returned
 * @throws the check's last error after `ms` milliseconds
 */
export async function eventually<Value>(
  check: () => Value | Promise<Value>,
  ms = 30_000,
): Promise<Value> {
  const end = performance.now() + ms
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
