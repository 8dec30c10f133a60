import { describe, expect, test } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SwapState, SwapStatus } from '../../../engine/core/swapStatus.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { refusalOf, swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import { type Asked, canned } from '../../support/venueKit/canned.ts'
import { pay } from '../everyVenue.ts'
import { NATIVE, NATIVE_SOL, orders, USDC } from './orders.ts'
import statuses from './statuses.json' with { type: 'json' }
import { API_KEY, answerTo, casesOf, openBench, properAnswers, requestIdOf } from './support.ts'

const HASH = `0x${'51'.repeat(32)}`
const OTHER_HASH = `0x${'aa'.repeat(32)}`
const SIGNATURE = '5'.repeat(88)
const SECOND = 1_000
const MINUTE = 60_000
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }
const WITH_KEY = { apiKey: API_KEY }

const open = closedAfterEach(openBench)

/** A swap that was built, and what follows it. Due work happens at its own moment while time passes. */
const built = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}) => {
  const bench = await open(options)
  const swap = await swapOf(bench.venue, order)
  const { payload } = swap.execution
  const ref = payload.executionType === 'DEPOSIT' ? payload.deposit.address : HASH
  return {
    bench,
    swap,
    ref,
    pay: (txHash = HASH) => pay(bench, swap, txHash),
    pass: (ms: number): Promise<void> => bench.schedule.advance(ms),
    follow: (by = ref, record?: 'without'): Promise<SwapStatus> => track(bench.venue, by, swap, record),
    /** Followed with another carry of ours. */
    followBy: (carry: object) => {
      const execution = { ...swap.execution, carry: carry as typeof swap.execution.carry }
      return track(bench.venue, ref, { ...swap, executed: { ...swap.executed, execution } })
    },
  }
}

/** The same, paid and delivered. */
const delivered = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}) => {
  const it = await built(order, options)
  await it.pay()
  await it.pass(MINUTE)
  return it
}

describe('a swap from payment to delivery', () => {
  test.each([
    ['tokens', orders.usdc(), HASH],
    ['coins', orders.ether(), HASH],
    ['from Solana', orders.sol(), SIGNATURE],
    ['tokens from Solana', orders.solanaUsdc(), SIGNATURE],
    ['to Solana', orders.usdc({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }), HASH],
  ] as const)('%s: pending, processing, success', async (_name, order, ref) => {
    const { bench, swap, pay, pass, follow } = await built(order)
    expect(await follow(ref)).toEqual({ ...NOTHING, state: 'pending', venueStatus: 'waiting' })
    // By the request's id, and by nothing else.
    const { method, path, query } = bench.sent.at(-1) ?? {}
    expect(`${method} ${path}?${query}`).toBe(`GET /intents/status/v3?requestId=${requestIdOf(swap.execution)}`)
    await pay(ref)
    for (const venueStatus of ['depositing', 'pending', 'submitted']) {
      expect(await follow(ref)).toEqual({ ...NOTHING, state: 'processing', venueStatus })
      await pass(2 * SECOND)
    }
    const done = await follow(ref)
    expect(done).toMatchObject({ state: 'success', venueStatus: 'success', deliveredAmount: null })
    expect(done.txHash).toMatch(order.output.chainId === -2 ? /^[1-9A-HJ-NP-Za-km-z]{80,}$/ : /^0x[0-9a-f]{64}$/)
    // What the service broadcasts itself is followed by the venue’s own id.
    expect(await follow(requestIdOf(swap.execution))).toEqual(done)
  })

  test('from Bitcoin by the deposit address, a block being waited for', async () => {
    const { ref, pay, pass, follow } = await built(orders.bitcoin())
    expect(await follow()).toMatchObject({ state: 'pending', venueStatus: 'waiting' })
    await pay()
    for (const ms of [0, 30 * SECOND]) {
      await pass(ms)
      expect(await follow()).toMatchObject({ state: 'processing', venueStatus: 'pending' })
    }
    await pass(60 * MINUTE)
    for (const spelled of [ref, ref.toUpperCase()]) expect(await follow(spelled)).toMatchObject({ state: 'success' })
  })
})

