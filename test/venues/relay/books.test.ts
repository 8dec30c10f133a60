import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, depositOf, never, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { API_KEY, bitcoinOrder, etherOrder, keptAnswers, NATIVE, requestIdOf, USDC, usdcOrder } from './support.ts'

/** GET /requests/v3 in all the shapes its reference allows: what it tells is believed of the request it was asked for alone. */

const HASH = `0x${'51'.repeat(32)}`
const FILL = `0x${'8c'.repeat(32)}`
const TOKENS = usdcOrder()
const COIN = bitcoinOrder()
/** What the live request below was for. */
const LIVE_WALLET = addressOf('evm', '0x33a72bee62d544e38be22dfe0f4b131af2a88725')
const LIVE = etherOrder({
  ...{ from: [42161, NATIVE], to: [8453, NATIVE], amount: 60_000_000_000_000n },
  ...{ sender: LIVE_WALLET, recipient: LIVE_WALLET, refundTo: LIVE_WALLET },
})

const answers = keptAnswers()

type Known = { readonly requestId: string; readonly address: string }

/** Tracks a swap the venue calls a success, with the books as given. */
const told = async (books: (known: Known) => unknown, order = TOKENS, isRecorded = true) => {
  const { chains, price, quote } = await answers(order)
  const known = { requestId: '', address: '' }
  const status = { status: 'success', inTxHashes: [HASH], txHashes: [FILL] }
  const ways: { [path: string]: () => unknown } = {
    '/chains': () => chains,
    '/price': () => price,
    '/intents/status/v3': () => status,
    '/requests/v3': () => books(known),
  }
  const broken = canned(relay, ({ path }) => ({ body: ways[path]?.() ?? quote }), { apiKey: API_KEY })
  const swap = await swapOf(broken.venue, order)
  known.requestId = requestIdOf(swap.execution)
  if (order === COIN) known.address = depositOf(swap.execution).address
  const ref = order === COIN ? known.address : HASH
  return await broken.venue.tracker?.track(ref, { ...swap, executed: isRecorded ? swap.executed : null }, never())
}

const currency = { chainId: 42161, address: USDC.arbitrum.toLowerCase(), symbol: 'USDC', decimals: 6 }
const record = ({ requestId }: Known) => ({
  id: requestId,
  status: 'success',
  user: WALLETS.evm,
  recipient: WALLETS.evmOther,
  refundTo: null,
  depositAddress: null,
  supersededByRequestId: null,
  requestType: 'Bridge',
  data: {
    failReason: null,
    inTxs: [{ txHash: HASH, chainId: 8453 }],
    outTxs: [{ txHash: FILL, chainId: 42161 }],
    route: {
      includedSwapSources: [],
      quoted: {
        origin: {
          inputCurrency: { currency: { ...currency, chainId: 8453, address: USDC.base }, amount: '250000000' },
          router: 'relay',
        },
        destination: { outputCurrency: { currency, amount: '249950500' }, router: 'relay' },
      },
      actual: { rate: '1', origin: null, destination: { outputCurrency: { currency, amount: '249950501' }, router: 'relay' } },
    },
  },
  protocol: null,
})
const book = (path: string, value: unknown) => (known: Known) => ({ requests: [altered(record(known), path, value)] })

