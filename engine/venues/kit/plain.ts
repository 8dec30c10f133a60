import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { toAmount } from '../../core/amount.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Execution } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { SignatureCheck, Venue, VenueProfile } from '../venue.ts'
import type { Repriced } from './reprice.ts'

/* Defaults that hold for most venues. A venue spreads them, and states its differences. */

/** For a venue without addresses at quote time and fees besides the input, which takes the input when it pays the output. */
export const PLAIN_PROFILE = {
  bindsAtQuote: { recipient: [], refundTo: [] },
  hasSandbox: true,
  takesOnTrust: [],
  // A transaction takes and pays at once, a signed order moves nothing until it is filled: so nothing is ever given back.
  holdsInput: () => false,
  refundKeeps: () => ({ amount: 0n, bps: 0 }),
  nativeFeeMax: () => 0n,
  amountCarriesReference: () => 0n,
  limits: null,
} as const satisfies Partial<VenueProfile>

const PERMIT2_SOURCE = 'SignatureVerification.sol of Uniswap/permit2'
export const PERMIT2_CHECK: SignatureCheck = { contract: PERMIT2, by: 'signerCode', source: PERMIT2_SOURCE }

/** Our own bound on what a fill costs, in US cents: gas is dear on Ethereum alone. */
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

/** Terms that a payload holds the venue to. */
export const firm = ({ expected, minimum }: Repriced) => ({
  outputAmount: toAmount(expected),
  slippage: { isFirm: true, guaranteedMin: toAmount(minimum) },
})
