import { maxLogLines } from '#shared/log-line.ts'

/** What the page has written to the console. */
export type BrowserEntry = { number: number; raw: string }

let entries: readonly BrowserEntry[] = []
let count = 0
let isKept = false
const listeners = new Set<() => void>()

/**
 * Starts keeping console output, the last 1000 entries (docs/contract.md, Limits and constants). Only
 * called in development.
 */
export function keepConsole(): void {
  if (isKept) return
  isKept = true
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const original = console[method].bind(console)
    console[method] = (...what: unknown[]) => {
      original(...what)
      count += 1
      const level = method === 'log' ? 'info' : method
      const msg = what.map(textOf).join(' ').slice(0, 8000)
      const raw = JSON.stringify({ level, time: new Date().toISOString(), msg })
      entries = [...entries.slice(1 - maxLogLines), { number: count, raw }]
      for (const listener of listeners) listener()
    }
  }
}

/** The entries so far; the same array until there is a new one. */
export const browserEntries = (): readonly BrowserEntry[] => entries

/** Calls back for every new entry until the returned function is called. */
export function onBrowserEntry(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? value.message
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
