import type { Chains } from '../chains/chains.ts'
import type { SeenTransaction } from '../chains/seen.ts'
import type { Address } from '../core/address.ts'
import type { Asset, ListedToken } from '../core/asset.ts'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Binding, Execution, Hex, PayloadClaims } from '../core/execution.ts'
import type { FeeCustody } from '../core/fee.ts'
import type { ExecutionType, Offer, VenueId } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { Route } from '../core/route.ts'
import type { Secret } from '../core/secret.ts'
import type { ExecutedSwap, SealedOffer, SwapKey } from '../core/swap.ts'
import type { VenueWord } from '../core/swapStatus.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { HttpClient } from '../net/httpClient.ts'

/** Routes on which a venue must know an address at quote time. On all others it binds at execute time. */
export type BindingCase = 'always' | 'crossEcosystem' | 'touchesSolana' | 'fromBitcoin' | 'fromNativeCoin'

/**
 * The slippage that one venue accepts on a route, in basis points: default, least and most. The default follows the venue's
 * documents and is at least 10 where the swap depends on a pool.
 */
export type SlippageRule = { readonly defaultBps: number; readonly minBps: number; readonly maxBps: number }

/** The parts of a swap that a payload may fail to prove. The fee is the integrator's, so the caller loses nothing by it. */
export type TrustedPart = 'recipient' | 'minimum' | 'refund' | 'fee'

/** The parts that payloads of one kind cannot prove on some routes. The service then trusts the venue's report of them. */
export type TrustRule = {
  readonly executionType: ExecutionType
  readonly parts: readonly TrustedPart[]
  appliesTo(route: Route): boolean
  /** The affected routes, in a few words for the operator. */
  readonly routes: string
  /** Why no payload can show it, in one sentence for the operator. */
  readonly reason: string
}

/** How a contract checks signatures of an order, by its published code. */
export type SignatureCheck = {
  readonly contract: Address
  /** `signerCode`: by EIP-1271 where the signer has code, even for a key's signature. `scheme`: by the order's scheme only. */
  readonly by: 'signerCode' | 'scheme'
  /** The only length that the venue's API accepts, in bytes. Absent: any. */
  readonly bytes?: number
  /** The file and repository that show it. */
  readonly source: string
}

/** An absent field means no limit of that kind. */
export type VenueLimits = {
  /** Quotes and executes. Beyond the limit the engine requests no more quotes. */
  readonly requestsPerSecond?: number
  readonly requestsPerMinute?: number
  /** Quotes that ended without an offer, whatever the reason. Beyond the limit the engine requests no more quotes. */
  readonly missesPerMinute?: number
  /** The time between two status calls about one swap. Earlier requests get the venue's last report. */
  readonly statusIntervalMs?: number
  /** Status calls, where the venue counts them separately. */
  readonly statusPerMinute?: number
  /** Status calls about unknown swaps. */
  readonly statusMissesPerMinute?: number
  /** The first two limits cover all calls, status calls included. */
  readonly coverStatus?: true
}

