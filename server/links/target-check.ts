import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress, publicLookup, requestFor } from '../http/public-addresses.ts'

/**
 * What became of a target: it answers, it fails with a reason for staff, or that can't be said: it is
 * not public, or our own network is down.
 */
export type TargetState =
  | { state: 'ok' }
  | { state: 'failed'; problem: string }
  | { state: 'unknown' }

/** Milliseconds for one target, redirects and all. */
const totalMs = 15_000

const maxRedirects = 5

/** What our own resolver or network says when it is at fault. */
const ownFaults: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EMFILE'])

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host doesn’t exist',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection cut',
  EHOSTUNREACH: 'host unreachable',
  CERT_HAS_EXPIRED: 'expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
}

/** A redirect to what is not public, or to no web address. */
class NotPublic extends Error {}

/** How a check reaches hosts; only tests have another one. */
export type Network = {
  /** Resolves names, and refuses addresses that may not be asked. */
  lookup: LookupFunction
  isPrivate(host: string): boolean
}

const publicNetwork: Network = { lookup: publicLookup, isPrivate: isPrivateAddress }

/**
 * Asks whether a target answers, by HEAD, then by GET for servers that don't know HEAD; its body is
 * not read. Each redirect is checked like the target itself: neither leads to this machine or a private
 * network. What asks for a sign-in, or keeps robots out, is alive.
 */
export async function checkTarget(
  target: string,
  { signal, network = publicNetwork }: { signal?: AbortSignal; network?: Network } = {},
): Promise<TargetState> {
  const limit = AbortSignal.timeout(totalMs)
  const ending = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    const byHead = await follow('HEAD', target, ending, network).catch((error: unknown) => {
      if (error instanceof NotPublic || ending.aborted) throw error
      return null
    })
    if (byHead !== null && byHead < 400) return { state: 'ok' }
    const status = await follow('GET', target, ending, network)
    const isDead = status === 404 || status === 410 || status >= 500
    return isDead ? { state: 'failed', problem: `answers ${status}` } : { state: 'ok' }
  } catch (error) {
    if (signal?.aborted || error instanceof NotPublic) return { state: 'unknown' }
    if (limit.aborted) return failed(`no answer within ${totalMs / 1000} seconds`)
    const { code = '', message } = error as NodeJS.ErrnoException
    if (ownFaults.has(code)) return { state: 'unknown' }
    return failed(error instanceof TooMany ? message : (reasons[code] ?? 'no answer'))
  }
}

const failed = (problem: string): TargetState => ({ state: 'failed', problem })

class TooMany extends Error {}

/** The status at the end of the redirects. */
async function follow(
  method: 'HEAD' | 'GET',
  target: string,
  signal: AbortSignal,
  network: Network,
): Promise<number> {
  let url = new URL(target)
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await ask(method, url, signal, network)
    response.destroy()
    const { statusCode: status = 0, headers } = response
    const isRedirect = [301, 302, 303, 307, 308].includes(status) && headers.location
    if (!isRedirect) return status
    const next = URL.parse(headers.location!, url.href)
    if (!next) return status
    url = next
  }
  throw new TooMany(`more than ${maxRedirects} redirects`)
}

async function ask(
  method: 'HEAD' | 'GET',
  url: URL,
  signal: AbortSignal,
  { lookup, isPrivate }: Network,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username || url.password || isPrivate(host)) throw new NotPublic(host)
  const request = await requestFor(url)
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        method,
        signal,
        agent: false,
        lookup: (name, options, callback) =>
          lookup(name, options, (error, ...found) =>
            // A refusal of the lookup has no code of the resolver.
            callback(error && !error.code ? new NotPublic(name) : error, ...found),
          ),
        headers: {
          Accept: '*/*',
          'Accept-Encoding': 'identity',
          'User-Agent': 'Mozilla/5.0 (compatible; Pitlane link checker)',
        },
      },
      resolve,
    )
      .on('error', reject)
      .end()
  })
}
