import { paths } from '#shared/paths.ts'

/** The address of the portfolio with some values of its query replaced; null takes one away. */
export function withQuery(search: string, changes: Record<string, string | null>): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  // The server knows one order of the names alone, and leads from every other to it.
  query.sort()
  const text = query.toString()
  return paths.portfolio() + (text ? `?${text}` : '')
}