/** The properties of a venue that the engine uses without a call: data only, read by the engine's own rules. */
export type VenueProfile = {
  readonly id: VenueId
  readonly name: string
  /** Cheap and synchronous: false means that the venue is not asked. True is no promise. */
  serves(route: Route): boolean
  /** When the venue fixes each address at quote time; elsewhere it binds at execute time. */
  readonly bindsAtQuote: { readonly recipient: readonly BindingCase[]; readonly refundTo: readonly BindingCase[] }
  /** False: a sandbox quote won by this venue cannot be executed (500 INTERNAL naming it). */
  readonly hasSandbox: boolean
  /**
   * The venue's published contracts, by chain: the only ones that a payload may call, allow or sign for. A DEPOSIT is proved by
   * the venue's signature instead.
   */
  readonly contracts: { readonly [chainId in ChainId]?: readonly Address[] }
  /** For a venue with SIGNATURE: the contract that checks a signature. Unlisted contracts, such as tokens, use `signerCode`. */
  readonly signatureChecks?: readonly SignatureCheck[]
  /** The recipient of the integrator fee on a route, in the venue's terms; null: the route takes no fee. */
  feeRecipient(route: Route): string | null
  /** The source and the holder of a swap's integrator fee, by the venue's documents. Called for swaps with a fee only. */
  feeCustody(swap: SealedOffer): FeeCustody
  /**
   * Solana token accounts that receive fees, with their mints. A missing one would lose the fee or fail the swap, so the service
   * does not start. Absent: none.
   */
  readonly feeAccounts?: readonly { readonly account: Address; readonly mint: Address }[]
  /** The default and the bounds of `order.slippageBps` in `quote`. */
  slippage(route: Route): SlippageRule
  /** The documented limits of one client; null without documented limits. */
  readonly limits: VenueLimits | null
  /** The parts that its payloads cannot prove. The engine rejects an unproved claim that is not listed here. */
  readonly takesOnTrust: readonly TrustRule[]
  /**
   * True when the input leaves the wallet before the swap is made, so that a refund may be due. A TRANSACTION within one chain
   * takes the input and pays the output: only the chain decides its outcome, and the venue is not asked.
   */
  holdsInput(route: Route, executionType: ExecutionType): boolean
  /** The most that the venue may charge beside the input, in smallest units of the input chain's native coin; 0 for most. */
  nativeFeeMax(route: Route): bigint
  /**
   * The venue's cost of filling on the other chain, US cents, whatever the amount. A payload that exchanges its input first may
   * lock that much less than the output's value. Absent: nothing.
   */
  deliveryCostCents?(to: ChainId): bigint
  /** The most that a refund may lack, by the venue's documents. The adapter names its source beside it. */
  refundKeeps(swap: ExecutedSwap): RefundKeeps
  /** The furthest deadline of a payload, from the time it is built. */
  readonly deadlineMsMax: number
  /**
   * Values that make a built and proved swap unique; at least one. The service hands out no second swap with one of these values,
   * because it could confuse the two payments.
   */
  toldApartBy(swap: ExecutedSwap): Promise<readonly SwapKey[]>
  /** How far the amount of a deposit may lie below the input, as a reference, in smallest units; 0 for most venues. */
  amountCarriesReference(route: Route): bigint
}

export type SignedPayload = {
  readonly signature: Hex
  readonly approvalSignature: Hex | null
  /** How the engine verified the sender's signature. */
  readonly scheme: 'ecdsa' | 'eip1271'
}

export interface SignatureSubmitter {
  /**
   * Hands the signed payload to the venue. The engine has verified the signature. Must be safe to repeat: the same
   * signed payload never opens a second order. Throws VenueError only.
   */
  submit(swap: ExecutedSwap, signed: SignedPayload, signal: AbortSignal): Promise<{ readonly statusRef: string }>
}

export type TrackedSale = SealedOffer & {
  readonly executed: ExecutedSwap | null
  readonly paidBy?: readonly TransactionId[]
}

export interface StatusTracker {
  /**
   * Asks the venue for the state of the swap. `ref` is a deposit address, a transaction hash or an order uid. `swap` has no
   * execution when our record is lost: the tracker then checks the report against the sealed offer as far as possible. A ref of
   * another swap is `not_found`. `paidBy`: the payments that the chain showed before. Throws VenueError only.
   */
  track(ref: string, swap: TrackedSale, signal: AbortSignal): Promise<VenueWord>
}

