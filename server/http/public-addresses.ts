import { lookup as lookupAddresses, type LookupAddress } from 'node:dns'
import type { request } from 'node:http'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses of this machine, of private networks and of what isn't a single host. */
const privateAddresses = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  privateAddresses.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  // This machine and, behind 96 zeros, an IPv4 address, which old tunnels deliver.
  ['::', 96],
  // Further ways in which IPv4 addresses are written as IPv6 ones: a gateway of the inner network that
  // translates them leads into it, whatever its prefix for that.
  ['::ffff:0:0:0', 96],
  ['2001::', 32],
  ['2002::', 16],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  // What came before fc00::/7, and is still inside of some networks.
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(network, bits, 'ipv6')
}

/** Whether a text is an IP address of this machine or a private network; IPv4 in IPv6 counts, too. */
export function isPrivateAddress(text: string): boolean {
  const version = isIP(text)
  return version !== 0 && privateAddresses.check(text, version === 6 ? 'ipv6' : 'ipv4')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether what is sent to a host stays on this machine. */
export function isLoopback(host: string): boolean {
  const version = isIP(host)
  if (version === 0) return host === 'localhost'
  return loopback.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

/** Resolves a name only to addresses that may be asked; the connection uses the very same ones. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookupAddresses(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '', 0)
    const refused = found.find(({ address }) => isPrivateAddress(address))
    if (refused || found.length === 0) return callback(new Error(notPublic(hostname)), '', 0)
    if (options.all) return callback(null, found)
    return callback(null, found[0]!.address, found[0]!.family)
  })
}

/**
 * What asks a server by the protocol of its address. Loaded by what asks: Node's TLS takes a tenth of a
 * short command to load (docs/decisions/0073).
 */
export async function requestFor({ protocol }: URL): Promise<typeof request> {
  return protocol === 'https:'
    ? (await import('node:https')).request
    : (await import('node:http')).request
}

/** Why a host isn't asked, for staff. */
export const notPublic = (host: string): string =>
  `${host} isn’t a public address, so it isn’t fetched.`
