import { afterAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { SwapState, VenueWord } from '../../../engine/core/swapStatus.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { alteredBy, depositOf, swapOf, track } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import table from './books.json' with { type: 'json' }
import type { Change } from './forging.ts'
import recordings from './recordings.json' with { type: 'json' }
import statuses from './statuses.json' with { type: 'json' }
import { API_KEY, casesOf, openBench, orders, requestIdOf, told } from './support.ts'

/** Statuses of GET /intents/status/v3, and with an API key the request records of GET /requests/v3. */

const HASH = `0x${'51'.repeat(32)}`
const OTHER_HASH = `0x${'aa'.repeat(32)}`
const FILL = `0x${'8c'.repeat(32)}`
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }
const NOT_FOUND = { ...NOTHING, state: 'not_found' }
const PAID = { status: 'success', inTxHashes: [HASH], txHashes: [FILL] }
const COIN = orders.bitcoin()

const bench = await openBench()
afterAll(() => bench.close())

const CASES = casesOf<
  Pick<typeof table, 'record'> & {
    readonly deposit: readonly Change[]
    readonly transactions: readonly (readonly [path: string, value: unknown, delivered: string | null, state: string])[]
    readonly requotes: readonly (readonly [to: string, books: { readonly [id: string]: readonly Change[] } | null, end: string])[]
    readonly addresses: readonly (readonly [what: string, changes: readonly Change[], state: SwapState])[]
  }
>(table)

/** The records that the books have, by the id that they are asked for, or all of an address; what is changed in a usual one. */
type Books = { readonly [id: string]: readonly (readonly Change[])[] }

/** A swap that was built. `status`: what the venue says of its request, and success of all others. Books are for who has a key. */
const built = async (order = orders.usdc(), status: Answer = { body: PAID }, books: Books | null = null) => {
  const clock = { now: START_OF_TIME }
  const known = { '<first>': '', '<address>': '', '<next>': `0x${'22'.repeat(32)}`, '<third>': `0x${'33'.repeat(32)}` }
  const nameOf = (id: string | null) => Object.entries(known).find(([, value]) => value === id)?.[0] ?? '<first>'
  const recordsOf = (name: string) => {
    const records = books?.[name]?.map((changes) => alteredBy({ id: name, ...CASES.record }, changes)) ?? []
    const text = JSON.stringify({ requests: records, continuation: 'WzE3' })
    return JSON.parse(Object.entries(known).reduce((filled, [mark, value]) => filled.replaceAll(mark, value), text))
  }
  const { venue, asked } = told(bench, {
    now: () => clock.now,
    ...(books && { apiKey: API_KEY }),
    instead: ({ path, query }) => {
      const isOfAddress = query.has('depositAddress') && books?.['<all>'] !== undefined
      if (path === '/requests/v3') return { body: recordsOf(isOfAddress ? '<all>' : nameOf(query.get('id'))) }
      if (path !== '/intents/status/v3') return null
      return query.get('requestId') === known['<first>'] ? status : { body: PAID }
    },
  })
  const swap = await swapOf(venue, order)
  known['<first>'] = requestIdOf(swap.execution)
  known['<address>'] = order === COIN ? depositOf(swap.execution).address : ''
  const ref = known['<address>'] || HASH
  const questions = () => asked.filter(({ method, path }) => method === 'GET' && path !== '/chains')
  return {
    ...{ clock, ref, requestId: known['<first>'] },
    follow: (by = ref, record?: 'without') => track(venue, by, swap, record),
    /** What was asked of the venue after the swap was built. */
    questions: () => questions().map(({ path, query }) => `${path}?${query}`),
    /** The requests whose status was asked for. */
    followed: () =>
      questions()
        .flatMap(({ query }) => query.get('requestId') ?? [])
        .map(nameOf),
  }
}

describe('status: the raw Relay status', () => {
  // A refund that is owed, and not seen, is no end of a swap; a fill that was sent may be found in a block yet.
  // Of a transaction its payments are named, of a refund by two both: which of them is the wallet's the chain shows.
  test.each(
    casesOf<readonly (readonly [raw: string, more: object, SwapState, txHash: string | null, named: object])[]>(statuses),
  )('%s %o is %s', async (status, more, state, txHash, named) => {
    const { follow } = await built(orders.usdc(), { body: { status, ...more } })
    expect(await follow()).toEqual({ state, venueStatus: status, deliveredAmount: null, txHash, ...named })
  })

  test.each([400, 404])('of an unknown id with HTTP %d is not_found', async (status) => {
    const { follow } = await built(orders.usdc(), { status, body: { message: 'no' } })
    expect(await follow()).toEqual(NOT_FOUND)
  })

  test.each([
    ['not_found', { originChainId: 1 }],
    ['not_found', { destinationChainId: 10 }],
    ['success', { originChainId: 8453, destinationChainId: 42161 }],
  ])('is %s for a request with %j', async (state, route) => {
    expect(await (await built(orders.usdc(), { body: { ...PAID, ...route } })).follow()).toMatchObject({ state })
  })
})

