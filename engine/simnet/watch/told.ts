/**
 * What the offline network tells its page, by `GET /state`, `GET /events` and `GET /balances` of the control server. All of
 * it is JSON: amounts are smallest units as decimal text, times are epoch milliseconds of the network's own clock (`Ms`
 * names a length), and what nobody knows is null.
 */

/** A token as it can be shown. Symbol and decimals are null of one that the offline network has not. */
export type ToldToken = {
  readonly chainId: number
  /** Checksummed contract, mint, or the native marker of the chain. */
  readonly address: string
  readonly symbol: string | null
  readonly decimals: number | null
}

/** A token that the faucet gives. */
export type FaucetToken = ToldToken & {
  readonly symbol: string
  readonly decimals: number
  readonly name: string
  readonly isNative: boolean
  /** What its price follows: a name of `prices`. */
  readonly currency: string
}

/** Where a chain stands. A node of an EVM chain starts when it is first asked for something. */
export type ChainHeight = {
  readonly chainId: number
  /** False: its node was not needed yet, and its height is not known. */
  readonly isRunning: boolean
  readonly height: number | null
  /** The time of its latest block. */
  readonly blockAt: number | null
}

export type ChainTold = ChainHeight & {
  readonly name: string
  readonly ecosystem: 'evm' | 'solana' | 'bitcoin'
  /** Of this server, such as `/rpc/8453`: JSON-RPC, on Bitcoin an Esplora API below it. The page may call it: own origin. */
  readonly rpcPath: string
  /** What a fault is set on to have this chain's node misbehave: `chain:8453`. */
  readonly faultTarget: string
  readonly tokens: readonly FaucetToken[]
}

/** A fault that is on. */
export type FaultTold = {
  /** A venue's id, `chain:<id>`, or `facilitator`. */
  readonly venue: string
  readonly fault: string
  readonly params: { readonly [name: string]: string | number }
  /** Calls that it is still done to; null: until it is cleared. */
  readonly remaining: number | null
}

/** A fault there is. `POST /faults` takes `{venue, fault, count?, ...params}`. */
export type FaultKind = {
  readonly name: string
  readonly group: 'transport' | 'drift' | 'node' | 'prices' | 'payloads' | 'settlement'
  /** What can commit it, each as far as it makes sense there; `node` is that of an EVM chain. */
  readonly on: readonly ('venue' | 'chain' | 'node' | 'facilitator')[]
  /** In a few plain words, to stand beside its switch. */
  readonly does: string
  /** What it takes beside `count`; none must be given. */
  readonly params: readonly FaultParam[]
}

export type FaultParam = {
  readonly name: string
  readonly type: 'number' | 'text'
  /** In a few plain words, with the unit. */
  readonly means: string
  /** What stands in when it is left out; null: it then does nothing. */
  readonly default: string | number | null
}

export type VenueTold = {
  readonly id: string
  /** As people write it. */
  readonly name: string
  /** Where its simulator listens: another origin than this server's, and not for pages. */
  readonly baseUrl: string
  /** Those of `faults` that are set on it now. */
  readonly faults: readonly FaultTold[]
}

export type ClockTold = {
  readonly now: number
  /** How far it runs ahead of real time, by all jumps so far. */
  readonly aheadMs: number
}

/** What every currency is worth, in dollars, as decimal text such as "3950.25". */
export type PricesTold = { readonly [currency: string]: string }

