/** The levels of the log, least important first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number]

/** How important a level is; an unknown one counts as info. */
export const rank = (level: unknown): number => {
  const known = logLevels.indexOf(level as LogLevel)
  return known < 0 ? 2 : known
}

/**
 * Entries that the browser's buffer and the viewer hold (docs/contract.md, Limits and constants).
 */
export const mostLogLines = 1000
