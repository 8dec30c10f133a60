import type { IncomingMessage } from 'node:http'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

type Address = IPv4 | IPv6
type Range = [network: Address, bits: number]

/** The network of a request: an IPv4 address, or the /64 of an IPv6 one, which is one household. */
export type ClientAddress = (req: IncomingMessage) => string

const PLAIN_IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const UNKNOWN = 'unknown'

/** An IPv4 address mapped into IPv6 counts as IPv4. */
const parse = (text: string): Address | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null)

const networkOf = (address: Address): string =>
  address.kind() === 'ipv4'
    ? address.toString()
    : `${(address as IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`

const parseRange = (text: string): Range => {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch (cause) {
    throw new RangeError(`not an address or CIDR range of a trusted proxy: ${text}`, { cause })
  }
}

const isWithin = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

const createIsTrusted = (trustedProxies: readonly string[]): ((address: Address) => boolean) => {
  const ranges = trustedProxies.map(parseRange)
  return (address) => ranges.some((range) => isWithin(address, range))
}

/** The network at the other end of a socket, likewise; null: a trusted proxy, which has many clients. */
export type SocketNetwork = (remoteAddress: string | undefined) => string | null

/** Throws RangeError for a trusted proxy that is neither an address nor a CIDR range. */
export const createSocketNetwork = (trustedProxies: readonly string[]): SocketNetwork => {
  const isTrusted = createIsTrusted(trustedProxies)
  return (remoteAddress) => {
    const address = remoteAddress === undefined ? null : parse(remoteAddress)
    if (!address) return UNKNOWN
    return isTrusted(address) ? null : networkOf(address)
  }
}

/**
 * Finds the client of a request: the other end of the socket, unless that is a trusted proxy. Then it reads x-forwarded-for from
 * the right, where trusted proxies wrote, up to the first other address. Throws RangeError for a trusted proxy that is neither an
 * address nor a CIDR range.
 */
export const createClientAddress = (trustedProxies: readonly string[]): ClientAddress => {
  const isTrusted = createIsTrusted(trustedProxies)
  return ({ socket: { remoteAddress = '' }, headers }) => {
    if (trustedProxies.length === 0 && PLAIN_IPV4.test(remoteAddress)) return remoteAddress
    const unread = String(headers['x-forwarded-for'] ?? '').split(',')
    let client = parse(remoteAddress)
    while (client && isTrusted(client)) {
      const before = parse((unread.pop() ?? '').trim())
      if (before === null) break
      client = before
    }
    return client ? networkOf(client) : UNKNOWN
  }
}

/** Whether an address, or the /64 of one, is public. */
export const isPublic = (network: string): boolean => parse(network.replace('/64', ''))?.range() === 'unicast'