test('what was delivered is told from the venue’s books, to those who have a key', async () => {
  const { bench, swap, follow } = await delivered(orders.ether(), WITH_KEY)
  expect(await follow()).toMatchObject({ state: 'success', deliveredAmount: 999_954_924_050_632_911n })
  const { path, query } = bench.sent.at(-1) ?? {}
  expect(`${path}?${query}`).toBe(`/requests/v3?id=${requestIdOf(swap.execution)}`)
})

describe('a swap that goes wrong', () => {
  test('one the chains refuse to fill is refunded, and one they refuse to refund has failed', async () => {
    const { bench, pay, pass, follow } = await built(orders.usdc({ to: [-2, USDC.solana], recipient: WALLETS.solana }))
    await pay()
    bench.network.refusal = 'the account is frozen'
    await pass(MINUTE)
    expect(await follow()).toMatchObject({ state: 'processing', venueStatus: 'delayed' })
    expect(bench.problems.splice(0)).toHaveLength(1)
    await pass(30 * MINUTE)
    expect(await follow()).toMatchObject({ state: 'failed' })
    expect(bench.problems.splice(0)).toHaveLength(1)
  })

  test('reverted on chain, it has failed although the venue still waits; another’s reverted transaction says nothing', async () => {
    const { bench, swap, follow } = await built(orders.usdc())
    const to = transactionOf(swap.execution).to.toLowerCase() as Hex
    const from = swap.order.sender.toLowerCase() as Hex
    const reverted = { isSuccess: false, from, to, logs: [] }
    bench.chains.script.transactionReceipt = async () => reverted
    expect(await follow()).toEqual({ ...NOTHING, state: 'failed', venueStatus: 'waiting' })
    expect(bench.chains.calls).toMatchObject([{ query: { chainId: 8453, hash: HASH } }])
    for (const other of [{ from: to }, { to: from }, { isSuccess: true }]) {
      bench.chains.script.transactionReceipt = async () => ({ ...reverted, ...other })
      expect(await follow()).toMatchObject({ state: 'pending' })
    }
    bench.chains.script.transactionReceipt = () => Promise.reject(new ChainError('timeout', 8453, 'late'))
    expect(await follow()).toMatchObject({ state: 'pending' })
  })
})

test.each([
  ['a transaction', orders.usdc(), 60 * MINUTE],
  ['a deposit in bitcoin', orders.bitcoin(), 24 * 60 * MINUTE],
] as const)('%s that is never paid has expired some time after its price', async (_name, order, grace) => {
  const { pay, pass, follow } = await built(order)
  await pass(30 * SECOND + grace)
  expect(await follow()).toMatchObject({ state: 'pending', venueStatus: 'waiting' })
  await pass(1)
  expect(await follow()).toEqual({ ...NOTHING, state: 'expired', venueStatus: 'waiting' })
  // Paid late it is a swap again.
  await pay()
  expect((await follow()).state).toBe('processing')
})

describe('a ref of another swap is not found', () => {
  const NOT_FOUND = { ...NOTHING, state: 'not_found' }

  test('another transaction, or another deposit address; another spelling is the same', async () => {
    const { follow } = await delivered(orders.usdc())
    expect(await follow(OTHER_HASH)).toEqual(NOT_FOUND)
    expect(await follow(HASH.toUpperCase().replace('0X', '0x'))).toMatchObject({ state: 'success' })
    const fromBitcoin = await built(orders.bitcoin())
    for (const ref of [WALLETS.bitcoin, 'ab'.repeat(32)]) expect(await fromBitcoin.follow(ref)).toEqual(NOT_FOUND)
  })

  test('a text that is no transaction, address or id is not even asked for', async () => {
    const { bench, follow } = await built(orders.usdc())
    const before = bench.sent.length
    for (const ref of ['', '0x51', SIGNATURE, WALLETS.evm, WALLETS.bitcoin, `${HASH}&index=1`, '../../v1'])
      expect(await follow(ref)).toEqual(NOT_FOUND)
    expect(bench.sent).toHaveLength(before)
  })

  test('an id the venue does not know; a carry of another version is a bad response', async () => {
    const { swap, followBy } = await built(orders.usdc())
    expect(await followBy({ ...(swap.execution.carry as object), requestId: OTHER_HASH })).toEqual(NOT_FOUND)
    expect((await refusalOf(followBy({ v: 2 }))).kind).toBe('badResponse')
  })
})

