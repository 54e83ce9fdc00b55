import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Outage } from './reader.ts'

/** What is failing right now, and since when. */
export type Outages = {
  failed(key: string, why: string): void
  succeeded(key: string): void
  /** A key that is not read any more. */
  forget(key: string): void
  /** The oldest of what is failing, with the newest reason. */
  current(): Outage | null
}

const kept = z.object({ origin: z.string(), since: z.number(), why: z.string() })

/**
 * Remembers what fails, on disk too, so that a restart does not make an old failure new and another
 * process can tell of it.
 * @param origin of the content service; what is said of another one does not count
 */
export function createOutages({
  file,
  origin,
  clock,
  log,
}: {
  file: string
  origin: string
  clock: () => number
  log: Pick<Logger, 'warn'>
}): Outages {
  const failing = new Set<string>()
  let outage = readKept(file, origin)

  /** A few bytes, when an outage begins or ends. */
  function write(): void {
    try {
      if (!outage) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify({ origin, ...outage }))
    } catch (err) {
      log.warn({ err }, 'content outage not saved')
    }
  }

  function settle(): void {
    if (failing.size > 0 || !outage) return
    outage = null
    write()
  }

  return {
    failed(key, why) {
      failing.add(key)
      if (outage?.why === why) return
      outage = { since: outage?.since ?? clock(), why }
      write()
    },
    succeeded(key) {
      failing.delete(key)
      settle()
    },
    forget(key) {
      if (failing.delete(key)) settle()
    },
    current: () => outage,
  }
}

function readKept(file: string, origin: string): Outage | null {
  try {
    const { origin: whose, since, why } = kept.parse(JSON.parse(readFileSync(file, 'utf8')))
    return whose === origin ? { since, why } : null
  } catch {
    return null
  }
}
