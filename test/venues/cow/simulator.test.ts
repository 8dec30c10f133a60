import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keccakText } from '../../../engine/chains/evm/evmCodec.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { wordOf } from '../../../engine/simnet/kit/abiWords.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { never, type Swap, signed, swapOf, track, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import {
  type Body,
  type CowBench,
  etherToUsdc,
  openBench,
  SETTLEMENT,
  STRANGER,
  sentBy,
  submitted,
  takenBack,
  USDC,
  uidOf,
  usdcToWeth,
  WETH,
} from './support.ts'

/**
 * The simulated book is written from the venue's documents and knows nothing of the adapter; here it is spoken to by
 * hand, to show that it refuses what the documents refuse. An adapter that slipped would be caught by it.
 */
let bench: CowBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

type Answer = { readonly status: number; readonly body: unknown; readonly text: string }

const JSON_TYPE = { 'content-type': 'application/json' }

const call = async (method: string, path: string, body?: unknown, headers: typeof JSON_TYPE = JSON_TYPE): Promise<Answer> => {
  const given = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(`${bench.baseUrl}/${path}`, { method, headers, ...given })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, body: isJson ? JSON.parse(text) : undefined, text }
}

const V1 = 'mainnet/api/v1'
const TRADES = 'mainnet/api/v2/trades'
const askQuote = (body: unknown): Promise<Answer> => call('POST', `${V1}/quote`, body)
const postOrder = (body: unknown): Promise<Answer> => call('POST', `${V1}/orders`, body)
const get = (path: string): Promise<Answer> => call('GET', path)
const getOrder = async (uid: string): Promise<unknown> => (await get(`${V1}/orders/${uid}`)).body

const verdict = ({ status, body }: Answer): string =>
  `${status} ${(body as { errorType?: string } | undefined)?.errorType ?? ''}`.trim()

const goodQuote = async (): Promise<Body> => {
  await bench.venue.quote(usdcToWeth(), never())
  return bench.sent.at(-1)?.body as Body
}

const goodOrder = async (): Promise<Body> => {
  const { execution, order } = await swapOf(bench.venue, usdcToWeth())
  const { message } = typedDataOf(execution)
  const { quoteId, appData } = execution.evidence as { quoteId: number; appData: string }
  const { signature } = await signed(execution)
  const signing = { signature, signingScheme: 'eip712', from: order.sender, quoteId }
  return { ...message, ...signing, appData, appDataHash: message['appData'] }
}

/** A native order that the contract has placed, and the book has heard of. */
const placed = async (change: (data: string) => string = (data) => data): Promise<Swap> => {
  const swap = await swapOf(bench.venue, etherToUsdc())
  bench.sim.onTransaction(sentBy(swap, { data: change(transactionOf(swap.execution).data) }))
  bench.clock.advance(3_000)
  return swap
}

const NOW_S = START_OF_TIME / 1_000
const WBTC = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'
const DOCUMENT = '{"appCode":"x","metadata":{},"version":"1.0.0"}'
/** Without the amount that the adapter asks for. */
const UNSOLD = { sellAmountBeforeFee: undefined }

