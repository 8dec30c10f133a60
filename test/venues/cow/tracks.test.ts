import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SwapState, VenueWord } from '../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { type Swap, swapOf, track } from '../../support/venueKit/calls.ts'
import statuses from './statuses.json' with { type: 'json' }
import {
  type Body,
  cannedCow,
  ETH_FLOW,
  ETHER_SPENT,
  etherToUsdc,
  openBench,
  quoteAnswer,
  STRANGER,
  sentBy,
  submitted,
  takenBack,
  USDC,
  uidOf,
  usdcToWeth,
  WETH,
} from './support.ts'

const chains = createFakeChains()
let bench: VenueBench
beforeEach(async () => {
  bench = await openBench({ chains })
})
afterEach(() => bench.close())

const TX = `0x${'e'.repeat(64)}`
const HALF_HOUR = 30 * 60_000
const TAKE_IT_BACK =
  'the minimum is less than 190 bps below the quote, so CoW may not return the coins by itself: anyone can, by invalidateOrder of EthFlow 0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'

const FILL = '999000000000000000'

const posted = async (wish = {}): Promise<{ swap: Swap; ref: string }> => {
  const swap = await swapOf(bench.venue, usdcToWeth(wish))
  return { swap, ref: await submitted(bench.venue, swap) }
}

const sent = async (wish = {}): Promise<Swap> => {
  const swap = await swapOf(bench.venue, etherToUsdc(wish))
  bench.sim.onTransaction(sentBy(swap))
  return swap
}

const stateOf = async (ref: string, swap: Swap, record: 'with' | 'without' = 'with', venue = bench.venue): Promise<SwapState> =>
  (await track(venue, ref, swap, record)).state

describe('status: a signed CoW order', () => {
  test('reports amount and transaction once settled, net of the partner fee', async () => {
    const { swap, ref } = await posted({ feeBps: 100 })
    expect(await track(bench.venue, ref, swap)).toMatchObject({ state: 'pending', deliveredAmount: null, txHash: null })
    bench.clock.advance(20_000)
    const { state, deliveredAmount, txHash } = await track(bench.venue, ref, swap)
    expect([state, txHash]).toEqual(['success', expect.stringMatching(/^0x[0-9a-f]{64}$/)])
    // The market stood still, so the solvers give what was quoted, but for what is rounded.
    expect([999_999n, 1_000_000n]).toContain(((deliveredAmount ?? 0n) * 1_000_000n) / swap.offer.outputAmount)
  })

  test('stays pending while the market is below its minimum, and is filled once it recovers', async () => {
    const { swap, ref } = await posted()
    bench.market.setPrice('ETH', 4_400_000_000n)
    bench.clock.advance(60_000)
    expect(await stateOf(ref, swap)).toBe('pending')
    bench.market.setPrice('ETH', 3_950_000_000n)
    bench.clock.advance(5 * 60_000)
    expect(await stateOf(ref, swap)).toBe('success')
  })

  test('is found by its bare UID, and without a record', async () => {
    const { swap, ref } = await posted()
    expect(await stateOf(uidOf(ref), swap)).toBe('pending')
    expect(await stateOf(ref.toUpperCase().replace('0X', '0x').replace('MAINNET', 'mainnet'), swap)).toBe('pending')
    expect(await stateOf(ref, swap, 'without')).toBe('pending')
  })
})

