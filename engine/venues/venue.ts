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
 * The tolerances one venue takes on a route, in basis points: what it asks for by default (by its own documents; at
 * least 10 where the swap depends on a pool), and the least and most it accepts.
 */
export type SlippageRule = { readonly defaultBps: number; readonly minBps: number; readonly maxBps: number }

/** The parts of a swap that a payload may fail to prove. The fee is the integrator's: the caller loses nothing by it. */
export type TrustedPart = 'recipient' | 'minimum' | 'refund' | 'fee'

/** What a venue's payloads of one kind cannot prove on some of its routes, so that its word is taken for it. */
export type TrustRule = {
  readonly executionType: ExecutionType
  readonly parts: readonly TrustedPart[]
  appliesTo(route: Route): boolean
  /** The routes it is about, in a few words for the operator. */
  readonly routes: string
  /** Why no payload can show it, in one sentence for the operator. */
  readonly reason: string
}

/** How a contract checks signatures of an order, by its published code. */
export type SignatureCheck = {
  readonly contract: Address
  /** `signerCode`: by EIP-1271 where the signer has code, even of a key's signature. `scheme`: as the order says, whatever code. */
  readonly by: 'signerCode' | 'scheme'
  /** The only length that the venue's API takes, in bytes. Left out: any. */
  readonly bytes?: number
  /** The file and repository that show it. */
  readonly source: string
}

/** Left out: no limit of that kind. */
export type VenueLimits = {
  /** Quotes and executes. Beyond them the engine asks for no more quotes. */
  readonly requestsPerSecond?: number
  readonly requestsPerMinute?: number
  /** Quotes that ended without an offer, whatever the reason. Likewise. */
  readonly missesPerMinute?: number
  /** Between two status asks about one swap. Sooner, the venue's last word is repeated. */
  readonly statusIntervalMs?: number
  /** Status asks, where the venue counts them apart. */
  readonly statusPerMinute?: number
  /** Status asks about what the venue does not know. */
  readonly statusMissesPerMinute?: number
  /** The first two are of all calls, status asks included. */
  readonly coverStatus?: true
}

/** What the engine must know of a venue without asking it: data only, read by the engine's own rules. */
export type VenueProfile = {
  readonly id: VenueId
  readonly name: string
  /** Cheap and synchronous: false means the venue is not asked at all. True is no promise. */
  serves(route: Route): boolean
  /** When the venue fixes each address at quote time; elsewhere it binds at execute time. */
  readonly bindsAtQuote: { readonly recipient: readonly BindingCase[]; readonly refundTo: readonly BindingCase[] }
  /** False: a sandbox quote won by this venue cannot be executed (500 INTERNAL naming it). */
  readonly hasSandbox: boolean
  /**
   * The venue's published contracts, by chain: the only ones a wallet may be asked to call, allow or sign for.
   * A DEPOSIT is proved by the venue's signature instead.
   */
  readonly contracts: { readonly [chainId in ChainId]?: readonly Address[] }
  /** Of a venue with SIGNATURE: who checks what is signed. A contract that is not listed, such as a token, goes by `signerCode`. */
  readonly signatureChecks?: readonly SignatureCheck[]
  /** Where the integrator fee goes on a route, in the venue's own terms; null: no fee can be taken there. */
  feeRecipient(route: Route): string | null
  /** Where the integrator fee of a swap is taken from and who has it then, by the venue's documents. Asked of swaps with a fee alone. */
  feeCustody(swap: SealedOffer): FeeCustody
  /**
   * Token accounts of Solana that fees go to, with their mints. A fee to one that is not there would be lost, or the swap
   * fail for it: the service does not start. Left out: none.
   */
  readonly feeAccounts?: readonly { readonly account: Address; readonly mint: Address }[]
  /** What `order.slippageBps` of `quote` is made from where the caller gives none, and kept within. */
  slippage(route: Route): SlippageRule
  /** What the venue's documents allow one client; null where they name no limit. */
  readonly limits: VenueLimits | null
  /** What its payloads cannot prove. A claim that is unproved and not listed here is refused. */
  readonly takesOnTrust: readonly TrustRule[]
  /**
   * Whether the input leaves the wallet before the swap is made, so that it may have to be given back. False of a TRANSACTION
   * within one chain: it takes the input and pays the output, so the chain alone tells how it ended, and the venue is not asked.
   */
  holdsInput(route: Route, executionType: ExecutionType): boolean
  /** The most the venue may take beside the input, in smallest units of the input chain's native coin; 0 for most. */
  nativeFeeMax(route: Route): bigint
  /**
   * What filling costs the venue on the other chain whatever the amount, US cents: a payload that exchanges its input first may
   * lock less than the output is worth by as much. Left out: nothing.
   */
  deliveryCostCents?(to: ChainId): bigint
  /** The most that may be missing from a refund, by the venue's documents, which stand beside it as its source. */
  refundKeeps(swap: ExecutedSwap): RefundKeeps
  /** The furthest deadline a payload of this venue may carry, from the time it is built. */
  readonly deadlineMsMax: number
  /**
   * What tells a swap that was built and proved from every other. A second swap with one of these is handed to nobody: the
   * payment of the one would be taken for the other's. At least one.
   */
  toldApartBy(swap: ExecutedSwap): Promise<readonly SwapKey[]>
  /** By how many smallest units the amount of a deposit may lie below the input, to tell it from others; 0 for most. */
  amountCarriesReference(route: Route): bigint
}

