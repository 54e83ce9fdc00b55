/** Work that brings something up to date in the background, one pass at a time. */
export type BackgroundPass = {
  /** Asks for a pass; during one, for another after it. */
  request(): void
  /** The passes under way; null when there are none. */
  running(): Promise<void> | null
  /** Ends the passes, and waits for the one under way. */
  close(): Promise<void>
}

/**
 * Makes the work.
 * @param options `pass` does it once, and gives the milliseconds after which it wants to be asked
 *   for again by itself, if at all; `failed` is called with what it throws
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
