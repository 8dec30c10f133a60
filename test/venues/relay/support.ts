import type { Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { outcomeOf, swapOf } from '../../support/venueKit/calls.ts'
import { type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import type { FakeNetwork } from '../../support/venueKit/network.ts'
import { createRelayNetwork } from './fakeNetwork.ts'
import { ARB, FEE_RECIPIENT, RECIPIENT_BTC, ROUTER, SOMEONE, STRANGER, USDC } from './orders.ts'

export const WITH_FEE = { FEE_RECIPIENT }
/** A referrer is heard with a key only. */
export const WITH_REFERRER = { REFERRER: 'acme' }
export const API_KEY = 'relay-key-1234'
/** The blockhash the chains of a bench answer with. */
export const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'

/** What the tables of cases name in braces, beside `{now+60}`: seconds from the start of time. */
const NAMES: { readonly [name: string]: string } = {
  arb: ARB.toLowerCase(),
  recipient: WALLETS.evmOther.toLowerCase(),
  recipientBtc: RECIPIENT_BTC,
  router: ROUTER,
  someone: SOMEONE,
  stranger: STRANGER.toLowerCase(),
  usdcArbitrum: USDC.arbitrum.toLowerCase(),
  usdcBase: USDC.base.toLowerCase(),
  usdcSolana: USDC.solana,
  wallet: WALLETS.evm.toLowerCase(),
  walletBitcoin: WALLETS.bitcoin,
  walletSolana: WALLETS.solana,
}

/** A table of cases, its names resolved. */
export const casesOf = <T>(table: unknown): T => {
  const timed = JSON.stringify(table).replace(/"\{now([+-]\d+)\}"/g, (_, seconds) =>
    String(START_OF_TIME / 1_000 + Number(seconds)),
  )
  const named = timed.replace(/\{(\w+)\}/g, (_, name) => {
    if (NAMES[name] === undefined) throw new TypeError(`no such name: ${name}`)
    return NAMES[name]
  })
  return JSON.parse(named) as T
}

export type RelayBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string } = {},
): Promise<RelayBench> => {
  const chains = createFakeChains()
  const network = createRelayNetwork()
  const { evm, solana } = network
  return { ...(await createVenueBench(relay, createRelay, { chains, ...options, evm, solana })), chains, network }
}

/** What the simulator itself says. */
export const answerOf = async ({ baseUrl }: RelayBench, method: string, path: string, body?: unknown): Promise<unknown> => {
  const init = { method, headers: { 'content-type': 'application/json' } }
  return (await fetch(`${baseUrl}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) })).json()
}

export const requestIdOf = ({ carry }: Execution): string => (carry as { requestId: string }).requestId

export type ProperAnswers = { readonly chains: unknown; readonly quote: unknown; readonly price: unknown }

/** Proper answers of the simulator to what the adapter asks for this order when it executes (`quote`), or prices (`price`). */
export const properAnswers = async (
  order: VenueOrder,
  settings: { readonly [name: string]: string } = {},
): Promise<ProperAnswers> => {
  const bench = await openBench({ settings })
  try {
    await swapOf(bench.venue, order)
    const [first, second] = bench.sent.filter(({ method }) => method === 'POST')
    return {
      chains: await answerOf(bench, 'GET', '/chains'),
      price: first?.path === '/price' ? await answerOf(bench, 'POST', '/price', first.body) : null,
      quote: await answerOf(bench, 'POST', '/quote/v2', second?.body),
    }
  } finally {
    await bench.close()
  }
}

/** Asked once for each order of a file. */
export const keptAnswers = (settings: { readonly [name: string]: string } = {}) => {
  const kept = new Map<VenueOrder, Promise<ProperAnswers>>()
  return (order: VenueOrder): Promise<ProperAnswers> => {
    const answers = kept.get(order) ?? properAnswers(order, settings)
    kept.set(order, answers)
    return answers
  }
}

/** A list of these chains by the names orders have for them, as short as the adapter reads it. */
export const listed = (chains: { readonly [name: string]: number }) => ({
  chains: Object.entries(chains).map(([name, id]) => ({ id, protocol: { v2: { chainId: name } } })),
})

/** What they are to the question of this path. */
export const answerTo = ({ chains, price, quote }: ProperAnswers, path: string) => ({
  body: path === '/chains' ? chains : path === '/price' ? price : quote,
})

/** The adapter, given these answers. */
export const told = (answers: ProperAnswers, options: CannedOptions = {}): Canned =>
  canned(relay, ({ path }) => answerTo(answers, path), options)

/** The adapter, told that no wallet but this one has the coins; a price is told to everybody. */
export const poorBut = (rich: string, answers: ProperAnswers): Canned => {
  const poor = { status: 400, body: { message: 'not enough', errorCode: 'INSUFFICIENT_FUNDS' } }
  const isPoor = (path: string, body: unknown) => path === '/quote/v2' && (body as { user: string }).user !== rich
  return canned(relay, ({ path, body }) => (isPoor(path, body) ? poor : answerTo(answers, path)))
}

/** How far answers come: to be signed, or to the refusal they meet. */
export const outcomeWith = (answers: ProperAnswers, order: VenueOrder, options: CannedOptions = {}): Promise<string> =>
  outcomeOf(told(answers, options).venue, order)
