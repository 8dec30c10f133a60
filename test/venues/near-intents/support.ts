import { ed25519 } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimDeposit, SimRequest } from '../../../engine/simnet/kit/simVenue.ts'
import { createNearIntents } from '../../../engine/simnet/venues/near-intents/nearIntents.ts'
import { createQuoteSigner } from '../../../engine/simnet/venues/near-intents/signer.ts'
import { quoteDigest } from '../../../engine/venues/near-intents/quoteSignature.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import type { SignedWords } from '../../../engine/venues/near-intents/wire.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { depositOf } from '../../support/venueKit/calls.ts'
import { type Asked, type Canned, canned, changing, toldBy } from '../../support/venueKit/canned.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'

export const USDC = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  bsc: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
/** Where the simulated venue, as the real one, pays its own share of fees to. */
export const VENUE_FEE_ACCOUNT = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'
export const BASE_USDC_ID = 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near'
/** What is asked for 0.01 BTC to USDC on Base, in the fewest fields. */
export const REQUEST = {
  dry: true,
  swapType: 'EXACT_INPUT',
  slippageTolerance: 100,
  originAsset: '1cs_v1:btc:native:coin',
  depositType: 'ORIGIN_CHAIN',
  destinationAsset: BASE_USDC_ID,
  amount: '1000000',
  refundTo: WALLETS.bitcoin,
  refundType: 'ORIGIN_CHAIN',
  recipient: WALLETS.evmOther,
  recipientType: 'DESTINATION_CHAIN',
  deadline: '2026-11-20T01:00:00.000Z',
} as const
export const FEE_ACCOUNT = 'acme-fees.near'
export const API_KEY = 'test-api-key-0001'
export const MINUTE_MS = 60_000
/** A name where the next pays the venue's own fee to. */
export const NOBODYS_ACCOUNT = 'ab'.repeat(32)

export type NearIntentsBench = VenueBench & { readonly network: FakeNetwork }

/** This venue reads no chain: a call to any would fail. */
export const openBench = async (
  options: { settings?: Record<string, string>; apiKey?: string } = {},
): Promise<NearIntentsBench> => {
  const network = createFakeNetwork()
  const chains = { chains: {} as never, evm: network.evm, solana: network.solana }
  return { ...(await createVenueBench(nearIntents, createNearIntents, { ...chains, ...options })), network }
}

const EVM = WALLETS.evmOther
const orderOf =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}): VenueOrder =>
    // 100 bps is what the venue is asked for where the caller gives none.
    anOrder({ slippageBps: 100, ...usual, ...wish })

/** 1,000 USDC from Base to Solana's USDC. */
export const usdcToSolana = orderOf({
  from: [8453, USDC.base],
  to: [SOLANA, USDC.solana],
  amount: 1_000_000_000n,
  recipient: WALLETS.solana,
})
/** 0.01 BTC to USDC on Base. */
export const bitcoinToBase = orderOf({
  from: [BITCOIN, 'BTC'],
  to: [8453, USDC.base],
  amount: 1_000_000n,
  recipient: WALLETS.evmOther,
  refundTo: WALLETS.bitcoin,
})
/** 1 SOL to ether on Arbitrum. */
export const solanaToArbitrum = orderOf({ from: [SOLANA, NATIVE_SOL], to: [42161, NATIVE], amount: 10n ** 9n, recipient: EVM })
/** 1 ether on Ethereum to bitcoin. */
export const etherToBitcoin = orderOf({ from: [1, NATIVE], to: [BITCOIN, 'BTC'], amount: 10n ** 18n, recipient: WALLETS.bitcoin })

export const depositFor = ({ execution, order }: ExecutedSwap, change: Partial<SimDeposit> = {}): SimDeposit => {
  const { chainId, address, amount } = depositOf(execution)
  return { chainId, address, amount, token: order.input.address, txHash: `tx-${address}-${amount}`, ...change }
}

/** Pays the deposit address, on Bitcoin by a transaction that is there, and gives its hash. */
export const deposit = async (bench: VenueBench, swap: ExecutedSwap, change: Partial<SimDeposit> = {}): Promise<string> => {
  const planned = depositFor(swap, change)
  const { chainId, address, amount } = planned
  const txHash = chainId === BITCOIN ? await bench.world.bitcoin.transfer({ to: address, amount }) : planned.txHash
  if (!bench.sim.onDeposit({ ...planned, txHash })) throw new Error('the venue does not know the address')
  return txHash
}

export const refOf = ({ execution }: Pick<ExecutedSwap, 'execution'>): string => execution.venueRef ?? ''

export const quotesAsked = (sent: readonly (SimRequest | Asked)[]): readonly Record<string, unknown>[] =>
  sent.filter(({ path }) => path === '/v0/quote').map(({ body }) => body as Record<string, unknown>)

type Fields = Record<string, unknown>
export type QuoteAnswer = { timestamp: string; signature?: string | null; quoteRequest: Fields; quote: Fields }
export type Row = { assetId: string; blockchain: string; symbol: string; decimals: number; contractAddress?: string }
/** Alters what it is given, or returns another. */
type Change = (answer: QuoteAnswer) => QuoteAnswer | undefined
type Changes = {
  readonly tokens?: (rows: readonly Row[]) => unknown
  readonly quote?: Change
  readonly status?: (answer: Fields) => unknown
}
type Telling = { readonly settings?: Record<string, string>; readonly now?: () => number }

const telling = ({ sim, clock }: VenueBench, changes: Changes, { settings = {}, now = clock.now }: Telling) => {
  const byPath = Object.fromEntries(Object.entries(changes).map(([name, change]) => [`/v0/${name}`, change]))
  return canned(nearIntents, changing(toldBy(sim), byPath), { settings: { ...sim.settings, ...settings }, now })
}

/** What an answer is changed into, or itself where that was altered in place. */
const changed = (answer: QuoteAnswer, change: Change): QuoteAnswer => change(answer) ?? answer

/** The adapter, told by the simulator what is changed on its way. A quote that is changed loses its signature. */
export const told = (bench: VenueBench, changes: Changes, options: Telling = {}): Canned => {
  const { quote } = changes
  const unsigned = quote && { quote: (answer: QuoteAnswer) => ({ ...changed(answer, quote), signature: null }) }
  return telling(bench, { ...changes, ...unsigned }, options)
}

const liarsSecret = new Uint8Array(32).fill(7)
const liar = createQuoteSigner(liarsSecret)
export const LIARS_KEY = liar.publicKey
/** Signs words as they are, whatever a quote of their kind would leave out. */
export const signAsLiar = (words: SignedWords): string =>
  `ed25519:${base58.encode(ed25519.sign(utf8ToBytes(quoteDigest(words)), liarsSecret))}`

/** The same by a venue that signs what it changed, with a key the adapter is told to trust. */
export const toldBySigner = (bench: VenueBench, change: Change, options: Telling = {}): Canned => {
  const resigned = (answer: QuoteAnswer) => {
    const { timestamp, quoteRequest, quote } = changed(answer, change)
    return { timestamp, quoteRequest, quote, signature: liar.sign(timestamp, quoteRequest, quote) }
  }
  return telling(bench, { quote: resigned }, { ...options, settings: { PUBLIC_KEY: LIARS_KEY, ...options.settings } })
}