describe('POST /quote', () => {
  test('takes what the adapter sends', async () => {
    expect((await askQuote(await goodQuote())).status).toBe(200)
  })

  test.each<[string, Body, string]>([
    ['an unknown field', { slippageBps: 50 }, '422'],
    ['no owner', { from: undefined }, '422'],
    ['a token that is no address', { sellToken: 'USDC' }, '422'],
    ['a kind it does not know', { kind: 'swap' }, '422'],
    ['two amounts', { sellAmountAfterFee: '1' }, '422'],
    ['no amount', { sellAmountBeforeFee: undefined }, '422'],
    ['nothing to sell', { sellAmountBeforeFee: '0' }, '422'],
    ['an amount as a number', { sellAmountBeforeFee: 1_000_000_000 }, '422'],
    ['an amount beyond 256 bits', { sellAmountBeforeFee: (1n << 256n).toString() }, '422'],
    ['two deadlines', { validFor: 1_800 }, '422'],
    ['a deadline in under a minute', { validTo: NOW_S + 59 }, '400 InsufficientValidTo'],
    ['a deadline in over three hours', { validTo: NOW_S + 10_801 }, '400 ExcessiveValidTo'],
    ['an ECDSA order to be placed on chain', { onchainOrder: true }, '422'],
    ['a gas limit for no contract', { verificationGasLimit: 0 }, '422'],
    ['a vault balance', { sellTokenBalance: 'internal' }, '400 UnsupportedSellTokenSource'],
    ['a vault destination', { buyTokenBalance: 'internal' }, '400 UnsupportedBuyTokenDestination'],
    ['a native coin for sale', { sellToken: NATIVE }, '400 InvalidNativeSellToken'],
    ['a token for itself', { buyToken: USDC }, '400 SameBuyAndSellToken'],
    ['an unwrap', { sellToken: WETH, buyToken: NATIVE }, '400 SameBuyAndSellToken'],
    ['a token without a price', { buyToken: STRANGER }, '400 UnsupportedToken'],
    ['an amount below the cost', { sellAmountBeforeFee: '800000' }, '400 SellAmountDoesNotCoverFee'],
    ['an amount beyond all depth', { sellAmountBeforeFee: '2000000000001' }, '404 NoLiquidity'],
    ['an amount that buys nothing', { sellAmountBeforeFee: '800001', buyToken: WBTC }, '404 NoLiquidity'],
    ['a hash of another document', { appDataHash: `0x${'1'.repeat(64)}` }, '400 AppDataHashMismatch'],
    ['a hash nobody registered', { appData: `0x${'1'.repeat(64)}`, appDataHash: undefined }, '400 InvalidAppData'],
    ['an amount to sell for a buy', { kind: 'buy' }, '422'],
    ['an amount to buy for a sale', { ...UNSOLD, buyAmountAfterFee: '1' }, '422'],
    ['a purchase beyond all depth', { ...UNSOLD, kind: 'buy', buyAmountAfterFee: `1${'0'.repeat(21)}` }, '404 NoLiquidity'],
    ['a sale whose cost comes on top', { ...UNSOLD, sellAmountAfterFee: '1000000000' }, '400 UnsupportedOrderType'],
  ])('refuses %s', async (_name, change, expected) => {
    expect(verdict(await askQuote({ ...(await goodQuote()), ...change }))).toBe(expected)
  })

  const document = (metadata: unknown, change: Body = {}) =>
    JSON.stringify({ appCode: 'x', metadata, version: '1.0.0', ...change })
  const fee = (change: Body) => document({ partnerFee: { recipient: STRANGER, volumeBps: 5, ...change } })
  test.each<[string, string, boolean]>([
    ['the smallest document', document({}), true],
    ['two fees', document({ partnerFee: [1, 2].map((volumeBps) => ({ recipient: STRANGER, volumeBps })) }), true],
    ['no app code', document({}, { appCode: undefined }), false],
    ['an app code of 51 characters', document({}, { appCode: 'x'.repeat(51) }), false],
    ['no version', document({}, { version: undefined }), false],
    ['no metadata', document(undefined), false],
    ['an unknown key', document({}, { fee: 1 }), false],
    ['unknown metadata', document({ fee: 1 }), false],
    ['an environment that is no text', document({}, { environment: 1 }), false],
    ['slippage that is no integer', document({ quote: { slippageBips: '50' } }), false],
    ['a fee of zero', fee({ volumeBps: 0 }), false],
    ['a fee of half a basis point', fee({ volumeBps: 0.5 }), false],
    ['a fee under its old name', fee({ volumeBps: undefined, bps: 5 }), false],
    ['a fee for nobody', fee({ recipient: undefined }), false],
    ['no object', '[]', false],
    ['no JSON', '{', false],
    ['9 KB', document({ utm: 'u'.repeat(9_000) }), false],
  ])('app data with %s', async (_name, appData, isGood) => {
    const body = { ...(await goodQuote()), appData, appDataHash: keccakText(appData) }
    expect(verdict(await askQuote(body))).toBe(isGood ? '200' : '400 InvalidAppData')
  })

  test('a fast quote is not kept: no id, and the epoch for an expiry', async () => {
    const { body } = await askQuote({ ...(await goodQuote()), priceQuality: 'fast', validTo: undefined, validFor: 600 })
    expect(body).toMatchObject({ id: null, expiration: '1970-01-01T00:00:00Z', verified: false, quote: { validTo: NOW_S + 600 } })
  })

  test('only a quote that is asked for as verified was simulated', async () => {
    const body = await goodQuote()
    for (const [priceQuality, verified] of [
      ['verified', true],
      ['optimal', false],
    ])
      expect((await askQuote({ ...body, priceQuality })).body).toMatchObject({ id: expect.any(Number), verified })
  })

  test('what a purchase costs is told before the network cost, and selling that much buys as much', async () => {
    const buyAmountAfterFee = '250000000000000000'
    const { body } = await askQuote({ ...(await goodQuote()), ...UNSOLD, kind: 'buy', buyAmountAfterFee })
    const { quote, id } = body as { quote: { sellAmount: string; feeAmount: string }; id: number }
    expect(body).toMatchObject({ quote: { kind: 'buy', buyAmount: buyAmountAfterFee }, verified: true })
    const sellAmountBeforeFee = (BigInt(quote.sellAmount) + BigInt(quote.feeAmount)).toString()
    const { body: sale } = await askQuote({ ...(await goodQuote()), sellAmountBeforeFee })
    const { buyAmount } = (sale as { quote: { buyAmount: string } }).quote
    expect(Number(buyAmount) / Number(buyAmountAfterFee)).toBeCloseTo(1, 5)
    expect(verdict(await postOrder({ ...(await goodOrder()), quoteId: id }))).toBe('400 InvalidQuote')
  })

  test('pairs of the same currency pay the lower protocol fee', async () => {
    const buyToken = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
    expect((await askQuote({ ...(await goodQuote()), buyToken })).body).toMatchObject({ protocolFeeBps: '0.3' })
  })
})

