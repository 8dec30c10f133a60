import { beforeAll, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import {
  API_KEY,
  altered,
  bitcoinOrder,
  depositOf,
  openBroken,
  type ProperAnswers,
  properAnswers,
  requestIdOf,
  signal,
  swapOf,
  USDC,
  usdcOrder,
} from './support.ts'

/** GET /requests/v3 in all the shapes its reference allows: what it tells is believed of the request it was asked for alone. */

const HASH = `0x${'51'.repeat(32)}`
const FILL = `0x${'8c'.repeat(32)}`
const TOKENS = usdcOrder()
const COIN = bitcoinOrder()

const answersOf = new Map<VenueOrder, ProperAnswers>()
beforeAll(async () => {
  for (const order of [TOKENS, COIN]) answersOf.set(order, await properAnswers(order))
})

type Known = { readonly requestId: string; readonly address: string }

/** Tracks a swap the venue calls a success, with the books as given. */
const told = async (books: (known: Known) => unknown, order = TOKENS, isRecorded = true) => {
  const { chains, price, quote } = answersOf.get(order) ?? { chains: null, price: null, quote: null }
  const known = { requestId: '', address: '' }
  const status = { status: 'success', inTxHashes: [HASH], txHashes: [FILL] }
  const ways: { [path: string]: () => unknown } = {
    '/chains': () => chains,
    '/price': () => price,
    '/intents/status/v3': () => status,
    '/requests/v3': () => books(known),
  }
  const broken = await openBroken((path) => ({ body: ways[path]?.() ?? quote }), { apiKey: API_KEY })
  try {
    const swap = await swapOf(broken.venue, order)
    known.requestId = requestIdOf(swap.execution)
    if (order === COIN) known.address = depositOf(swap.execution).address
    const ref = order === COIN ? known.address : HASH
    return await broken.venue.tracker?.track(ref, { ...swap, executed: isRecorded ? swap.executed : null }, signal())
  } finally {
    await broken.close()
  }
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
