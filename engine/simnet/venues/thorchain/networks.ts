import { BITCOIN, type ChainId } from '../../../core/chain.ts'
import { CHAINS, ROUTERS } from '../../../venues/thorchain/protocol.ts'
import { MICROS } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

const VAULTS = { evm: '0x4feea1caeea66b3351ddba68bd80c37c9ed6c3c8', bitcoin: 'bc1qct4mxayrdy96d4py20l4u02mu06r667f42p9fp' }

/** A chain of the network. The outbound fee is in eight decimals of its coin, as in answers of April and June 2026. */
const network = (chainId: ChainId, outboundFee: bigint, gasUnits: string, ...tokens: readonly string[]) => ({
  ...{ chainId, outboundFee, gasUnits, tokens, code: CHAINS[chainId]?.code ?? '', coin: CHAINS[chainId]?.coin ?? '' },
  vault: chainId === BITCOIN ? VAULTS.bitcoin : VAULTS.evm,
  router: ROUTERS[chainId]?.[0] ?? null,
})

export type Network = ReturnType<typeof network>

/** With the symbols of the tokens that have pools. */
export const NETWORKS: readonly Network[] = [
  network(1, 15_820n, 'gwei', 'USDC', 'USDT', 'WBTC', 'DAI'),
  network(56, 19_500n, 'gwei', 'USDC', 'USDT'),
  network(8453, 6_327n, 'mwei', 'USDC', 'cbBTC'),
  network(43114, 480_000n, 'nAVAX', 'USDC'),
  network(BITCOIN, 2_400n, 'satsperbyte'),
]

export const networkOf = (chainId: number): Network | null => NETWORKS.find((one) => one.chainId === chainId) ?? null

/** A pool, by the complete name of its asset. */
export type Pool = { readonly name: string; readonly network: Network; readonly token: SimToken; readonly coin: SimToken }

export const poolsOf = (tokens: SimTokens): readonly Pool[] =>
  NETWORKS.flatMap((own) =>
    tokens.all
      .filter(({ chainId, symbol, isNative }) => chainId === own.chainId && (isNative || own.tokens.includes(symbol)))
      .map((token) => {
        const name = token.isNative ? own.coin : `${own.code}.${token.symbol.toUpperCase()}-${token.address.toUpperCase()}`
        return { name, network: own, token, coin: tokens.native(own.chainId) }
      }),
  )

const ONE = 10n ** 8n

/** The network's eight decimals of an amount in smallest units, rounded down. */
export const toEight = (amount: bigint, { token }: Pool): bigint => (amount * ONE) / 10n ** BigInt(token.decimals)

/** The cost of a payment, in eight decimals of the paid asset. */
export const outboundFeeOf = ({ network: { outboundFee }, token, coin }: Pool, market: Market): bigint =>
  (outboundFee * market.usdMicros(coin)) / market.usdMicros(token)

/** The share that pools keep of a small swap, and of each further 200 dollars, in millionths. */
const LEAST_PPM = 1_900n
const DOLLARS_PER_PPM = 200n
const MOST_PPM = 900_000n
/** The recommended minimum is four times the outbound fee. */
const MARGIN = 4n

/** `amount` in eight decimals of the input. `share`: of the affiliate, in basis points. */
export type Question = { readonly from: Pool; readonly to: Pool; readonly amount: bigint; readonly share: number }

/** The price of now, in eight decimals of the output; `least` of the input. `misquoted` is the factor of a fault. */
export const priceOf = ({ from, to, amount, share }: Question, market: Market, misquoted = 1n) => {
  const [paid, bought] = [market.usdMicros(from.token), market.usdMicros(to.token)]
  const swapped = amount - (amount * BigInt(share)) / 10_000n
  const ppm = LEAST_PPM + (swapped * paid) / ONE / MICROS / DOLLARS_PER_PPM
  const kept = ppm > MOST_PPM ? MOST_PPM : ppm
  const whole = (swapped * paid * misquoted) / bought
  const emitted = (whole * (MICROS - kept)) / MICROS
  const outbound = outboundFeeOf(to, market)
  return {
    ...{ emitted, outbound, liquidity: whole - emitted, slippageBps: Number(kept / 100n) },
    least: MARGIN * ((outbound * bought) / paid),
    affiliate: ((amount - swapped) * paid * misquoted) / bought,
    expected: emitted > outbound ? emitted - outbound : 0n,
  }
}