describe('what was delivered, by the books', () => {
  test('is read from a request of the live books', async () => {
    const books = ({ requestId }: Known) => ({
      requests: [{ id: requestId, ...recordings.liveRequest.record }],
      continuation: 'WzE3ODYyODI3',
    })
    expect(await told(books, LIVE)).toMatchObject({ state: 'success', deliveredAmount: 49_426_938_842_266n })
    // And by the transaction that paid it, when our record of the swap is lost.
    expect(await told(books, LIVE, false)).toMatchObject({ state: 'success', deliveredAmount: 49_426_938_842_266n })
  })

  test('is told, beside whatever else they say', async () => {
    expect(await told((known) => ({ requests: [record(known)], continuation: 'next' }))).toMatchObject({
      state: 'success',
      deliveredAmount: 249_950_501n,
    })
  })

  test.each([
    ['data.route.quoted', null],
    ['data.route.quoted.origin.inputCurrency', null],
    ['data.route.quoted.destination', null],
    ['data.route.quoted.origin.inputCurrency.currency', { chainId: 8453, symbol: 'USDC', decimals: 6 }],
    ['data.route.actual.origin', { inputCurrency: null, outputCurrency: null }],
    ['recipient', null],
    ['data.route.actual.origin', undefined],
  ])('is told although %s is %j', async (path, value) => {
    expect(await told(book(path, value))).toMatchObject({ state: 'success', deliveredAmount: 249_950_501n })
  })

  test.each([
    ['data.route.actual', null],
    ['data.route.actual.destination', null],
    ['data.route.actual.destination.outputCurrency', null],
    ['data.route.actual.destination.outputCurrency.amount', undefined],
    ['data.route.actual.destination.outputCurrency.amount', 249950501],
    ['data.route.actual.destination.outputCurrency.currency', { chainId: 42161, symbol: 'USDC', decimals: 6 }],
    ['data.route.actual.destination.outputCurrency.currency.chainId', 8453],
    ['data.route.actual.destination.outputCurrency.currency.address', WALLETS.evm],
    ['data.route', null],
    ['data', undefined],
    // The retired /requests/v2 kept it here.
    ['data', { metadata: { currencyOut: { currency, amount: '249950501' } } }],
    ['id', `0x${'11'.repeat(32)}`],
  ])('is not known when %s is %j, and the swap is a success all the same', async (path, value) => {
    expect(await told(book(path, value))).toMatchObject({ state: 'success', deliveredAmount: null, txHash: FILL })
  })

  test('is not known from no request, from two, or from a list of another form', async () => {
    for (const books of [
      () => ({ requests: [] }),
      (known: Known) => ({ requests: [record(known), record(known)] }),
      () => [],
      () => ({ requests: [null] }),
    ])
      expect(await told(books)).toMatchObject({ state: 'success', deliveredAmount: null })
  })
})

