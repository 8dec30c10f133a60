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

/** What becomes of a swap when its venue misbehaves, or its chain, is in e2e/journeys and e2e/own. */

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

describe('a signed order', () => {
  test('tells amount and transaction once it is settled, net of the partner fee', async () => {
    const { swap, ref } = await posted({ feeBps: 100 })
    expect(await track(bench.venue, ref, swap)).toMatchObject({ state: 'pending', deliveredAmount: null, txHash: null })
    bench.clock.advance(20_000)
    const { state, deliveredAmount, txHash } = await track(bench.venue, ref, swap)
    expect([state, txHash]).toEqual(['success', expect.stringMatching(/^0x[0-9a-f]{64}$/)])
    // The market stood still, so the solvers give what was quoted, but for what is rounded.
    expect([999_999n, 1_000_000n]).toContain(((deliveredAmount ?? 0n) * 1_000_000n) / swap.offer.outputAmount)
  })

  test('waits while the market is below its minimum, and is filled once it came back', async () => {
    const { swap, ref } = await posted()
    bench.market.setPrice('ETH', 4_400_000_000n)
    bench.clock.advance(60_000)
    expect(await stateOf(ref, swap)).toBe('pending')
    bench.market.setPrice('ETH', 3_950_000_000n)
    bench.clock.advance(5 * 60_000)
    expect(await stateOf(ref, swap)).toBe('success')
  })

  test('is followed by its bare UID too, and without a record of ours', async () => {
    const { swap, ref } = await posted()
    expect(await stateOf(uidOf(ref), swap)).toBe('pending')
    expect(await stateOf(ref.toUpperCase().replace('0X', '0x').replace('MAINNET', 'mainnet'), swap)).toBe('pending')
    expect(await stateOf(ref, swap, 'without')).toBe('pending')
  })
})

describe('a ref of another swap is not found', () => {
  /** Its books as they are, told with changes. */
  const retold = async (uid: string, change: Body, shown?: unknown) => {
    const read = async (path: string) => (await fetch(`${bench.baseUrl}/mainnet/api/${path}`)).json() as Promise<Body>
    const [truth, trades] = [await read(`v1/orders/${uid}`), shown ?? (await read(`v2/trades?orderUid=${uid}`))]
    return cannedCow(({ path }) => ({ body: path.includes('/trades') ? trades : { ...truth, ...change } })).venue
  }

  test('when it is no UID, of another network, of another owner or never posted', async () => {
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

  test('when it is the same order, built and posted another time, or one of the same wallet for something else', async () => {
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

  test('when the book says of another order of the wallet that it is this one: without a record the UID itself decides', async () => {
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

describe('a native order', () => {
  test('is pending until its transaction is indexed, then goes its way; its hash and its UID are both refs', async () => {
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

  test('that expires is owed a refund, which comes by itself when it left more than 190 basis points of room [venue-cow]', async () => {
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

  test('that expires with less room stays owed until the coins are taken back, which the status says and how [venue-cow]', async () => {
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
  test('can only have placed the order that was handed out: which is asked for, and nothing without a record', async () => {
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

describe('the raw statuses', () => {
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

  test('what gave coins back beside a fill is named', async () => {
    const both = { ...fulfilled, ethflowData: { refundTxHash } }
    expect(await trackOver({ order: both }, etherToUsdc())).toMatchObject({ txHash: SETTLED, refundTx: refundTxHash })
  })

  test('a fill is the sum of its own settlements, and those of others do not count', async () => {
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

  test.each(statuses.others as [string, Body][])('an order of %s is not this swap’s', async (_name, fields) => {
    expect((await trackOver({ order: { ...fulfilled, ...fields } })).state).toBe('not_found')
    const tokens = { sellToken: USDC, buyToken: WETH, sellAmount: '1000000000' }
    const own = { ...tokens, owner: WALLETS.evm, receiver: WALLETS.evmOther, onchainUser: null }
    expect((await trackOver({ order: { ...fulfilled, ...own } })).state).toBe('success')
  })

  test('a native order is the contract’s, for the user who sent it', async () => {
    const fields = { owner: ETH_FLOW, sellToken: WETH, buyToken: USDC, receiver: WALLETS.evmOther }
    const told = async (onchainUser: string) =>
      (await trackOver({ order: { ...open, ...fields, onchainUser } }, etherToUsdc())).state
    expect(await told(WALLETS.evm)).toBe('pending')
    expect(await told(STRANGER)).toBe('not_found')
  })
})