describe('status: a ref of another swap is not_found', () => {
  /** Its books as they are, told with changes. */
  const retold = async (uid: string, change: Body, shown?: unknown) => {
    const read = async (path: string) => (await fetch(`${bench.baseUrl}/mainnet/api/${path}`)).json() as Promise<Body>
    const [truth, trades] = [await read(`v1/orders/${uid}`), shown ?? (await read(`v2/trades?orderUid=${uid}`))]
    return cannedCow(({ path }) => ({ body: path.includes('/trades') ? trades : { ...truth, ...change } })).venue
  }

  test('for an invalid UID, another network, another owner or an order never posted', async () => {
    const { swap, ref } = await posted()
    const uid = uidOf(ref)
    const before = bench.sent.length
    const owned = `${uid.slice(0, 66)}${STRANGER.slice(2).toLowerCase()}${uid.slice(-8)}`
    for (const other of ['', 'nonsense', TX, `base:${uid}`, `mainnet:${owned}`, `mainnet:${uid}00`, ref.slice(0, -2)])
      expect(await stateOf(other, swap, 'without'), other).toBe('not_found')
    // All of that is known without asking.
    expect(bench.sent.length).toBe(before)
    for (const record of ['with', 'without'] as const)
      expect(await stateOf(`mainnet:0x${'0'.repeat(64)}${uid.slice(66)}`, swap, record)).toBe('not_found')
  })

  test('for the same order of another time, or another order of the same wallet', async () => {
    const { swap } = await posted()
    bench.clock.advance(5_000)
    const { order, offer, binding } = swap
    const again = await swapOf({ ...bench.venue, quote: async () => offer }, order, binding)
    const ref = await submitted(bench.venue, again)
    expect(await stateOf(ref, again)).toBe('pending')
    expect(await stateOf(ref, swap)).toBe('not_found')
    const other = await posted({ amount: 2_000_000_000n })
    for (const record of ['with', 'without'] as const) expect(await stateOf(other.ref, swap, record)).toBe('not_found')
  })

  test('when the book returns another order of the wallet; without a record, the UID decides', async () => {
    const { swap } = await posted()
    const { ref } = await posted({ amount: 2_000_000_000n })
    const trades = [{ orderUid: uidOf(ref), buyAmount: FILL, txHash: `0x${'5'.repeat(64)}` }]
    const filled = { status: 'fulfilled', executedBuyAmount: FILL }
    const claimed = { ...filled, sellAmount: '1000000000', buyAmount: swap.offer.slippage?.guaranteedMin.toString() }
    // Nor by saying less of it.
    const vague = { sellToken: undefined, buyToken: undefined, receiver: undefined, buyAmount: undefined, appData: undefined }
    for (const change of [claimed, { ...claimed, validTo: undefined }, { ...claimed, ...vague }])
      expect(await stateOf(ref, swap, 'without', await retold(uidOf(ref), change, trades))).toBe('not_found')
  })
})