/** Since September 2026 a deposit that does not pay its order is quoted again, and filled under another request. */
describe('a deposit that was quoted again', () => {
  const coin = { chainId: 8253038, address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8' }
  const NEXT = `0x${'22'.repeat(32)}`
  const THIRD = `0x${'33'.repeat(32)}`
  type Books = { readonly [id: string]: unknown }

  const bookOf = (id: string, { address }: Known, change: object = {}) => ({
    ...record({ requestId: id, address }),
    depositAddress: { address, type: 'open', depositor: WALLETS.bitcoin },
    data: {
      route: {
        quoted: {
          origin: { inputCurrency: { currency: coin, amount: '999000' } },
          destination: { outputCurrency: { currency: { chainId: 8453, address: USDC.base }, amount: '1' } },
        },
        actual: { destination: { outputCurrency: { currency: { chainId: 8453, address: USDC.base }, amount: '970000000' } } },
      },
    },
    ...change,
  })

  /** What a tracker with or without a key says, and which requests it asked the status of. */
  const follow = async (books: (known: Known) => Books, { apiKey = API_KEY }: { apiKey?: string | null } = {}) => {
    const { chains, price, quote } = await answers(COIN)
    const known = { requestId: '', address: '' }
    const broken = canned(
      relay,
      ({ path, query }) => {
        if (path === '/chains') return { body: chains }
        if (path === '/price') return { body: price }
        if (path === '/quote/v2') return { body: quote }
        if (path === '/requests/v3') {
          const found = books(known)[query.get('id') ?? '']
          return { body: { requests: found === undefined ? [] : [found] } }
        }
        const isFirst = query.get('requestId') === known.requestId
        return { body: isFirst ? { status: 'pending' } : { status: 'success', txHashes: [FILL] } }
      },
      apiKey === null ? {} : { apiKey },
    )
    const swap = await swapOf(broken.venue, COIN)
    known.requestId = requestIdOf(swap.execution)
    known.address = depositOf(swap.execution).address
    const status = await broken.venue.tracker?.track(known.address, swap, never())
    const lines = broken.asked.filter(({ path }) => path === '/intents/status/v3')
    return { status, asked: lines.map(({ query }) => query.get('requestId')?.replace(known.requestId, 'the first')) }
  }

  const superseded = (known: Known, by: string) => ({
    [known.requestId]: bookOf(known.requestId, known, { supersededByRequestId: by }),
  })

  test('is followed to the request that fills it, with a key', async () => {
    const { status, asked } = await follow((known) => ({ ...superseded(known, NEXT), [NEXT]: bookOf(NEXT, known) }))
    expect(asked).toEqual([NEXT])
    expect(status).toEqual({ state: 'success', venueStatus: 'success', deliveredAmount: 970_000_000n, txHash: FILL })
  })

  test('and again', async () => {
    const { asked } = await follow((known) => ({
      ...superseded(known, NEXT),
      [NEXT]: bookOf(NEXT, known, { supersededByRequestId: THIRD }),
      [THIRD]: bookOf(THIRD, known),
    }))
    expect(asked).toEqual([THIRD])
  })

  test('is not followed without one: the first request is all there is', async () => {
    const { status, asked } = await follow((known) => superseded(known, NEXT), { apiKey: null })
    expect(asked).toEqual(['the first'])
    expect(status).toMatchObject({ state: 'processing', venueStatus: 'pending' })
  })

  test.each<[string, (known: Known) => Books]>([
    ['a request nobody knows', (known) => superseded(known, NEXT)],
    [
      'a request of another address',
      (known) => ({ ...superseded(known, NEXT), [NEXT]: bookOf(NEXT, { ...known, address: WALLETS.bitcoin }) }),
    ],
    [
      'a request for another recipient',
      (known) => ({ ...superseded(known, NEXT), [NEXT]: bookOf(NEXT, known, { recipient: WALLETS.evm }) }),
    ],
    [
      'a request for another token',
      (known) => ({
        ...superseded(known, NEXT),
        [NEXT]: altered(bookOf(NEXT, known), 'data.route.quoted.destination.outputCurrency.currency.address', USDC.arbitrum),
      }),
    ],
    ['itself', (known) => superseded(known, known.requestId)],
    [
      'each other, in a circle',
      (known) => ({ ...superseded(known, NEXT), [NEXT]: bookOf(NEXT, known, { supersededByRequestId: known.requestId }) }),
    ],
    ['nothing, the books being shut', () => ({})],
    ['a text that is no id', (known) => superseded(known, '0x22')],
  ])('is not followed to %s', async (_name, books) => {
    expect((await follow(books)).asked).toEqual(['the first'])
  })
})

describe('without our record', () => {
  const coin = { chainId: 8253038, address: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8' }
  const bitcoin = (known: Known) => {
    const route = altered(
      altered(record(known), 'data.route.quoted.origin.inputCurrency', { currency: coin, amount: '1000000' }),
      'data.route.quoted.destination.outputCurrency.currency',
      {
        chainId: 8453,
        address: USDC.base,
      },
    )
    return altered(route, 'depositAddress', { address: known.address, type: 'strict', depositor: null })
  }

  test('a request is found by the transaction or the address that paid it', async () => {
    expect(await told((known) => ({ requests: [record(known)] }), TOKENS, false)).toMatchObject({ state: 'success' })
    expect(await told((known) => ({ requests: [bitcoin(known)] }), COIN, false)).toMatchObject({ state: 'success' })
  })

  test.each([
    ['of another address', { address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' }],
    ['of none', null],
  ])('a request %s is another swap’s', async (_name, depositAddress) => {
    const books = (known: Known) => ({ requests: [altered(bitcoin(known), 'depositAddress', depositAddress)] })
    expect(await told(books, COIN, false)).toMatchObject({ state: 'not_found' })
  })

  test('a request that does not say what was paid is nobody’s', async () => {
    for (const path of ['data.route.quoted', 'data.route.quoted.origin.inputCurrency'])
      expect(await told(book(path, null), TOKENS, false)).toMatchObject({ state: 'not_found' })
  })
})
