import { maxLogLines } from '#shared/log-line.ts'
import { readLine, type Line } from './lines.ts'

let lines: readonly Line[] = []
let count = 0
const listeners = new Set<() => void>()

/**
 * Starts keeping what pages write to the console, the last 1000 entries (docs/contract.md, Limits
 * and constants). Only called in development.
 */
export function keepConsole(): void {
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const original = console[method].bind(console)
    console[method] = (...what: unknown[]) => {
      original(...what)
      count += 1
      const level = method === 'log' ? 'info' : method
      const msg = what.map(textOf).join(' ').slice(0, 8000)
      const raw = JSON.stringify({ level, time: new Date().toISOString(), source: 'browser', msg })
      lines = [...lines.slice(1 - maxLogLines), readLine(raw, `browser-${count}`)]
      for (const listener of listeners) listener()
    }
  }
}

/** The entries so far; the same array until there is a new one. */
export const browserLines = (): readonly Line[] => lines

/** Calls back for every new entry until the returned function is called. */
export function onBrowserLine(listener: () => void): () => void {
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
