import { isIP, isIPv4 } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { ipKeyGenerator } from 'express-rate-limit'
import proxyAddress from 'proxy-addr'
import type { Config } from '../config.ts'

/** Finds the address of the client that a request comes from. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Makes the function that finds a client's address: the socket's, or the one that trusted proxies
 * name in X-Forwarded-For. What a header says counts only if it is an IP address, since it may come
 * from any client as soon as there are fewer proxies than configured.
 * @param trustProxy as `readConfig` gives it: false, a number of hops, or addresses and ranges
 * @returns an IPv4 or IPv6 address; empty when the connection is closed already
 */
export function createClientAddress(trustProxy: Config['trustProxy']): ClientAddress {
  const own = ({ socket }: IncomingMessage) => socket.remoteAddress ?? ''
  if (typeof trustProxy === 'boolean') return own
  const trusts = trusted(trustProxy)
  return (request) => {
    const named = proxyAddress(request, trusts)
    return named && isIP(named) ? named : own(request)
  }
}

/**
 * Tells the proxies in front of the site from visitors, by the address of a socket.
 * @returns a function that is true for an address that may stand for many visitors
 */
export function createProxyCheck(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => false
  const trusts = trusted(trustProxy)
  return (address) => trusts(address, 0)
}

const trusted = (trustProxy: number | string[]) =>
  typeof trustProxy === 'number'
    ? (_address: string, hop: number) => hop < trustProxy
    : proxyAddress.compile(trustProxy)

let lastAddress = ''
let lastNetwork = ''

/** An address without its host part, as the log may keep it: IPv4 to /24, IPv6 to /48; empty for no address. */
export function clientNetwork(address: string): string {
  // Requests come in runs from one address.
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
