import { isPublicAddress, literalAddress } from '../net/publicAddress.ts'

/** The longest accepted target. */
const LENGTH_MAX = 2_048

const NO_TARGET = { problem: 'must be an https URL without user name and password' } as const

/**
 * Reads a webhook's target into its canonical spelling. A problem is worded for the partner. `allowPrivate` accepts private
 * addresses too. Each delivery resolves a host name and checks its addresses.
 */
export const readWebhookUrl = (text: string, allowPrivate: boolean): { readonly url: string } | { readonly problem: string } => {
  const url = text.length > LENGTH_MAX ? null : URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return NO_TARGET
  url.hash = ''
  // Name servers ignore one trailing dot, certificates contain none, and several dots could hide an IPv4 address.
  let end = url.hostname.length
  while (url.hostname[end - 1] === '.') end -= 1
  url.hostname = url.hostname.slice(0, end)
  if (url.hostname.endsWith('.')) return NO_TARGET
  // That spelling makes characters beyond ASCII up to nine times as long.
  if (url.href.length > LENGTH_MAX) return NO_TARGET
  const address = literalAddress(url.hostname)
  if (address !== null && !allowPrivate && !isPublicAddress(address)) return { problem: 'must not lead to a private address' }
  return { url: url.href }
}
