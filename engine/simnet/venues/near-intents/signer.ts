import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import type { Fields } from './quoteRequest.ts'

const REQUEST =
  'dry swapType slippageTolerance originAsset depositType destinationAsset amount refundTo refundType recipient recipientType deadline'
const REQUEST_TRUTHY = 'quoteWaitingTimeMs referral virtualChainRecipient virtualChainRefundRecipient customRecipientMsg'
const QUOTE = 'amountIn amountInFormatted amountInUsd minAmountIn amountOut amountOutFormatted amountOutUsd minAmountOut'
const QUOTE_TRUTHY =
  'depositAddress depositMemo deadline timeWhenInactive timeEstimate virtualChainRecipient virtualChainRefundRecipient customRecipientMsg refundFee withdrawFee'

const pick = (from: Fields, names: string, onlyTruthy: boolean): Fields =>
  Object.fromEntries(
    names
      .split(' ')
      .filter((name) => !onlyTruthy || from[name])
      .map((name) => [name, from[name]]),
  )

/** The text the venue signs: base58 of the SHA-256 of the merged fields as JSON, keys sorted. */
const messageOf = (timestamp: string, request: Fields, quote: Fields): string => {
  const merged: Fields = {
    ...pick(request, REQUEST, false),
    ...pick(request, REQUEST_TRUTHY, true),
    ...pick(quote, QUOTE, false),
    ...(request['dry'] === true ? {} : pick(quote, QUOTE_TRUTHY, true)),
    timestamp,
  }
  return base58.encode(sha256(utf8ToBytes(JSON.stringify(merged, Object.keys(merged).sort()))))
}

export interface QuoteSigner {
  /** `ed25519:<base58>`, as the SDK configures it. */
  readonly publicKey: string
  /** Signs the way `verifyQuoteSignature` of the venue's SDK checks it. */
  sign(timestamp: string, request: Fields, quote: Fields): string
}

export const createQuoteSigner = (secretKey: Uint8Array): QuoteSigner => ({
  publicKey: `ed25519:${base58.encode(ed25519.getPublicKey(secretKey))}`,
  sign: (timestamp, request, quote) =>
    `ed25519:${base58.encode(ed25519.sign(utf8ToBytes(messageOf(timestamp, request, quote)), secretKey))}`,
})
