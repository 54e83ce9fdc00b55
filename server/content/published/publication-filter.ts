import type { Logger } from 'pino'
import type { Collection } from '../../collections.ts'
import type { StoredRow } from '../collection.ts'
import type { Reader } from '../reader.ts'
import { filterPublishedInTurns, type Published } from './rows.ts'

/** The visible rows of collections, computed once per change. */
export type PublicationFilter = {
  /** @throws what the reader throws */
  of<Name extends Collection>(collection: Name): Promise<Published<Name>>
  /** Whether a collection has been read. */
  has(collection: Collection): boolean
  /** Publishes scheduled rows that are due; cheap. */
  releaseDue(): void
  close(): void
}

type Known = { stored: readonly StoredRow[]; nextAt: number; finished: Promise<Published> }

/** Findings per collection that are logged individually. */
const maxFindings = 200

const maxTimerMs = 2 ** 31 - 1

/**
 * Creates the filter. Scheduled rows are published on time, by a timer that doesn't keep the process
 * alive.
 * @param options `finish` completes fresh rows in place; `due` is called when rows were published
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
  let isClosed = false

  /** Findings per collection, as of its last read. */
  const findings = new Map<Collection, ReadonlySet<string>>()

  /** Logs a finding once, and again only after it was fixed in between. */
  function newFindings(collection: Collection): Pick<Logger, 'warn'> {
    const before = findings.get(collection)
    const found = new Set<string>()
    findings.set(collection, found)
    return {
      warn(finding: object, message?: string) {
        // A file with every row invalid would flood the log; `content check` lists them all.
        if (found.size > maxFindings) return
        const isLast = found.size === maxFindings
        const [what, text] = isLast
          ? [{ collection }, 'more content left out; run content check for the full list']
          : [finding, message]
        const key = JSON.stringify([what, text])
        found.add(key)
        if (!before?.has(key)) log.warn(what, text)
      },
    }
  }

  const setAlarm = () => {
    clearTimeout(alarm)
    nextAt = Math.min(Infinity, ...[...known.values()].map((each) => each.nextAt))
    if (nextAt === Infinity) return
    const wait = Math.min(Math.max(nextAt - clock(), 100), maxTimerMs)
    alarm = setTimeout(() => {
      releaseDue()
      setAlarm()
    }, wait).unref()
  }

  async function filtered(collection: Collection, stored: readonly StoredRow[]) {
    const published = await filterPublishedInTurns(collection, stored, {
      now: clock(),
      log: newFindings(collection),
    })
    await finish(collection, published)
    return published
  }

  /** Takes an entry's next scheduled row into account, once it is known. */
  async function schedule(entry: Known): Promise<void> {
    try {
      entry.nextAt = (await entry.finished).nextAt
      if (!isClosed) setAlarm()
    } catch {
      // Whoever reads the collection hears of it.
    }
  }

  const releaseDue = () => {
    const now = clock()
    if (now < nextAt) return
    for (const [collection, each] of known) if (now >= each.nextAt) known.delete(collection)
    setAlarm()
    due()
  }

  return {
    releaseDue,
    has: (collection) => known.has(collection),
    async of<Name extends Collection>(collection: Name) {
      const stored = await reader.rows(collection)
      releaseDue()
      let entry = known.get(collection)
      if (entry?.stored !== stored) {
        entry = { stored, nextAt: Infinity, finished: filtered(collection, stored) }
        known.set(collection, entry)
        void schedule(entry)
      }
      return (await entry.finished) as Published<Name>
    },
    close() {
      isClosed = true
      clearTimeout(alarm)
    },
  }
}
