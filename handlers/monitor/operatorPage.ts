import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '../../engine/core/loopback.ts'
import type { PageAnswer, PageSet } from '../../engine/pages/pages.ts'

/** What the page knows beyond the metrics. */
export type OperatorPort = {
  /** The name or address that the port listens at. */
  readonly host: string
  /** What the records tell of an id, line by line; null: nothing, `starting`: they are not open yet. */
  explain(id: string): Promise<readonly string[] | 'starting' | null>
  /** The newest sample of each check that rejected answers of venues; `at`: epoch ms. */
  samples(): Promise<readonly { readonly check: string; readonly at: number; readonly file: string }[]>
}

/** An answer in JSON. */
export type Told = { readonly status: number; readonly told: object }

export type OperatorPage = {
  /**
   * Whether metrics and readiness are told to whoever asks. Scrapers send no Origin; they may call the port by any name, unless
   * it is open to this machine alone, and by none.
   */
  mayRead(request: IncomingMessage): boolean
  /** Null: there is nothing of the page at this path. */
  answer(request: IncomingMessage): Promise<PageAnswer | Told | null>
}

/** What a link of another page may open. */
const DOCUMENTS = ['/', '/runbook', '/metrics', '/ready']

/** No id is longer, and none has a space. */
const ID = /^[\x21-\x7e]{1,200}$/

const told = (status: number, error: string): Told => ({ status, told: { error } })

/** To a web page of somebody else, or whoever came by a name that is not this port's. */
export const REFUSED: Told = told(403, 'not for pages of others: ask for this host by its address')

const nameIn = (host: string): string =>
  host
    .replace(/:[0-9]{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/**
 * Whether no web page of somebody else asks. One whose name was made to lead here shows that name in Host; any other shows
 * its own in Origin or is told of by Sec-Fetch-Site. https://www.w3.org/TR/fetch-metadata/
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

/** The page for the operator's browser, and what it asks. It changes nothing. */
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
    // The records are there for callers: one such search at a time.
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
      // A path alone: of a whole address, or what is read as one, it would not matter whose it is.
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
