import { type Asset, isNative } from '../../core/asset.ts'
import { pegOf } from '../../core/peg.ts'
import type { Route } from '../../core/route.ts'
import type { SlippageRule } from '../venue.ts'

const STABLE = new Set(['USDC', 'USDT', 'DAI'])
const MAJOR = new Set([...STABLE, 'WETH', 'WBTC'])

const isStable = (asset: Asset): boolean => STABLE.has(pegOf(asset) ?? '')
const isMajor = (asset: Asset): boolean => isNative(asset) || MAJOR.has(pegOf(asset) ?? '')

/** Across accepts a percentage with two decimals, at most half: api/_slippage.ts, `slippage` of /swap/approval. */
const LIMITS = { minBps: 1, maxBps: 5_000 }

/** Across's own defaults for an exchange on the origin chain: api/_slippage.ts of across-protocol/frontend. */
const STABLE_PAIR_BPS = 25
const MAJOR_PAIR_BPS = 75
const LONG_TAIL_BPS = 250

/** A plain bridge quotes its exact output: this is the margin for the relayers' costs until execute asks again. */
const REQUOTE_BPS = 10

const defaultBps = ({ input, output }: Route): number => {
  const carried = pegOf(input)
  if (carried !== null && carried === pegOf(output)) return REQUOTE_BPS
  const sides = [input, output]
  if (sides.every(isStable)) return STABLE_PAIR_BPS
  return sides.every(isMajor) ? MAJOR_PAIR_BPS : LONG_TAIL_BPS
}

export const slippageRule = (route: Route): SlippageRule => ({ ...LIMITS, defaultBps: defaultBps(route) })

/**
 * The slippage to ask for, so that the minimum keeps the tolerance after the app fee. Across adds the slippage to the minimum for
 * the expected output and takes the fee from both. With tolerance t and fee f of one, s may be at most t (1 - f) / (1 - t). The
 * result is rounded down to a value that Across accepts, and never exceeds the tolerance.
 */
export const askedSlippageBps = (toleranceBps: number, feeBps: number): number =>
  Math.min(toleranceBps, Math.floor((toleranceBps * (10_000 - feeBps)) / (10_000 - toleranceBps)))
