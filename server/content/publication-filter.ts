import type { Logger } from 'pino'
import type { Collection } from '../collections.ts'
import type { Reader } from './reader.ts'
import type { StoredRow } from './stored-row.ts'
import { filterPublished, type Published } from './rows.ts'

/** The visible parts of collections, worked out once for each change and each moment. */
export type PublicationFilter = {
  /** @throws what the reader throws */
  of<Name extends Collection>(collection: Name): Promise<Published<Name>>
  /** Whether a collection has been read. */
  has(collection: Collection): boolean
  /** Lets rows out whose time has come; cheap. */
  keepTime(): void
  close(): void
}

type Known = { stored: readonly StoredRow[]; nextAt: number; finished: Promise<Published> }

const longestTimer = 2 ** 31 - 1

/**
 * Makes the memory of what is visible. Scheduled rows come out in the moment that they are due,
 * by a timer that never keeps the process alive.
 * @param options `finish` completes fresh rows in place; `due` called when rows came out
 */
export function createPublicationFilter({
  reader,
  log,
  clock,
  finish,
  due,
}: {
  reader: Pick<Reader, 'rows'>
  log: Pick<Logger, 'warn'>
  clock: () => number
  finish: (collection: Collection, published: Published) => Promise<void>
  due: () => void
}): PublicationFilter {
  const known = new Map<Collection, Known>()
  let nextAt = Infinity
  let alarm: NodeJS.Timeout | undefined

  const setAlarm = () => {
    clearTimeout(alarm)
    nextAt = Math.min(Infinity, ...[...known.values()].map((each) => each.nextAt))
    if (nextAt === Infinity) return
    const wait = Math.min(Math.max(nextAt - clock(), 100), longestTimer)
    alarm = setTimeout(() => {
      keepTime()
      setAlarm()
    }, wait).unref()
  }

  const keepTime = () => {
    const now = clock()
    if (now < nextAt) return
    for (const [collection, each] of known) if (now >= each.nextAt) known.delete(collection)
    setAlarm()
    due()
  }

  return {
    keepTime,
    has: (collection) => known.has(collection),
    async of<Name extends Collection>(collection: Name) {
      const stored = await reader.rows(collection)
      keepTime()
      let entry = known.get(collection)
      if (entry?.stored !== stored) {
        const published = filterPublished(collection, stored, { now: clock(), log })
        const finished = finish(collection, published).then(() => published)
        entry = { stored, nextAt: published.nextAt, finished }
        known.set(collection, entry)
        setAlarm()
      }
      return (await entry.finished) as Published<Name>
    },
    close: () => clearTimeout(alarm),
  }
}