/** How one venue did in a race. */
export type RunTold = {
  readonly venue: string
  /**
   * `offer`: in the running. `dropped`: its offer is not believed. `decline`, `timeout`, `failure`: it gave none. `cut`: the
   * race was decided before it answered. `skipped`: it was not asked, because it failed too often or is at its limit.
   */
  readonly outcome: 'offer' | 'dropped' | 'decline' | 'rejected' | 'timeout' | 'failure' | 'cut' | 'skipped'
  /** From the start of the race until it answered, or was given up. */
  readonly elapsedMs: number
  /** Its place among the offers in the running, 1 the winner; null of all others. */
  readonly rank: number | null
  /** What it would pay out, net of fees taken from the output; null where it made no offer. */
  readonly amount: string | null
  /** The least that it guarantees; null where it gives no bound. */
  readonly minimum: string | null
  /** What its fee beside the input costs of the output; "0" where it has none, null where nobody can price it. */
  readonly feeCost: string | null
  /** Fit for a preview only: it cannot be executed. */
  readonly isPreview: boolean
  /** Of a dropped one `outlier` or `contradictsChain`, of one that failed the kind of its error; else null. */
  readonly kind: string | null
  /** The smallest and the largest input that the venue accepts, in smallest units of the input token, if it declines with one; else null. */
  readonly inputMinimum: string | null
  readonly inputMaximum: string | null
  /** In the venue's own words or in ours, at most 200 characters; null where there is nothing to say. */
  readonly reason: string | null
}

/** One race, when it is over. */
export type RaceTold = {
  /** Counts up by one with each race of this network, from 1. */
  readonly id: number
  /** When it ended. */
  readonly at: number
  readonly requestId: string
  /** Null of a race that nobody won. It is `quoteId` of the swap that comes of it. */
  readonly quoteId: string | null
  /** The winner's id; null where there is none. */
  readonly venue: string | null
  /** Whether the winning offer can be executed, or is a preview. */
  readonly executable: boolean
  /** The error code of the answer, such as `NO_LIQUIDITY`; null of a race that was won. */
  readonly refusal: string | null
  /** What was asked for. */
  readonly mode: 'best_output' | 'fastest'
  readonly input: ToldToken
  readonly inputAmount: string
  readonly output: ToldToken
  /** From the request's start to the answer; of one that nobody won, until the last venue was done. */
  readonly elapsedMs: number
  /** What of that was not spent waiting for venues; null of one that nobody won. */
  readonly overheadMs: number | null
  /** Offers first, by rank; then the others. */
  readonly runs: readonly RunTold[]
  /** Invited, but they do not serve the route. */
  readonly unwilling: readonly string[]
  /** What the input is worth by the venues' published prices, in the output token; null where none tells. */
  readonly reference: string | null
  /** Basis points by which the winner is above the second, net of fees; below 0 where the quickest wins; null without a second. */
  readonly leadBps: number | null
  /** Basis points by which it is above `reference`. */
  readonly referenceBps: number | null
}

export type SwapStateTold = 'pending' | 'processing' | 'success' | 'expired' | 'refunded' | 'failed' | 'not_found' | 'unknown'

/** One entry of a timeline. */
export type StepTold = {
  readonly at: number
  /**
   * `executed`: the payload was handed out. `submitted`: a signature or a signed transaction was handed in. `seen`: its state
   * or the venue's word for it changed. `ended`: so it did, to its first end. `paid`, `delivered`, `refunded`: that transaction
   * was found on its chain.
   */
  readonly what: 'executed' | 'submitted' | 'seen' | 'ended' | 'paid' | 'delivered' | 'refunded'
  /** How it stood from then on. */
  readonly state: SwapStateTold
  /** The venue's own word; null where it said nothing. */
  readonly venueStatus: string | null
  /** Who brought it about: a call of the client's, somebody asking `/status`, the job that looks at open swaps. */
  readonly by: 'client' | 'status' | 'settlement'
  /** Of `paid`, `delivered` and `refunded`: which of `transactions`; of `submitted` what the service sent, if it did; else null. */
  readonly txHash: string | null
}

