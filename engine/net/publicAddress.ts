import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The range for networks of the public Internet: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Where Azure answers its own machines: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const AZURE_PLATFORM = '168.63.129.16'

/** The IP address that the host name of a URL is; null for a name that has to be resolved. */
export const literalAddress = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

/**
 * Whether an address belongs to the public Internet. Loopback, private, link-local, carrier and cloud networks do not. Multicast,
 * documentation, reserved and translation ranges (mapped, NAT64, 6to4, Teredo) do not either. Text that is not an IP address is
 * not public.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address === AZURE_PLATFORM) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6)
}
