import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TransactionReceipt } from '../../../engine/chains/chains.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SwapStatus } from '../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { never, swapOf } from '../../support/venueKit/calls.ts'
import {
  cannedCow,
  ETH_FLOW,
  etherToUsdc,
  openBench,
  orderPlacement,
  quoteAnswer,
  STRANGER,
  sentBy,
  submitted,
  takenBack,
  track,
  trackedBy,
  USDC,
  usdcToWeth,
  WETH,
} from './support.ts'

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const TX = `0x${'e'.repeat(64)}`
const HALF_HOUR = 30 * 60_000
const TAKE_IT_BACK =
  'the minimum is less than 190 bps below the quote, so CoW may not return the coins by itself: anyone can, by invalidateOrder of EthFlow 0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'
type Body = Record<string, unknown>

const posted = async (wish = {}): Promise<{ swap: ExecutedSwap; ref: string }> => {
  const swap = await swapOf(bench.venue, usdcToWeth(wish))
  return { swap, ref: await submitted(bench.venue, swap) }
}

const sent = async (wish = {}): Promise<ExecutedSwap> => {
  const swap = await swapOf(bench.venue, etherToUsdc(wish))
  bench.sim.onTransaction(sentBy(swap))
  return swap
}

describe('a signed order', () => {
  test('goes through the auction to its settlement, and tells amount and transaction then', async () => {
    const { swap, ref } = await posted({ feeBps: 0 })
    const seen: SwapStatus[] = []
    for (const ms of [0, 2_000, 2_000, 4_000, 2_000, 4_000]) {
      bench.clock.advance(ms)
      seen.push(await track(bench.venue, ref, swap))
    }
    expect(seen.map(({ state, venueStatus }) => `${venueStatus}: ${state}`)).toEqual([
      'open: pending',
      'scheduled: pending',
      'active: pending',
      'solved: pending',
      'executing: processing',
      'fulfilled: success',
    ])
    const end = seen.at(-1)
    // The market stood still, so the solvers give what was quoted.
    expect(end?.deliveredAmount).toBe(swap.offer.outputAmount)
    expect(end?.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(seen.slice(0, -1).every(({ deliveredAmount, txHash }) => deliveredAmount === null && txHash === null)).toBe(true)
    expect(await track(bench.venue, ref, swap)).toEqual(end)
  })

  test('delivers net of the partner fee', async () => {
    const { swap, ref } = await posted({ feeBps: 100 })
    bench.clock.advance(20_000)
    const { deliveredAmount } = await track(bench.venue, ref, swap)
    const ratio = ((deliveredAmount ?? 0n) * 1_000_000n) / swap.offer.outputAmount
    expect([999_999n, 1_000_000n]).toContain(ratio)
  })

  test('waits while the market is below its minimum, and has failed once its time is over: nothing ever left the wallet', async () => {
    const { swap, ref } = await posted()
    bench.market.setPrice('ETH', 4_400_000_000n)
    bench.clock.advance(60_000)
    expect((await track(bench.venue, ref, swap)).state).toBe('pending')
    bench.clock.advance(HALF_HOUR)
    expect(await track(bench.venue, ref, swap)).toEqual({
      state: 'failed',
      venueStatus: 'expired',
      deliveredAmount: null,
      txHash: null,
    })
  })

  test('that never fills expires into failed', async () => {
    bench.faults.set('cow', 'never-fills', {}, 1)
    const { swap, ref } = await posted()
    bench.clock.advance(20_000)
    expect((await track(bench.venue, ref, swap)).state).toBe('pending')
    bench.clock.advance(HALF_HOUR)
    expect(await track(bench.venue, ref, swap)).toMatchObject({ state: 'failed', venueStatus: 'expired' })
  })

  test('that is cancelled has failed', async () => {
    bench.faults.set('cow', 'fails', {}, 1)
    const { swap, ref } = await posted()
    bench.clock.advance(20_000)
    expect(await track(bench.venue, ref, swap)).toMatchObject({ state: 'failed', venueStatus: 'cancelled' })
  })

  test('is no success when it delivered less than the signed minimum', async () => {
    bench.faults.set('cow', 'short-fill', {}, 1)
    const { swap, ref } = await posted()
    bench.clock.advance(20_000)
    expect(await track(bench.venue, ref, swap)).toEqual({
      state: 'processing',
      venueStatus: 'fulfilled',
      deliveredAmount: null,
      txHash: null,
    })
  })

  test('in a status nobody documented is unknown', async () => {
    const { swap, ref } = await posted()
    bench.faults.set('cow', 'unknown-status', {}, 1)
    expect(await track(bench.venue, ref, swap)).toMatchObject({ state: 'unknown', venueStatus: 'settlementDisputed' })
    expect((await track(bench.venue, ref, swap)).state).toBe('pending')
  })

  test('is followed by its bare UID too, and without a record of ours', async () => {
    const { swap, ref } = await posted()
    const uid = ref.slice('mainnet:'.length)
    expect((await track(bench.venue, uid, swap)).state).toBe('pending')
    expect((await track(bench.venue, ref.toUpperCase().replace('0X', '0x').replace('MAINNET', 'mainnet'), swap)).state).toBe(
      'pending',
    )
    const { order, offer } = swap
    expect((await bench.venue.tracker?.track(ref, { order, offer, executed: null }, never()))?.state).toBe('pending')
  })
})

describe('a ref of another swap is not found', () => {
  test('when it is no UID, of another network, of another owner or never posted', async () => {
    const { swap, ref } = await posted()
    const uid = ref.slice('mainnet:'.length)
    const before = bench.sent.length
    const { order, offer } = swap
    const without = { order, offer, executed: null }
    const strangers = `${uid.slice(0, 66)}${STRANGER.slice(2).toLowerCase()}${uid.slice(-8)}`
    for (const other of [
      '',
      'nonsense',
      TX,
      `base:${uid}`,
      `mainnet:${strangers}`,
      `mainnet:${uid}00`,
      `mainnet:${uid.slice(0, -2)}`,
    ])
      expect((await bench.venue.tracker?.track(other, without, never()))?.state).toBe('not_found')
    // All of that is known without asking.
    expect(bench.sent.length).toBe(before)
    const unposted = `mainnet:0x${'0'.repeat(64)}${uid.slice(66)}`
    expect((await bench.venue.tracker?.track(unposted, without, never()))?.state).toBe('not_found')
    expect((await track(bench.venue, unposted, swap)).state).toBe('not_found')
  })

  test('when it is the same order, built and posted another time', async () => {
    const first = await swapOf(bench.venue, usdcToWeth())
    bench.clock.advance(5_000)
    const { order, offer, binding } = first
    const second = { ...first, execution: await bench.venue.execute({ order, offer }, binding, never()) }
    const ref = await submitted(bench.venue, second)
    expect((await track(bench.venue, ref, second)).state).toBe('pending')
    expect((await track(bench.venue, ref, first)).state).toBe('not_found')
  })

  test('when the book says of another order of the wallet that it is this one: without a record the UID itself decides', async () => {
    const { swap } = await posted()
    const other = await posted({ amount: 2_000_000_000n })
    const { order, offer } = swap
    const uid = other.ref.slice('mainnet:'.length)
    const truth = (await (await fetch(`${bench.baseUrl}/mainnet/api/v1/orders/${uid}`)).json()) as Body
    const filled = { status: 'fulfilled', executedBuyAmount: '999000000000000000' }
    const claimed = { ...truth, ...filled, sellAmount: '1000000000', buyAmount: offer.slippage?.guaranteedMin.toString() }
    const told = async (body: Body) => {
      const trades = [{ orderUid: uid, buyAmount: '999000000000000000', txHash: `0x${'5'.repeat(64)}` }]
      const { venue } = cannedCow(({ path }) => ({ body: path.includes('/trades') ? trades : body }))
      return (await venue.tracker?.track(other.ref, { order, offer, executed: null }, never()))?.state
    }
    expect(await told(claimed)).toBe('not_found')
    // Nor by saying less of it.
    const { validTo: _validTo, ...vague } = claimed as Body
    expect(await told(vague)).toBe('not_found')
    expect(await told(filled)).toBe('not_found')
  })

  test('when it is a native order of somebody else to the same recipient, or nobody says whose', async () => {
    const swap = await sent()
    bench.clock.advance(20_000)
    const { order, offer } = swap
    const ref = swap.execution.venueRef ?? ''
    const uid = ref.slice('mainnet:'.length)
    const truth = (await (await fetch(`${bench.baseUrl}/mainnet/api/v1/orders/${uid}`)).json()) as Body
    const trades = (await (await fetch(`${bench.baseUrl}/mainnet/api/v2/trades?orderUid=${uid}`)).json()) as unknown
    const told = async (change: Body) => {
      const body = { ...truth, ...change }
      const { venue } = cannedCow(({ path }) => ({ body: path.includes('/trades') ? trades : body }))
      return (await venue.tracker?.track(ref, { order, offer, executed: null }, never()))?.state
    }
    expect(await told({})).toBe('success')
    expect(await told({ onchainUser: STRANGER })).toBe('not_found')
    expect(await told({ onchainUser: undefined })).toBe('not_found')
  })

  test('when it is a real order of the same wallet for something else', async () => {
    const { swap } = await posted()
    const other = await posted({ amount: 2_000_000_000n })
    const { order, offer } = swap
    expect((await track(bench.venue, other.ref, swap)).state).toBe('not_found')
    expect((await bench.venue.tracker?.track(other.ref, { order, offer, executed: null }, never()))?.state).toBe('not_found')
  })
})

describe('a native order', () => {
  test('is pending until its transaction is indexed, then goes its way; its hash and its UID are both refs', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    expect(await track(bench.venue, TX, swap)).toEqual({
      state: 'pending',
      venueStatus: null,
      deliveredAmount: null,
      txHash: null,
    })
    bench.sim.onTransaction(sentBy(swap))
    expect(await track(bench.venue, TX, swap)).toMatchObject({ state: 'pending', venueStatus: null })
    bench.clock.advance(3_000)
    expect(await track(bench.venue, TX, swap)).toMatchObject({ state: 'pending', venueStatus: 'open' })
    bench.clock.advance(11_000)
    expect(await track(bench.venue, TX, swap)).toMatchObject({ state: 'processing', venueStatus: 'executing' })
    bench.clock.advance(4_000)
    const end = await track(bench.venue, swap.execution.venueRef ?? '', swap)
    expect(end).toMatchObject({ state: 'success', venueStatus: 'fulfilled' })
    expect(end.deliveredAmount).toBeGreaterThanOrEqual(swap.execution.slippage?.guaranteedMin ?? 0n)
    expect(await track(bench.venue, TX, swap)).toEqual(end)
  })

  test('that expires is owed a refund, which comes by itself when it left more than 190 basis points of room', async () => {
    bench.faults.set('cow', 'never-fills', {}, null)
    const swap = await sent({ feeBps: 0, slippageBps: 191 })
    bench.clock.advance(HALF_HOUR + 1_000)
    expect(await track(bench.venue, TX, swap)).toEqual({
      state: 'expired',
      venueStatus: 'expired',
      deliveredAmount: null,
      txHash: null,
    })
    bench.clock.advance(5 * 60_000)
    const end = await track(bench.venue, TX, swap)
    expect(end).toMatchObject({ state: 'refunded', venueStatus: 'expired', deliveredAmount: null })
    expect(end.txHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('that expires with less room stays owed until the coins are taken back, which the status says and how', async () => {
    bench.faults.set('cow', 'never-fills', {}, null)
    // What is rounded, and what tells orders of one kind apart, leaves a little less than 190.
    const swap = await sent({ feeBps: 0, slippageBps: 190 })
    bench.clock.advance(3 * HALF_HOUR)
    expect(await track(bench.venue, TX, swap)).toMatchObject({
      state: 'expired',
      venueStatus: `expired (${TAKE_IT_BACK})`,
      txHash: null,
    })
    // With the longest status the book may tell in front of it; a caller gets 256 characters.
    expect(`${'x'.repeat(64)} (${TAKE_IT_BACK})`.length).toBeLessThanOrEqual(256)
    const invalidate = takenBack(swap)
    expect(bench.sim.onTransaction(invalidate)).toBe(true)
    expect(await track(bench.venue, TX, swap)).toMatchObject({
      state: 'refunded',
      venueStatus: 'expired',
      txHash: invalidate.txHash,
    })
  })

  test('that the book would not take is owed a refund and never a success', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const { data } = sentBy(swap)
    const unlinked = `${data.slice(0, -64)}${(7).toString(16).padStart(64, '0')}`
    bench.sim.onTransaction(sentBy(swap, { data: unlinked }))
    bench.clock.advance(60_000)
    expect(await track(bench.venue, TX, swap)).toMatchObject({
      state: 'expired',
      venueStatus: `QuoteNotFound (${TAKE_IT_BACK})`,
      deliveredAmount: null,
    })
  })
})

describe('the transaction of a native order', () => {
  const chains = createFakeChains()
  let native: VenueBench
  beforeEach(async () => {
    native = await openBench({ chains })
  })
  afterEach(async () => {
    chains.script.transactionReceipt = async () => null
    await native.close()
  })

  const placed = async (wish = {}): Promise<ExecutedSwap> => {
    const swap = await swapOf(native.venue, etherToUsdc(wish))
    native.sim.onTransaction(sentBy(swap))
    native.clock.advance(20_000)
    return swap
  }

  const receipt = (swap: ExecutedSwap, change: Partial<TransactionReceipt> = {}): TransactionReceipt => ({
    isSuccess: true,
    from: swap.order.sender.toLowerCase() as Hex,
    to: ETH_FLOW.toLowerCase() as Hex,
    logs: [orderPlacement(swap)],
    ...change,
  })

  const stateOf = async (swap: ExecutedSwap, executedSwap: ExecutedSwap | null = swap) => {
    const { order, offer } = swap
    return (await native.venue.tracker?.track(TX, { order, offer, executed: executedSwap }, never()))?.state
  }

  test('is recognised by the order it placed, even without a record of ours', async () => {
    const swap = await placed()
    chains.script.transactionReceipt = async () => receipt(swap)
    expect(await stateOf(swap)).toBe('success')
    expect(await stateOf(swap, null)).toBe('success')
    expect(chains.calls.at(-1)?.query).toEqual({ chainId: 1, hash: TX })
  })

  test('may place orders of others beside it', async () => {
    const swap = await placed()
    const other = await placed({ slippageBps: 300 })
    chains.script.transactionReceipt = async () => receipt(swap, { logs: [orderPlacement(other), orderPlacement(swap)] })
    expect(await stateOf(swap)).toBe('success')
  })

  test('is recognised inside the call of a contract wallet', async () => {
    const swap = await placed()
    const from = STRANGER.toLowerCase() as Hex
    chains.script.transactionReceipt = async () => receipt(swap, { from, to: from })
    expect(await stateOf(swap)).toBe('success')
  })

  test('is another swap’s when it placed another order, or none, or called another contract', async () => {
    const swap = await placed()
    const other = await placed({ slippageBps: 300 })
    const stranger = STRANGER.toLowerCase() as Hex
    const log = orderPlacement(swap)
    for (const change of [
      { logs: [orderPlacement(other)] },
      { logs: [orderPlacement(other), { ...log, address: stranger }] },
      { logs: [], to: stranger },
      { logs: [], from: stranger },
      { logs: [{ ...log, address: stranger }], to: stranger },
      { logs: [{ ...log, topics: [`0x${'1'.repeat(64)}` as Hex] }], to: stranger },
      { logs: [{ ...log, data: '0x12' as Hex }], to: stranger },
    ]) {
      chains.script.transactionReceipt = async () => receipt(swap, change)
      expect(await stateOf(swap)).toBe('not_found')
      expect(await stateOf(swap, null)).toBe('not_found')
    }
    // Without a record the order it placed is held against the quote.
    chains.script.transactionReceipt = async () => receipt(other)
    expect(await stateOf(await placed({ amount: 2n * 10n ** 18n }), null)).toBe('not_found')
  })

  test('that reverted placed nothing and has failed', async () => {
    const swap = await swapOf(native.venue, etherToUsdc())
    chains.script.transactionReceipt = async () => receipt(swap, { isSuccess: false, logs: [] })
    expect(await stateOf(swap)).toBe('failed')
    chains.script.transactionReceipt = async () =>
      receipt(swap, { isSuccess: false, logs: [], from: STRANGER.toLowerCase() as Hex })
    expect(await stateOf(swap)).toBe('not_found')
  })

  test('whose chain keeps no events is known by its caller, and whose chain is out of reach by our record', async () => {
    const swap = await placed()
    chains.script.transactionReceipt = async () => receipt(swap, { logs: [] })
    expect(await stateOf(swap)).toBe('success')
    chains.script.transactionReceipt = chainFails('unreachable', 1)
    expect(await stateOf(swap)).toBe('success')
    expect(await stateOf(swap, null)).toBe('not_found')
  })

  test('is none of a signed order’s', async () => {
    const { swap } = await posted()
    expect((await track(bench.venue, TX, swap)).state).toBe('not_found')
  })
})

describe('the raw statuses', () => {
  const SETTLED = `0x${'5'.repeat(64)}`

  /** What the tracker makes of canned answers; `null` is a 404. */
  const trackOver = async (
    answers: { order: Body | null; phase?: unknown; trades?: unknown; ownTrades?: readonly Body[]; phaseStatus?: number },
    order = usdcToWeth(),
  ): Promise<SwapStatus> => {
    let uid = ''
    const { venue } = cannedCow(({ path, method, body }) => {
      if (path.endsWith('/quote'))
        return {
          body: quoteAnswer(
            body as Body,
            order.input.address === USDC ? {} : { quote: { sellAmount: (10n ** 18n - 800_000n).toString() } },
          ),
        }
      if (method === 'PUT') return { body: path.split('/').at(-1) ?? '' }
      if (path.includes('/trades') && answers.ownTrades)
        return { body: answers.ownTrades.map((trade) => ({ ...trade, orderUid: uid })) }
      if (path.includes('/trades'))
        return { body: answers.trades ?? [{ orderUid: uid, buyAmount: '999000000000000000', txHash: SETTLED }] }
      if (path.endsWith('/status')) return { status: answers.phaseStatus ?? 200, body: answers.phase ?? { type: 'open' } }
      return answers.order && uid !== ''
        ? { body: answers.order }
        : { status: 404, body: { errorType: 'NotFound', description: '' } }
    })
    const swap = await swapOf(venue, order)
    uid = swap.execution.venueRef?.slice('mainnet:'.length) ?? ''
    return (await venue.tracker?.track(swap.execution.venueRef ?? '', trackedBy(swap), never())) as SwapStatus
  }

  test.each<[Body | null, unknown, SwapStatus['state'], string | null]>([
    [{ status: 'presignaturePending' }, null, 'pending', 'presignaturePending'],
    [{ status: 'open' }, { type: 'open' }, 'pending', 'open'],
    [{ status: 'open' }, { type: 'scheduled' }, 'pending', 'scheduled'],
    [{ status: 'open' }, { type: 'active' }, 'pending', 'active'],
    [{ status: 'open' }, { type: 'solved', value: [] }, 'pending', 'solved'],
    [{ status: 'open' }, { type: 'executing', value: [] }, 'processing', 'executing'],
    [{ status: 'open' }, { type: 'traded' }, 'success', 'traded'],
    [{ status: 'open' }, { type: 'cancelled' }, 'processing', 'cancelled'],
    [{ status: 'open' }, { type: 'never heard of' }, 'unknown', 'never heard of'],
    [{ status: 'fulfilled', executedBuyAmount: '999000000000000000' }, null, 'success', 'fulfilled'],
    [{ status: 'cancelled' }, null, 'failed', 'cancelled'],
    [{ status: 'expired' }, null, 'failed', 'expired'],
    [{ status: 'never heard of' }, null, 'unknown', 'never heard of'],
    [{ status: 'FULFILLED' }, null, 'unknown', 'FULFILLED'],
    [null, null, 'not_found', null],
  ])('of a signed order: %j with phase %j is %s', async (order, phase, state, venueStatus) => {
    expect(await trackOver({ order, phase })).toMatchObject({ state, venueStatus })
  })

  const refundTxHash = `0x${'7'.repeat(64)}`
  test.each<[Body | null, SwapStatus['state'], string | null]>([
    [{ status: 'open' }, 'pending', null],
    [{ status: 'fulfilled', executedBuyAmount: '999000000000000000' }, 'success', SETTLED],
    [{ status: 'cancelled', ethflowData: { refundTxHash: null } }, 'failed', null],
    [{ status: 'cancelled', ethflowData: { refundTxHash } }, 'refunded', refundTxHash],
    [{ status: 'expired', ethflowData: { refundTxHash: null } }, 'expired', null],
    [{ status: 'expired', ethflowData: null }, 'expired', null],
    [{ status: 'expired', ethflowData: { refundTxHash } }, 'refunded', refundTxHash],
    [{ status: 'open', onchainOrderData: { placementError: 'QuoteNotFound' } }, 'expired', null],
    [{ status: 'open', onchainOrderData: { placementError: 'ValidToTooFarInFuture' } }, 'expired', null],
    [{ status: 'fulfilled', onchainOrderData: { placementError: 'PreValidationError' } }, 'expired', null],
    [
      { status: 'open', onchainOrderData: { placementError: 'PreValidationError' }, ethflowData: { refundTxHash } },
      'refunded',
      refundTxHash,
    ],
    [null, 'pending', null],
  ])('of a native order: %j is %s', async (order, state, txHash) => {
    expect(await trackOver({ order }, etherToUsdc())).toMatchObject({ state, txHash })
  })

  test('open stands when its phase cannot be had', async () => {
    expect(await trackOver({ order: { status: 'open' }, phaseStatus: 500 })).toMatchObject({
      state: 'pending',
      venueStatus: 'open',
    })
  })

  test('a fill is the sum of its own settlements, and those of others do not count', async () => {
    const other = `0x${'9'.repeat(112)}`
    const order = { status: 'fulfilled' }
    expect(await trackOver({ order, trades: [] })).toMatchObject({ state: 'processing', deliveredAmount: null })
    expect(
      await trackOver({ order, trades: [{ orderUid: other, buyAmount: '999000000000000000', txHash: SETTLED }] }),
    ).toMatchObject({ state: 'processing' })
    // What the order tells and what its settlements show must both be enough.
    expect(await trackOver({ order: { ...order, executedBuyAmount: '1' } })).toMatchObject({ state: 'processing' })
    const full = { ...order, executedBuyAmount: '999000000000000000' }
    const ownTrades = [{ buyAmount: '1', txHash: SETTLED }]
    expect(await trackOver({ order: full, ownTrades })).toMatchObject({ state: 'processing' })
    expect(await trackOver({ order })).toMatchObject({
      state: 'success',
      deliveredAmount: 999_000_000_000_000_000n,
      txHash: SETTLED,
    })
  })

  test.each<[string, Body]>([
    ['another owner', { owner: STRANGER }],
    ['another sell token', { sellToken: WETH }],
    ['another buy token', { buyToken: USDC }],
    ['another receiver', { receiver: STRANGER }],
    ['no receiver, which is the owner', { receiver: null }],
    ['another amount', { sellAmount: '1' }],
    ['a lower minimum', { buyAmount: '1' }],
    ['another user behind it', { onchainUser: STRANGER }],
  ])('an order of %s is not this swap’s', async (_name, fields) => {
    const fulfilled = { status: 'fulfilled', executedBuyAmount: '999000000000000000' }
    expect((await trackOver({ order: { ...fulfilled, ...fields } })).state).toBe('not_found')
    const own = {
      owner: WALLETS.evm,
      sellToken: USDC,
      buyToken: WETH,
      receiver: WALLETS.evmOther,
      sellAmount: '1000000000',
      onchainUser: null,
    }
    expect((await trackOver({ order: { ...fulfilled, ...own } })).state).toBe('success')
  })

  test('a native order is the contract’s, for the user who sent it', async () => {
    const fields = { owner: ETH_FLOW, onchainUser: WALLETS.evm, sellToken: WETH, buyToken: USDC, receiver: WALLETS.evmOther }
    expect((await trackOver({ order: { status: 'open', ...fields } }, etherToUsdc())).state).toBe('pending')
    expect((await trackOver({ order: { status: 'open', ...fields, onchainUser: STRANGER } }, etherToUsdc())).state).toBe(
      'not_found',
    )
  })
})
