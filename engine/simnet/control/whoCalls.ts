import type { LoopbackRequest } from '../kit/loopbackServer.ts'

/** A port is whatever the caller found us at: it may be forwarded. Written out, as `localhost.` and `127.1` are other names. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i

/** No page has such an origin: browsers give it to their extensions, of which wallets ask the chains from a background page. */
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/
const CHAIN = /^\/rpc\/-?[0-9]+$/

/**
 * Whether a request is from this network's own page, or from no page at all. A web page has no business here: browsers name
 * the page in Origin, wherever it is, and a page that made its own name point to loopback shows it in Host. What they send
 * without an Origin, such as for an image, Sec-Fetch-Site tells of. https://www.w3.org/TR/fetch-metadata/
 */
export const isOwnCall = ({ method, headers, url }: LoopbackRequest): boolean => {
  const { host = '', origin } = headers
  if (!LOOPBACK.test(host)) return false
  if (origin !== undefined && EXTENSION.test(origin)) return CHAIN.test(url.pathname)
  // Null among them, which sandboxed pages and those of files have.
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  // A link to the page itself, which shows it to nobody but who follows it.
  const isFollowed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return method === 'GET' && url.pathname === '/' && isFollowed && wantsPage(headers)
}

/** Whether `GET /` is asked by a browser that shows it to somebody. */
export const wantsPage = ({ accept }: LoopbackRequest['headers']): boolean => accept?.includes('text/html') === true
