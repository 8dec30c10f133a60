import { BITCOIN, type ChainId, SOLANA } from '../../../core/chain.ts'
import { type WireAsset, wireAssetNamed, wireChainOf } from '../../../venues/chainflip/protocol.ts'
import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { found, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** A pair of assets, with their tokens on the offline network. */
export type Pair = { readonly src: WireAsset; readonly dest: WireAsset; readonly input: SimToken; readonly output: SimToken }

/** Null for an asset whose token the offline network lacks. */
export const tokenOf = (tokens: SimTokens, { asset: { chainId, address } }: WireAsset): SimToken | null =>
  tokens.find(chainId, address)

/** Null for a chain without a vault contract. */
export const vaultOn = (chainId: number): string | null => wireChainOf(chainId as ChainId)?.vault ?? null

/** This network takes USDT on Arbitrum by deposit channels only. The real one disables vault swaps of an asset at times. */
export const vaultFor = ({ name, asset: { chainId } }: WireAsset): string | null => (name === 'ArbUsdt' ? null : vaultOn(chainId))

type Named = { readonly chain: string; readonly asset: string }

/** The pair that a request names. Throws Refusal. */
export const pairNamed = (tokens: SimTokens, from: Named, to: Named): Pair => {
  const refusal = [null, 'invalid request'] as const
  const [src, dest] = [from, to].map(({ chain, asset }) => found(wireAssetNamed(chain, asset), ...refusal)) as [
    WireAsset,
    WireAsset,
  ]
  refuseIf(src === dest, null, 'Requested assets cannot be swapped')
  return { src, dest, input: found(tokenOf(tokens, src), ...refusal), output: found(tokenOf(tokens, dest), ...refusal) }
}

/** The network's fees for receiving and sending, in millionths of a dollar. */
const FEES: { readonly [chainId: number]: { readonly ingress: bigint; readonly egress: bigint } } = {
  1: { ingress: 350_000n, egress: 500_000n },
  56: { ingress: 20_000n, egress: 30_000n },
  42161: { ingress: 10_000n, egress: 15_000n },
  [BITCOIN]: { ingress: 172_000n, egress: 900_000n },
  [SOLANA]: { ingress: 5_000n, egress: 10_000n },
}
const NETWORK_PPM = 1_000n
const SPREAD_PPM = 300n
/** The price moves by one more millionth for each of these dollars. */
const DOLLARS_PER_PPM = 200n
const LEAST_MICROS = 4n * MICROS
const MOST_MICROS = 2_000_000n * MICROS
const DEPTH_MICROS = 1_000_000n * MICROS

/** The fee for sending a token. */
export const egressFee = (market: Market, token: SimToken): bigint => unitsFor(market, token, FEES[token.chainId]?.egress ?? 0n)

/** A smaller deposit is lost. */
export const leastAmount = (market: Market, { input }: Pair): bigint => unitsFor(market, input, LEAST_MICROS)

/** Throws Refusal for an amount outside of the venue's bounds. */
export const checkAmount = (market: Market, pair: Pair, amount: bigint): void => {
  const [least, most] = [leastAmount(market, pair), unitsFor(market, pair.input, MOST_MICROS)]
  refuseIf(amount < least, null, `expected amount is below minimum swap amount (${least})`)
  refuseIf(amount > most, null, `expected amount is above maximum swap amount (${most})`)
}

export type Question = Pair & {
  readonly amount: bigint
  readonly isVaultSwap: boolean
  readonly brokerBps: number
  /** The factor by which a fault multiplies the output. */
  readonly misquoted?: bigint
}

/** The current price of a swap. `bought` includes the fee for sending. Throws Refusal. */
export const priceOf = (market: Market, { input, output, amount, isVaultSwap, brokerBps, misquoted = 1n }: Question) => {
  const ingress = isVaultSwap ? 0n : unitsFor(market, input, FEES[input.chainId]?.ingress ?? 0n)
  refuseIf(amount <= ingress, null, `amount is lower than estimated ingress fee (${ingress})`)
  const swapped = amount - ingress
  const worth = usdMicrosOf(market, input, swapped)
  refuseIf(worth > DEPTH_MICROS, null, 'insufficient liquidity for the requested amount')
  const sharePpm = NETWORK_PPM + BigInt(brokerBps) * 100n + SPREAD_PPM + worth / MICROS / DOLLARS_PER_PPM
  const bought = ((market.convert(input, swapped, output) * (MICROS - sharePpm)) / MICROS) * misquoted
  const egress = egressFee(market, output)
  refuseIf(bought <= egress, null, `swap output amount is lower than the egress fee (${egress})`)
  return { ingress, egress, swapped, bought, delivered: bought - egress }
}
