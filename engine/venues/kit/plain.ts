import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { toAmount } from '../../core/amount.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Execution } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { SignatureCheck, Venue, VenueProfile } from '../venue.ts'
import type { Repriced } from './reprice.ts'

/* Defaults that hold for most venues. A venue spreads them, and states its differences. */

/** For a venue that binds no address at quote time, has no fee besides the input, and takes it when it pays the output. */
export const PLAIN_PROFILE = {
  bindsAtQuote: { recipient: [], refundTo: [] },
  hasSandbox: true,
  takesOnTrust: [],
  // A transaction takes and pays at once, and a signed order moves no money before its fill. So there are no refunds.
  holdsInput: () => false,
  refundKeeps: () => ({ amount: 0n, bps: 0 }),
  nativeFeeMax: () => 0n,
  amountCarriesReference: () => 0n,
  limits: null,
} as const satisfies Partial<VenueProfile>

const PERMIT2_SOURCE = 'SignatureVerification.sol of Uniswap/permit2'
export const PERMIT2_CHECK: SignatureCheck = { contract: PERMIT2, by: 'signerCode', source: PERMIT2_SOURCE }

/** Our own bound on the cost of a fill, in US cents: gas is expensive on Ethereum only. */
export const deliveryCostCents = (to: ChainId): bigint => (to === 1 ? 200n : 50n)

/** The abilities that a venue may lack. */
export const PLAIN_VENUE = {
  submitter: null,
  tracker: null,
  events: null,
  unfilled: null,
  prices: null,
  bitcoinReach: null,
  pins: [],
} as const satisfies Partial<Venue>

export const PLAIN_OFFER = {
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: null,
  decimals: { input: null, output: null },
  carry: null,
} as const satisfies Partial<Offer>

export const PLAIN_EXECUTION = { venueRef: null, evidence: null, carry: null } as const satisfies Partial<Execution>

/** Terms that a payload guarantees. */
export const firm = ({ expected, minimum }: Repriced) => ({
  outputAmount: toAmount(expected),
  slippage: { isFirm: true, guaranteedMin: toAmount(minimum) },
})
