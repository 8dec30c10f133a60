import { afterAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered, alteredBy, depositOf, refusalOf, swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import table from './books.json' with { type: 'json' }
import { orders, RECIPIENT_BTC } from './orders.ts'
import recordings from './recordings.json' with { type: 'json' }
import statuses from './statuses.json' with { type: 'json' }
import { API_KEY, casesOf, openBench, requestIdOf, told } from './support.ts'

/**
 * What the adapter makes of what the venue says of a swap: GET /intents/status/v3, and with a key its books, GET /requests/v3, in
 * all the shapes its reference allows. What the simulated venue does with money is in the journeys.
 */

const HASH = `0x${'51'.repeat(32)}`
const OTHER_HASH = `0x${'aa'.repeat(32)}`
const FILL = `0x${'8c'.repeat(32)}`
const NEXT = `0x${'22'.repeat(32)}`
const THIRD = `0x${'33'.repeat(32)}`
const MINUTE = 60_000
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }
const NOT_FOUND = { ...NOTHING, state: 'not_found' }
const PAID = { status: 'success', inTxHashes: [HASH], txHashes: [FILL] }
const COIN = orders.bitcoin()

const bench = await openBench()
afterAll(() => bench.close())

type Known = { readonly requestId: string; readonly address: string }
/** What the books say to a question for the request of this id; for what paid it, the id is null. */
type Books = (known: Known, id: string | null) => unknown

/** A swap that was built. `status`: what the venue says of its request, and `success` of all others; nothing else has a key. */
const built = async (order = orders.usdc(), status: Answer = { body: PAID }, books: Books | null = null) => {
  const clock = { now: START_OF_TIME }
  const known = { requestId: '', address: '' }
  const { venue, asked, chains } = told(bench, {
    now: () => clock.now,
    ...(books && { apiKey: API_KEY }),
    instead: ({ path, query }) => {
      if (path === '/requests/v3') return { body: books?.(known, query.get('id')) }
      if (path !== '/intents/status/v3') return null
      return query.get('requestId') === known.requestId ? status : { body: PAID }
    },
  })
  const swap = await swapOf(venue, order)
  known.requestId = requestIdOf(swap.execution)
  known.address = order === COIN ? depositOf(swap.execution).address : ''
  const ref = known.address || HASH
  const questions = () => asked.filter(({ method, path }) => method === 'GET' && path !== '/chains')
  return {
    ...{ swap, clock, chains, ref, known },
    follow: (by = ref, record?: 'without', followed = swap) => track(venue, by, followed, record),
    /** What was asked of the venue after the swap was built. */
    questions: () => questions().map(({ path, query }) => `${path}?${query}`),
    /** The requests whose status was asked for. */
    followed: () => questions().flatMap(({ query }) => query.get('requestId')?.replace(known.requestId, 'the first') ?? []),
  }
}

describe('every raw status', () => {
  // A refund that is owed, and not seen, is no end of a swap; a fill that was sent may be found in a block yet.
  test.each(casesOf<readonly (readonly [raw: string, more: object, SwapState, txHash: string | null])[]>(statuses))(
    '%s %o is %s',
    async (status, more, state, txHash) => {
      const { follow } = await built(orders.usdc(), { body: { status, ...more } })
      expect(await follow()).toEqual({ state, venueStatus: status, deliveredAmount: null, txHash })
    },
  )

  test.each([400, 404])('HTTP %d is an id nobody knows', async (status) => {
    const { follow } = await built(orders.usdc(), { status, body: { message: 'no' } })
    expect(await follow()).toEqual(NOT_FOUND)
  })

  test.each([
    ['not_found', { originChainId: 1 }],
    ['not_found', { destinationChainId: 10 }],
    ['success', { originChainId: 8453, destinationChainId: 42161 }],
  ])('%s, when the request is of %j', async (state, route) => {
    expect(await (await built(orders.usdc(), { body: { ...PAID, ...route } })).follow()).toMatchObject({ state })
  })
})

describe('a ref', () => {
  test.each([
    ['of an EVM chain', orders.usdc(), HASH, HASH.toUpperCase().replace('0X', '0x'), OTHER_HASH],
    ['of Solana', orders.sol(), '5'.repeat(88), null, '4'.repeat(88)],
    ['of Bitcoin', COIN, null, null, WALLETS.bitcoin],
  ] as const)('%s, in another spelling, or the venue’s own id asks for the one request; another is not found', async (...row) => {
    const [, order, hash, spelled, other] = row
    const { known, ref, follow, followed } = await built(order, { body: { ...PAID, inTxHashes: [hash ?? HASH] } })
    const refs = [hash ?? ref, spelled ?? hash ?? ref.toUpperCase(), known.requestId, known.requestId.toUpperCase()]
    for (const one of refs) expect(await follow(one)).toMatchObject({ state: 'success', txHash: FILL })
    expect(followed()).toEqual(refs.map(() => 'the first'))
    expect(await follow(other)).toEqual(NOT_FOUND)
  })

  test('that is no transaction, address or id is not even asked for', async () => {
    const { follow, questions } = await built()
    for (const ref of ['', '0x51', '5'.repeat(88), WALLETS.evm, WALLETS.bitcoin, `${HASH}&index=1`, '../../v1'])
      expect(await follow(ref)).toEqual(NOT_FOUND)
    expect(questions()).toEqual([])
  })
})

