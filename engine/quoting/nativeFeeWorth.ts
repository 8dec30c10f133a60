import { isSameAsset, nativeToken } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { QuoteReads } from './quoteReads.ts'
import { medianWorth, type NativeFeeWorth } from './rank.ts'
import { convertAtPrices } from './usdPrice.ts'

/**
 * Prices fees beside the input, by the lists that have both tokens. The list of the venue that takes the fee does not count: it
 * could win by pricing its own fee at nothing. Returns at once where no offer has such a fee.
 */
export const readNativeFeeWorth = async (
  { input, output }: Order,
  offers: readonly Offer[],
  reads: Pick<QuoteReads, 'outputToken' | 'priceLists'>,
): Promise<NativeFeeWorth> => {
  if (offers.every(({ nativeFee }) => nativeFee === 0n)) return () => 0n
  const [token, lists] = await Promise.all([reads.outputToken, reads.priceLists])
  const coin = nativeToken(input.chainId)
  return ({ venue: taker, nativeFee, decimals }) => {
    if (nativeFee === 0n) return 0n
    // A fee in the very coin that is bought needs no price.
    if (isSameAsset(output, coin)) return nativeFee
    const tokenDecimals = token.value?.decimals ?? decimals.output
    if (tokenDecimals === null) return null
    const worths = lists.flatMap(({ venue, native, output: usd }) => {
      const fee = { amount: nativeFee, decimals: coin.decimals, usd: native }
      const amount = venue === taker ? null : convertAtPrices(fee, { decimals: tokenDecimals, usd })
      return amount === null ? [] : [{ venue, amount }]
    })
    return medianWorth(worths)
  }
}
