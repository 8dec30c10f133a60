import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'

/* Facts of the protocol, for the simulator and the tests as well. The venue's SDK and recorded signatures verify them. */

/** The venue's code of each common chain: https://docs.near-intents.org/resources/chain-support */
export const CHAIN_CODES: { readonly [chainId in ChainId]?: string } = {
  1: 'eth',
  10: 'op',
  56: 'bsc',
  137: 'pol',
  143: 'monad',
  8453: 'base',
  42161: 'arb',
  43114: 'avax',
  [SOLANA]: 'sol',
  [BITCOIN]: 'btc',
}

/**
 * Chains by the names of the Omni Bridge. The venue moved BNB Chain, Polygon and Avalanche to it on 9 November 2026: changelog of
 * docs.near-intents.org. Source of the names: CHAIN_PREFIXES of @omni-bridge/core 0.9.1, which lacks Avalanche. For Avalanche the
 * venue's own code.
 */
export const OMNI_CHAINS: ReadonlyMap<string, ChainId> = new Map<string, ChainId>(
  Object.entries({ bnb: 56, pol: 137, base: 8453, arb: 42161, avax: 43114, sol: SOLANA } as const),
)

/** In signed answers of the same SDK's tests: the venue's 20 bps without a key, its half of a fee with one. */
export const VENUE_FEE_ACCOUNT = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'

/** Documented range of a fee, in basis points. https://docs.near-intents.org/integration/distribution-channels/1click-api/fee-config */
export const FEE_BPS_MAX = 500

/** Exactly the signed data of a quote, as one flat object. */
export type SignedWords = { readonly [word: string]: string | number | boolean }

type Fields = { readonly [word: string]: unknown }

/* The words that the venue signs: src/quote-signature.ts of @defuse-protocol/one-click-sdk-typescript 0.1.25. */
const REQUEST =
  'dry swapType slippageTolerance originAsset depositType destinationAsset amount refundTo refundType recipient recipientType deadline'
const REDIRECTIONS = 'virtualChainRecipient virtualChainRefundRecipient customRecipientMsg'
const REQUEST_IF_SET = `quoteWaitingTimeMs referral ${REDIRECTIONS}`
const PRICE = 'amountIn amountInFormatted amountInUsd minAmountIn amountOut amountOutFormatted amountOutUsd minAmountOut'
const DEPOSIT_IF_SET = `depositAddress depositMemo deadline timeWhenInactive timeEstimate ${REDIRECTIONS} refundFee withdrawFee`

/** Selects the signed words of a quote answer. */
export const signedWords = ({
  quoteRequest,
  quote,
  timestamp,
}: {
  readonly quoteRequest: Fields
  readonly quote: Fields
  readonly timestamp: string
}): SignedWords => {
  const words = new Map<string, unknown>()
  for (const word of REQUEST.split(' ')) words.set(word, quoteRequest[word])
  for (const word of REQUEST_IF_SET.split(' ')) if (quoteRequest[word]) words.set(word, quoteRequest[word])
  for (const word of PRICE.split(' ')) words.set(word, quote[word])
  for (const word of quoteRequest['dry'] ? [] : DEPOSIT_IF_SET.split(' ')) {
    // An unset field of the quote also removes the request's field of the same name from the message.
    if (quote[word]) words.set(word, quote[word])
    else words.delete(word)
  }
  words.set('timestamp', timestamp)
  return Object.fromEntries(words) as SignedWords
}

/** The text under the signature: base58 of the SHA-256 of the words as JSON with sorted keys. */
export const quoteDigest = (words: SignedWords): string => {
  const names = Object.keys(words).sort()
  const sorted = Object.fromEntries(names.map((word) => [word, words[word]]))
  return base58.encode(sha256(utf8ToBytes(JSON.stringify(sorted))))
}
