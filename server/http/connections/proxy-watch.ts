import type { IncomingMessage, RequestListener } from 'node:http'
import type { Config } from '../../config.ts'
import { createUnnamedCheck } from './client-address.ts'

/** Requests in a row that rule out coincidence. */
const enough = 10

/** What is wrong with a request from the view of limits, and how to say so. */
type Suspicion = {
  isSuspicious(request: IncomingMessage): boolean
  /** Whether only requests of one address in a row show it. */
  ofOneAddress: boolean
  warning(from: string): string
}

/** A proxy that TRUST_PROXY doesn't name. */
const unknownProxy: Suspicion = {
  isSuspicious: ({ headers }) => headers['x-forwarded-for'] !== undefined,
  ofOneAddress: true,
  warning: (from) =>
    `Every request comes from ${from} with X-Forwarded-For: there is a proxy in front, but TRUST_PROXY isn’t set, so all visitors share one visitor’s limits. Set TRUST_PROXY to the number of proxies (usually 1) or to their addresses.`,
}

/** A proxy that TRUST_PROXY names and that doesn't name visitors. */
const silentProxy = (trustProxy: number | string[]): Suspicion => ({
  isSuspicious: createUnnamedCheck(trustProxy),
  ofOneAddress: false,
  warning: (from) =>
    `TRUST_PROXY trusts ${from}, but its requests have no visitor’s address in X-Forwarded-For, so all visitors share one visitor’s limits. Set the proxy to send the address, or remove TRUST_PROXY if there is no proxy.`,
})

/**
 * Detects proxies behind which all visitors share the limits of one: every request has X-Forwarded-For and
 * comes from one address that TRUST_PROXY doesn't name, or TRUST_PROXY names a proxy that doesn't say whom
 * its requests are from.
 * @param report called with a warning, and with null once other requests arrive again
 * @returns wraps a listener
 */
export function createProxyWatch(
  trustProxy: Config['trustProxy'],
  report: (text: string | null) => void,
): (listener: RequestListener) => RequestListener {
  const { isSuspicious, ofOneAddress, warning } =
    typeof trustProxy === 'boolean' ? unknownProxy : silentProxy(trustProxy)
  let address = ''
  let suspicious = 0
  let sound = 0
  let isReported = false
  return (listener) => (request, response) => {
    // Health checks come from this machine, without the proxy.
    if (request.url !== '/api/health') {
      const from = request.socket.remoteAddress ?? ''
      const isOne = isSuspicious(request)
      const goesOn = !ofOneAddress || from === address
      suspicious = isOne ? (goesOn ? suspicious + 1 : 1) : 0
      sound = isOne ? 0 : sound + 1
      address = from
      if (!isReported && suspicious >= enough) {
        isReported = true
        report(warning(from))
      } else if (isReported && sound >= enough) {
        isReported = false
        report(null)
      }
    }
    return listener(request, response)
  }
}
