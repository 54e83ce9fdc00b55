/** Background work that runs one pass at a time. */
export type BackgroundPass = {
  /** Requests a pass; if one is running, another follows. */
  request(): void
  /** The running passes; null for none. */
  running(): Promise<void> | null
  /** Aborts, and waits for the running pass. */
  close(): Promise<void>
}

/**
 * @param options `pass` runs once and returns the milliseconds until it should repeat, or null;
 *   `failed` is called with what it throws
 */
export function createBackgroundPass({
  pass,
  failed,
}: {
  pass: (signal: AbortSignal) => Promise<number | null>
  failed: (err: unknown) => void
}): BackgroundPass {
  const closing = new AbortController()
  let wanted = false
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    while (wanted && !closing.signal.aborted) {
      wanted = false
      clearTimeout(timer)
      const repeatMs = await pass(closing.signal)
      if (repeatMs !== null && !closing.signal.aborted)
        timer = setTimeout(request, repeatMs).unref()
    }
  }

  function request(): void {
    if (closing.signal.aborted) return
    wanted = true
    running ??= run()
      .catch(failed)
      .finally(() => (running = null))
  }

  return {
    request,
    running: () => running,
    async close() {
      closing.abort()
      clearTimeout(timer)
      await running
    },
  }
}
