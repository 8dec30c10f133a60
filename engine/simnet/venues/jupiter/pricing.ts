import { SOLANA } from '../../../core/chain.ts'
import { MICROS, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One pool on the way. */
export type Hop = { readonly from: SimToken; readonly to: SimToken; readonly inAmount: bigint; readonly outAmount: bigint }

export type Deal = {
  readonly hops: readonly Hop[]
  /** Net of the fee. */
  readonly expected: bigint
  /** What the integrator gets, in smallest units of the mint it is paid in. */
  readonly fee: bigint
}

export type Swap = {
  readonly input: SimToken
  readonly output: SimToken
  readonly amount: bigint
  /** `of`: which of the two tokens it is kept from. */
  readonly fee: { readonly bps: number; readonly of: 'input' | 'output' }
}

const HUB = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const POOL_PPM = 400n
/** One more millionth of price impact for every this many dollars, in each pool. */
const DOLLARS_PER_PPM = 500n
const DEPTH_MICROS = 2_000_000n * MICROS

/** All pools are of USDC: what is neither bought nor sold for it goes by two of them. */
const wayOf = ({ input, output }: Swap, tokens: SimTokens): readonly SimToken[] => {
  const hub = tokens.find(SOLANA, HUB)
  return hub === null || input === hub || output === hub ? [input, output] : [input, hub, output]
}

/** Prices an exact input; null beyond the depth of the pools, and where nothing would come out. */
export const priced = (swap: Swap, { market, tokens }: { readonly market: Market; readonly tokens: SimTokens }): Deal | null => {
  const { amount, input, fee } = swap
  const worth = usdMicrosOf(market, input, amount)
  if (worth > DEPTH_MICROS) return null
  const shareOf = (sum: bigint, of: Swap['fee']['of']): bigint => (fee.of === of ? (sum * BigInt(fee.bps)) / 10_000n : 0n)
  const hops: Hop[] = []
  let inAmount = amount - shareOf(amount, 'input')
  const way = wayOf(swap, tokens)
  for (const [at, to] of way.slice(1).entries()) {
    const from = way[at] ?? input
    const kept = MICROS - POOL_PPM - worth / MICROS / DOLLARS_PER_PPM
    const outAmount = (market.convert(from, inAmount, to) * kept) / MICROS
    hops.push({ from, to, inAmount, outAmount })
    inAmount = outAmount
  }
  const expected = inAmount - shareOf(inAmount, 'output')
  return expected <= 0n ? null : { hops, expected, fee: shareOf(amount, 'input') + shareOf(inAmount, 'output') }
}
