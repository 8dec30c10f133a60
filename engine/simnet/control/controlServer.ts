import type { ServerResponse } from 'node:http'
import { BITCOIN, CHAIN_IDS, type ChainId, SOLANA } from '../../core/chain.ts'
import { answerEvm, STATES_OF_A_FULL_NODE } from '../evm/evmFront.ts'
import {
  type LoopbackRequest,
  type LoopbackServer,
  NETWORK_HEADER,
  parseJson,
  startLoopbackServer,
  writeJson,
} from '../kit/loopbackServer.ts'
import { answerOver, type LineAnswer } from '../kit/transportFaults.ts'
import { answerSolana } from '../solana/solanaFront.ts'
import { balances } from './balances.ts'
import { ControlError } from './controlError.ts'
import type { Control, Controls } from './controls.ts'
import { deposits } from './deposits.ts'
import { answerFacilitator, FACILITATOR_PATH } from './facilitator.ts'
import { faucet } from './faucet.ts'
import { clearFaults, listFaults, setFault } from './faultControls.ts'
import { mineBlocks } from './mineBlocks.ts'
import { listPrices, setPrice } from './prices.ts'
import { reorg } from './reorg.ts'
import { advanceClock } from './time.ts'
import { transactions } from './transactions.ts'
import { isOwnCall, wantsPage } from './whoCalls.ts'

const ROUTES: { readonly [route: string]: Control } = {
  'GET /': ({ describe }) => describe(),
  'POST /faucet': faucet,
  'POST /deposits': deposits,
  'POST /transactions': transactions,
  'POST /clock': advanceClock,
  'POST /mine': mineBlocks,
  'POST /reorg': reorg,
  'GET /prices': listPrices,
  'POST /prices': setPrice,
  'GET /faults': listFaults,
  'POST /faults': setFault,
  'DELETE /faults': clearFaults,
  'GET /state': ({ watch }) => watch.state(),
  'GET /balances': balances,
}

const EVENTS = 'GET /events'
const CALLS = [...Object.keys(ROUTES), EVENTS]

/** Which a web page cannot send without asking first. */
const JSON_TYPE = /^application\/json(?:;|$)/i

const asJson = ({ status, text }: { readonly status: number; readonly text: string }): LineAnswer => ({
  status,
  text,
  contentType: 'application/json',
})

const answerBitcoin = async ({ bitcoin }: Controls, { method, url, rawBody }: LoopbackRequest): Promise<LineAnswer> => {
  const { status, body } = await bitcoin.answer({ method, path: url.pathname.slice('/rpc/-1'.length), body: rawBody })
  return typeof body === 'string'
    ? { status, text: body, contentType: 'text/plain' }
    : asJson({ status, text: JSON.stringify(body) })
}

const answerChain = async (controls: Controls, chainId: ChainId, request: LoopbackRequest): Promise<LineAnswer> => {
  if (chainId === BITCOIN) return answerBitcoin(controls, request)
  if (request.method !== 'POST') return asJson({ status: 405, text: JSON.stringify({ error: 'JSON-RPC is called by POST' }) })
  if (chainId === SOLANA) return asJson(await answerSolana(controls.solana, request.rawBody))
  const pruned = controls.faults.take(`chain:${chainId}`, 'prunes-state', request.url.pathname)
  const statesKept = pruned && Number(pruned.blocks ?? STATES_OF_A_FULL_NODE)
  return asJson(
    await answerEvm({ chains: controls.evm, observe: controls.deliveries.observe, statesKept }, chainId, request.rawBody),
  )
}

/** `/rpc/<chain id>`, and for Bitcoin everything below it. */
const chainAt = ({ pathname }: URL): ChainId | null => {
  const [, id, rest] = /^\/rpc\/(-?[0-9]{1,6})(\/.*)?$/.exec(pathname) ?? []
  const chainId = CHAIN_IDS.find((candidate) => String(candidate) === id)
  return chainId === undefined || (chainId !== BITCOIN && rest !== undefined) ? null : chainId
}

const runControl = async (controls: Controls, { method, url, headers, rawBody }: LoopbackRequest): Promise<unknown> => {
  const control = Object.hasOwn(ROUTES, `${method} ${url.pathname}`) ? ROUTES[`${method} ${url.pathname}`] : undefined
  if (!control) throw new ControlError(404, `${method} ${url.pathname}: there is no such call; there are ${CALLS.join(', ')}`)
  if (method === 'POST' && !JSON_TYPE.test(headers['content-type'] ?? ''))
    throw new ControlError(400, 'content-type: must be application/json')
  return control(controls, parseJson(rawBody), url.searchParams)
}

/** Whether it was for the page, and answered. */
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
  if (!isOwnCall(request))
    return writeJson(response, 403, { error: 'the offline network takes no calls from web pages but its own' })
  if (await answerPage(controls, request, response)) return
  if (`${request.method} ${request.url.pathname}` === EVENTS) return controls.watch.listeners.attach(response)
  const chainId = chainAt(request.url)
  if (chainId !== null) {
    const line = { faults: controls.faults, target: `chain:${chainId}`, path: request.url.pathname, response }
    return answerOver(line, () => answerChain(controls, chainId, request))
  }
  if (request.url.pathname.startsWith(FACILITATOR_PATH)) {
    const line = { faults: controls.faults, target: 'facilitator', path: request.url.pathname, response }
    return answerOver(line, () => answerFacilitator(controls, request))
  }
  try {
    writeJson(response, 200, await runControl(controls, request))
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    writeJson(response, error.status, { error: error.message })
  }
}

/** The control calls and the chains' endpoints, on loopback. Throws PortInUseError. */
export const startControlServer = (controls: Controls, port: number): Promise<LoopbackServer> =>
  startLoopbackServer((request, response) => handle(controls, request, response), port)
