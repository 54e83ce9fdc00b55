/** Renders pages for the cache, one after the other. */
export type RenderQueue = {
  /** Adds a page unless it waits already; beyond the bound it is left for its next visitor. */
  add(address: string): void
  /** Resolves when everything is done that has been added so far. */
  settled(): Promise<void>
}

/** Pages that may wait. */
const mostWaiting = 200

/**
 * Makes an empty queue. One page is rendered at a time, so that visitors are served in between.
 * @param render renders a page and keeps it; never rejects
 */
export function createRenderQueue(render: (address: string) => Promise<void>): RenderQueue {
  const waiting = new Set<string>()
  let turn: Promise<void> = Promise.resolve()

  const takeTurn = async (before: Promise<void>, address: string) => {
    await before
    waiting.delete(address)
    await render(address)
  }

  return {
    add(address) {
      if (waiting.has(address) || waiting.size >= mostWaiting) return
      waiting.add(address)
      turn = takeTurn(turn, address)
    },
    settled: () => turn,
  }
}
