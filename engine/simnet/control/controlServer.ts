import type { ServerResponse } from 'node:http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { BITCOIN, CHAIN_IDS, type ChainId, SOLANA } from '../../core/chain.ts'
import { answerEvm } from '../evm/evmFront.ts'
import { FAULT_DEFAULTS } from '../kit/faults.ts'
import {
  type LoopbackRequest,
  type LoopbackServer,
  NETWORK_HEADER,
  parseJson,
  startLoopbackServer,
  writeJson,
} from '../kit/loopbackServer.ts'
import { Refusal } from '../kit/refusal.ts'
import { answerOver, type LineAnswer } from '../kit/transportFaults.ts'
import { answerSolana } from '../solana/solanaFront.ts'
import { CALLS } from './calls.ts'
import type { Controls } from './controls.ts'

const EVENTS = 'GET /events'
const FACILITATOR_PATH = '/facilitator/'

/** A web page cannot send this type without asking first. */
const JSON_TYPE = /^application\/json(?:;|$)/i

/** The spellings of loopback, at any port: the port may be forwarded. `localhost.` and `127.1` are other names. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/i

/** No page has such an origin: wallets call the chains from the background page of their extension. */
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/
const CHAIN = /^\/rpc\/-?[0-9]+$/

/** Whether a browser requests `GET /` to show it. */
const wantsPage = ({ accept }: LoopbackRequest['headers']): boolean => accept?.includes('text/html') === true

/**
 * Whether a request comes from this network's own page, or from no page at all. Browsers name the page in Origin. A page
 * whose own name points to loopback shows it in Host. Sec-Fetch-Site marks requests without an Origin, such as for images.
 * https://www.w3.org/TR/fetch-metadata/
 */
const isOwnCall = ({ method, headers, url }: LoopbackRequest): boolean => {
  const { host = '', origin } = headers
  if (!LOOPBACK.test(host)) return false
  if (origin !== undefined && EXTENSION.test(origin)) return CHAIN.test(url.pathname)
  // Sandboxed pages and those of files have the origin null.
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  // A link to the page itself.
  const isFollowed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  return method === 'GET' && url.pathname === '/' && isFollowed && wantsPage(headers)
}

const asJson = (status: number, body: unknown): LineAnswer => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  contentType: 'application/json',
})

const answerChain = async (controls: Controls, chainId: ChainId, request: LoopbackRequest): Promise<LineAnswer> => {
  const { method, url, rawBody } = request
  if (chainId === BITCOIN) {
    const { status, body } = await controls.bitcoin.answer({ method, path: url.pathname.slice('/rpc/-1'.length), body: rawBody })
    return typeof body === 'string' ? { status, text: body, contentType: 'text/plain' } : asJson(status, body)
  }
  if (method !== 'POST') return asJson(405, { error: 'JSON-RPC is called by POST' })
  if (chainId === SOLANA) return asJson(200, await answerSolana(controls.solana, rawBody))
  const pruned = controls.faults.take(`chain:${chainId}`, 'prunes-state', url.pathname)
  const statesKept = pruned && Number(pruned['blocks'] ?? FAULT_DEFAULTS.statesKept)
  const endpoint = { chains: controls.evm, observe: controls.deliveries.observe, statesKept }
  const { status, text } = await answerEvm(endpoint, chainId, rawBody)
  return asJson(status, text)
}

/** `/rpc/<chain id>`, and for Bitcoin everything below it. */
const chainAt = ({ pathname }: URL): ChainId | null => {
  const [, id, rest] = /^\/rpc\/(-?[0-9]{1,6})(\/.*)?$/.exec(pathname) ?? []
  const chainId = CHAIN_IDS.find((candidate) => String(candidate) === id)
  return chainId === undefined || (chainId !== BITCOIN && rest !== undefined) ? null : chainId
}

type Question = { readonly paymentPayload: PaymentPayload; readonly paymentRequirements: PaymentRequirements }

/** The calls of the x402 protocol, which the facilitator itself validates: https://docs.x402.org/core-concepts/facilitator */
const answerFacilitator = async ({ facilitator }: Controls, { method, url, rawBody }: LoopbackRequest): Promise<LineAnswer> => {
  const { paymentPayload, paymentRequirements } = (parseJson(rawBody) ?? {}) as Question
  try {
    switch (`${method} ${url.pathname}`) {
      case 'GET /facilitator/supported':
        return asJson(200, await facilitator.getSupported())
      case 'POST /facilitator/verify':
        return asJson(200, await facilitator.verify(paymentPayload, paymentRequirements))
      case 'POST /facilitator/settle':
        return asJson(200, await facilitator.settle(paymentPayload, paymentRequirements))
      default:
        return asJson(404, { error: `${method} ${url.pathname}: there is no such call` })
    }
  } catch (error) {
    return asJson(500, { error: error instanceof Error ? error.message : String(error) })
  }
}

const runControl = async (controls: Controls, { method, url, headers, rawBody }: LoopbackRequest): Promise<unknown> => {
  const route = `${method} ${url.pathname}`
  const control = Object.hasOwn(CALLS, route) ? CALLS[route] : undefined
  if (!control) {
    const all = [...Object.keys(CALLS), EVENTS].join(', ')
    throw new Refusal(null, `${route}: there is no such call; there are ${all}`, { status: 404 })
  }
  if (method === 'POST' && !JSON_TYPE.test(headers['content-type'] ?? ''))
    throw new Refusal(null, 'content-type: must be application/json')
  return control(controls, parseJson(rawBody), url.searchParams)
}

/** Answers requests of the page's document and files; false for all others. */
const answerPage = async (controls: Controls, request: LoopbackRequest, response: ServerResponse): Promise<boolean> => {
  const { method, headers } = request
  const { pathname: path } = request.url
  const isPage = path === '/' && (method === 'GET' || method === 'HEAD') && wantsPage(headers)
  if (!isPage && !path.startsWith('/files/')) return false
  const pages = await controls.pages()
  const asked = { method, path, acceptEncoding: headers['accept-encoding'], ifNoneMatch: headers['if-none-match'] }
  const answer = await pages.answer(asked)
  if (!answer) return false
  // The same address has JSON for others.
  const vary = path === '/' ? { vary: 'accept, accept-encoding' } : {}
  response.writeHead(answer.status, { ...NETWORK_HEADER, ...answer.headers, ...vary })
  response.end(answer.body)
  return true
}

const handle = async (controls: Controls, request: LoopbackRequest, response: ServerResponse): Promise<void> => {
  const { pathname: path } = request.url
  if (!isOwnCall(request))
    return writeJson(response, 403, { error: 'the offline network takes no calls from web pages but its own' })
  if (await answerPage(controls, request, response)) return
  if (`${request.method} ${path}` === EVENTS) return controls.watch.listeners.attach(response)
  const chainId = chainAt(request.url)
  if (chainId !== null) {
    const line = { faults: controls.faults, target: `chain:${chainId}`, path, response }
    return answerOver(line, () => answerChain(controls, chainId, request))
  }
  if (path.startsWith(FACILITATOR_PATH)) {
    const line = { faults: controls.faults, target: 'facilitator', path, response }
    return answerOver(line, () => answerFacilitator(controls, request))
  }
  try {
    writeJson(response, 200, await runControl(controls, request))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    writeJson(response, error.status, { error: error.message })
  }
}

/** The control calls and the chains' endpoints, on loopback. Throws PortInUseError. */
export const startControlServer = (controls: Controls, port: number): Promise<LoopbackServer> =>
  startLoopbackServer((request, response) => handle(controls, request, response), port)