describe('status: a native CoW order', () => {
  test('is pending until its transaction is indexed, then found by its hash and its UID', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const nothing = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }
    expect(await track(bench.venue, TX, swap)).toEqual(nothing)
    bench.sim.onTransaction(sentBy(swap))
    expect(await track(bench.venue, TX, swap)).toEqual(nothing)
    bench.clock.advance(3_000)
    expect(await track(bench.venue, TX, swap)).toMatchObject({ state: 'pending', venueStatus: 'open' })
    bench.clock.advance(15_000)
    const end = await track(bench.venue, swap.execution.venueRef ?? '', swap)
    expect(end).toMatchObject({ state: 'success', venueStatus: 'fulfilled' })
    expect(end.deliveredAmount).toBeGreaterThanOrEqual(swap.execution.slippage?.guaranteedMin ?? 0n)
    expect(await track(bench.venue, TX, swap)).toEqual(end)
  })

  test('that expires with more than 190 basis points of slippage is refunded automatically [venue-cow]', async () => {
    bench.faults.set('cow', 'never-fills', {}, null)
    const swap = await sent({ feeBps: 0, slippageBps: 191 })
    bench.clock.advance(HALF_HOUR + 1_000)
    expect(await track(bench.venue, TX, swap)).toEqual({
      state: 'expired',
      venueStatus: 'expired',
      deliveredAmount: null,
      txHash: null,
      refundTx: null,
    })
    bench.clock.advance(5 * 60_000)
    const end = await track(bench.venue, TX, swap)
    expect(end).toMatchObject({ state: 'refunded', venueStatus: 'expired', deliveredAmount: null })
    expect(end.txHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('that expires with less slippage stays refundable until the coins are claimed, and the status explains how [venue-cow]', async () => {
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

  test('refused by the book is refundable and never a success', async () => {
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

describe('status: the transaction of a native order', () => {
  test('reports the order that it placed, and is not_found without a record', async () => {
    const swap = await sent()
    bench.clock.advance(20_000)
    for (const hash of [TX, `0x${'A'.repeat(64)}`]) {
      expect(await stateOf(hash, swap)).toBe('success')
      expect(await stateOf(hash, swap, 'without')).toBe('not_found')
    }
    expect(await stateOf(swap.execution.venueRef ?? '', swap, 'without')).toBe('not_found')
    expect(chains.calls).toEqual([])
    const { swap: signed } = await posted()
    expect(await stateOf(TX, signed)).toBe('not_found')
  })
})

describe('status: the raw status', () => {
  const SETTLED = `0x${'5'.repeat(64)}`

  /** What the tracker makes of canned answers; an order of `null` is a 404. `ownTrades` are of the order. */
  const trackOver = async (
    answers: { order: Body | null; phase?: unknown; trades?: unknown; ownTrades?: readonly Body[] },
    order = usdcToWeth(),
  ): Promise<VenueWord> => {
    let uid = ''
    const { ownTrades = [{ buyAmount: FILL, txHash: SETTLED }] } = answers
    const { venue } = cannedCow(({ path, method, body }) => {
      if (path.endsWith('/quote'))
        return { body: quoteAnswer(body as Body, order.input.address === USDC ? {} : { quote: ETHER_SPENT }) }
      if (method === 'PUT') return { body: path.split('/').at(-1) ?? '' }
      if (path.includes('/trades'))
        return { body: answers.trades ?? [...ownTrades.map((trade) => ({ ...trade, orderUid: uid })), {}] }
      if (path.endsWith('/status')) return { body: answers.phase ?? { type: 'open' } }
      return answers.order && uid !== ''
        ? { body: answers.order }
        : { status: 404, body: { errorType: 'NotFound', description: '' } }
    })
    const swap = await swapOf(venue, order)
    uid = uidOf(swap.execution.venueRef)
    return track(venue, swap.execution.venueRef ?? '', swap)
  }

  const fulfilled = { status: 'fulfilled', executedBuyAmount: FILL }
  const open = { status: 'open' }
  test.each(statuses.signed as [Body | null, unknown, SwapState, string | null][])(
    'of a signed order: %j with phase %j is %s',
    async (order, phase, state, venueStatus) => {
      expect(await trackOver({ order, phase })).toMatchObject({ state, venueStatus })
    },
  )

  const refundTxHash = `0x${'7'.repeat(64)}`
  test.each(statuses.native as [Body | null, SwapState, string | null][])(
    'of a native order: %j is %s',
    async (order, state, txHash) => {
      expect(await trackOver({ order }, etherToUsdc())).toMatchObject({ state, txHash })
    },
  )

  test('with a refund beside a fill reports the refund transaction', async () => {
    const both = { ...fulfilled, ethflowData: { refundTxHash } }
    expect(await trackOver({ order: both }, etherToUsdc())).toMatchObject({ txHash: SETTLED, refundTx: refundTxHash })
  })

  test('of a fill sums only its own settlements', async () => {
    const order = { status: 'fulfilled' }
    const openStill = { state: 'processing', deliveredAmount: null }
    expect(await trackOver({ order, trades: [] })).toMatchObject(openStill)
    const others = [{ orderUid: `0x${'9'.repeat(112)}`, buyAmount: FILL, txHash: SETTLED }]
    expect(await trackOver({ order, trades: others })).toMatchObject(openStill)
    // What the order tells and what its settlements show must both be enough.
    expect(await trackOver({ order: { ...order, executedBuyAmount: '1' } })).toMatchObject(openStill)
    const ownTrades = [{ buyAmount: '1', txHash: SETTLED }]
    expect(await trackOver({ order: fulfilled, ownTrades })).toMatchObject(openStill)
    expect(await trackOver({ order })).toMatchObject({ state: 'success', deliveredAmount: BigInt(FILL), txHash: SETTLED })
  })

  test.each(statuses.others as [string, Body][])('of an order of %s belongs to another swap', async (_name, fields) => {
    expect((await trackOver({ order: { ...fulfilled, ...fields } })).state).toBe('not_found')
    const tokens = { sellToken: USDC, buyToken: WETH, sellAmount: '1000000000' }
    const own = { ...tokens, owner: WALLETS.evm, receiver: WALLETS.evmOther, onchainUser: null }
    expect((await trackOver({ order: { ...fulfilled, ...own } })).state).toBe('success')
  })

  test('of a native order has the contract as owner and the sender as user', async () => {
    const fields = { owner: ETH_FLOW, sellToken: WETH, buyToken: USDC, receiver: WALLETS.evmOther }
    const told = async (onchainUser: string) =>
      (await trackOver({ order: { ...open, ...fields, onchainUser } }, etherToUsdc())).state
    expect(await told(WALLETS.evm)).toBe('pending')
    expect(await told(STRANGER)).toBe('not_found')
  })
})