export type SignedPayload = {
  readonly signature: Hex
  readonly approvalSignature: Hex | null
  /** How the engine found the signature to be the sender's. */
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
   * Asks the venue where the swap stands. `ref` is a deposit address, a transaction hash or an order uid. `swap` has
   * no execution when our own record of it is gone: the venue's word on `ref` must then still be checked against the
   * sealed offer as far as it can be, and a ref that belongs to another swap is `not_found`. `paidBy`: the payments that the
   * chain showed before. Throws VenueError only.
   */
  track(ref: string, swap: TrackedSale, signal: AbortSignal): Promise<VenueWord>
}

/** The payment of an execution, as a published contract of the venue shows it in a transaction of the input chain. */
export type InputEvent = {
  /** `log:<index>` or `instruction:<index>`, as in Movement. */
  readonly place: string
  /** What the venue's contracts know the order by from here on; null where they give it no name. */
  readonly orderId: string | null
  /** The transaction runs the order that was signed, to its last byte: the whole order is compared, or a hash of it. Left out: false. */
  readonly isWhole?: true
  /** The places of the payments that the order's own call makes, the integrator fee among them. Left out: events do not bound it. */
  readonly paid?: readonly string[]
  /** What the venue took: a refund comes in it, and is measured by it. */
  readonly took: { readonly token: Address; readonly amount: bigint }
}

/**
 * A payment of an order to its recipient or back, as a published contract of the venue shows it. `place` is that of the money
 * itself where it leaves one, so that nobody else counts the same payment.
 */
export type PayoutEvent = {
  readonly place: string
  readonly amount: bigint
  /** The contract tells the same of coins that the recipient did not take: its balance must show them, too. */
  readonly isToBeSeen?: true
  readonly paid?: InputEvent['paid']
}

/** Reads the events of the venue's published contracts in a transaction. The venue is asked nothing. */
export interface SwapEvents {
  /**
   * The payments of this very execution: every field of the event is that of the payload that was handed out. Null where the
   * contracts of this route tell nothing of what they take: the call that was handed out must then show it.
   */
  inputs(seen: SeenTransaction, swap: ExecutedSwap): Promise<readonly InputEvent[] | null>
  /**
   * The deliveries of this very order, to its recipient and in its output token. Null where the contracts of this route name
   * no order when they pay: the money itself must then show it. `orderIds` as `inputs` told them.
   */
  outputs(seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[]): Promise<readonly PayoutEvent[] | null>
  /** What of the input was given back to the refund address; null likewise. */
  refunds(seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[]): Promise<readonly PayoutEvent[] | null>
  /**
   * The places of all that a transaction pays out for orders of this venue, whosever they are, as its contracts or its own
   * account tell: no other venue paid it. COINS_BY_CALLS for coins that contracts sent on. None on a chain it is not on.
   */
  named(seen: SeenTransaction): Promise<readonly string[]>
  /**
   * Of those, what was paid for orders that are always told by name: no swap of this very venue that the money itself must show
   * has a right to it. Left out where nothing is known of that.
   */
  namedApart?(seen: SeenTransaction): Promise<readonly string[]>
}

/** Tells of an order whether nothing came of it, by the book that its contract keeps. */
export interface UnfilledReader {
  /**
   * True when the chain shows, by a block after its deadline where it can, that nothing of a signed order was ever filled, or
   * that an order which a transaction places never was. Throws ChainError.
   */
  isUnfilled(swap: ExecutedSwap, signal: AbortSignal): Promise<boolean>
}

/** What a venue may keep of the input when it gives it back. */
export type RefundKeeps = {
  /** Smallest units of what it took. */
  readonly amount: bigint
  /** Of what it took, basis points. */
  readonly bps: number
}

/** US dollars for one whole unit, as a decimal string. `readAt`: when the list was asked for, epoch ms. */
export type ListedPrice = { readonly usd: string; readonly readAt: number }

