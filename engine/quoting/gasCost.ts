import { MAX_AMOUNT, toAmount } from '../core/amount.ts'
import type { GasCost, VenueFee } from '../core/answers.ts'
import { isNative } from '../core/asset.ts'
import { BITCOIN, chainOf, SOLANA } from '../core/chain.ts'
import type { ExecutionType, Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { usdValue } from './usdPrice.ts'

/** Gas of a plain transfer of the native coin, and a roomy one of an ERC-20 transfer. */
const NATIVE_TRANSFER_GAS = 21_000n
const TOKEN_TRANSFER_GAS = 65_000n
/** Gas of a cross-chain deposit with its token transfer when the venue reports none. */
const CONTRACT_CALL_GAS = 250_000n
/** One input, a payment and change, all segwit, rounded up. */
const BITCOIN_PAYMENT_VBYTES = 145n
/** One signature; a token payment may also open the recipient's token account, which is the venue's business. */
const SOLANA_SIGNATURES = 1n

const unitsOf = ({ input }: Order, executionType: ExecutionType, told: bigint | null): bigint => {
  if (told !== null) return told
  if (input.chainId === BITCOIN) return BITCOIN_PAYMENT_VBYTES
  if (input.chainId === SOLANA) return SOLANA_SIGNATURES
  if (executionType === 'TRANSACTION') return CONTRACT_CALL_GAS
  return isNative(input) ? NATIVE_TRANSFER_GAS : TOKEN_TRANSFER_GAS
}

/** The venue's fee beside the input; null when it is zero. */
export const venueFeeOf = ({ input }: Order, { nativeFee }: Pick<Offer, 'nativeFee'>): VenueFee | null =>
  nativeFee === 0n ? null : { native: nativeFee, nativeSymbol: chainOf(input.chainId).nativeCurrency.symbol }

/**
 * The native coins that the wallet needs for its own transaction, without the approval: the network's fee, and the venue's fee
 * beside the input. Null for a signature, which costs nothing, and when the chain's fee price is unknown or cannot be true.
 */
export const gasCost = (
  order: Order,
  { executionType, gasUnits, nativeFee }: Pick<Offer, 'executionType' | 'gasUnits' | 'nativeFee'>,
  { feePrice, nativeUsd }: { readonly feePrice: bigint | null; readonly nativeUsd: string | null },
): GasCost | null => {
  if (executionType === 'SIGNATURE' || feePrice === null) return null
  const { symbol, decimals } = chainOf(order.input.chainId).nativeCurrency
  const cost = unitsOf(order, executionType, gasUnits) * feePrice + nativeFee
  // A node may report any price; an impossible one must not fail the quote.
  if (cost > MAX_AMOUNT) return null
  const native = toAmount(cost)
  return { native, nativeSymbol: symbol, usd: usdValue(native, decimals, nativeUsd), isEstimated: gasUnits === null }
}
