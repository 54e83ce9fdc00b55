import type { RequestListener } from 'node:http'
import type { Config } from '../../config.ts'

/** Requests in a row that rule out coincidence. */
const enough = 10

/**
 * Detects a proxy that TRUST_PROXY doesn't name: every request has X-Forwarded-For and comes from one
 * address, whose limits all visitors then share.
 * @param report called with a warning, and with null once direct requests arrive again
 * @returns wraps a listener
 */
export function createProxyWatch(
  trustProxy: Config['trustProxy'],
  report: (text: string | null) => void,
): (listener: RequestListener) => RequestListener {
  if (trustProxy !== false) return (listener) => listener
  let address = ''
  let forwarded = 0
  let direct = 0
  let isReported = false
  return (listener) => (request, response) => {
    // Health checks come from this machine, without the proxy.
    if (request.url !== '/api/health') {
      const from = request.socket.remoteAddress ?? ''
      const isForwarded = request.headers['x-forwarded-for'] !== undefined
      forwarded = isForwarded && from === address ? forwarded + 1 : isForwarded ? 1 : 0
      direct = isForwarded ? 0 : direct + 1
      address = from
      if (!isReported && forwarded >= enough) {
        isReported = true
        report(
          `Every request comes from ${from} with X-Forwarded-For: there is a proxy in front, but TRUST_PROXY isn’t set, so all visitors share one visitor’s limits. Set TRUST_PROXY to the number of proxies (usually 1) or to their addresses.`,
        )
      } else if (isReported && direct >= enough) {
        isReported = false
        report(null)
      }
    }
    return listener(request, response)
  }
}
