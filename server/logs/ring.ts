/** One line of the log as the viewer shows it: the JSON that pino wrote, without its line break. */
export type LogLine = string

/** Lines from a place in the log on. */
export type LogExcerpt = {
  lines: readonly LogLine[]
  /** How many lines there had been before the first of them; counts from the start of the process. */
  from: number
  /** The place after the last of them, to go on from. */
  next: number
  /** How many lines after the asked place are no longer kept. */
  missed: number
}

/** The last lines of the log, kept in memory for /debug/logs (spec section 9: 1000 entries). */
export type LogRing = {
  /** Tells this process from others, whose places mean nothing here. */
  readonly boot: string
  /** The place after the newest line. */
  end(): number
  /** What has been logged since a place, as far as it is kept. */
  since(place: number): LogExcerpt
}

/** Characters of a line that are kept; the rest stands in the log file. */
const longest = 16_384

/**
 * Makes a ring.
 * @param boot any text that no other process has
 */
export function createRing(size: number, boot: string): LogRing & { push(line: string): void } {
  const kept: LogLine[] = Array.from({ length: size })
  let count = 0
  return {
    boot,
    push(line) {
      kept[count % size] = line.length > longest ? shortened(line) : line
      count += 1
    },
    end: () => count,
    since(place) {
      const first = Math.max(0, count - size)
      const from = Math.min(count, Math.max(first, place))
      return {
        lines: Array.from({ length: count - from }, (_, index) =>
          kept[(from + index) % size]!.trimEnd(),
        ),
        from,
        next: count,
        missed: Math.max(0, first - Math.max(0, place)),
      }
    },
  }
}

/** A long line as a line that is still JSON. */
function shortened(line: string): LogLine {
  try {
    const { level, time, id, msg } = JSON.parse(line) as Record<string, unknown>
    const start = line.slice(0, 2000)
    return JSON.stringify({
      level,
      time,
      id,
      msg: String(msg).slice(0, 1000),
      characters: line.length,
      start,
    })
  } catch {
    return JSON.stringify({ level: 'info', msg: line.slice(0, 2000), characters: line.length })
  }
}