describe('POST /orders', () => {
  test('takes what the adapter sends, once', async () => {
    const order = await goodOrder()
    const created = await postOrder(order)
    expect([created.status, created.body]).toEqual([201, expect.stringMatching(/^0x[0-9a-f]{112}$/)])
    expect(verdict(await postOrder(order))).toBe('400 DuplicatedOrder')
  })

  test.each<[string, Body, string]>([
    ['an unknown field', { slippage: 1 }, '422'],
    ['no signature', { signature: undefined }, '422'],
    ['a buy order', { kind: 'buy' }, '400 UnsupportedOrderType'],
    ['a partial order', { partiallyFillable: true }, '400 UnsupportedOrderType'],
    ['a signed fee', { feeAmount: '1' }, '400 NonZeroFee'],
    ['nothing for it', { buyAmount: '0' }, '400 ZeroAmount'],
    ['a deadline in under a minute', { validTo: NOW_S + 59 }, '400 InsufficientValidTo'],
    ['a deadline in over a year', { validTo: NOW_S + 366 * 86_400 }, '400 ExcessiveValidTo'],
    ['a vault balance', { sellTokenBalance: 'external' }, '400 UnsupportedSellTokenSource'],
    ['a vault destination', { buyTokenBalance: 'internal' }, '400 UnsupportedBuyTokenDestination'],
    ['a native coin for sale', { sellToken: NATIVE }, '400 InvalidNativeSellToken'],
    ['another amount than was signed', { sellAmount: '1000000001' }, '400 WrongOwner'],
    ['another minimum than was signed', { buyAmount: '1' }, '400 WrongOwner'],
    ['another receiver than was signed', { receiver: STRANGER }, '400 WrongOwner'],
    ['another deadline than was signed', { validTo: NOW_S + 1_801 }, '400 WrongOwner'],
    ['another document than was signed', { appData: DOCUMENT, appDataHash: undefined }, '400 WrongOwner'],
    ['another hash than its document has', { appDataHash: `0x${'1'.repeat(64)}` }, '400 AppDataHashMismatch'],
    ['another owner', { from: STRANGER }, '400 WrongOwner'],
    ['a signing scheme nobody here signs by', { signingScheme: 'ethsign' }, '422'],
    ['half a signature', { signature: '0x1234' }, '400 InvalidSignature'],
    ['a signature off the curve', { signature: `0x${'f'.repeat(128)}1b` }, '400 InvalidSignature'],
    ['a contract that is none', { signingScheme: 'eip1271' }, '400 InvalidEip1271Signature'],
    ['a contract it does not name', { signingScheme: 'eip1271', from: undefined }, '400 MissingFrom'],
    ['a quote nobody gave', { quoteId: 7 }, '400 QuoteNotFound'],
  ])('refuses %s', async (_name, change, expected) => {
    expect(verdict(await postOrder({ ...(await goodOrder()), ...change }))).toBe(expected)
  })

  test('refuses the quote of another order, and takes no quote at all', async () => {
    const order = await goodOrder()
    const other = await bench.venue.quote(usdcToWeth({ amount: 5_000_000_000n }), never())
    const { quoteId } = other.carry as { quoteId: number }
    expect(verdict(await postOrder({ ...order, quoteId }))).toBe('400 InvalidQuote')
    expect((await postOrder({ ...order, quoteId: null })).status).toBe(201)
  })

  test('is per chain: an order signed for one is another’s stranger', async () => {
    const order = await goodOrder()
    expect(verdict(await call('POST', 'base/api/v1/orders', order))).toBe('400 UnsupportedToken')
  })
})