describe('status: a Relay ref', () => {
  test.each([
    ['of an EVM chain', orders.usdc(), HASH, HASH.toUpperCase().replace('0X', '0x'), OTHER_HASH],
    ['of Solana', orders.sol(), '5'.repeat(88), null, '4'.repeat(88)],
    ['of Bitcoin', COIN, null, null, WALLETS.bitcoin],
  ] as const)(
    '%s, in another spelling or as the request id, finds the same request; another ref is not_found',
    async (...row) => {
      const [, order, hash, spelled, other] = row
      const { requestId, ref, follow, followed } = await built(order, { body: { ...PAID, inTxHashes: [hash ?? HASH] } })
      const refs = [hash ?? ref, spelled ?? hash ?? ref.toUpperCase(), requestId, requestId.toUpperCase()]
      for (const one of refs) expect(await follow(one)).toMatchObject({ state: 'success', txHash: FILL })
      expect(followed()).toEqual(refs.map(() => '<first>'))
      expect(await follow(other)).toEqual(NOT_FOUND)
    },
  )

  test('that is no transaction, address or id is not requested', async () => {
    const { follow, questions } = await built()
    for (const ref of ['', '0x51', '5'.repeat(88), WALLETS.evm, WALLETS.bitcoin, `${HASH}&index=1`, '../../v1'])
      expect(await follow(ref)).toEqual(NOT_FOUND)
    expect(questions()).toEqual([])
  })
})

// Neither ends because the venue waits: a call can be made at any time, and of an address the chain and its life decide.
test.each([
  ['a transaction', orders.usdc()],
  ['a deposit in bitcoin', COIN],
] as const)('status: %s that was never paid stays pending at any age', async (_name, order) => {
  const { clock, follow } = await built(order, { body: { status: 'waiting' } })
  clock.now += 400 * 86_400_000
  expect(await follow()).toEqual({ ...NOTHING, state: 'pending', venueStatus: 'waiting' })
})

const SUCCESS = { state: 'success', txHash: FILL }

test('status: a recorded request reports the delivered amount', async () => {
  const wallet = addressOf('evm', '0x33a72bee62d544e38be22dfe0f4b131af2a88725')
  const parties = { sender: wallet, recipient: wallet }
  const order = orders.ether({ from: [42161, NATIVE], to: [8453, NATIVE], amount: 60_000_000_000_000n, ...parties })
  const live = Object.entries(recordings.liveRequest.record)
  const { follow, questions, requestId } = await built(order, { body: PAID }, { '<first>': [live] })
  expect(await follow()).toMatchObject({ ...SUCCESS, deliveredAmount: 49_426_938_842_266n, paidBy: [HASH] })
  expect(questions().filter((one) => one.startsWith('/requests'))).toEqual([`/requests/v3?id=${requestId}`])
})

// The retired /requests/v2 kept what was delivered in `data.metadata`.
test.each(CASES.transactions)(
  'status: a request with %s = %j has %s delivered; by its address, without a record: %s',
  async (path, value, delivered, state) => {
    const change: Change = [path, value === '<left out>' ? undefined : value]
    const own = await built(orders.usdc(), { body: PAID }, { '<first>': [[change]] })
    expect(await own.follow()).toMatchObject({ ...SUCCESS, deliveredAmount: delivered && BigInt(delivered) })
    const { ref, follow } = await built(COIN, { body: PAID }, { '<first>': [[...CASES.deposit, change]] })
    const found = follow(ref, 'without').then(
      (status) => status.state,
      (error: VenueError) => error.kind,
    )
    expect(await found).toBe(state)
  },
)

test.each([[[]], [[[], []]]])('status: no request record, or two, report no delivery: %j', async (records) => {
  const { ref, follow } = await built(COIN, { body: PAID }, { '<first>': records.map((one) => [...CASES.deposit, ...one]) })
  expect(await follow()).toMatchObject({ ...SUCCESS, deliveredAmount: null })
  expect(await follow(ref, 'without')).toEqual(NOT_FOUND)
})

