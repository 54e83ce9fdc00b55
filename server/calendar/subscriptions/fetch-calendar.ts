import type { IncomingMessage } from 'node:http'
import {
  isPrivateAddress,
  notPublic,
  publicLookup,
  requestFor,
} from '../../http/public-addresses.ts'
import { decodedText } from '../../text/decoded-text.ts'

/** Milliseconds for one calendar, redirects and all. */
const totalMs = 20_000

/** Bytes of a calendar, at most. */
const maxBytes = 4 * 1024 * 1024

const maxRedirects = 3

/** What a server sent: the calendar, or that it is still the one with this tag. */
export type FetchedCalendar = { text: string; etag: string | null } | { unchanged: true }

/**
 * The address of a calendar as it is asked for; `webcal:` is https.
 * @throws an Error for what isn't a web address, and for one with a password in it
 */
export function calendarUrl(given: string): string {
  const url = URL.parse(given.trim().replace(/^webcals?:/i, 'https:'))
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('Use an http(s) or webcal address.')
  if (url.username || url.password)
    throw new Error('Leave the user name and password out of the address.')
  url.hash = ''
  return url.href
}

/**
 * Fetches a calendar: over http(s), in {@link totalMs}, at most {@link maxBytes} and
 * {@link maxRedirects} redirects.
 * @param options `etag` of the text that is kept; `allowPrivate` lets it reach this machine and
 *   private networks, for sites that run there themselves
 * @throws an Error in a sentence for staff
 */
export async function fetchCalendar(
  given: string,
  {
    etag,
    allowPrivate,
    signal,
  }: { etag: string | null; allowPrivate: boolean; signal?: AbortSignal },
): Promise<FetchedCalendar> {
  const limit = AbortSignal.timeout(totalMs)
  const ending = signal ? AbortSignal.any([signal, limit]) : limit
  let url = new URL(calendarUrl(given))
  try {
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const response = await ask(url, { etag, allowPrivate, signal: ending })
      const status = response.statusCode ?? 0
      const { location, etag: tag = null } = response.headers
      if (status >= 301 && status <= 308 && status !== 304 && location) {
        response.destroy()
        url = new URL(calendarUrl(new URL(location, url).href))
        continue
      }
      if (status === 304 && etag !== null) {
        response.destroy()
        return { unchanged: true }
      }
      if (status !== 200) {
        response.destroy()
        throw new Error(`The server answered ${status}.`)
      }
      return { text: await bodyOf(response), etag: tag }
    }
  } catch (error) {
    if (limit.aborted) {
      throw new Error(`No answer within ${totalMs / 1000} seconds.`, { cause: error })
    }
    throw error
  }
  throw new Error(`More than ${maxRedirects} redirects.`)
}

async function ask(
  url: URL,
  {
    etag,
    allowPrivate,
    signal,
  }: { etag: string | null; allowPrivate: boolean; signal: AbortSignal },
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isPrivateAddress(host)) {
    throw new Error(notPublic(host))
  }
  const request = await requestFor(url)
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        signal,
        agent: false,
        ...(!allowPrivate && { lookup: publicLookup }),
        headers: {
          Accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
          // A compressed body could grow beyond any limit.
          'Accept-Encoding': 'identity',
          'User-Agent': 'Pitlane calendar reader',
          ...(etag !== null && { 'If-None-Match': etag }),
        },
      },
      resolve,
    )
      .on('error', reject)
      .end()
  })
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) {
      response.destroy()
      throw new Error(`The calendar is larger than ${maxBytes / 1024 / 1024} MB.`)
    }
    pieces.push(piece)
  }
  return decodedText(Buffer.concat(pieces))
}
