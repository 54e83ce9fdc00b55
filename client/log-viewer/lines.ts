import { RE2JS } from 're2js'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { rank, readLogLine } from '#shared/log-line.ts'

/**
 * Reads a line of the log; one that isn't JSON is shown as it is.
 * @param key unique among the lines that are shown
 */
export function readLine(raw: string, key: string) {
  const { level, time, msg, ...fields } = readLogLine(raw)
  const { method, path, status, ...others } = fields
  const isRequest = msg === 'request'
  return {
    key,
    /** The whole line, which filters look at and downloads contain. */
    raw,
    /** ISO text with the Helsinki offset. */
    time: helsinkiIso(Date.parse(textOf(time)) || Date.now()),
    level: textOf(level) || 'info',
    status: typeof status === 'number' ? status : null,
    path: textOf(path),
    isAsset: isRequest && asset.test(textOf(path)),
    message: isRequest
      ? `${textOf(method)} ${textOf(path)}`
      : textOf(msg) || inShort(fields.err ?? '(no message)'),
    /** What else it says. */
    detail: Object.entries(isRequest ? others : fields)
      .map(([name, value]) => `${name}=${inShort(value)}`)
      .join('  ')
      .slice(0, 400),
  }
}

/** A line of a log, made ready for being filtered and shown. */
export type Line = Readonly<ReturnType<typeof readLine>>

const asset = /^\/assets\/|\.(?:css|js|woff2|svg|png|jpg|webp|avif|ico|webmanifest)$/

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Of an error what it says. */
function inShort(value: unknown): string {
  if (value instanceof Object && 'message' in value) return inShort(value.message)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

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
  problem?: string
}

/**
 * The search for a text, in any case. Expressions are RE2's, which take time in proportion to the
 * text, so that none can freeze the page.
 */
export function searchFor({ text, isPattern }: Filter): Search {
  const cut = (whole: string) => [whole]
  if (!text) return { matches: () => true, cut }
  try {
    const pattern = RE2JS.compile(isPattern ? text : RE2JS.quote(text), RE2JS.CASE_INSENSITIVE)
    return { matches: (raw) => pattern.test(raw), cut: (whole) => cutAt(pattern, whole) }
  } catch (error) {
    const why = (error as Error).message
      .replace(/^error parsing regexp: /, '')
      // The library quotes the expression with its own word for "in any case".
      .replace('`(?i)', '`')
    return { matches: () => false, cut, problem: `Not a regular expression: ${why}` }
  }
}

function cutAt(pattern: RE2JS, whole: string): string[] {
  const found = pattern.matcher(whole)
  const parts: string[] = []
  let at = 0
  while (found.find()) {
    if (found.end() === found.start()) continue
    parts.push(whole.slice(at, found.start()), whole.slice(found.start(), found.end()))
    at = found.end()
  }
  return [...parts, whole.slice(at)]
}

/** The lines that pass a filter. */
export const filterLines = (
  lines: readonly Line[],
  { level = 'trace', status, path, from, to, hidesAssets }: Filter,
  { matches }: Pick<Search, 'matches'>,
): Line[] =>
  lines.filter(
    (line) =>
      rank(line.level) >= rank(level) &&
      (!status || String(line.status).startsWith(status)) &&
      (!path || line.path.includes(path)) &&
      (!from || line.time >= from) &&
      (!to || line.time <= to) &&
      !(hidesAssets && line.isAsset) &&
      matches(line.raw),
  )
