import type { SeenCall, SeenTransaction } from '../../engine/chains/seen.ts'
import type { Environment } from '../../engine/config/config.ts'
import type { Address } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import type { TrackedSwap } from '../../engine/core/answers.ts'
import { isNative } from '../../engine/core/asset.ts'
import type { Caller } from '../../engine/core/caller.ts'
import type { WalletTransaction } from '../../engine/core/execution.ts'
import type { ExecutionType } from '../../engine/core/offer.ts'
import type { Payment } from '../../engine/core/payment.ts'
import type { SwapState, VenueWord } from '../../engine/core/swapStatus.ts'
import type { TransactionId } from '../../engine/core/transactionId.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { anOrder, type OrderWish, WALLETS } from './anOrder.ts'
import { pair, TOKENS } from './fakeChains.ts'
import { createFakeEvidence, type FakeEvidence, hashOf, movement, seenTransaction } from './fakeEvidence.ts'
import { createFakeVenue, type FakeVenue, type FakeVenueOptions, statusOf, TOY_CONTRACT } from './fakeVenue.ts'
import { createMemoryStore } from './memoryStore.ts'
import { createTestClock, createTestEngine, type TestEngine } from './testEngine.ts'

/** A toy venue's swaps, and the money that the chains show of them. */

export const PAID_IN = 1_000_000n
/** The least that a swap of the bench must deliver. */
export const LEAST = 995_000n
/** When a payload is certainly over: its deadline, and two minutes for nodes that are behind. */
export const OVER_MS = 720_000
const ORDER = { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: PAID_IN } satisfies OrderWish

/** An executed swap. */
export type Executed = {
  readonly quoteToken: string
  /** What was handed out to ask by; empty for a TRANSACTION. */
  readonly ref: string
  readonly id: number
  readonly record: SwapRecord
}

type SeenWish = Partial<SeenTransaction>

export type MoneyBench = TestEngine & {
  readonly venue: FakeVenue
  readonly chain: FakeEvidence
  /** What the venue says from here on, of every swap. */
  says(state: SwapState, rest?: Partial<Omit<VenueWord, 'state'>>): void
  /** What it says of one swap. */
  saysOf(swap: Executed, word: VenueWord): void
  quote(wish?: Partial<OrderWish>): Promise<string>
  execute(wish?: Partial<OrderWish>): Promise<Executed>
  status(swap: Pick<Executed, 'quoteToken' | 'ref'>, ref?: string): Promise<TrackedSwap>
  stateOf(swap: Pick<Executed, 'quoteToken' | 'ref'>, ref?: string): Promise<SwapState>
  /** The record as it is now. */
  kept(swap: Executed): Promise<SwapRecord>
  payments(swap: Executed): Promise<readonly Payment[]>
  /** Puts a transaction of the input chain that pays the swap: the call handed out, or so much to the deposit address. */
  pay(swap: Executed, amount?: bigint, wish?: SeenWish): TransactionId
  /** Puts one of the output chain that pays the recipient. */
  deliver(swap: Executed, amount?: bigint, wish?: SeenWish): TransactionId
  /** Puts one of the input chain that pays the refund address, in a later block than all that was paid. */
  giveBack(swap: Executed, amount?: bigint, wish?: SeenWish): TransactionId
  /** Lets time pass, here and on the chains. */
  pass(ms: number): void
}

/** The transaction that a wallet was handed. */
export const callOf = ({ record }: Executed): WalletTransaction => {
  const { payload } = record.swap.execution
  if (payload.executionType !== 'TRANSACTION') throw new TypeError(`no call: ${payload.executionType}`)
  return payload.transaction
}

/** A hash that no transaction has. */
export const NO_HASH = hashOf(999_999)

/** A transaction of an EVM wallet that makes the call it was handed. */
export const callPaying = (swap: Executed, hash: TransactionId, wish: SeenWish = {}): SeenTransaction => {
  const { input, inputAmount, sender } = swap.record.swap.order
  const { chainId, to, data, value } = callOf(swap)
  const place = isNative(input) ? 'value' : 'log:0'
  return seenTransaction({
    chainId,
    hash,
    call: { from: sender, to, data: data as `0x${string}`, value },
    movements: wish.isSuccess === false ? [] : [movement(input, TOY_CONTRACT, inputAmount, { from: sender, place })],
    ...wish,
  })
}

const paidTo = ({ record }: Executed): Address => {
  const { payload } = record.swap.execution
  if (payload.executionType !== 'DEPOSIT') throw new TypeError(`no deposit: ${payload.executionType}`)
  return payload.deposit.address
}

