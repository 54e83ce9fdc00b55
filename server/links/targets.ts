import { maxTargetLength, utmNames, type Utm } from '#shared/link-rules.ts'
import { grouped } from '#shared/text/counted.ts'
import { paths } from '#shared/paths.ts'

/** What a code may consist of; looked up without case. */
const codePattern = /^[A-Za-z0-9_-]{2,64}$/

const moreReserved =
  'api items assets functions ' +
  'admin login logout sitemap robots favicon rss feed stats qr new edit preview lines index'

/** First words of addresses that exist, and words that must not seem to be ours to give away. */
const reserved: ReadonlySet<string> = new Set([
  ...Object.values(paths).map(
    (path) => (path as (...parts: string[]) => string)('x', 'x', 'x').split(/[/#?]/)[1] ?? '',
  ),
  ...moreReserved.split(' '),
])

/**
 * What is wrong with a chosen code, or null.
 * @param taken first words of the addresses of features
 */
export function codeProblem(code: string, taken: ReadonlySet<string>): string | null {
  const word = code.toLowerCase()
  if (reserved.has(word) || taken.has(word)) return 'This word is reserved. Choose another one.'
  if (code.length < 2 || code.length > 64) return 'A code has 2 to 64 characters.'
  return codePattern.test(code) ? null : 'Use letters without accents, digits, - and _ only.'
}

/**
 * What is wrong with a target, or null. Asked when a link is made and again when it is followed.
 * @param ownHosts hosts, with their port, that are this site
 */
export function targetProblem(target: string, ownHosts: readonly string[]): string | null {
  const url = target.length > maxTargetLength ? null : URL.parse(target)
  // As it is kept: letters beyond ASCII are longer there.
  if (target.length > maxTargetLength || (url && url.href.length > maxTargetLength)) {
    return `The URL is too long (maximum ${grouped(maxTargetLength)} characters).`
  }
  if (!url) return 'Enter a full URL, such as https://example.com/page.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return 'Only http and https URLs can be linked.'
  }
  if (url.username !== '' || url.password !== '') {
    return 'The URL can’t contain a user name or password.'
  }
  return leadsBack(url, ownHosts) ? 'This URL is already one of our short links.' : null
}

/** Whether an address is one of our own short links, however it is spelt. */
function leadsBack({ host, pathname }: URL, ownHosts: readonly string[]): boolean {
  const named = bareHost(host)
  if (!ownHosts.some((own) => bareHost(own) === named)) return false
  let path = pathname
  try {
    path = decodeURIComponent(pathname)
  } catch {
    // An address that cannot be decoded is compared as it is.
  }
  return /^\/+l(?:\/|$)/i.test(path.replaceAll('\\', '/'))
}

/** A host by one of its names: with or without www, a dot at its end, or the number of this machine. */
const bareHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.(?=:|$)/, '')
    .replace(
      /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])(?=:|$)/,
      'localhost',
    )

/** The address as it is kept: one spelling, with an odd host in punycode. */
export const normalTarget = (target: string) => new URL(target.trim()).href

/** The host of a target for people to judge it by; always ASCII. */
export const hostOf = (target: string) => new URL(target).host

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
