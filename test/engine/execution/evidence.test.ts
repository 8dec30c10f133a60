import { describe, expect, it } from 'vitest'
import type { ChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import type { PaymentQuery, Payments } from '../../../engine/chains/payments.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import { type SwapState, type SwapStatus, wordless } from '../../../engine/core/swapStatus.ts'
import { createGather } from '../../../engine/execution/track/gather.ts'
import { judge } from '../../../engine/execution/track/judge.ts'
import type { RequestEvent } from '../../../engine/observe/observe.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeSolana } from '../../support/fakeSolana.ts'
import { offer, order, USDT, WETH } from '../../support/gathered.ts'
import { ANYBODY } from '../../support/testEngine.ts'

const DONE = `0x${'d0'.repeat(32)}`
const EXECUTED_AT = Date.UTC(2026, 10, 20)
const MINUTE_MS = 60_000
const binding = { recipient: WALLETS.evmOther, refundTo: WALLETS.evm }
const claim = (state: SwapState, txHash: string | null = DONE): SwapStatus => ({
  state,
  venueStatus: 'CLAIM',
  deliveredAmount: toAmount(99n),
  txHash,
})

const SWAP = { order, offer, binding }

const recordOf = (swap: typeof SWAP): SwapRecord => ({
  id: 7,
  quoteId: 'q1',
  partnerId: null,
  isSandbox: false,
  ref: WALLETS.evm,
  swap: {
    ...swap,
    execution: {
      payload: { executionType: 'DEPOSIT', deposit: { chainId: 8453, address: WALLETS.evm, amount: order.inputAmount } },
      venueRef: null,
      evidence: null,
      outputAmount: offer.outputAmount,
      slippage: offer.slippage,
      carry: null,
    },
  },
  status: wordless('pending'),
  isFollowed: false,
  postingAt: null,
  submittedAt: null,
  createdAt: EXECUTED_AT,
})

/** What a transaction paid, `minutes` after the swap was executed. */
const paid = (amount: bigint, { minutes = 1, paidIn = [] as Payments['paidIn'] } = {}): Payments => ({
  amount,
  paidIn,
  paidAt: EXECUTED_AT + minutes * MINUTE_MS,
})

/** What is told of a venue's claim, with what was asked of the chain and claimed of it. */
const hold = async (
  status: SwapStatus,
  answer: Payments | null | ChainError,
  swap = SWAP,
  { owed = 0n, isRecorded = true } = {},
) => {
  const asked: PaymentQuery[] = []
  const claimed: (readonly [string, bigint])[] = []
  const unread: RequestEvent[] = []
  const evidence: ChainEvidence = {
    payments: async (query) => {
      asked.push(query)
      if (answer instanceof ChainError) throw answer
      return answer
    },
  }
  const never = () => Promise.reject(new Error('must not be called'))
  const gather = createGather({
    evidence,
    solana: createFakeSolana(),
    store: {
      broadcasts: { find: never, claim: never, setAccepted: never, setFate: never, release: never },
      payoutClaims: {
        claim: async ({ txHash, least }) => {
          claimed.push([txHash, least])
          return owed
        },
        owed: async () => owed,
      },
    },
  })
  const record = isRecorded ? recordOf(swap) : null
  const question = { tracker: { track: async () => status }, ref: WALLETS.evm, quote: swap, record }
  const { signal } = new AbortController()
  const context = {
    requestId: 'req-1',
    caller: ANYBODY,
    client: 'anybody',
    signal,
    observe: (event: RequestEvent) => unread.push(event),
  }
  return { told: judge(await gather(question, context)).told, asked, unread, claimed }
}

const UNREADABLE = new ChainError('unreachable', 42161, 'no node')

describe('a claim of success', () => {
  it('stands when the transaction paid the recipient at least the guaranteed minimum, and tells what was seen', async () => {
    const { told, asked } = await hold(claim('success'), paid(98n))
    expect(told).toEqual({ state: 'success', venueStatus: 'CLAIM', deliveredAmount: 98n, txHash: DONE })
    expect(asked).toEqual([{ asset: order.output, recipient: WALLETS.evmOther, txHash: DONE }])
  })

  it.each([
    ['paid a unit less', paid(97n)],
    ['paid nothing', paid(0n)],
    ['is not on the chain', null],
  ] as const)('stays open when the transaction %s', async (_what, seen) => {
    const { told } = await hold(claim('success'), seen)
    expect(told).toEqual({ state: 'processing', venueStatus: 'CLAIM', deliveredAmount: null, txHash: null })
  })

  it('stays open when it names no transaction at all', async () => {
    const { told, asked } = await hold(claim('success', null), null)
    expect(told.state).toBe('processing')
    expect(asked).toEqual([])
  })

  it('never tells more than the venue does, nor more than was seen', async () => {
    expect((await hold(claim('success'), paid(150n))).told.deliveredAmount).toBe(99n)
    expect((await hold({ ...claim('success'), deliveredAmount: null }, paid(150n))).told.deliveredAmount).toBe(150n)
  })

  it.each(['garbage', '', '0x12', `0x${'zz'.repeat(32)}`, 'd0'.repeat(32), '5'.repeat(87)])(
    'stays open when it names %j, which no transaction of that chain is known by',
    async (txHash) => {
      const { told, asked, unread } = await hold(claim('success', txHash), UNREADABLE)
      expect(told).toEqual({ state: 'processing', venueStatus: 'CLAIM', deliveredAmount: null, txHash: null })
      expect([asked, unread]).toEqual([[], []])
    },
  )

  it('stays open when the transaction is older than the swap, clocks that differ by minutes aside', async () => {
    expect((await hold(claim('success'), paid(98n, { minutes: -6 }))).told.state).toBe('processing')
    expect((await hold(claim('success'), paid(98n, { minutes: -4 }))).told.state).toBe('success')
    expect((await hold(claim('success'), { ...paid(98n), paidAt: null })).told.state).toBe('success')
  })

  it('gives the miners of Bitcoin two hours', async () => {
    const toBitcoin = { ...SWAP, order: { ...order, output: nativeAsset(-1) } }
    const state = async (minutes: number) =>
      (await hold(claim('success', 'd0'.repeat(32)), paid(98n, { minutes }), toBitcoin)).told.state
    expect(await state(-119)).toBe('success')
    expect(await state(-121)).toBe('processing')
  })

  it('stays open when the transaction does not pay for this swap beside those it delivered before', async () => {
    const { told, claimed } = await hold(claim('success'), paid(195n), SWAP, { owed: 98n })
    expect(told).toEqual({ state: 'processing', venueStatus: 'CLAIM', deliveredAmount: null, txHash: null })
    expect(claimed).toEqual([[DONE, 98n]])
    expect((await hold(claim('success'), paid(196n), SWAP, { owed: 98n })).told).toMatchObject({
      state: 'success',
      deliveredAmount: 98n,
    })
  })

  it('is not looked for on the chain where it falls short by its own word', async () => {
    const { told, asked } = await hold({ ...claim('success'), deliveredAmount: toAmount(97n) }, paid(98n))
    expect(told).toEqual({ ...claim('processing'), deliveredAmount: toAmount(97n) })
    expect(asked).toEqual([])
  })

  it('is held against the recipient of the quote where our record is gone, if that named one', async () => {
    const unnamed = { ...SWAP, order: { ...order, unnamed: ['recipient'] as const } }
    const lost = { isRecorded: false }
    expect((await hold(claim('success'), paid(97n), SWAP, lost)).asked).toMatchObject([{ recipient: order.recipient }])
    expect((await hold(claim('success'), paid(97n), unnamed, lost)).asked).toEqual([])
    expect((await hold(claim('refunded'), null, SWAP, lost)).asked).toEqual([])
  })

  it('does not count as a delivery what did not pay enough by itself', async () => {
    expect((await hold(claim('success'), paid(97n))).claimed).toEqual([])
  })

  it('is the word of the venue where the chain cannot be read, and that is reported', async () => {
    const { told, unread } = await hold(claim('success'), UNREADABLE)
    expect(told).toEqual(claim('success'))
    expect(unread).toEqual([{ event: 'chain.unread', chainId: 42161, what: 'evidence', reason: 'no node' }])
  })

  it('needs any payment at all where the quote guaranteed no minimum', async () => {
    const swap = { ...SWAP, offer: { ...offer, slippage: null } }
    expect((await hold(claim('success'), paid(1n), swap)).told.state).toBe('success')
    expect((await hold(claim('success'), paid(0n, { paidIn: [USDT.address] }), swap)).told.state).toBe('processing')
  })
})

describe('a claim of a refund', () => {
  it('stands when the refund address was paid some of what was paid in', async () => {
    const { told, asked, claimed } = await hold(claim('refunded'), paid(100n, { paidIn: [order.input.address] }))
    expect(told.state).toBe('refunded')
    expect(claimed).toEqual([])
    expect(asked).toEqual([{ asset: order.input, recipient: WALLETS.evm, txHash: DONE }])
  })

  it('stands when it was paid what the venue bridged in its place, and not when it was paid just any token', async () => {
    const inUsdt = paid(0n, { paidIn: [USDT.address] })
    const named = { ...claim('refunded'), refundedIn: USDT }
    expect((await hold(named, inUsdt)).told.state).toBe('refunded')
    expect((await hold(claim('refunded'), inUsdt)).told.state).toBe('expired')
  })

  it.each([nativeAsset(8453), WETH])('stands when coins come back, wrapped or not, for %j', async (input) => {
    const swap = { ...SWAP, order: { ...order, input } }
    for (const token of [NATIVE, WETH.address])
      expect((await hold(claim('refunded'), paid(0n, { paidIn: [token] }), swap)).told.state).toBe('refunded')
    expect((await hold(claim('refunded'), paid(0n, { paidIn: [USDT.address] }), swap)).told.state).toBe('expired')
  })

  it.each([
    ['paid nothing', paid(0n)],
    ['is not on the chain', null],
  ] as const)('is still owed when the transaction %s', async (_what, seen) => {
    expect((await hold(claim('refunded'), seen)).told).toMatchObject({ state: 'expired', txHash: null, venueStatus: 'CLAIM' })
  })

  it('is still owed when the transaction is older than the swap, or none', async () => {
    const owed = { state: 'expired', txHash: null, venueStatus: 'CLAIM' }
    expect((await hold(claim('refunded'), paid(9n, { minutes: -6, paidIn: [order.input.address] }))).told).toMatchObject(owed)
    expect((await hold(claim('refunded', 'garbage'), UNREADABLE)).told).toMatchObject(owed)
  })

  it('is the word of the venue where it names no transaction, or the chain cannot be read', async () => {
    expect((await hold(claim('refunded', null), null)).told.state).toBe('refunded')
    expect((await hold(claim('refunded'), UNREADABLE)).told.state).toBe('refunded')
  })
})

it.each(['pending', 'processing', 'expired', 'failed', 'not_found', 'unknown'] as const)(
  'asks no chain about %s',
  async (state) => {
    const { told, asked } = await hold(claim(state), null)
    expect(told).toEqual(claim(state))
    expect(asked).toEqual([])
  },
)