describe('everything else', () => {
  test('unknown networks, paths and methods', async () => {
    const quote = await goodQuote()
    for (const path of ['optimism/api/v1/quote', 'Mainnet/api/v1/quote', 'api/v1/quote', 'mainnet/api/v2/quote'])
      expect((await call('POST', path, quote)).status, path).toBe(404)
    expect((await get(`${V1}/quote`)).status).toBe(405)
  })

  test('bodies that are no JSON, of another type, or over 16 KiB', async () => {
    for (const body of ['{', '[]']) expect((await askQuote(body)).status).toBe(422)
    expect((await call('POST', `${V1}/quote`, '{}', { 'content-type': 'text/plain' })).status).toBe(422)
    expect((await askQuote({ appData: 'x'.repeat(17_000) })).status).toBe(413)
  })

  test('app data is registered by its hash, and read back', async () => {
    const hash = keccakText(DOCUMENT)
    const register = (as: string) => call('PUT', `${V1}/app_data/${as}`, { fullAppData: DOCUMENT })
    expect(verdict(await get(`${V1}/app_data/${hash}`))).toBe('404 NotFound')
    expect(verdict(await register(`0x${'1'.repeat(64)}`))).toBe('400 AppDataHashMismatch')
    for (const status of [201, 200]) expect(await register(hash)).toMatchObject({ status, body: hash })
    expect((await get(`${V1}/app_data/${hash}`)).body).toEqual({ fullAppData: DOCUMENT })
    const byHash = { ...(await goodQuote()), appData: hash, appDataHash: undefined }
    expect((await askQuote(byHash)).status).toBe(200)
    expect(verdict(await askQuote({ ...byHash, appDataHash: hash }))).toBe('400 InvalidAppData')
  })

  test('orders and trades are told by UID', async () => {
    const uid = uidOf(await submitted(bench.venue, await swapOf(bench.venue, usdcToWeth())))
    expect(verdict(await get(`${V1}/orders/0x12`))).toBe('400 InvalidOrderUid')
    for (const of of ['', '/status']) expect(verdict(await get(`${V1}/orders/0x${'0'.repeat(112)}${of}`))).toBe('404 NotFound')
    const trades = async (page = '') => (await get(`${TRADES}?orderUid=${uid}${page}`)).body
    expect(await trades()).toEqual([])
    bench.clock.advance(14_000)
    expect((await get(`${V1}/orders/${uid}/status`)).body).toMatchObject({ type: 'traded' })
    const told = { orderUid: uid, sellAmount: '1000000000', sellToken: USDC.toLowerCase() }
    expect(await trades('&offset=0&limit=10')).toEqual([expect.objectContaining(told)])
    expect(await trades('&offset=1')).toEqual([])
    for (const query of ['', `?orderUid=${uid}&limit=0`]) expect((await get(`${TRADES}${query}`)).status).toBe(400)
  })

  test('an order has every field the server gives, and none that it leaves out', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const body = await getOrder(uidOf(await submitted(bench.venue, swap)))
    // crates/model/src/order.rs: what is not there is left out, but for the two that are always written.
    expect(body).toMatchObject({
      availableBalance: null,
      executedFeeAmount: '0',
      isLiquidityOrder: false,
      interactions: { pre: [], post: [] },
      fullAppData: (swap.execution.evidence as { appData: string }).appData,
    })
    for (const absent of ['ethflowData', 'onchainUser', 'onchainOrderData', 'validFrom']) expect(body).not.toHaveProperty(absent)
    const sender = WALLETS.evm.toLowerCase()
    expect(await getOrder(uidOf((await placed()).execution.venueRef))).toMatchObject({
      ethflowData: { refundTxHash: null, isRefunded: false },
      onchainUser: sender,
      onchainOrderData: { sender, placementError: null },
    })
  })

  test('the orders of an account, newest first, with those it placed through EthFlow', async () => {
    const path = (owner: string, query = '') => `${V1}/account/${owner}/orders${query}`
    const uidsOf = async (asked: string) => ((await get(asked)).body as { uid: string }[]).map(({ uid }) => uid)
    const older = uidOf(await submitted(bench.venue, await swapOf(bench.venue, usdcToWeth())))
    bench.clock.advance(1_000)
    const newer = uidOf((await placed()).execution.venueRef)
    expect(await uidsOf(path(WALLETS.evm))).toEqual([newer, older])
    expect(await uidsOf(path(WALLETS.evm.toLowerCase(), '?offset=1&limit=1'))).toEqual([older])
    for (const none of [path(STRANGER), path(WALLETS.evm).replace('mainnet', 'base')]) expect(await uidsOf(none)).toEqual([])
    expect((await get(path(WALLETS.evm, '?limit=1001'))).status).toBe(400)
  })

  test('native prices per atom', async () => {
    // 1 USD over 3,950 USD per ether: 10^18 / 3950 wei for 10^6 atoms.
    expect((await get(`${V1}/token/${USDC}/native_price`)).body).toEqual({ price: expect.closeTo(253_164_556.96, 1) })
    expect(verdict(await get(`${V1}/token/${STRANGER}/native_price`))).toBe('404 NoLiquidity')
  })

  test('nothing is deposited to this venue', () => {
    expect(bench.sim.onDeposit({ chainId: 1, token: USDC, address: STRANGER, amount: 1n, txHash: '0x' })).toBe(false)
  })
})

