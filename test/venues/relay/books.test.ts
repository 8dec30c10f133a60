import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, alteredBy, depositOf, swapOf, track } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import table from './books.json' with { type: 'json' }
import { NATIVE, orders, RECIPIENT_BTC, USDC } from './orders.ts'
import recordings from './recordings.json' with { type: 'json' }
import { API_KEY, answerTo, casesOf, keptAnswers, requestIdOf } from './support.ts'

/** GET /requests/v3 in all the shapes its reference allows: what it tells is believed of the request it was asked for alone. */

const HASH = `0x${'51'.repeat(32)}`
const FILL = `0x${'8c'.repeat(32)}`
const NEXT = `0x${'22'.repeat(32)}`
const THIRD = `0x${'33'.repeat(32)}`
const TOKENS = orders.usdc()
const COIN = orders.bitcoin()
/** What the live request was for. */
const LIVE_WALLET = addressOf('evm', '0x33a72bee62d544e38be22dfe0f4b131af2a88725')
const LIVE_PARTIES = { sender: LIVE_WALLET, recipient: LIVE_WALLET }
const LIVE = orders.ether({ from: [42161, NATIVE], to: [8453, NATIVE], amount: 60_000_000_000_000n, ...LIVE_PARTIES })

const answers = keptAnswers()

type Known = { readonly requestId: string; readonly address: string }
/** What the books say to a question for the request of this id; for what paid it, the id is null. */
type Books = (known: Known, id: string | null) => unknown

/** Tracks a swap whose first request may have another status than the success of all others. */
const follow = async (
  books: Books,
  { order = TOKENS, record = 'with', apiKey = API_KEY as string | null, firstStatus = 'success' } = {},
) => {
  const proper = await answers(order)
  const known = { requestId: '', address: '' }
  const { venue, asked } = canned(
    relay,
    ({ path, query }) => {
      if (path === '/requests/v3') return { body: books(known, query.get('id')) }
      if (path !== '/intents/status/v3') return answerTo(proper, path)
      const status = query.get('requestId') === known.requestId ? firstStatus : 'success'
      return { body: { status, inTxHashes: [HASH], ...(status === 'success' && { txHashes: [FILL] }) } }
    },
    apiKey === null ? {} : { apiKey },
  )
  const swap = await swapOf(venue, order)
  known.requestId = requestIdOf(swap.execution)
  known.address = order === COIN ? depositOf(swap.execution).address : ''
  const status = await track(venue, known.address || HASH, swap, record as 'with' | 'without')
  const lines = asked.filter(({ path }) => path === '/intents/status/v3')
  return { status, asked: lines.map(({ query }) => query.get('requestId')?.replace(known.requestId, 'the first')) }
}

const TOLD = { state: 'success', deliveredAmount: 249_950_501n, txHash: FILL }
const UNTOLD = { state: 'success', deliveredAmount: null, txHash: FILL }

const CASES = casesOf<
  Record<'told' | 'untold', readonly (readonly [path: string, value: unknown])[]> & Pick<typeof table, 'record'>
>(table)
const record = (id: string) => ({ id, ...CASES.record })
const withRecord =
  (path: string, value: unknown): Books =>
  ({ requestId }) => ({ requests: [altered(record(requestId), path, value)] })

