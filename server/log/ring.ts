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

/**
 * The last lines of the log, kept in memory for /debug/logs
 * (docs/contract.md, Limits and constants: 1000 entries).
 */
export type LogRing = {
  /** Tells this process from others, whose places mean nothing here. */
  readonly boot: string
  /** The place after the newest line. */
  end(): number
  /** What has been logged since a place, as far as it is kept. */
  since(place: number): LogExcerpt
}

/** The ring as the logger sees it. */
export type LogMemory = LogRing & {
  /** Takes one line, or several that are short, each with its line break. */
  push(lines: string, count: number): void
  /** Hands on what waits. */
  flush(): void
}

/** Characters of a line that are kept; the rest stands in the log file. */
const longest = 16_384
/** Bytes that are collected before they are handed on, and kept together. */
const chunkSize = 64 * 1024
/** The longest that lines wait to be handed on together, in milliseconds. */
const longestWait = 200

/** Buffers of chunks that are kept for the next ones. */
const mostFree = 32

/**
 * Lines one after the other; `from` is the place of the first. `holders` counts who still reads its
 * bytes: the ring itself, and each write that has not ended.
 */
type Chunk = { bytes: Buffer; used: number; from: number; count: number; holders: number }

/**
 * Takes lines to be written down.
 * @param done called once, when their bytes are no longer needed
 */
export type WriteLines = (lines: Buffer, done: () => void) => void

/** Writes lines to several destinations. */
export function toAll(destinations: readonly { write: WriteLines }[]): WriteLines {
  return (lines, done) => {
    let left = destinations.length
    if (left === 0) done()
    const oneDone = () => {
      left -= 1
      if (left === 0) done()
    }
    for (const { write } of destinations) write(lines, oneDone)
  }
}

/**
 * Makes a ring. Lines are kept as bytes outside the heap: a thousand strings of many parts, always
 * new ones, would cost the garbage collector more than everything else that a request does. Their
 * buffers are used again: new ones would make it go through the whole heap once a second under load.
 * @param boot any text that no other process has
 * @param write takes the whole of the log in large pieces
 */
export function createRing(size: number, boot: string, write: WriteLines): LogMemory {
  const chunks: Chunk[] = []
  let open: Chunk = { bytes: Buffer.alloc(0), used: 0, from: 0, count: 0, holders: 1 }
  const buffers = createBuffers()
  let written = 0
  let timer: NodeJS.Timeout | null = null
  const end = () => open.from + open.count

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (written === open.used) return
    const chunk = open
    const lines = chunk.bytes.subarray(written, chunk.used)
    written = chunk.used
    chunk.holders += 1
    write(lines, () => release(chunk))
  }
  const release = (chunk: Chunk) => {
    chunk.holders -= 1
    if (chunk.holders === 0) buffers.giveBack(chunk.bytes)
  }
  const begin = (bytes: Buffer) => {
    flush()
    chunks.push(open)
    open = { bytes, used: 0, from: end(), count: 0, holders: 1 }
    written = 0
    const first = open.from - size
    while (chunks[0] && chunks[0].from + chunks[0].count <= first) release(chunks.shift()!)
  }
  const add = (lines: string, count: number) => {
    open.used += open.bytes.write(lines, open.used)
    open.count += count
  }

  return {
    boot,
    end,
    flush,
    push(lines, count) {
      if (count === 1 && lines.length > longest) {
        flush()
        write(Buffer.from(lines), () => {})
        const short = `${shortened(lines)}\n`
        begin(Buffer.alloc(short.length * 3))
        add(short, 1)
        written = open.used
        return
      }
      // No character takes more than three bytes.
      const most = lines.length * 3
      if (open.used + most > open.bytes.length) begin(buffers.take(most))
      add(lines, count)
      timer ??= setTimeout(flush, longestWait).unref()
    },
    since(place) {
      const first = Math.max(0, end() - size)
      const from = Math.min(end(), Math.max(first, place))
      const lines = linesFrom([...chunks, open], from)
      return { lines, from, next: end(), missed: Math.max(0, first - Math.max(0, place)) }
    },
  }
}

/** Makes what gives buffers for chunks, and keeps some of those that are given back. */
function createBuffers() {
  const free: Buffer[] = []
  return {
    take: (bytes: number): Buffer =>
      bytes > chunkSize
        ? Buffer.allocUnsafeSlow(bytes)
        : (free.pop() ?? Buffer.allocUnsafeSlow(chunkSize)),
    giveBack(buffer: Buffer): void {
      if (buffer.length === chunkSize && free.length < mostFree) free.push(buffer)
    },
  }
}

/** The lines of chunks from a place on. */
const linesFrom = (chunks: readonly Chunk[], from: number): LogLine[] =>
  chunks
    .filter((chunk) => chunk.from + chunk.count > from)
    .flatMap(({ bytes, used, from: start, count }) =>
      bytes
        .toString('utf8', 0, used)
        .split('\n', count)
        .slice(Math.max(0, from - start)),
    )

/** A long line as a line that is still JSON. */
function shortened(line: string): LogLine {
  try {
    const { level, time, id, msg } = JSON.parse(line) as Record<string, unknown>
    const beginning = line.slice(0, 2000)
    return JSON.stringify({
      level,
      time,
      id,
      msg: String(msg).slice(0, 1000),
      characters: line.length,
      start: beginning,
    })
  } catch {
    return JSON.stringify({ level: 'info', msg: line.slice(0, 2000), characters: line.length })
  }
}
