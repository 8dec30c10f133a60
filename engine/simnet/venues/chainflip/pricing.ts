import { BITCOIN, SOLANA } from '../../../core/chain.ts'
import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import { type CfAsset, vaultOn } from './networks.ts'

/** A pair of assets, with the tokens they are on the offline network. */
export type Pair = { readonly src: CfAsset; readonly dest: CfAsset; readonly input: SimToken; readonly output: SimToken }

/** What the network takes for bringing in and for sending, in millionths of a dollar. */
const FEES: { readonly [chainId: number]: { readonly ingress: bigint; readonly egress: bigint } } = {
  1: { ingress: 350_000n, egress: 500_000n },
  56: { ingress: 20_000n, egress: 30_000n },
  42161: { ingress: 10_000n, egress: 15_000n },
  [BITCOIN]: { ingress: 172_000n, egress: 900_000n },
  [SOLANA]: { ingress: 5_000n, egress: 10_000n },
}
const NETWORK_PPM = 1_000n
const SPREAD_PPM = 300n
/** What a swap moves the price by: one more millionth for every this many dollars. */
const DOLLARS_PER_PPM = 200n
const LEAST_MICROS = 4n * MICROS
const MOST_MICROS = 2_000_000n * MICROS
const DEPTH_MICROS = 1_000_000n * MICROS

export const ingressFee = ({ src, input }: Pair, isVaultSwap: boolean, market: Market): bigint =>
  isVaultSwap && vaultOn(src.chainId) !== null ? 0n : unitsFor(market, input, FEES[src.chainId]?.ingress ?? 0n)

export const egressFee = ({ chainId }: CfAsset, token: SimToken, market: Market): bigint =>
  unitsFor(market, token, FEES[chainId]?.egress ?? 0n)

const refused = (message: string): Refusal => new Refusal(null, message)

/** Less is not swapped: a deposit of less is lost. */
export const leastAmount = ({ input }: Pair, market: Market): bigint => unitsFor(market, input, LEAST_MICROS)

/** What the venue takes no less and no more than; a Refusal outside of it. */
export const checkAmount = (pair: Pair, amount: bigint, market: Market): void => {
  const [least, most] = [leastAmount(pair, market), unitsFor(market, pair.input, MOST_MICROS)]
  if (amount < least) throw refused(`expected amount is below minimum swap amount (${least})`)
  if (amount > most) throw refused(`expected amount is above maximum swap amount (${most})`)
}

export type Price = {
  readonly ingress: bigint
  readonly egress: bigint
  /** What is swapped, and what that gives before it is sent. */
  readonly swapped: bigint
  readonly bought: bigint
  readonly delivered: bigint
  /** Of the stable asset between the two, smallest units. */
  readonly network: bigint
  readonly broker: bigint
  readonly between: bigint
}

export type Question = Pair & {
  readonly amount: bigint
  readonly isVaultSwap: boolean
  readonly brokerBps: number
  /** What a fault multiplies the output by. */
  readonly misquoted?: bigint
}

/** Prices a swap of now. Throws Refusal as the backend words it. */
export const priceOf = (question: Question, market: Market): Price => {
  const { input, output, dest, amount, isVaultSwap, brokerBps, misquoted = 1n } = question
  const ingress = ingressFee(question, isVaultSwap, market)
  if (amount <= ingress) throw refused(`amount is lower than estimated ingress fee (${ingress})`)
  const swapped = amount - ingress
  const worth = usdMicrosOf(market, input, swapped)
  refuseIf(worth > DEPTH_MICROS, null, 'insufficient liquidity for the requested amount')
  const network = (worth * NETWORK_PPM) / MICROS
  const broker = (worth * BigInt(brokerBps)) / 10_000n
  const sharePpm = NETWORK_PPM + BigInt(brokerBps) * 100n + SPREAD_PPM + worth / MICROS / DOLLARS_PER_PPM
  const bought = ((market.convert(input, swapped, output) * (MICROS - sharePpm)) / MICROS) * misquoted
  const egress = egressFee(dest, output, market)
  if (bought <= egress) throw refused(`swap output amount is lower than the egress fee (${egress})`)
  return { ingress, egress, swapped, bought, delivered: bought - egress, network, broker, between: worth - network - broker }
}
