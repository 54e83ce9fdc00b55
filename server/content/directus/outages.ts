import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Outage } from '../reader.ts'

/** What is failing, and since when. */
export type Outages = {
  failed(key: string, why: string): void
  succeeded(key: string): void
  /** The oldest of what is failing, with the newest reason. */
  current(): Outage | null
}

const savedOutage = z.object({ origin: z.string(), since: z.number(), why: z.string() })

/**
 * Tracks failures, on disk too, so a restart doesn't reset them and other processes can report
 * them.
 * @param origin of the content service; records of another one are ignored
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
  /** Reasons by key, newest last. */
  const failing = new Map<string, string>()
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
    const why = [...failing.values()].at(-1)
    if (outage?.why === why) return
    outage = why === undefined ? null : { since: outage?.since ?? clock(), why }
    write()
  }

  return {
    failed(key, why) {
      // What fails on as before is no news: of two that do, health named each in turn.
      if (failing.get(key) === why) return
      failing.delete(key)
      failing.set(key, why)
      settle()
    },
    succeeded(key) {
      failing.delete(key)
      settle()
    },
    current: () => outage,
  }
}

function readKept(file: string, origin: string): Outage | null {
  try {
    const { origin: whose, since, why } = savedOutage.parse(JSON.parse(readFileSync(file, 'utf8')))
    return whose === origin ? { since, why } : null
  } catch {
    return null
  }
}
