import { extname } from 'node:path'
import type { CreateThread } from '../../concurrency/worker-thread.ts'
import type { ImportRow } from './merge.ts'
import type { ImportOptions } from './options.ts'

/** An iCalendar file to be read. */
export type IcsTask = { text: string; options: ImportOptions }

/** Its events, or why it isn't a calendar. */
export type IcsResult = { rows: ImportRow[] } | { problem: string }

/** Milliseconds for one file. */
const timeoutMs = 15_000

/** Reads iCalendar files in its own thread, see {@link eventsOfIcs} of `icalendar.ts`. */
export type IcsReader = {
  /** @throws an Error in a sentence for what isn't a calendar, and for one that takes too long */
  read(text: string, options: ImportOptions): Promise<ImportRow[]>
  close(): Promise<void>
}

/** Makes the reader; the thread starts with the first file. */
export function createIcsReader(createThread: CreateThread): IcsReader {
  const thread = createThread<IcsTask, IcsResult>({ script: script(import.meta.url), timeoutMs })
  return {
    async read(text, options) {
      const result = await thread.run({ text, options }).catch((error: unknown) => {
        throw new Error('The calendar takes too long to read.', { cause: error })
      })
      if ('problem' in result) throw new Error(result.problem)
      return result.rows
    },
    close: () => thread.close(),
  }
}

/** The script of the thread, which lies beside this file: as a source, or as a part of the bundle. */
const script = (here: string) => new URL(`icalendar-worker${extname(here)}`, here)
