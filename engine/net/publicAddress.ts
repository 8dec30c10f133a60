import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What is handed out to networks of the whole Internet: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Where Azure answers its own machines: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const AZURE_PLATFORM = '168.63.129.16'

/** The IP address that the host name of a URL is; null for a name that has to be resolved. */
export const literalAddress = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

/**
 * Whether an address is one of the public Internet, and no other way to write one that is not. Loopback, private and
 * link-local networks, those of carriers and clouds, multicast, documentation, translation (mapped, NAT64, 6to4, Teredo) and
 * whatever is reserved are not, nor is what is not spelled as an address is.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address === AZURE_PLATFORM) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6)
}