test('a carry of another version is a bad response', async () => {
  const { swap, ref, follow } = await built()
  const strange = altered(swap, 'executed.execution.carry', { v: 2 })
  expect((await refusalOf(follow(ref, undefined, strange))).kind).toBe('badResponse')
})

test('reverted on chain, it has failed although the venue still waits', async () => {
  const { swap, chains, follow } = await built(orders.usdc(), { body: { status: 'waiting' } })
  const to = transactionOf(swap.execution).to.toLowerCase() as Hex
  const from = swap.order.sender.toLowerCase() as Hex
  chains.script.transactionReceipt = async () => ({ isSuccess: false, from, to, logs: [] })
  expect(await follow()).toEqual({ ...NOTHING, state: 'failed', venueStatus: 'waiting' })
})

test.each([
  ['a transaction', orders.usdc(), 60 * MINUTE],
  ['a deposit in bitcoin', COIN, 24 * 60 * MINUTE],
] as const)(
  '%s that is never paid has expired some time after its price; paid late it is a swap again',
  async (_name, order, grace) => {
    const said: { body: unknown } = { body: { status: 'waiting' } }
    const { clock, follow } = await built(order, said)
    clock.now += MINUTE / 2 + grace
    expect(await follow()).toMatchObject({ state: 'pending', venueStatus: 'waiting' })
    clock.now += 1
    expect(await follow()).toEqual({ ...NOTHING, state: 'expired', venueStatus: 'waiting' })
    for (const status of ['waiting', 'depositing']) {
      said.body = { status, inTxHashes: [HASH] }
      expect((await follow()).state).toBe(status === 'waiting' ? 'pending' : 'processing')
    }
  },
)

const CASES = casesOf<
  Record<'told' | 'untold', readonly (readonly [path: string, value: unknown])[]> &
    Pick<typeof table, 'record'> & { readonly sealed: readonly (readonly [what: string, string, unknown, SwapState])[] }
>(table)
const record = (id: string) => ({ id, ...CASES.record })
const withRecord =
  (path: string, value: unknown): Books =>
  ({ requestId }) => ({ requests: [altered(record(requestId), path, value)] })
const followBy = async (books: Books) => (await built(orders.usdc(), { body: PAID }, books)).follow()

describe('what was delivered, by the books', () => {
  const SUCCESS = { state: 'success', txHash: FILL }

  test('is read from a request of the live books, by its id and by the transaction that paid it', async () => {
    const wallet = addressOf('evm', '0x33a72bee62d544e38be22dfe0f4b131af2a88725')
    const parties = { sender: wallet, recipient: wallet }
    const order = orders.ether({ from: [42161, NATIVE], to: [8453, NATIVE], amount: 60_000_000_000_000n, ...parties })
    const live: Books = ({ requestId: id }) => ({ requests: [{ id, ...recordings.liveRequest.record }], continuation: 'WzE3O' })
    const { follow, questions, known } = await built(order, { body: PAID }, live)
    for (const way of [undefined, 'without'] as const)
      expect(await follow(HASH, way)).toMatchObject({ ...SUCCESS, deliveredAmount: 49_426_938_842_266n })
    const asked = [`id=${known.requestId}`, `depositTxHash=${HASH}`, `id=${known.requestId}`]
    expect(questions().filter((one) => one.startsWith('/requests'))).toEqual(asked.map((query) => `/requests/v3?${query}`))
  })

  test.each(CASES.told)('is told although %s is %j', async (path, value) => {
    expect(await followBy(withRecord(path, value))).toMatchObject({ ...SUCCESS, deliveredAmount: 249_950_501n })
  })

  // The retired /requests/v2 kept it in `data.metadata`.
  test.each(CASES.untold)('is not known when %s is %j, and the swap is a success all the same', async (path, value) => {
    expect(await followBy(withRecord(path, value))).toMatchObject({ ...SUCCESS, deliveredAmount: null })
  })

  test.each<[string, Books]>([
    ['no request', () => ({ requests: [] })],
    ['two', ({ requestId }) => ({ requests: [record(requestId), record(requestId)] })],
    ['a list of another form', () => []],
    ['a record that is none', () => ({ requests: [null] })],
  ])('is not known from %s', async (_what, books) => {
    expect(await followBy(books)).toMatchObject({ ...SUCCESS, deliveredAmount: null })
  })
})