export interface PriceFeed {
  /** The price of one whole unit; null when the venue has none. */
  usd(asset: Asset, signal: AbortSignal): Promise<ListedPrice | null>
}

/** What native bitcoin can be swapped for, by the lists that the venue publishes. */
export interface BitcoinReach {
  /** Tokens of a chain; none where the venue does not take bitcoin, or is not on that chain. Throws VenueError. */
  tokens(chainId: ChainId, signal: AbortSignal): Promise<readonly Address[]>
}

/** Values that we pin, beside those that the venue publishes in their place. None: the side has no such value. */
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
  /** The chain of the contract that publishes; left out of lists that the provider serves. */
  readonly chainId?: ChainId
  /** Throws VenueError, or ChainError for contracts. A source without a single claim is an error. */
  claims(signal: AbortSignal): Promise<readonly PinClaim[]>
}

/**
 * One liquidity venue. Two verbs all have, and abilities that are whole objects or null. Stateless but for caches of
 * the venue's public lists. Deadlines, retries, breakers, ranking, fee policy and storage are the engine's.
 */
export interface Venue {
  readonly profile: VenueProfile
  /** Prices an order. No side effect at the venue. Throws VenueError only. */
  quote(order: VenueOrder, signal: AbortSignal): Promise<Offer>
  /** Builds what the wallet must sign or send, priced afresh where the venue needs it. Throws VenueError only. */
  execute(sealed: SealedOffer, binding: Binding, signal: AbortSignal): Promise<Execution>
  /**
   * Reads back what an execution would really do, from its payload and the venue's signed evidence alone. Throws
   * VenueError('badResponse') when it cannot be read at all, or when the evidence does not verify.
   */
  decode(execution: Execution): Promise<PayloadClaims>
  /** Null: the venue never answers SIGNATURE. */
  readonly submitter: SignatureSubmitter | null
  /** Null: the venue has no word on its swaps. Of those that one transaction makes none is needed; of others the status is `unknown`, tracking `unavailable`. */
  readonly tracker: StatusTracker | null
  /** Null: the venue's contracts emit nothing that names a swap, and the call handed out must show its payment. */
  readonly events: SwapEvents | null
  /** Null: no contract of the venue keeps orders by name. Required of one that answers SIGNATURE. */
  readonly unfilled: UnfilledReader | null
  /** Null: the venue publishes no token prices. */
  readonly prices: PriceFeed | null
  /** Null: the venue does not take bitcoin. */
  readonly bitcoinReach: BitcoinReach | null
  /** None: the venue publishes nothing that we pin. */
  readonly pins: readonly PinSource[]
}

/** What every venue is given to work with. */
export type VenuePorts = {
  readonly http: HttpClient
  readonly chains: Chains
  readonly clock: Clock
  /** The venues that are given new swaps and answered when last asked. For one that sells what others sell, too. */
  readonly wellVenues: () => readonly VenueId[]
  /** Tells the operator of something the venue says that is odd, and no reason to fail. Repeats are not told. */
  readonly notice: (what: string) => void
}

/** A setting of one venue, read from `VENUE_<ID>_<NAME>`. Every venue has BASE_URL and API_KEY besides. */
export type VenueSetting = {
  readonly name: string
  /** A regular expression, or whatever else can tell a fitting value. */
  readonly pattern: Pick<RegExp, 'test'>
  /** Completes "must be ..." for an operator whose value does not fit. */
  readonly expects: string
  /** True where the venue refuses what the setting is for to those without a key: set without one, it stops the start. */
  readonly needsKey?: boolean
  /** Whether it fits the other settings of the venue. */
  readonly agrees?: (settings: VenueConfig['settings']) => boolean
}

export type VenueConfig = {
  /** Origin and path prefix, without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Secret | null
  /** The venue's own settings by name; null when unset. */
  readonly settings: { readonly [name: string]: string | null }
}

/** What the registry lists: everything that is needed to configure and make a venue. */
export type VenueDefinition = {
  readonly id: VenueId
  readonly publicBaseUrl: string
  /** The host for callers with a key, where it is another. */
  readonly publicBaseUrlWithKey?: string
  readonly settings: readonly VenueSetting[]
  /** True where the venue answers nobody without a key: on mainnet it is off until it is given one. */
  readonly needsKey?: boolean
  /** Settings that the provider requires in production. The start warns of those that are not set on mainnet. */
  readonly advised?: { readonly settings: readonly string[]; readonly consequence: string }
  /** The tokens of its pinned tables. */
  readonly tokens?: readonly ListedToken[]
  create(config: VenueConfig, ports: VenuePorts): Venue
}
