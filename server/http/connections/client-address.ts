import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'
import proxyAddress from 'proxy-addr'
import type { Config } from '../../config.ts'
import type { Keys } from '../../secrets/secret-key.ts'

/** Returns the client's IP address. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Creates the lookup of client addresses: the socket's, or the one that trusted proxies name in
 * X-Forwarded-For, with or without a port. A header only counts if it is an IP address: with fewer
 * proxies than configured, clients can write it themselves.
 * @param trustProxy from the config: false, a number of hops, or addresses and ranges
 * @returns an IPv4 or IPv6 address; empty once the connection is closed
 */
export function createClientAddress(trustProxy: Config['trustProxy']): ClientAddress {
  const own = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''
  if (typeof trustProxy === 'boolean') return own
  const trusts = trusted(trustProxy)
  return (request) => {
    const named = withoutPort(proxyAddress(request, trusts))
    return named && isIP(named) ? named : own(request)
  }
}

/**
 * Tells proxies in front of the site from visitors.
 * @returns whether a socket's address may stand for many visitors
 */
export function createProxyCheck(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => false
  const trusts = trusted(trustProxy)
  return (address) => trusts(address, 0)
}

/**
 * Finds requests of proxies that don't say for whom: X-Forwarded-For is missing, or is `unknown`, a name
 * or anything else but an address.
 */
export function createUnnamedCheck(
  trustProxy: number | string[],
): (request: IncomingMessage) => boolean {
  const trusts = trusted(trustProxy)
  return (request) =>
    trusts(request.socket.remoteAddress ?? '', 0) &&
    (request.headers['x-forwarded-for'] === undefined ||
      !isIP(withoutPort(proxyAddress(request, trusts))))
}

function trusted(trustProxy: number | string[]): (address: string, hop: number) => boolean {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  const isListed = proxyAddress.compile(trustProxy)
  return (address, hop) => isListed(withoutPort(address), hop)
}

/** An address as some proxies write it, `192.0.2.1:4711` or `[2001:db8::1]:443`, alone. */
function withoutPort(named: string): string {
  const [, inBrackets, plain] =
    /^(?:\[([\da-f:.]{2,45})\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i.exec(named) ?? []
  return inBrackets ?? plain ?? named
}

let lastAddress = ''
let lastNetwork = ''

/** An address without its host part, for the log: IPv4 /24, IPv6 /48; empty if it isn't an address. */
export function clientNetwork(address: string): string {
  // Requests often come in runs from one address.
  if (address !== lastAddress) {
    lastNetwork = withoutHost(address)
    lastAddress = address
  }
  return lastNetwork
}

function withoutHost(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIP(plain)) return ''
  const subnet = ipKeyGenerator(plain, 48)
  return isIPv4(subnet)
    ? `${subnet.slice(0, subnet.lastIndexOf('.'))}.0`
    : subnet.replace('/48', '')
}

/** A keyed hash of a client's network (IPv6: /56), for limits only. */
export const networkOf = ({ keys }: { keys: Keys }, address: string): string =>
  keys.hash('network', ipKeyGenerator(address, 56)).slice(0, 22)
