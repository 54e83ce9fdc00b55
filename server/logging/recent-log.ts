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
export const maxLineLength = 16_384

/** Lines that were written out together, each with its line break. */
type Batch = { text: string; count: number }

/**
 * Creates the buffer. It keeps lines as they were written out, many in one text: kept one by one, each
 * would cost a request more than its reply from memory does.
 * @param size how many lines it gives back at most
 * @param boot any text that no other process has
 */
export function createRecentLog(
  size: number,
  boot: string,
): RecentLog & {
  /** @param text lines with their line breaks; of more than one, none longer than {@link maxLineLength} */
  push(text: string, count: number): void
} {
  const batches: Batch[] = []
  let kept = 0
  let end = 0
  return {
    boot,
    end: () => end,
    push(text, count) {
      batches.push({
        text: text.length > maxLineLength && count === 1 ? shortened(text) : text,
        count,
      })
      kept += count
      end += count
      while (kept - batches[0]!.count >= size) kept -= batches.shift()!.count
    },
    since(place) {
      const from = Math.min(end, Math.max(0, end - size, place))
      let count = 0
      const wanted: Batch[] = []
      for (const batch of batches.toReversed()) {
        if (count >= end - from) break
        wanted.unshift(batch)
        count += batch.count
      }
      const lines = wanted.flatMap(({ text }) => text.trimEnd().split('\n'))
      return {
        lines: lines.slice(count - (end - from)),
        from,
        next: end,
        missed: Math.max(0, end - size - Math.max(0, place)),
      }
    },
  }
}

/** Shortens a line so it stays JSON. */
function shortened(line: string): string {
  try {
    const { level, time, id, msg } = JSON.parse(line) as Record<string, unknown>
    return `${JSON.stringify({
      level,
      time,
      id,
      msg: String(msg).slice(0, 1000),
      characters: line.length,
      start: line.slice(0, 2000),
    })}\n`
  } catch {
    return `${JSON.stringify({ level: 'info', msg: line.slice(0, 2000), characters: line.length })}\n`
  }
}
