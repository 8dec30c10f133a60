import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressOf } from '../../../engine/core/address.ts'
import type { Binding, Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../../../engine/core/swap.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { createFakeNetwork, type FakeNetwork } from './fakeNetwork.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const WITH_FEE = { FEE_RECIPIENT }
/** A referrer is heard with a key only. */
export const WITH_REFERRER = { REFERRER: 'acme' }
export const API_KEY = 'relay-key-1234'

export const USDC = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  linea: '0x176211869ca2b568f2a7d4ee941e073a821ee1ff',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
/** Of Robinhood Chain. */
export const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const DEPOSITORY = addressOf('evm', '0x4cd00e387622c35bddb9b4c962c136462338bc31')
export const SOLANA_PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
export const RECIPIENT_BTC = addressOf('bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3')
/** The blockhash the chains of a bench answer with. */
export const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'

export type RelayBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string } = {},
): Promise<RelayBench> => {
  const chains = createFakeChains()
  const network = createFakeNetwork()
  const { evm, solana } = network
  return { ...(await createVenueBench(relay, createRelay, { chains, ...options, evm, solana })), chains, network }
}

export const signal = (): AbortSignal => AbortSignal.timeout(15_000)

/** 250 USDC from Base to Arbitrum, for someone else than the sender. */
export const usdcOrder = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n, recipient: WALLETS.evmOther, ...wish })

export const etherOrder = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, recipient: WALLETS.evmOther, ...wish })

export const solOrder = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [-2, NATIVE_SOL], to: [8453, USDC.base], amount: 10n ** 10n, recipient: WALLETS.evmOther, ...wish })

export const solanaUsdcOrder = (wish: Partial<OrderWish> = {}): VenueOrder =>
  solOrder({ from: [-2, USDC.solana], amount: 250_000_000n, ...wish })

export const bitcoinOrder = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [-1, NATIVE], to: [8453, USDC.base], amount: 1_000_000n, recipient: WALLETS.evmOther, ...wish })

export type Swap = SealedOffer & { readonly execution: Execution; readonly executed: ExecutedSwap; readonly binding: Binding }

/** Quotes and builds, as the engine would, with the addresses of the order unless others are bound. */
export const swapOf = async (venue: Venue, order: VenueOrder, bound: Partial<Binding> = {}): Promise<Swap> => {
  const offer = await venue.quote(order, signal())
  const binding = { recipient: order.recipient, refundTo: order.refundTo, ...bound }
  const execution = await venue.execute({ order, offer }, binding, signal())
  return { order, offer, binding, execution, executed: { order, offer, binding, execution } }
}

export const transactionOf = ({ payload }: Execution) => {
  if (payload.executionType !== 'TRANSACTION') throw new TypeError('not a transaction')
  return payload.transaction
}

export const depositOf = ({ payload }: Execution) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('not a deposit')
  return payload.deposit
}

export const requestIdOf = ({ carry }: Execution): string => (carry as { requestId: string }).requestId

/** What the engine would object to. */
export const prove = (venue: Venue, { order, offer, binding }: Swap, execution: Execution, now = START_OF_TIME) =>
  provePayload(venue, execution, { sealed: { order, offer }, binding, now })

/** The VenueError a call ends in; anything else fails the test. */
export const refusalOf = async (call: Promise<unknown>): Promise<VenueError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof VenueError)) throw new Error(`expected a VenueError, got ${String(error)}`)
  return error
}

export type Answer = { readonly status?: number; readonly body: unknown }

export type BrokenVenue = {
  readonly venue: Venue
  readonly chains: FakeChains
  /** Method and path with query, and the body. */
  readonly asked: readonly { readonly line: string; readonly body: unknown }[]
  close(): Promise<void>
}

/** The adapter against a server of the test's own making. */
export const openBroken = async (
  answer: (path: string, body: unknown, query: URLSearchParams) => Answer,
  {
    settings = {},
    apiKey,
    chains = createFakeChains(),
    now = START_OF_TIME,
  }: { settings?: { [name: string]: string }; apiKey?: string; chains?: FakeChains; now?: number } = {},
): Promise<BrokenVenue> => {
  const asked: { line: string; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const sent: unknown = text === '' ? undefined : JSON.parse(text)
    asked.push({ line: `${request.method} ${request.url}`, body: sent })
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test')
    const { status = 200, body } = answer(pathname, sent, searchParams)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = createHttpClient()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { Secret } = await import('../../../engine/core/secret.ts')
  const key = apiKey === undefined ? null : new Secret(apiKey)
  const venue = relay.create({ baseUrl, apiKey: key, settings }, { http, chains, clock: { now: () => now }, notice: unnoticed })
  const close = async () => {
    await http.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { venue, chains, asked, close }
}

export type ProperAnswers = { readonly chains: unknown; readonly quote: unknown; readonly price: unknown; readonly path: string }

/** Proper answers of the simulator to what the adapter asks for this order when it executes (`quote`), or prices (`price`). */
export const properAnswers = async (
  order: VenueOrder,
  settings: { readonly [name: string]: string } = {},
): Promise<ProperAnswers> => {
  const bench = await openBench({ settings })
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await fetch(`${bench.baseUrl}${path}`, init)).json()
  }
  try {
    await swapOf(bench.venue, order)
    const asked = bench.sent.filter(({ method }) => method === 'POST')
    const [first, second] = asked
    return {
      chains: await (await fetch(`${bench.baseUrl}/chains`)).json(),
      price: first?.path === '/price' ? await post('/price', first.body) : null,
      quote: await post('/quote/v2', second?.body),
      path: first?.path ?? '',
    }
  } finally {
    await bench.close()
  }
}

/** A copy with the value at a dotted path replaced; `undefined` removes it. Works through arrays as well. */
export const altered = (value: unknown, path: string, replacement: unknown): unknown => {
  const [head = '', ...rest] = path.split('.')
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  if (rest.length > 0) copy[head] = altered(copy[head], rest.join('.'), replacement)
  else if (replacement === undefined && !Array.isArray(value)) delete copy[head]
  else copy[head] = replacement
  return copy
}
