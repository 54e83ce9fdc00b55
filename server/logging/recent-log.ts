/** A line of JSON as pino wrote it, without its line break. */
export type LogLine = string

/** Lines from a place in the log onwards. */
export type LogExcerpt = {
  lines: readonly LogLine[]
  /** The number of lines before the first one, since the process started. */
  from: number
  /** The place after the last line, to continue from. */
  next: number
  /** How many requested lines have been dropped already. */
  missed: number
}

/**
 * The latest lines of the log in memory, for /debug/logs
 * (docs/contract.md, Limits and constants: 1000 entries).
 */
export type RecentLog = {
  /** Identifies this process; places of others are meaningless here. */
  readonly boot: string
  /** The place after the last line. */
  end(): number
  /** The lines since a place, as far as they are kept. */
  since(place: number): LogExcerpt
}

/** Characters kept per line; the log files have all of it. */
const maxLineLength = 16_384

/**
 * Creates the buffer.
 * @param size how many lines it keeps
 * @param boot any text that no other process has
 */
export function createRecentLog(
  size: number,
  boot: string,
): RecentLog & { push(line: LogLine): void } {
  let lines: LogLine[] = []
  /** The place of the first kept line. */
  let from = 0
  const end = () => from + lines.length
  return {
    boot,
    end,
    push(line) {
      lines.push(line.length > maxLineLength ? shortened(line) : line)
      // Trimmed in bulk rather than for each line.
      if (lines.length < 2 * size) return
      from += lines.length - size
      lines = lines.slice(-size)
    },
    since(place) {
      const first = Math.max(0, end() - size)
      const start = Math.min(end(), Math.max(first, place))
      return {
        lines: lines.slice(start - from),
        from: start,
        next: end(),
        missed: Math.max(0, first - Math.max(0, place)),
      }
    },
  }
}

/** Shortens a line so it stays JSON. */
function shortened(line: string): LogLine {
  try {
    const { level, time, id, msg } = JSON.parse(line) as Record<string, unknown>
    return JSON.stringify({
      level,
      time,
      id,
      msg: String(msg).slice(0, 1000),
      characters: line.length,
      start: line.slice(0, 2000),
    })
  } catch {
    return JSON.stringify({ level: 'info', msg: line.slice(0, 2000), characters: line.length })
  }
}
