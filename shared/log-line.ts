/** The levels of the log, least important first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** One of {@link logLevels}. */
type LogLevel = (typeof logLevels)[number]

/** How important a level is; an unknown one counts as info. */
export const rank = (level: unknown): number => {
  const known = logLevels.indexOf(level as LogLevel)
  return known < 0 ? 2 : known
}

/**
 * Entries that the browser's buffer and the viewer hold (docs/contract.md, Limits and constants).
 */
export const maxLogLines = 1000

/**
 * Reads a line of the log. Whatever is there makes fields: what isn't a JSON object is a message.
 * @param raw without its line break
 */
export function readLogLine(raw: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(raw)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      return fields as Record<string, unknown>
    }
  } catch {
    // Cut short, or not written by the log.
  }
  return { msg: raw }
}
