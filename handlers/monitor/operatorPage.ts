import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '../../engine/core/loopback.ts'
import type { PageAnswer, PageSet } from '../../engine/pages/pages.ts'

/** The sources of the page beyond the metrics. */
export type OperatorPort = {
  /** The name or address that the port listens at. */
  readonly host: string
  /** Explains an id from the records, in lines. Null: no record has the id. `starting`: the records are not open yet. */
  explain(id: string): Promise<readonly string[] | 'starting' | null>
  /** The newest sample of each check that rejected answers of venues; `at`: epoch ms. */
  samples(): Promise<readonly { readonly check: string; readonly at: number; readonly file: string }[]>
}

/** An answer in JSON. */
export type Told = { readonly status: number; readonly told: object }

export type OperatorPage = {
  /**
   * True if the request may read metrics and readiness. Scrapers send no Origin. They may use any host name, unless the port
   * listens on loopback only; there HTTP/1.0 without a Host header is accepted too.
   */
  mayRead(request: IncomingMessage): boolean
  /** Null for a path outside the page. */
  answer(request: IncomingMessage): Promise<PageAnswer | Told | null>
}

/** The paths that a link of another site may open. */
const DOCUMENTS = ['/', '/runbook', '/metrics', '/ready']

/** No id is longer, and none has a space. */
const ID = /^[\x21-\x7e]{1,200}$/

const told = (status: number, error: string): Told => ({ status, told: { error } })

/** The answer to a web page of another site, or to a request with a foreign host name. */
export const REFUSED: Told = told(403, 'not for pages of others: ask for this host by its address')

const nameIn = (host: string): string =>
  host
    .replace(/:[0-9]{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/**
 * False for a request of another site's page. DNS rebinding shows in the Host header; any other page is identified by Origin or
 * Sec-Fetch-Site. https://www.w3.org/TR/fetch-metadata/
 */
const isOwnCall = (request: IncomingMessage, own: string): boolean => hasOwnHost(request, own) && isOfOwnPage(request)

const hasOwnHost = ({ headers: { host = '' } }: IncomingMessage, own: string): boolean => {
  const name = nameIn(host)
  return name === 'localhost' || name === own.toLowerCase() || isIP(name) !== 0
}

/** Probes of HTTP/1.0 name no host; a browser always does. */
const isNoBrowser = ({ headers: { host }, httpVersion }: IncomingMessage): boolean => httpVersion === '1.0' && host === undefined

const isOfOwnPage = ({ headers, url = '' }: IncomingMessage): boolean => {
  const { host = '', origin } = headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return DOCUMENTS.includes(url) && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** The page for the operator's browser, and its requests. All are read-only. */
export const createOperatorPage = ({ host, explain, samples }: OperatorPort): OperatorPage => {
  let loading: Promise<PageSet> | null = null
  const pages = (): Promise<PageSet> => {
    loading ??= import('./page/operatorPages.ts').then(
      ({ createOperatorPages }) => createOperatorPages(),
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
  let isExplaining = false

  const tellOf = async (id: string): Promise<Told> => {
    if (!ID.test(id)) return told(400, 'id: 1 to 200 characters without spaces')
    // One search at a time: callers of the service need the records.
    if (isExplaining) return told(503, 'another explanation is under way')
    isExplaining = true
    try {
      const lines = await explain(id)
      if (lines === 'starting') return told(503, 'the service is starting')
      return lines === null ? told(404, `Nothing was found for ${id} in the records.`) : { status: 200, told: { lines } }
    } catch {
      return told(503, 'the records could not be read')
    } finally {
      isExplaining = false
    }
  }

  return {
    mayRead: (request) => isOfOwnPage(request) && (!isLoopback(host) || isNoBrowser(request) || hasOwnHost(request, host)),
    answer: async (request) => {
      const { url = '', headers } = request
      if (!isOwnCall(request, host)) return REFUSED
      // Accepts a path only: the host of an absolute URL, or of a path that parses as one, would be ignored.
      const asked = /^\/(?![/\\])/.test(url) ? URL.parse(url, 'http://operator.invalid') : null
      if (asked === null) return null
      const { pathname, searchParams } = asked
      if (pathname === '/rejected') return { status: 200, told: { samples: await samples() } }
      if (pathname === '/explain') return tellOf(searchParams.get('id') ?? '')
      return (await pages()).answer({
        method: 'GET',
        path: pathname,
        acceptEncoding: headers['accept-encoding']?.toString(),
        ifNoneMatch: headers['if-none-match'],
      })
    },
  }
}