/** A transaction behind a swap. */
export type SwapTransactionTold = {
  readonly chainId: number
  readonly hash: string
  /** `input`: what the wallet paid in. `output`: the delivery. `extra`: paid in beside the input. */
  readonly kind: 'input' | 'output' | 'refund' | 'extra'
  readonly token: ToldToken
  /** Null where the chain shows that it came and no longer how much. */
  readonly amount: string | null
  /** Nothing takes it away any more. */
  readonly isFinal: boolean
  /** When it was first told of. */
  readonly seenAt: number
  /** Its block, or Solana's slot; null while it is in none. */
  readonly block: number | null
  readonly blockAt: number | null
  /** Who sent it; on Bitcoin the address of its first input. */
  readonly from: string | null
  /** What it called or paid first; on Solana the first program beside the compute budget. */
  readonly to: string | null
}

/** A swap that was executed since this network started. */
export type SwapTold = {
  readonly swapId: number
  /** That of the race it was won in. */
  readonly quoteId: string
  readonly venue: string
  readonly executionType: 'TRANSACTION' | 'SIGNATURE' | 'DEPOSIT'
  /** What it goes by: a deposit address, an order, a transaction; null until it has one. */
  readonly ref: string | null
  readonly executedAt: number
  /** Null where its race is forgotten: it was executed long after it was quoted. */
  readonly input: ToldToken | null
  readonly inputAmount: string | null
  readonly output: ToldToken | null
  /** What the quote promised. */
  readonly outputAmount: string | null
  readonly state: SwapStateTold
  readonly venueStatus: string | null
  readonly endedAt: number | null
  /** Oldest first. The last changes are kept where there are very many. */
  readonly steps: readonly StepTold[]
  /** In the order they were found. */
  readonly transactions: readonly SwapTransactionTold[]
}

/** Where the service is that runs on this network. */
export type ServiceTold = {
  /** Such as `http://127.0.0.1:3000`, without `/api/v1`; null while it is not listening, or nobody told. CORS is open there. */
  readonly url: string | null
}

/** Something that went wrong where nobody waits to hear of it. */
export type NoticeTold = { readonly chainId: number | null; readonly txHash: string | null; readonly reason: string }

/** `GET /state`: everything at one moment. */
export type StateTold = {
  readonly clock: ClockTold
  readonly service: ServiceTold
  readonly chains: readonly ChainTold[]
  readonly venues: readonly VenueTold[]
  /** Every fault there is. */
  readonly faultKinds: readonly FaultKind[]
  /** What a fault can be set on: venue ids, `chain:<id>` and `facilitator`. */
  readonly faultTargets: readonly string[]
  /** Those that are on, wherever. */
  readonly faults: readonly FaultTold[]
  readonly prices: PricesTold
  /** The last 50, newest first. */
  readonly races: readonly RaceTold[]
  /** The last 50, newest first. */
  readonly swaps: readonly SwapTold[]
  readonly notices: readonly NoticeTold[]
}

/**
 * `GET /events` (text/event-stream): the name of each event with what its `data` holds, as JSON. `state` comes first, and
 * anew whenever the browser reconnects by itself: forget all that was known before it. Every other takes the place of what
 * the page had of it: a race and a swap by their ids, a chain by its `chainId`, the rest whole.
 */
export type ToldEvents = {
  readonly state: StateTold
  readonly race: RaceTold
  /** The whole swap with its timeline, whenever anything of it changed. */
  readonly swap: SwapTold
  /** At most one a second for each chain. */
  readonly chain: ChainHeight
  readonly faults: readonly FaultTold[]
  readonly prices: PricesTold
  /** The clock was moved. Between two of these it runs as real time does. */
  readonly clock: ClockTold
  readonly service: ServiceTold
}

/** What an address holds of one token. Zero of a chain whose node is not running: nobody can have been given anything there. */
export type BalanceTold = FaucetToken & { readonly owner: string; readonly amount: string }

/**
 * `GET /balances?address=…`, the parameter up to four times; `&chainId=8453` for that chain alone. Every token of every chain
 * on which the address makes sense, natives first, zeros included. 400 `{error}` for what is no address anywhere.
 */
export type BalancesTold = {
  readonly balances: readonly BalanceTold[]
  /** Chains that could not be read. */
  readonly unread: readonly { readonly chainId: number; readonly reason: string }[]
}
