import { utmNames, type Utm } from '#shared/link-rules.ts'

/**
 * Where a link leads: its target with what the link adds. What the target says itself wins, then
 * what came with the request, then the UTM values of the link.
 * @param query of the request, without the question mark; only where the link forwards it
 */
export function destinationOf(target: string, utm: Utm | null, query: string | null): string {
  if (!utm && !query) return target
  const url = new URL(target)
  const own = new Set(url.searchParams.keys())
  const added = new URLSearchParams(query ?? '')
  for (const name of utmNames) {
    const value = utm?.[name]
    if (value && !added.has(`utm_${name}`)) added.set(`utm_${name}`, value)
  }
  for (const name of own) added.delete(name)
  const text = added.toString()
  if (text === '') return target
  // The target's own query stays letter by letter; some are signed.
  const { search } = url
  url.search = ''
  const { hash } = url
  url.hash = ''
  return `${url.href}${search ? `${search}&` : '?'}${text}${hash}`
}