const QUOTED = 'data.route.quoted'
const BITCOIN = { chainId: 8253038, address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8' }
const ON_BASE = { chainId: 8453, address: USDC.base }

/** The record of a deposit in bitcoin. */
const depositRecord = (id: string, address: string | null, paid: string, supersededByRequestId: string | null = null) =>
  alteredBy(record(id), [
    ['depositAddress', address && { address, type: 'open', depositor: WALLETS.bitcoin }],
    ['supersededByRequestId', supersededByRequestId],
    [`${QUOTED}.origin.inputCurrency`, { currency: BITCOIN, amount: paid }],
    [`${QUOTED}.destination.outputCurrency`, { currency: ON_BASE, amount: '1' }],
    ['data.route.actual.destination.outputCurrency', { currency: ON_BASE, amount: '970000000' }],
  ])

/** Since September 2026 a deposit that does not pay its order is quoted again, and filled under another request. */
describe('a deposit that was quoted again', () => {
  const PENDING = { body: { status: 'pending', inTxHashes: [HASH] } }
  /** The first request is superseded by another, of which the books say this. */
  const chained =
    (by: string | null, others: (known: Known) => readonly ReturnType<typeof depositRecord>[] = () => []): Books =>
    (known, id) => {
      const first = depositRecord(known.requestId, known.address, '999000', by ?? known.requestId)
      return { requests: [first, ...others(known)].filter((each) => each.id === id) }
    }
  const next = (address: string, by: string | null = null) => depositRecord(NEXT, address, '999000', by)
  const elsewhere = [`${QUOTED}.destination.outputCurrency.currency.address`, USDC.arbitrum] as const

  test.each<[string, string, Books | null]>([
    ['the request that fills it', NEXT, chained(NEXT, ({ address }) => [next(address)])],
    ['and again', THIRD, chained(NEXT, ({ address }) => [next(address, THIRD), depositRecord(THIRD, address, '999000')])],
    ['none without a key', 'the first', null],
    ['none that nobody knows', 'the first', chained(NEXT)],
    ['none of another address', 'the first', chained(NEXT, () => [next(WALLETS.bitcoin)])],
    [
      'none for another recipient',
      'the first',
      chained(NEXT, ({ address }) => [altered(next(address), 'recipient', WALLETS.evm)]),
    ],
    ['none for another token', 'the first', chained(NEXT, ({ address }) => [altered(next(address), ...elsewhere)])],
    ['not to itself', 'the first', chained(null)],
    ['not in a circle', 'the first', chained(NEXT, ({ address, requestId }) => [next(address, requestId)])],
    ['nowhere, the books being shut', 'the first', () => ({ requests: [] })],
    ['to no text that is no id', 'the first', chained('0x22')],
  ])('is followed to %s: %s', async (_name, end, books) => {
    const { follow, followed } = await built(COIN, PENDING, books)
    const status = await follow()
    expect(followed()).toEqual([end])
    if (end === 'the first') expect(status).toEqual({ ...NOTHING, state: 'processing', venueStatus: 'pending' })
    else expect(status).toEqual({ state: 'success', venueStatus: 'success', deliveredAmount: 970_000_000n, txHash: FILL })
  })
})

describe('without our record', () => {
  test('a venue without a key cannot be asked: nothing is known', async () => {
    const { ref, follow, questions } = await built()
    expect(await follow(ref, 'without')).toEqual({ ...NOTHING, state: 'unknown' })
    expect(questions()).toEqual([])
  })

  test.each(CASES.sealed)('the request of a transaction with %s: %s = %j is %s', async (_what, path, value, state) => {
    const { ref, follow } = await built(orders.usdc(), { body: PAID }, withRecord(path, value))
    expect(await follow(ref, 'without')).toMatchObject({ state })
  })

  test.each([
    ['the address that was paid', undefined, 'success'],
    ['another', RECIPIENT_BTC, 'not_found'],
    ['none', null, 'not_found'],
  ])('the request of a deposit at %s', async (_what, at, state) => {
    const books: Books = ({ requestId, address }) => ({
      requests: [depositRecord(requestId, at === undefined ? address : at, '1000000')],
    })
    const { ref, follow, questions } = await built(COIN, { body: PAID }, books)
    expect(await follow(ref, 'without')).toMatchObject({ state })
    expect(questions()).toContain(`/requests/v3?depositAddress=${ref}`)
  })
})
