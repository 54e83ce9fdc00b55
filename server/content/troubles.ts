import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Trouble } from './reader.ts'

/** What is failing right now, and since when. */
export type Troubles = {
  failed(key: string, why: string): void
  succeeded(key: string): void
  /** A key that nobody asks for any more. */
  forget(key: string): void
  /** The oldest of what is failing, with the newest reason. */
  current(): Trouble | null
}

const kept = z.object({ origin: z.string(), since: z.number(), why: z.string() })

/**
 * Remembers what fails, on disk too, so that a restart does not make an old failure new and another
 * process can tell of it.
 * @param origin of the content service; what is said of another one does not count
 */
export function createTroubles({
  file,
  origin,
  clock,
  log,
}: {
  file: string
  origin: string
  clock: () => number
  log: Pick<Logger, 'warn'>
}): Troubles {
  const failing = new Set<string>()
  let trouble = readKept(file, origin)

  /** A few bytes, when an outage begins or ends. */
  function write(): void {
    try {
      if (!trouble) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify({ origin, ...trouble }))
    } catch (err) {
      log.warn({ err }, 'content trouble cannot be kept on disk')
    }
  }

  function settle(): void {
    if (failing.size > 0 || !trouble) return
    trouble = null
    write()
  }

  return {
    failed(key, why) {
      failing.add(key)
      if (trouble?.why === why) return
      trouble = { since: trouble?.since ?? clock(), why }
      write()
    },
    succeeded(key) {
      failing.delete(key)
      settle()
    },
    forget(key) {
      if (failing.delete(key)) settle()
    },
    current: () => trouble,
  }
}

function readKept(file: string, origin: string): Trouble | null {
  try {
    const { origin: whose, since, why } = kept.parse(JSON.parse(readFileSync(file, 'utf8')))
    return whose === origin ? { since, why } : null
  } catch {
    return null
  }
}