describe('without our record', () => {
  test('a venue without a key cannot be asked: nothing is known', async () => {
    const { bench, ref, follow } = await delivered(orders.usdc())
    const before = bench.sent.length
    expect(await follow(ref, 'without')).toEqual({ ...NOTHING, state: 'unknown' })
    expect(bench.sent).toHaveLength(before)
  })

  test('with a key it is found by what paid it', async () => {
    const { bench, ref, pay, pass, follow } = await built(orders.usdc(), WITH_KEY)
    expect(await follow(ref, 'without')).toEqual({ ...NOTHING, state: 'not_found' })
    await pay()
    await pass(MINUTE)
    expect(await follow(ref, 'without')).toMatchObject({ state: 'success', deliveredAmount: 249_950_500n })
    const asked = bench.sent.filter(({ path }) => path === '/requests/v3').map(({ query }) => String(query))
    expect(asked[0]).toBe(`depositTxHash=${HASH}`)
  })

  test('a deposit address by itself', async () => {
    const { bench, ref, follow } = await built(orders.bitcoin(), WITH_KEY)
    expect(await follow(ref, 'without')).toMatchObject({ state: 'pending' })
    expect(bench.sent.some(({ query }) => String(query) === `depositAddress=${ref}`)).toBe(true)
  })

  test.each<[string, VenueOrder]>([
    ['another recipient', orders.usdc({ recipient: WALLETS.evm })],
    ['another amount', orders.usdc({ amount: 250_000_001n })],
    ['another output token', orders.usdc({ to: [42161, NATIVE] })],
    ['another destination', orders.usdc({ to: [1, USDC.ethereum] })],
    ['another input token', orders.ether({ to: [42161, USDC.arbitrum], amount: 10n ** 17n })],
  ])('%s is another swap', async (_name, other) => {
    const { bench, pass, follow } = await built(orders.usdc(), WITH_KEY)
    const stranger = await swapOf(bench.venue, other)
    await pay(bench, stranger, OTHER_HASH)
    await pass(MINUTE)
    expect(await track(bench.venue, OTHER_HASH, stranger, 'without')).toMatchObject({ state: 'success' })
    expect(await follow(OTHER_HASH, 'without')).toEqual({ ...NOTHING, state: 'not_found' })
  })
})

describe('every raw status', async () => {
  const proper = await properAnswers(orders.usdc())
  const ask = async (body: unknown, status = 200) => {
    const answering = ({ path }: Asked) => (path === '/intents/status/v3' ? { status, body } : answerTo(proper, path))
    const { venue } = canned(relay, answering)
    return track(venue, HASH, await swapOf(venue, orders.usdc()))
  }

  // A refund that is owed, and not seen, is no end of a swap; a fill that was sent may be found in a block yet.
  test.each(casesOf<readonly (readonly [raw: string, more: object, SwapState, txHash: string | null])[]>(statuses))(
    '%s %o is %s',
    async (status, more, state, txHash) => {
      expect(await ask({ status, ...more })).toEqual({ state, venueStatus: status, deliveredAmount: null, txHash })
    },
  )

  test.each([400, 404])('HTTP %d is an id nobody knows', async (statusCode) => {
    expect(await ask({ message: 'no' }, statusCode)).toEqual({ ...NOTHING, state: 'not_found' })
  })

  test.each([
    ['not_found', { originChainId: 1 }],
    ['not_found', { destinationChainId: 10 }],
    ['success', { originChainId: 8453, destinationChainId: 42161 }],
  ])('%s, when the request is of %j', async (state, route) => {
    expect(await ask({ status: 'success', txHashes: ['0x01'], ...route })).toMatchObject({ state })
  })
})