/** The payment of an execution, as a published contract of the venue shows it in a transaction of the input chain. */
export type InputEvent = {
  /** `log:<index>` or `instruction:<index>`, as in Movement. */
  readonly place: string
  /** The order's id in later events of the venue's contracts; null where they name none. */
  readonly orderId: string | null
  /** The transaction runs exactly the signed order: the whole order is compared, or a hash of it. Absent: false. */
  readonly isWhole?: true
  /** The places of payments by the order's own call, the integrator fee included. Absent: events do not bound them. */
  readonly paid?: readonly string[]
  /** The token and amount that the venue took. A refund is in this token, and is compared with this amount. */
  readonly took: { readonly token: Address; readonly amount: bigint }
}

/**
 * A payment of an order to its recipient or back, as a published contract of the venue shows it. `place` is the place of the
 * transfer where it leaves one, so that no other swap counts the same payment.
 */
export type PayoutEvent = {
  readonly place: string
  readonly amount: bigint
  /** The contract logs the same event for coins that the recipient rejected: its balance must show them, too. */
  readonly isToBeSeen?: true
  readonly paid?: InputEvent['paid']
}

/** Reads the events of the venue's published contracts in a transaction, without a call of the venue. */
export interface SwapEvents {
  /**
   * The payments of exactly this execution: every field of the event equals the payload that was handed out. Null where the
   * contracts of this route log no payment: the call that was handed out must then show it.
   */
  inputs(seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[] | null>
  /**
   * The deliveries of exactly this order, to its recipient and in its output token. Null where the contracts of this route name
   * no order when they pay: the transfer must then show it. `orderIds` come from `inputs`.
   */
  outputs(seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[]): Promise<readonly PayoutEvent[] | null>
  /** The part of the input that was returned to the refund address; null likewise. */
  refunds(seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[]): Promise<readonly PayoutEvent[] | null>
  /**
   * The places of all payments in a transaction for any orders of this venue, by its contracts or its own account. No other venue
   * made them. COINS_BY_CALLS for coins that contracts sent on. Empty on a chain without the venue.
   */
  named(seen: SeenTransaction): Promise<readonly string[]>
  /**
   * The payments among those for orders that events always name. A swap of this venue that only a transfer can show has no claim
   * to them. Absent where this is unknown.
   */
  namedApart?(seen: SeenTransaction): Promise<readonly string[]>
}

/** Reads from a contract's own records whether an order stayed unfilled. */
export interface UnfilledReader {
  /**
   * True when the chain shows that no part of a signed order was filled, or that a transaction's order never was. Where possible
   * it reads a block after the deadline. Throws ChainError.
   */
  isUnfilled(swap: ExecutedSwap, signal: AbortSignal): Promise<boolean>
}

/** The part of the input that a refund may lack. */
export type RefundKeeps = {
  /** Smallest units of the taken token. */
  readonly amount: bigint
  /** Basis points of the taken amount. */
  readonly bps: number
}

/** US dollars for one whole unit, as a decimal string. `readAt`: when the list was asked for, epoch ms. */
export type ListedPrice = { readonly usd: string; readonly readAt: number }

export interface PriceFeed {
  /** The price of one whole unit; null when the venue has no price. */
  usd(asset: Asset, signal: AbortSignal): Promise<ListedPrice | null>
}

/** The tokens that native bitcoin can be swapped for, by the venue's published lists. */
export interface BitcoinReach {
  /** Tokens of a chain; empty where the venue does not accept bitcoin, or is not on that chain. Throws VenueError. */
  tokens(chainId: ChainId, signal: AbortSignal): Promise<readonly Address[]>
}

/** Values that we pin, beside the values that the venue publishes. Empty: the side has no value of this kind. */
export type PinClaim = {
  /** The value in words for the operator, such as `router on chain 8453`. */
  readonly what: string
  readonly pinned: readonly string[]
  readonly published: readonly string[]
}

/**
 * A public list, or a contract, that publishes values that we pin. It only reports: no pinned set changes by what it returns.
 * No call of it belongs to a request of a user.
 */
export type PinSource = {
  /** The host and path, or the contract and its function, for the operator. */
  readonly name: string
  /** The chain of the publishing contract; absent for lists of the provider. */
  readonly chainId?: ChainId
  /** Throws VenueError, or ChainError for contracts. A source without a single claim is an error. */
  claims(signal: AbortSignal): Promise<readonly PinClaim[]>
}

/**
 * One liquidity venue: two methods that all have, and abilities that are whole objects or null. Stateless except for caches of
 * the venue's public lists. The engine handles deadlines, retries, breakers, ranking, fee policy and storage.
 */
export interface Venue {
  readonly profile: VenueProfile
  /** Prices an order, without a side effect at the venue. Throws VenueError only. */
  quote(order: VenueOrder, signal: AbortSignal): Promise<Offer>
  /** Builds the wallet's payload, with a fresh price where the venue needs one. Throws VenueError only. */
  execute(sealed: SealedOffer, binding: Binding, signal: AbortSignal): Promise<Execution>
  /**
   * Reads back the effect of an execution, from its payload and the venue's signed evidence alone. Throws
   * VenueError('badResponse') when it cannot be read at all, or when the evidence does not verify.
   */
  decode(execution: Execution): Promise<PayloadClaims>
  /** Null: the venue never answers SIGNATURE. */
  readonly submitter: SignatureSubmitter | null
  /** Null: no status reports. Swaps of one transaction need none; for others the status is `unknown`, tracking `unavailable`. */
  readonly tracker: StatusTracker | null
  /** Null: no event of the venue's contracts identifies a swap, and the call handed out must show its payment. */
  readonly events: SwapEvents | null
  /** Null: no contract of the venue records orders by id. Required of a venue with SIGNATURE. */
  readonly unfilled: UnfilledReader | null
  /** Null: the venue publishes no token prices. */
  readonly prices: PriceFeed | null
  /** Null: the venue does not accept bitcoin. */
  readonly bitcoinReach: BitcoinReach | null
  /** Empty: the venue publishes no value that we pin. */
  readonly pins: readonly PinSource[]
}

/** The services that every venue receives. */
export type VenuePorts = {
  readonly http: HttpClient
  readonly chains: Chains
  readonly clock: Clock
  /** The enabled venues that answered their last call. For an aggregator, which sells what other venues also sell. */
  readonly wellVenues: () => readonly VenueId[]
  /** Reports an odd but harmless statement of the venue to the operator. Repeats are dropped. */
  readonly notice: (what: string) => void
}

/** A setting of one venue, read from `VENUE_<ID>_<NAME>`. Every venue has BASE_URL and API_KEY besides. */
export type VenueSetting = {
  readonly name: string
  /** A regular expression, or another test of a valid value. */
  readonly pattern: Pick<RegExp, 'test'>
  /** Completes "must be ..." for an operator with an invalid value. */
  readonly expects: string
  /** True where the venue rejects what the setting is for without an API key. Set without a key, it stops the start. */
  readonly needsKey?: boolean
  /** Whether it is consistent with the other settings of the venue. */
  readonly agrees?: (settings: VenueConfig['settings']) => boolean
}

export type VenueConfig = {
  /** Origin and path prefix, without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Secret | null
  /** The venue's own settings by name; null when unset. */
  readonly settings: { readonly [name: string]: string | null }
}

/** An entry of the registry: the data to configure and create a venue. */
export type VenueDefinition = {
  readonly id: VenueId
  readonly publicBaseUrl: string
  /** The host for callers with a key, where it differs. */
  readonly publicBaseUrlWithKey?: string
  readonly settings: readonly VenueSetting[]
  /** True where the venue rejects every call without a key. On mainnet it is off until its key is set. */
  readonly needsKey?: boolean
  /** Settings that the provider requires in production. On mainnet the start warns of missing ones. */
  readonly advised?: { readonly settings: readonly string[]; readonly consequence: string }
  /** The tokens of its pinned tables. */
  readonly tokens?: readonly ListedToken[]
  create(config: VenueConfig, ports: VenuePorts): Venue
}
