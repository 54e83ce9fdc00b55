import { maxLogLines } from '#shared/log-line.ts'

const kept: string[] = []
const followers = new Set<(lines: readonly string[]) => void>()

/**
 * Starts keeping what pages write to the console, the last 1000 entries (docs/contract.md, Limits
 * and constants), as lines like the server's. Only called in development.
 */
export function keepConsole(): void {
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    const original = console[method].bind(console)
    console[method] = (...what: unknown[]) => {
      original(...what)
      const level = method === 'log' ? 'info' : method
      const msg = what.map(textOf).join(' ').slice(0, 8000)
      const line = JSON.stringify({ level, time: new Date(), source: 'browser', msg })
      kept.push(line)
      if (kept.length > maxLogLines) kept.shift()
      for (const follow of followers) follow([line])
    }
  }
}

/** Hands over the entries so far, and every new one until the returned function is called. */
export function followConsole(follow: (lines: readonly string[]) => void): () => void {
  follow(kept)
  followers.add(follow)
  return () => void followers.delete(follow)
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