test('status: without a record and an API key, an address is unknown', async () => {
  const { ref, follow, questions } = await built(COIN)
  expect(await follow(ref, 'without')).toEqual({ ...NOTHING, state: 'unknown' })
  expect(questions()).toEqual([])
})

test('status: without a record, a transaction is not requested, since its chain shows the result', async () => {
  const { ref, follow, questions } = await built(orders.usdc(), { body: PAID }, { '<first>': [[]] })
  expect(await follow(ref, 'without')).toEqual(NOT_FOUND)
  expect(questions()).toEqual([])
})

/** Since September 2026 a deposit that does not pay its order is quoted again, and filled under another request. */
describe('status: a bitcoin deposit of Relay', () => {
  const recordOf = (changes: readonly Change[]) => [[...CASES.deposit, ...changes]]

  test.each(CASES.requotes)('is followed %s: %j', async (_to, books, end) => {
    const pending = { body: { status: 'pending', inTxHashes: [HASH] } }
    const told = books && Object.fromEntries(Object.entries(books).map(([id, changes]) => [id, recordOf(changes)]))
    const { follow, followed } = await built(COIN, pending, told)
    const status = await follow()
    expect(followed()).toEqual([end])
    if (end === '<first>') expect(status).toEqual({ ...NOTHING, state: 'processing', venueStatus: 'pending' })
    else expect(status).toEqual({ ...SUCCESS, venueStatus: 'success', deliveredAmount: 970_000_000n })
  })

  // What the status names of it is the venue's own sweep: changelog of relay-docs.
  test.each([
    ['no transaction without a key', null, undefined],
    ['none that the request does not list', [[]], undefined],
    ['none before it is detected', [[['depositAddress.depositTxHash', null]]], undefined],
    ['that of its depositor by the request', [[['depositAddress.depositTxHash', OTHER_HASH]]], [OTHER_HASH]],
  ] as const)('reports as payment %s', async (_what, books, paidBy) => {
    const told = books && { '<first>': books.flatMap((changes) => recordOf(changes as readonly Change[])) }
    const { follow } = await built(COIN, { body: { status: 'pending', inTxHashes: [HASH] } }, told)
    const word: VenueWord = await follow()
    expect(word.paidBy).toEqual(paidBy)
  })

  const DELIVERED = 'data.route.actual.destination.outputCurrency.amount'
  const at = (id: string, ...changes: readonly Change[]): readonly Change[] => recordOf([['id', id], ...changes]).flat()

  test.each([
    ['refund', { status: 'refund', txHashes: [HASH] }],
    ['failure', { status: 'failure' }],
    ['success', PAID],
  ])('whose request ended in a %s caused by other payers follows the request with the largest delivery', async (_raw, body) => {
    const first = at('<first>', [DELIVERED, '900000'], ['depositAddress.depositTxHash', HASH])
    const all = [
      first,
      at('<third>', [DELIVERED, '979000000'], ['recipient', WALLETS.evm]),
      at('<next>', [DELIVERED, '975000000'], ['depositAddress.depositTxHash', OTHER_HASH]),
      at(`0x${'44'.repeat(32)}`, [DELIVERED, '974000000']),
      at(`0x${'55'.repeat(32)}`, [DELIVERED, '990000000'], ['depositAddress.address', WALLETS.bitcoin]),
      at(`0x${'66'.repeat(32)}`, ['data.route.actual', null]),
    ]
    const { follow, followed } = await built(COIN, { body }, { '<first>': [first], '<next>': [all[2] ?? []], '<all>': all })
    const paidBy = [HASH, OTHER_HASH]
    expect(await follow()).toEqual({ ...SUCCESS, venueStatus: 'success', deliveredAmount: 975_000_000n, paidBy })
    expect(followed()).toEqual(['<first>', '<next>'])
  })

  test('whose request ended in a failure, without another delivery, keeps that status', async () => {
    const first = at('<first>', ['data.route.actual', null])
    const { follow, followed } = await built(COIN, { body: { status: 'failure' } }, { '<first>': [first], '<all>': [first] })
    expect(await follow()).toMatchObject({ state: 'failed', venueStatus: 'failure' })
    expect(followed()).toEqual(['<first>'])
  })

  test.each(CASES.addresses)('is found without a record by %s', async (_what, changes, state) => {
    const { ref, follow, questions } = await built(COIN, { body: PAID }, { '<first>': recordOf(changes) })
    expect(await follow(ref, 'without')).toMatchObject({ state })
    expect(questions()[0]).toBe(`/requests/v3?depositAddress=${ref}`)
  })
})