describe('what was delivered, by the books', () => {
  test('is read from a request of the live books, by its id and by the transaction that paid it', async () => {
    const books: Books = ({ requestId }) => ({
      requests: [{ id: requestId, ...recordings.liveRequest.record }],
      continuation: 'WzE3ODYyODI3',
    })
    for (const record of ['with', 'without'])
      expect((await follow(books, { order: LIVE, record })).status).toMatchObject({ deliveredAmount: 49_426_938_842_266n })
  })

  test.each(CASES.told)('is told although %s is %j', async (path, value) => {
    expect((await follow(withRecord(path, value))).status).toMatchObject(TOLD)
  })

  // The retired /requests/v2 kept it in `data.metadata`.
  test.each(CASES.untold)('is not known when %s is %j, and the swap is a success all the same', async (path, value) => {
    expect((await follow(withRecord(path, value))).status).toMatchObject(UNTOLD)
  })

  test.each<[string, Books]>([
    ['no request', () => ({ requests: [] })],
    ['two', ({ requestId }) => ({ requests: [record(requestId), record(requestId)] })],
    ['a list of another form', () => []],
    ['a record that is none', () => ({ requests: [null] })],
  ])('is not known from %s', async (_what, books) => {
    expect((await follow(books)).status).toMatchObject(UNTOLD)
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
  /** The first request is superseded by another, of which the books say this. */
  const chained =
    (by: string | null, others: (known: Known) => readonly ReturnType<typeof depositRecord>[] = () => []): Books =>
    (known, id) => {
      const first = depositRecord(known.requestId, known.address, '999000', by ?? known.requestId)
      return { requests: [first, ...others(known)].filter((each) => each.id === id) }
    }
  const next = (address: string, by: string | null = null) => depositRecord(NEXT, address, '999000', by)
  const again = { order: COIN, firstStatus: 'pending' }

  test('is followed to the request that fills it, with a key, and again', async () => {
    const once = await follow(
      chained(NEXT, ({ address }) => [next(address)]),
      again,
    )
    expect(once.asked).toEqual([NEXT])
    expect(once.status).toEqual({ state: 'success', venueStatus: 'success', deliveredAmount: 970_000_000n, txHash: FILL })
    const twice = chained(NEXT, ({ address }) => [next(address, THIRD), depositRecord(THIRD, address, '999000')])
    expect((await follow(twice, again)).asked).toEqual([THIRD])
  })

  test('is not followed without one: the first request is all there is', async () => {
    const { status, asked } = await follow(chained(NEXT), { ...again, apiKey: null })
    expect(asked).toEqual(['the first'])
    expect(status).toMatchObject({ state: 'processing', venueStatus: 'pending' })
  })

  const elsewhere = [`${QUOTED}.destination.outputCurrency.currency.address`, USDC.arbitrum] as const
  test.each<[string, Books]>([
    ['a request nobody knows', chained(NEXT)],
    ['a request of another address', chained(NEXT, () => [next(WALLETS.bitcoin)])],
    ['a request for another recipient', chained(NEXT, ({ address }) => [altered(next(address), 'recipient', WALLETS.evm)])],
    ['a request for another token', chained(NEXT, ({ address }) => [altered(next(address), ...elsewhere)])],
    ['itself', chained(null)],
    ['each other, in a circle', chained(NEXT, ({ address, requestId }) => [next(address, requestId)])],
    ['nothing, the books being shut', () => ({ requests: [] })],
    ['a text that is no id', chained('0x22')],
  ])('is not followed to %s', async (_name, books) => {
    expect((await follow(books, again)).asked).toEqual(['the first'])
  })
})

describe('without our record', () => {
  const ofAddress =
    (address?: string | null): Books =>
    (known) => ({ requests: [depositRecord(known.requestId, address === undefined ? known.address : address, '1000000')] })
  const TRANSACTION = { order: TOKENS, record: 'without' }
  const ADDRESS = { order: COIN, record: 'without' }

  test.each([
    ['found by the transaction that paid it', TRANSACTION, withRecord('status', 'success'), 'success'],
    ['found by the address that was paid', ADDRESS, ofAddress(), 'success'],
    ['another swap’s, by its address', ADDRESS, ofAddress(RECIPIENT_BTC), 'not_found'],
    ['another swap’s, without one', ADDRESS, ofAddress(null), 'not_found'],
    ['nobody’s, when it does not say what was quoted', TRANSACTION, withRecord(QUOTED, null), 'not_found'],
    [
      'nobody’s, when it does not say what was paid',
      TRANSACTION,
      withRecord(`${QUOTED}.origin.inputCurrency`, null),
      'not_found',
    ],
  ] as const)('a request is %s', async (_what, swap, books, state) => {
    expect((await follow(books, swap)).status).toMatchObject({ state })
  })
})
