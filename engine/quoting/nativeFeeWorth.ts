import { isSameAsset, nativeToken } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { QuoteReads } from './quoteReads.ts'
import type { NativeFeeWorth } from './rank.ts'
import { convertAtPrices } from './usdPrice.ts'

/**
 * Prices fees beside the input, by the first price that a venue's list tells of each token. Nothing is waited for where
 * no offer has such a fee.
 */
export const readNativeFeeWorth = async (
  { input, output }: Order,
  offers: readonly Offer[],
  reads: Pick<QuoteReads, 'outputToken' | 'nativeUsd' | 'priceLists'>,
): Promise<NativeFeeWorth> => {
  if (offers.every(({ nativeFee }) => nativeFee === 0n)) return () => 0n
  const [token, coinUsd, lists] = await Promise.all([reads.outputToken, reads.nativeUsd, reads.priceLists])
  const coin = nativeToken(input.chainId)
  const tokenUsd = lists.find((list) => list.output !== null)?.output ?? null
  return ({ nativeFee, decimals }) => {
    if (nativeFee === 0n) return 0n
    // A fee in the very coin that is bought needs no price.
    if (isSameAsset(output, coin)) return nativeFee
    const tokenDecimals = token.value?.decimals ?? decimals.output
    if (tokenDecimals === null) return null
    const fee = { amount: nativeFee, decimals: coin.decimals, usd: coinUsd }
    return convertAtPrices(fee, { decimals: tokenDecimals, usd: tokenUsd })
  }
}
