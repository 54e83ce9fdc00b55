import { readLogLine } from '#shared/log-line.ts'

/** A line of a log, made ready for being filtered and shown. */
export type Line = {
  /** Unique among the lines that are shown. */
  readonly key: string
  /** Milliseconds of the epoch. */
  readonly at: number
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

/** Reads a line of the server's log; one that is no JSON is shown as it is. */
export function readLine(raw: string, key: string): Line {
  const { level, time, msg, ...rest } = readLogLine(raw)
  const at = Date.parse(text(time))
  const path = msg === 'request' && typeof rest.path === 'string' ? rest.path : null
  return {
    key,
    at: Number.isNaN(at) ? Date.now() : at,
    level: typeof level === 'string' ? level : 'info',
    message:
      path === null
        ? text(msg) || text(messageOf(rest.err)) || '(no message)'
        : `${text(rest.method)} ${path}`,
    detail: path === null ? pairs(rest) : requestDetail(rest),
    status: path !== null && typeof rest.status === 'number' ? rest.status : null,
    path,
    raw,
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const requestDetail = ({ ms, net, id, from, aborted }: Record<string, unknown>) =>
  [
    typeof ms === 'number' && `${ms} ms`,
    from === 'memory' && 'from memory',
    aborted === true && 'aborted',
    text(net),
    text(id),
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
