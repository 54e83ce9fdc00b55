import { RE2JS } from 're2js'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { rank, readLogLine } from '#shared/log-line.ts'

/** A line of a log, made ready for being filtered and shown. */
export type Line = {
  /** Unique among the lines that are shown. */
  readonly key: string
  /** ISO text with the Helsinki offset. */
  readonly time: string
  readonly level: string
  readonly message: string
  /** What else it says, for people. */
  readonly detail: string
  /** Of a request, its HTTP status and path. */
  readonly status: number | null
  readonly path: string | null
  /** The whole line as JSON, which filters look at and downloads contain. */
  readonly raw: string
}

/** Reads a line of the server's log; one that isn't JSON is shown as it is. */
export function readLine(raw: string, key: string): Line {
  const { level, time, msg, ...rest } = readLogLine(raw)
  const at = Date.parse(stringOf(time)) || Date.now()
  const path = msg === 'request' && typeof rest.path === 'string' ? rest.path : null
  return {
    key,
    time: helsinkiIso(at),
    level: typeof level === 'string' ? level : 'info',
    message:
      path === null
        ? stringOf(msg) || stringOf(messageOf(rest.err)) || '(no message)'
        : `${stringOf(rest.method)} ${path}`,
    detail: path === null ? pairs(rest) : requestDetail(rest),
    status: path !== null && typeof rest.status === 'number' ? rest.status : null,
    path,
    raw,
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const requestDetail = ({ ms, net, id, from, aborted }: Record<string, unknown>) =>
  [
    typeof ms === 'number' && `${ms} ms`,
    from === 'memory' && 'from memory',
    aborted === true && 'aborted',
    stringOf(net),
    stringOf(id),
  ]
    .filter(Boolean)
    .join('  ')

/** What an error says, where it is one. */
const messageOf = (value: unknown): unknown =>
  value instanceof Object && 'message' in value ? value.message : undefined

const pairs = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([name, value]) => {
      const known = name === 'err' ? (messageOf(value) ?? value) : value
      return `${name}=${typeof known === 'string' ? known : JSON.stringify(known)}`
    })
    .join('  ')
    .slice(0, 400)

/**
 * What a viewer asks for, as its form says it; what is empty or missing asks for nothing. `status` is
 * the first digit, `from` and `to` are a date and time in Helsinki, the others are boxes to tick.
 */
export type Filter = Partial<
  Record<'level' | 'status' | 'path' | 'text' | 'from' | 'to' | 'isPattern' | 'hidesAssets', string>
>

/** What finds the text of a filter. */
export type Search = {
  matches(raw: string): boolean
  /** Cuts a text where it matches: every second part is a match. */
  cut(text: string): string[]
  /** What is wrong with the expression. */
  problem: string | null
}

/**
 * The search for a text, in any case. Expressions are RE2's, which take time in proportion to the
 * text, so that none can freeze the page.
 */
export function searchFor({ text, isPattern }: Filter): Search {
  if (!text) return { matches: () => true, cut: (whole) => [whole], problem: null }
  try {
    const pattern = RE2JS.compile(isPattern ? text : RE2JS.quote(text), RE2JS.CASE_INSENSITIVE)
    return {
      matches: (raw) => pattern.test(raw),
      cut(whole) {
        const found = pattern.matcher(whole)
        const parts: string[] = []
        let at = 0
        while (found.find()) {
          if (found.end() === found.start()) continue
          parts.push(whole.slice(at, found.start()), whole.slice(found.start(), found.end()))
          at = found.end()
        }
        return [...parts, whole.slice(at)]
      },
      problem: null,
    }
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '')
    return {
      matches: () => false,
      cut: (whole) => [whole],
      problem: `Not a regular expression: ${why}`,
    }
  }
}

/** The lines that pass a filter. */
export function filterLines(
  lines: readonly Line[],
  { level = 'trace', status, path, from, to, hidesAssets }: Filter,
  { matches }: Pick<Search, 'matches'>,
): Line[] {
  const minRank = rank(level)
  return lines.filter(
    (line) =>
      rank(line.level) >= minRank &&
      (!status || String(line.status ?? '').startsWith(status)) &&
      (!path || line.path?.includes(path)) &&
      (!from || line.time >= from) &&
      (!to || line.time <= to) &&
      !(hidesAssets && line.path !== null && isAsset(line.path)) &&
      matches(line.raw),
  )
}

const isAsset = (path: string) =>
  path.startsWith('/assets/') ||
  /\.(?:css|js|woff2|svg|png|jpg|webp|avif|ico|webmanifest)$/.test(path)