describe('a settlement', () => {
  /** Posts an order, on a chain where the settlement contract holds this much and what is brought to it is written down. */
  const posted = async (held = 0n) => {
    const brought: Parameters<SimEvm['fund']>[0][] = []
    const evm: Partial<SimEvm> = { balance: async () => held, fund: async (grant) => void brought.push(grant) }
    const on = await openBench({ evm })
    const uid = uidOf(await submitted(on.venue, await swapOf(on.venue, usdcToWeth())))
    const paid = async (): Promise<bigint> => {
      const order = (await (await fetch(`${on.baseUrl}/${V1}/orders/${uid}`)).json()) as { executedBuyAmount: string }
      await on.close()
      return BigInt(order.executedBuyAmount)
    }
    return { ...on, brought, paid }
  }
  const SETTLED_MS = 14_000

  test.each([
    ['nothing', (_paid: bigint) => 0n],
    ['a third', (paid: bigint) => paid / 3n],
    ['all of it', (paid: bigint) => paid],
  ])('uses what the contract holds first, here %s: only what is missing is brought', async (_what, heldOf) => {
    const usual = await posted()
    await usual.schedule.advance(SETTLED_MS)
    const amount = await usual.paid()
    expect(amount).toBeGreaterThan(0n)
    const held = heldOf(amount)
    const on = await posted(held)
    await on.schedule.advance(SETTLED_MS)
    expect(await on.paid()).toBe(amount)
    const grant = { chainId: 1, token: WETH.toLowerCase(), holder: SETTLEMENT.toLowerCase(), amount: amount - held }
    expect(on.brought).toEqual(held < amount ? [grant] : [])
  })

  test('pays by the price of its moment, whoever looks later and whatever it is by then', async () => {
    const paidAt = async (usdMicros: bigint, thenUsdMicros: bigint) => {
      const on = await posted()
      on.market.setPrice('ETH', usdMicros)
      await on.schedule.advance(SETTLED_MS)
      on.market.setPrice('ETH', thenUsdMicros)
      await on.schedule.advance(60_000)
      return on.paid()
    }
    const [steady, fallen, cheap] = [
      await paidAt(3_950_000_000n, 3_950_000_000n),
      await paidAt(3_950_000_000n, 3_900_000_000n),
      await paidAt(3_900_000_000n, 3_950_000_000n),
    ]
    expect(fallen).toBe(steady)
    expect(cheap).toBeGreaterThan(steady)
  })
})

