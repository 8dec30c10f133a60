import { ed25519 } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import { createNearIntents } from '../../../engine/simnet/venues/near-intents/nearIntents.ts'
import { quoteDigest, type SignedWords, signedWords } from '../../../engine/venues/near-intents/protocol.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import type { QuoteResponse } from '../../../engine/venues/near-intents/wire.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { type Canned, toldAs } from '../../support/venueKit/canned.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'

export const USDC = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
/** What is asked for 0.01 BTC to USDC on Base, in the fewest fields. */
export const REQUEST = {
  dry: true,
  swapType: 'EXACT_INPUT',
  slippageTolerance: 100,
  originAsset: '1cs_v1:btc:native:coin',
  depositType: 'ORIGIN_CHAIN',
  destinationAsset: 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
  amount: '1000000',
  refundTo: WALLETS.bitcoin,
  refundType: 'ORIGIN_CHAIN',
  recipient: WALLETS.evmOther,
  recipientType: 'DESTINATION_CHAIN',
  deadline: '2026-11-20T01:00:00.000Z',
} as const
export const FEE_ACCOUNT = 'acme-fees.near'
export const API_KEY = 'test-api-key-0001'

export type NearIntentsBench = VenueBench & { readonly network: FakeNetwork }
type Options = { readonly settings?: { readonly [name: string]: string }; readonly apiKey?: string }

/** This venue reads no chain: a call to any would fail. */
export const openBench = async (options: Options = {}): Promise<NearIntentsBench> => {
  const network = createFakeNetwork()
  const chains = { chains: {} as never, evm: network.evm, solana: network.solana }
  return { ...(await createVenueBench(nearIntents, createNearIntents, { ...chains, ...options })), network }
}

/** 100 bps is what the venue is asked for where the caller gives none. */
const usual = { slippageBps: 100, recipient: WALLETS.evmOther }
export const orders = {
  /** 1,000 USDC from Base to Solana's USDC. */
  usdc: usually({ ...usual, from: [8453, USDC.base], to: [SOLANA, USDC.solana], amount: 10n ** 9n, recipient: WALLETS.solana }),
  /** 0.01 BTC to USDC on Base. */
  btc: usually({ ...usual, from: [BITCOIN, 'BTC'], to: [8453, USDC.base], amount: 1_000_000n, refundTo: WALLETS.bitcoin }),
  sol: usually({ ...usual, from: [SOLANA, NATIVE_SOL], to: [42161, NATIVE], amount: 10n ** 9n }),
}

type Fields = Record<string, unknown>
export type QuoteAnswer = { timestamp: string; signature?: string | null; quoteRequest: Fields; quote: Fields }
export type Row = { assetId: string; blockchain: string; symbol: string; decimals: number; contractAddress?: string }

const liarsSecret = new Uint8Array(32).fill(7)
const LIARS_KEY = `ed25519:${base58.encode(ed25519.getPublicKey(liarsSecret))}`
/** Signs words as they are, whatever a quote of their kind would leave out. */
export const signAsLiar = (words: SignedWords): string =>
  `ed25519:${base58.encode(ed25519.sign(utf8ToBytes(quoteDigest(words)), liarsSecret))}`

/** The adapter of a venue that signs what it changed, with a key that the adapter is set to trust. */
export const toldBySigner = (
  bench: VenueBench,
  change: (answer: QuoteAnswer) => QuoteAnswer = (answer) => answer,
  settings: Options['settings'] = {},
): Canned => {
  const resigned = (answer: QuoteAnswer) => {
    const other = change(answer)
    return { ...other, signature: signAsLiar(signedWords(other as unknown as QuoteResponse)) }
  }
  const options = { settings: { ...settings, PUBLIC_KEY: LIARS_KEY }, changes: { '/v0/quote': resigned } }
  return toldAs(nearIntents)(bench, options)
}
