import { BITCOIN, SOLANA } from '../../engine/core/chain.ts'
import { REFERENCE_USD_MICROS } from '../../engine/simnet/kit/referencePrices.ts'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { createTokens, type SimToken } from '../../engine/simnet/kit/tokens.ts'

/** A swap of one token of the offline network into another. */
export type Pair = { readonly from: SimToken; readonly to: SimToken }

/** How a token is named in tables and in the baseline. */
export const tokenName = ({ chainId, symbol }: SimToken): string => `${chainId}:${symbol}`

export const pairName = ({ from, to }: Pair): string => `${tokenName(from)} > ${tokenName(to)}`

/** Every ordered pair there is. */
export const allPairs = (): readonly Pair[] => {
  const { all } = createTokens()
  return all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, to })))
}

const kindOf = ({ chainId, isNative }: SimToken): string => {
  const chain = chainId === BITCOIN ? 'bitcoin' : chainId === SOLANA ? 'solana' : 'evm'
  return `${chain} ${isNative ? 'coin' : 'token'}`
}

const routeOf = ({ from, to }: Pair): string =>
  `${kindOf(from)} > ${kindOf(to)}${from.chainId === to.chainId ? ', one chain' : ''}`

/** So many pairs of each kind of route, the same ones for the same seed. */
export const samplePairs = (ofEachRoute: number, seed: string): readonly Pair[] => {
  const random = createSimRandom(seed)
  const routes = Map.groupBy(allPairs(), routeOf)
  return [...routes.values()].flatMap((pairs) => {
    const rest = [...pairs]
    return Array.from({ length: Math.min(ofEachRoute, rest.length) }, () => rest.splice(random.integer(rest.length), 1)).flat()
  })
}

const USD = 1_200n

/** Some 1200 dollars' worth at the reference prices, in smallest units: above every venue's minimum, within its depth. */
export const amountOf = ({ currency, decimals }: SimToken): bigint =>
  (USD * 1_000_000n * 10n ** BigInt(decimals)) / REFERENCE_USD_MICROS[currency]
