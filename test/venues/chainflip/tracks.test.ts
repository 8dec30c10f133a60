import { describe, expect, test } from 'vitest'
import { RAW_STATUSES } from '../../../engine/venues/chainflip/track.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, swapOf, track } from '../../support/venueKit/calls.ts'
import { pay } from '../everyVenue.ts'
import cases from './cases.json' with { type: 'json' }
import { type ChainflipBench, deposit, openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)
const HASH = `0x${'cd'.repeat(32)}`
const egress = (amount: string) => ({ amount, txRef: HASH, witnessedAt: 1 })
const REFUND = { refundEgress: egress('5') }
const SWAP = { swapEgress: egress('7') }

describe('status: a raw Chainflip status', () => {
  const TABLE = cases.statuses as unknown as readonly (readonly [what: object, state: string])[]

  test('has a row in the table for each documented value', () => {
    const listed = new Set(TABLE.map(([what]) => (what as { state: string }).state))
    for (const status of RAW_STATUSES) expect(listed).toContain(status)
  })

  test.each(TABLE.map(([what, state]) => [JSON.stringify(what), state, what] as const))(
    '%s is %s',
    async (_name, state, what) => {
      const bench = await open()
      const swap = await swapOf(bench.venue, orders.usdt())
      const { venue } = told(bench, { '/v2/swaps/': (body: object) => ({ ...body, ...what }) })
      const word = await track(venue, swap.execution.venueRef ?? '', swap)
      expect([word.state, word.venueStatus]).toEqual([state, (what as { state: string }).state])
      expect(word.deliveredAmount).toBe(state === 'success' ? 7n : null)
    },
  )

  test('of an expired channel without a deposit is failed', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, orders.sol())
    bench.clock.advance(25 * 3_600_000)
    expect((await track(bench.venue, swap.execution.venueRef ?? '', swap)).state).toBe('failed')
  })
})

test('status: reports a partial refund together with the delivery', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdt())
  const { venue } = told(bench, { '/v2/swaps/': (body: object) => ({ ...body, state: 'COMPLETED', ...SWAP, ...REFUND }) })
  expect(await track(venue, swap.execution.venueRef ?? '', swap)).toMatchObject({
    txHash: HASH,
    refundTx: HASH,
    refundedAmount: 5n,
  })
})

describe('status: an answer for another swap is not_found, with', () => {
  test.each([
    ['another channel', 'depositChannel.id', '1-Arbitrum-9'],
    ['no channel', 'depositChannel', undefined],
    ['another input', 'srcAsset', 'ETH'],
    ['another chain', 'destChain', 'Bitcoin'],
    ['another recipient', 'destAddress', 'SysvarC1ock11111111111111111111111111111111'],
    ['another refund address', 'fillOrKillParams.refundAddress', '0x000000000000000000000000000000000000dEaD'],
  ])('%s', async (_what, path, value) => {
    const bench = await open()
    const swap = await swapOf(bench.venue, orders.usdt())
    const { venue } = told(bench, { '/v2/swaps/': (body: object) => altered(body, path, value) })
    expect((await track(venue, swap.execution.venueRef ?? '', swap)).state).toBe('not_found')
  })

  test('status: a foreign ref, or one without a record, is not sent to the venue', async () => {
    const bench = await open()
    const [mine, other] = [await swapOf(bench.venue, orders.usdt()), await swapOf(bench.venue, orders.usdt())]
    const before = bench.sent.length
    expect((await track(bench.venue, other.execution.venueRef ?? '', mine)).state).toBe('not_found')
    expect((await track(bench.venue, HASH, mine)).state).toBe('not_found')
    expect((await track(bench.venue, mine.execution.venueRef ?? '', mine, 'without')).state).toBe('unknown')
    expect(bench.sent).toHaveLength(before)
  })
})

test('status: throttles requests for unknown channels, so that the venue never rate-limits', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc())
  const before = bench.sent.length
  for (let i = 10; i < 40; i += 1) {
    const ref = `0x${String(i).repeat(32)}`
    expect((await track(bench.venue, ref, swap)).state).toBe('not_found')
  }
  expect(bench.sent.length - before).toBe(6)
  bench.clock.advance(60_000)
  const ref = await pay(bench, swap)
  expect((await track(bench.venue, ref, swap)).state).toBe('processing')
})

describe('simulated Chainflip deposit', () => {
  const paid = async (bench: ChainflipBench, of: { amount?: bigint; afterMs?: number } = {}) => {
    const swap = await swapOf(bench.venue, orders.usdt())
    await bench.schedule.advance(of.afterMs ?? 0)
    await deposit(bench, swap, of.amount === undefined ? {} : { amount: of.amount })
    await bench.schedule.advance(60_000)
    return { swap, word: await track(bench.venue, swap.execution.venueRef ?? '', swap) }
  }

  test('above the quoted amount is swapped completely, and below it pro rata', async () => {
    const bench = await open()
    const usual = (await paid(bench)).word.deliveredAmount ?? 0n
    const { word: over, swap } = await paid(bench, { amount: 2_000_000_000n })
    expect([over.state, (over.deliveredAmount ?? 0n) > (usual * 199n) / 100n]).toEqual(['success', true])
    const { word: under } = await paid(bench, { amount: 500_000_000n })
    expect([under.state, (under.deliveredAmount ?? 0n) < (swap.offer.slippage?.guaranteedMin ?? 0n)]).toEqual(['success', true])
    expect(bench.network.payouts.map(({ amount }) => amount)).toEqual([usual, over.deliveredAmount, under.deliveredAmount])
  })

  test('below the minimum is lost, and a late one is not credited', async () => {
    const bench = await open()
    expect((await paid(bench, { amount: 1_000n })).word).toMatchObject({ state: 'failed', venueStatus: 'FAILED' })
    expect((await paid(bench, { afterMs: 25 * 3_600_000 })).word).toMatchObject({ state: 'failed', venueStatus: 'WAITING' })
    expect(bench.network.payouts).toEqual([])
  })
})

test('status: requests a swap at most once per State Chain block', async () => {
  const { venue } = await open()
  expect(venue.profile.limits).toEqual({ statusIntervalMs: 6_000, statusMissesPerMinute: 10 })
  expect(await venue.tracker?.track('x', { order: orders.sol(), offer: {} as never, executed: null }, never())).toMatchObject({
    state: 'unknown',
  })
})
