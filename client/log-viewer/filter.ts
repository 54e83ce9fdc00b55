import { RE2JS } from 're2js'
import { rank } from '#shared/log-line.ts'
import type { Line } from './line.ts'

/** What a viewer asks for; empty fields ask for nothing. */
export type Filter = {
  level: string
  /** A class of HTTP statuses by its first digit. */
  status: string
  /** Part of the path of a request. */
  path: string
  text: string
  /** Whether the text is a regular expression. */
  isPattern: boolean
  /** Local date and time. */
  from: string
  to: string
  /** Leaves out requests for files that pages are made of. */
  hidesAssets: boolean
}

export const noFilter: Filter = {
  level: 'trace',
  status: '',
  path: '',
  text: '',
  isPattern: false,
  from: '',
  to: '',
  hidesAssets: false,
}

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
export function searchFor({ text, isPattern }: Pick<Filter, 'text' | 'isPattern'>): Search {
  if (text === '') return { matches: () => true, cut: (whole) => [whole], problem: null }
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
  { level, status, path, from, to, hidesAssets }: Filter,
  { matches }: Pick<Search, 'matches'>,
): Line[] {
  const minRank = rank(level)
  const [first, last] = [Date.parse(from), Date.parse(to)]
  return lines.filter(
    (line) =>
      rank(line.level) >= minRank &&
      !(line.at < first || line.at > last) &&
      (status === '' || String(line.status ?? '').startsWith(status)) &&
      (path === '' || line.path?.includes(path)) &&
      !(hidesAssets && line.path !== null && isAsset(line.path)) &&
      matches(line.raw),
  )
}

const isAsset = (path: string) =>
  path.startsWith('/assets/') ||
  /\.(?:css|js|woff2|svg|png|jpg|webp|avif|ico|webmanifest)$/.test(path)