export const startMoneyBench = async (
  kind: ExecutionType,
  options: FakeVenueOptions = {},
  change: {
    readonly chain?: FakeEvidence
    readonly from?: TestEngine
    /** Venues beside the toy. */
    readonly beside?: readonly FakeVenue[]
    readonly venuesEnabled?: readonly string[]
    /** Whose key is used. Left out: nobody's. */
    readonly caller?: Partial<Caller>
    readonly env?: Environment
  } = {},
): Promise<MoneyBench> => {
  const chain = change.chain ?? createFakeEvidence()
  chain.withCode.add(TOY_CONTRACT)
  const clock = change.from?.clock ?? createTestClock()
  const venue = createFakeVenue('toy', { kind, now: clock.now, ...options })
  const store = change.from?.store ?? createMemoryStore(clock)
  const started = await createTestEngine({
    venues: [venue, ...(change.beside ?? [])],
    ...(change.venuesEnabled && { venuesEnabled: change.venuesEnabled }),
    ...(change.caller && { caller: change.caller }),
    ...(change.env && { env: change.env }),
    evidence: chain,
    clock,
    store,
  })
  const { engine, context } = started
  const words = new Map<number, VenueWord>()
  let word: VenueWord = statusOf('pending')
  let last = 0
  const nextHash = () => {
    last += 1
    return hashOf(last)
  }
  venue.script.track = async ({ executed }) => {
    const asked = (await store.kept()).find(
      ({ swap }) => JSON.stringify(swap.execution.payload, text) === JSON.stringify(executed?.execution.payload, text),
    )
    return words.get(asked?.id ?? 0) ?? word
  }
  const put = (seen: SeenTransaction): TransactionId => {
    chain.put(seen)
    return seen.hash
  }
  const bench: MoneyBench = {
    ...started,
    venue,
    chain,
    says: (state, rest) => {
      word = { ...statusOf(state), ...rest }
    },
    saysOf: ({ id }, told) => void words.set(id, told),
    quote: async (wish) => (await engine.quote(anOrder({ ...ORDER, ...wish }), context)).quoteToken,
    execute: async (wish) => {
      const quoteToken = await bench.quote(wish)
      const { statusRef } = await engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
      const record = (await store.kept()).at(-1)
      if (record === undefined) throw new Error('nothing was stored')
      return { quoteToken, ref: statusRef ?? record.ref ?? '', id: record.id, record }
    },
    status: ({ quoteToken, ref }, other = ref) => engine.status({ quoteToken, ref: other }, context),
    stateOf: async (swap, ref) => (await bench.status(swap, ref)).state,
    kept: async ({ id }) => {
      const record = (await store.kept()).find((one) => one.id === id)
      if (record === undefined) throw new Error('the record is gone')
      return record
    },
    payments: ({ id }) => store.payments.ofSwap(id),
    pay: (swap, amount = PAID_IN, wish = {}) => {
      const { executionType } = swap.record.swap.execution.payload
      if (executionType === 'TRANSACTION') return put(callPaying(swap, nextHash(), { at: clock.at, ...wish }))
      const { input } = swap.record.swap.order
      const movements = [movement(input, paidTo(swap), amount)]
      return put(seenTransaction({ chainId: input.chainId, hash: nextHash(), at: clock.at, movements, ...wish }))
    },
    deliver: (swap, amount = LEAST, wish = {}) => {
      const { order, binding } = swap.record.swap
      const movements = [movement(order.output, binding.recipient, amount)]
      return put(seenTransaction({ chainId: order.output.chainId, hash: nextHash(), at: clock.at, movements, ...wish }))
    },
    giveBack: (swap, amount = PAID_IN, wish = {}) => {
      const { order, binding } = swap.record.swap
      const movements = [movement(order.input, binding.refundTo, amount)]
      const { chainId } = order.input
      return put(seenTransaction({ chainId, hash: nextHash(), at: clock.at, height: 2_000, movements, ...wish }))
    },
    pass: (ms) => {
      clock.at += ms
      chain.confirmedAt = Math.max(chain.confirmedAt, clock.at)
    },
  }
  return bench
}

/** A call by which a contract sends somebody coins, that only the balances of its block show. */
export const sendsOn = (to: Address, height: number): { movements: []; height: number; call: SeenCall } => {
  const data = `0x70a70a70${to.slice(2).toLowerCase().padStart(64, '0')}` as const
  return { movements: [], height, call: { from: OTHER, to: TOY_CONTRACT, data, value: 0n } }
}

const text = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

/** A venue that says how much it delivered. */
export const done = (txHash: string, amount = LEAST): Partial<VenueWord> => ({ txHash, deliveredAmount: toAmount(amount) })

/** A recipient beside the wallet's own. */
export const OTHER = WALLETS.evmOther
