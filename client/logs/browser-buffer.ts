import { mostLogLines } from '#shared/log-levels.ts'

/** What the page has written to the console. */
export type BrowserEntry = { number: number; raw: string }

/** The buffer of this window, where the console's doubles and the viewer find it. */
type Buffer = { entries: BrowserEntry[]; count: number; listeners: Set<() => void> }

const place = Symbol.for('pitlane.log')
const window = globalThis as { [place]?: Buffer }

const methods = ['debug', 'log', 'info', 'warn', 'error'] as const

/**
 * Keeps what is written to the console, the last 1000 entries
 * (docs/contract.md, Limits and constants). For development alone; nothing calls it in production.
 */
export function keepConsole(): void {
  if (window[place]) return
  const buffer: Buffer = { entries: [], count: 0, listeners: new Set() }
  window[place] = buffer
  for (const method of methods) {
    // oxlint-disable-next-line no-console
    const original = console[method].bind(console)
    // oxlint-disable-next-line no-console
    console[method] = (...what: unknown[]) => {
      original(...what)
      buffer.count += 1
      buffer.entries = [
        ...buffer.entries.slice(1 - mostLogLines),
        { number: buffer.count, raw: rawOf(method, what) },
      ]
      for (const listener of buffer.listeners) listener()
    }
  }
}

const none: readonly BrowserEntry[] = []

/** The entries so far, the same array until there is a new one; none in production. */
export const browserEntries = (): readonly BrowserEntry[] => window[place]?.entries ?? none

/** Calls back for every new entry until the returned function is called. */
export function onBrowserEntry(listener: () => void): () => void {
  const listeners = window[place]?.listeners
  listeners?.add(listener)
  return () => void listeners?.delete(listener)
}

function rawOf(method: (typeof methods)[number], what: readonly unknown[]): string {
  const level = method === 'log' ? 'info' : method
  return JSON.stringify({
    level,
    time: new Date().toISOString(),
    msg: what.map(words).join(' ').slice(0, 8000),
  })
}

function words(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? value.message
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