describe('the EthFlow contract', () => {
  test('is known by its events: of other contracts, other chains and mere descriptions the book knows nothing', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const { logs = [], ...described } = sentBy(swap)
    expect(bench.sim.onTransaction(described)).toBe(false)
    for (const change of [{ address: STRANGER }, { topics: [`0x${'1'.repeat(64)}`] }])
      expect(bench.sim.onTransaction({ ...described, logs: logs.map((log) => ({ ...log, ...change })) })).toBe(false)
    expect(bench.sim.onTransaction(sentBy(swap, { chainId: 10 }))).toBe(false)
    // Whoever was called: the order is placed by the contract.
    expect(bench.sim.onTransaction(sentBy(swap, { to: STRANGER, from: STRANGER, logs }))).toBe(true)
    bench.clock.advance(3_000)
    const told = { onchainUser: WALLETS.evm.toLowerCase(), signingScheme: 'eip1271' }
    expect(await getOrder(uidOf(swap.execution.venueRef))).toMatchObject(told)
  })

  test.each<[string, number, bigint, string]>([
    ['a deadline years ahead', 6, 0xffffffffn, 'ValidToTooFarInFuture'],
    ['a quote nobody gave', 8, 7n, 'QuoteNotFound'],
    ['a document nobody registered', 4, 1n, 'PreValidationError'],
    ['nothing to be bought', 3, 0n, 'PreValidationError'],
  ])('takes an order with %s, and the book does not', async (_name, index, value, placementError) => {
    const at = 10 + index * 64
    await placed((data) => `${data.slice(0, at)}${wordOf(value)}${data.slice(at + 64)}`)
    const read = async () => (await get(`${V1}/account/${WALLETS.evm}/orders`)).body
    expect(await read()).toMatchObject([{ status: 'open', onchainOrderData: { placementError } }])
    bench.clock.advance(60_000)
    expect(await read()).toMatchObject([{ status: 'open', executedBuyAmount: '0' }])
  })

  test('tells when the coins were taken back before the deadline, which cancels the order', async () => {
    const swap = await placed()
    expect(bench.sim.onTransaction(takenBack(swap))).toBe(true)
    const uid = uidOf(swap.execution.venueRef)
    const ethflowData = { refundTxHash: takenBack(swap).txHash }
    expect(await getOrder(uid)).toMatchObject({ status: 'cancelled', invalidated: true, ethflowData })
    expect((await get(`${V1}/orders/${uid}/status`)).body).toEqual({ type: 'cancelled' })
    bench.clock.advance(60_000)
    expect(await getOrder(uid)).toMatchObject({ status: 'cancelled' })
    expect(bench.fake.sent).toEqual([])
  })

  test('that cannot give the coins back owes them still', async () => {
    const refused = await openBench()
    refused.faults.set('cow', 'never-fills', {}, 1)
    const swap = await swapOf(refused.venue, etherToUsdc({ slippageBps: 200 }))
    refused.sim.onTransaction(sentBy(swap))
    refused.fake.refusal = 'EthTransferFailed()'
    await refused.schedule.advance(3_600_000)
    expect((await track(refused.venue, swap.execution.venueRef ?? '', swap)).state).toBe('expired')
    await expect(refused.close()).rejects.toThrow('EthTransferFailed()')
  })
})
