import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexFile } from './index-file.ts'

/** Changes of the index, written some at a time. */
export type Batches = {
  write(work: () => void): Promise<void>
  /** Lets others have their turn, when it is time. @throws when the work is to end */
  breathe(): Promise<void>
  /** Writes what still waits. */
  end(): Promise<void>
}

/** Milliseconds of work between two looks at what else the server has to do. */
const sliceMs = 8
/** Documents written as one. */
const batchSize = 20

/** Creates an empty batch that yields to the event loop between items. @param signal ends the work */
export function createBatches(index: Pick<IndexFile, 'together'>, signal: AbortSignal): Batches {
  let waiting: (() => void)[] = []
  let since = performance.now()

  async function breathe(): Promise<void> {
    if (performance.now() - since < sliceMs) return
    await nextTurn()
    signal.throwIfAborted()
    since = performance.now()
  }

  async function end(): Promise<void> {
    const works = waiting
    waiting = []
    if (works.length > 0) index.together(() => works.forEach((work) => work()))
    await breathe()
  }

  return {
    async write(work) {
      waiting.push(work)
      if (waiting.length >= batchSize) await end()
    },
    breathe,
    end,
  }
}
