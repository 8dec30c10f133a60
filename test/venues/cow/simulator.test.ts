import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashTypedData, keccakText } from '../../../engine/chains/evm/evmCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { decodeCreateOrder, ethFlowUid } from '../../../engine/venues/cow/ethFlow.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { never, signAsMessage, signed, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import {
  type CowBench,
  etherToUsdc,
  openBench,
  STRANGER,
  sentBy,
  submitted,
  takenBack,
  USDC,
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

type Body = Record<string, unknown>
type Answer = { readonly status: number; readonly body: unknown; readonly text: string }

const call = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Answer> => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${bench.baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body: raw ?? '' }) })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, body: isJson ? JSON.parse(text) : undefined, text }
}

const verdict = ({ status, body }: Answer): string =>
  `${status} ${(body as { errorType?: string } | undefined)?.errorType ?? ''}`.trim()

/** A body without the fields whose change is `undefined`, as JSON drops them. */
const changed = (body: unknown, change: Body): Body => ({ ...(body as Body), ...change })

const goodQuote = async (): Promise<Body> => {
  await bench.venue.quote(usdcToWeth(), never())
  return bench.sent.at(-1)?.body as Body
}

const goodOrder = async (): Promise<Body> => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  const { signature } = await signed(swap.execution)
  const { quoteId, appData } = swap.execution.evidence as { quoteId: number; appData: string }
  const { payload } = swap.execution
  const message = payload.executionType === 'SIGNATURE' ? payload.typedData.message : {}
  return {
    ...message,
    signature,
    signingScheme: 'eip712',
    from: swap.order.sender,
    quoteId,
    appData,
    appDataHash: message['appData'],
  }
}

const NOW_S = START_OF_TIME / 1_000

describe('POST /quote', () => {
  test('takes what the adapter sends', async () => {
    expect((await call('POST', '/mainnet/api/v1/quote', await goodQuote())).status).toBe(200)
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
    [
      'an amount that buys nothing',
      { sellAmountBeforeFee: '800001', buyToken: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599' },
      '404 NoLiquidity',
    ],
    ['a hash of another document', { appDataHash: `0x${'1'.repeat(64)}` }, '400 AppDataHashMismatch'],
    ['a hash nobody registered', { appData: `0x${'1'.repeat(64)}`, appDataHash: undefined }, '400 InvalidAppData'],
    ['an amount to sell for a buy', { kind: 'buy' }, '422'],
    ['an amount to buy for a sale', { sellAmountBeforeFee: undefined, buyAmountAfterFee: '1' }, '422'],
    [
      'a purchase beyond all depth',
      { kind: 'buy', sellAmountBeforeFee: undefined, buyAmountAfterFee: (10n ** 21n).toString() },
      '404 NoLiquidity',
    ],
    [
      'a sale whose cost comes on top',
      { sellAmountBeforeFee: undefined, sellAmountAfterFee: '1000000000' },
      '400 UnsupportedOrderType',
    ],
  ])('refuses %s', async (_name, change, expected) => {
    expect(verdict(await call('POST', '/mainnet/api/v1/quote', changed(await goodQuote(), change)))).toBe(expected)
  })

  test.each<[string, string, boolean]>([
    ['the smallest document', '{"appCode":"x","metadata":{},"version":"1.0.0"}', true],
    [
      'two fees',
      '{"appCode":"x","metadata":{"partnerFee":[{"recipient":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","volumeBps":1},{"recipient":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","volumeBps":2}]},"version":"1.0.0"}',
      true,
    ],
    ['no app code', '{"metadata":{},"version":"1.0.0"}', false],
    ['an app code of 51 characters', `{"appCode":"${'x'.repeat(51)}","metadata":{},"version":"1.0.0"}`, false],
    ['no version', '{"appCode":"x","metadata":{}}', false],
    ['no metadata', '{"appCode":"x","version":"1.0.0"}', false],
    ['an unknown key', '{"appCode":"x","metadata":{},"version":"1.0.0","fee":1}', false],
    ['unknown metadata', '{"appCode":"x","metadata":{"fee":1},"version":"1.0.0"}', false],
    ['an environment that is no text', '{"appCode":"x","environment":1,"metadata":{},"version":"1.0.0"}', false],
    ['slippage that is no integer', '{"appCode":"x","metadata":{"quote":{"slippageBips":"50"}},"version":"1.0.0"}', false],
    [
      'a fee of zero',
      '{"appCode":"x","metadata":{"partnerFee":{"recipient":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","volumeBps":0}},"version":"1.0.0"}',
      false,
    ],
    [
      'a fee of half a basis point',
      '{"appCode":"x","metadata":{"partnerFee":{"recipient":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","volumeBps":0.5}},"version":"1.0.0"}',
      false,
    ],
    [
      'a fee under its old name',
      '{"appCode":"x","metadata":{"partnerFee":{"recipient":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","bps":5}},"version":"1.0.0"}',
      false,
    ],
    ['a fee for nobody', '{"appCode":"x","metadata":{"partnerFee":{"volumeBps":5}},"version":"1.0.0"}', false],
    ['no object', '[]', false],
    ['no JSON', '{', false],
    ['9 KB', `{"appCode":"x","metadata":{"utm":"${'u'.repeat(9_000)}"},"version":"1.0.0"}`, false],
  ])('app data with %s', async (_name, appData, isGood) => {
    const body = changed(await goodQuote(), { appData, appDataHash: keccakText(appData) })
    expect(verdict(await call('POST', '/mainnet/api/v1/quote', body))).toBe(isGood ? '200' : '400 InvalidAppData')
  })

  test('a fast quote is not kept: no id, and the epoch for an expiry', async () => {
    const { body } = await call(
      'POST',
      '/mainnet/api/v1/quote',
      changed(await goodQuote(), { priceQuality: 'fast', validTo: undefined, validFor: 600 }),
    )
    expect(body).toMatchObject({ id: null, expiration: '1970-01-01T00:00:00Z', verified: false, quote: { validTo: NOW_S + 600 } })
  })

  test('only a quote that is asked for as verified was simulated', async () => {
    const body = await goodQuote()
    const told = async (priceQuality: string) =>
      (await call('POST', '/mainnet/api/v1/quote', changed(body, { priceQuality }))).body as { id: unknown; verified: unknown }
    expect((await told('verified')).verified).toBe(true)
    expect(await told('optimal')).toMatchObject({ id: expect.any(Number), verified: false })
  })

  test('what a purchase costs is told before the network cost, and selling that much buys as much', async () => {
    const buyAmountAfterFee = '250000000000000000'
    const wanted = { kind: 'buy', sellAmountBeforeFee: undefined, buyAmountAfterFee }
    const { body } = await call('POST', '/mainnet/api/v1/quote', changed(await goodQuote(), wanted))
    const { quote } = body as { quote: { sellAmount: string; feeAmount: string } }
    expect(body).toMatchObject({ quote: { kind: 'buy', buyAmount: buyAmountAfterFee }, verified: true })
    const sellAmountBeforeFee = (BigInt(quote.sellAmount) + BigInt(quote.feeAmount)).toString()
    const { body: sale } = await call('POST', '/mainnet/api/v1/quote', changed(await goodQuote(), { sellAmountBeforeFee }))
    const { buyAmount } = (sale as { quote: { buyAmount: string } }).quote
    expect(Number(buyAmount) / Number(buyAmountAfterFee)).toBeCloseTo(1, 5)
    const order = await goodOrder()
    const { id } = body as { id: number }
    expect(verdict(await call('POST', '/mainnet/api/v1/orders', { ...order, quoteId: id }))).toBe('400 InvalidQuote')
  })

  test('pairs of the same currency pay the lower protocol fee', async () => {
    const { body } = await call(
      'POST',
      '/mainnet/api/v1/quote',
      changed(await goodQuote(), { buyToken: '0xdAC17F958D2ee523a2206206994597C13D831ec7' }),
    )
    expect(body).toMatchObject({ protocolFeeBps: '0.3' })
  })
})

describe('POST /orders', () => {
  test('takes what the adapter sends, once', async () => {
    const order = await goodOrder()
    const created = await call('POST', '/mainnet/api/v1/orders', order)
    expect([created.status, created.body]).toEqual([201, expect.stringMatching(/^0x[0-9a-f]{112}$/)])
    expect(verdict(await call('POST', '/mainnet/api/v1/orders', order))).toBe('400 DuplicatedOrder')
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
    [
      'another document than was signed',
      { appData: '{"appCode":"x","metadata":{},"version":"1.0.0"}', appDataHash: undefined },
      '400 WrongOwner',
    ],
    ['another hash than its document has', { appDataHash: `0x${'1'.repeat(64)}` }, '400 AppDataHashMismatch'],
    ['another owner', { from: STRANGER }, '400 WrongOwner'],
    ['another signing scheme', { signingScheme: 'ethsign' }, '400 WrongOwner'],
    ['half a signature', { signature: '0x1234' }, '400 InvalidSignature'],
    ['a signature off the curve', { signature: `0x${'f'.repeat(128)}1b` }, '400 InvalidSignature'],
    ['a contract that is none', { signingScheme: 'eip1271' }, '400 InvalidEip1271Signature'],
    ['a contract it does not name', { signingScheme: 'eip1271', from: undefined }, '400 MissingFrom'],
    ['a quote nobody gave', { quoteId: 7 }, '400 QuoteNotFound'],
  ])('refuses %s', async (_name, change, expected) => {
    expect(verdict(await call('POST', '/mainnet/api/v1/orders', changed(await goodOrder(), change)))).toBe(expected)
  })

  test('refuses the quote of another order, and takes no quote at all', async () => {
    const order = await goodOrder()
    const other = await bench.venue.quote(usdcToWeth({ amount: 5_000_000_000n }), never())
    const { quoteId } = other.carry as { quoteId: number }
    expect(verdict(await call('POST', '/mainnet/api/v1/orders', { ...order, quoteId }))).toBe('400 InvalidQuote')
    expect((await call('POST', '/mainnet/api/v1/orders', { ...order, quoteId: null })).status).toBe(201)
  })

  test('takes the digest signed as a message, when it says so', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const signature = await signAsMessage(await hashTypedData(typedDataOf(swap.execution)))
    expect(
      (await call('POST', '/mainnet/api/v1/orders', { ...(await goodOrder()), signature, signingScheme: 'ethsign' })).status,
    ).toBe(201)
  })

  test('is per chain: an order signed for one is another’s stranger', async () => {
    const order = await goodOrder()
    expect(verdict(await call('POST', '/base/api/v1/orders', order))).toBe('400 UnsupportedToken')
  })

  test('a presigned order waits for its signature on chain, and is not filled meanwhile', async () => {
    const order = changed(await goodOrder(), { signingScheme: 'presign', signature: '0x' })
    const { body: uid } = await call('POST', '/mainnet/api/v1/orders', order)
    bench.clock.advance(60_000)
    expect((await call('GET', `/mainnet/api/v1/orders/${String(uid)}`)).body).toMatchObject({ status: 'presignaturePending' })
  })
})

describe('everything else', () => {
  test('unknown networks, paths and methods', async () => {
    const quote = await goodQuote()
    expect((await call('POST', '/optimism/api/v1/quote', quote)).status).toBe(404)
    expect((await call('POST', '/Mainnet/api/v1/quote', quote)).status).toBe(404)
    expect((await call('POST', '/api/v1/quote', quote)).status).toBe(404)
    expect((await call('POST', '/mainnet/api/v2/quote', quote)).status).toBe(404)
    expect((await call('GET', '/mainnet/api/v1/quote')).status).toBe(405)
  })

  test('bodies that are no JSON, of another type, or over 16 KiB', async () => {
    expect((await call('POST', '/mainnet/api/v1/quote', '{')).status).toBe(422)
    expect((await call('POST', '/mainnet/api/v1/quote', '[]')).status).toBe(422)
    expect((await call('POST', '/mainnet/api/v1/quote', '{}', { 'content-type': 'text/plain' })).status).toBe(422)
    expect((await call('POST', '/mainnet/api/v1/quote', { appData: 'x'.repeat(17_000) })).status).toBe(413)
  })

  test('app data is registered by its hash, and read back', async () => {
    const fullAppData = '{"appCode":"x","metadata":{},"version":"1.0.0"}'
    const hash = keccakText(fullAppData)
    expect(verdict(await call('GET', `/mainnet/api/v1/app_data/${hash}`))).toBe('404 NotFound')
    expect(verdict(await call('PUT', `/mainnet/api/v1/app_data/0x${'1'.repeat(64)}`, { fullAppData }))).toBe(
      '400 AppDataHashMismatch',
    )
    expect(await call('PUT', `/mainnet/api/v1/app_data/${hash}`, { fullAppData })).toMatchObject({ status: 201, body: hash })
    expect(await call('PUT', '/mainnet/api/v1/app_data', { fullAppData })).toMatchObject({ status: 200, body: hash })
    expect((await call('GET', `/mainnet/api/v1/app_data/${hash}`)).body).toEqual({ fullAppData })
    const byHash = changed(await goodQuote(), { appData: hash, appDataHash: undefined })
    expect((await call('POST', '/mainnet/api/v1/quote', byHash)).status).toBe(200)
    expect(verdict(await call('POST', '/mainnet/api/v1/quote', { ...byHash, appDataHash: hash }))).toBe('400 InvalidAppData')
  })

  test('orders and trades are told by UID, trades by owner too', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const uid = (await submitted(bench.venue, swap)).slice('mainnet:'.length)
    expect(verdict(await call('GET', '/mainnet/api/v1/orders/0x12'))).toBe('400 InvalidOrderUid')
    expect(verdict(await call('GET', `/mainnet/api/v1/orders/0x${'0'.repeat(112)}`))).toBe('404 NotFound')
    expect(verdict(await call('GET', `/mainnet/api/v1/orders/0x${'0'.repeat(112)}/status`))).toBe('404 NotFound')
    expect((await call('GET', `/mainnet/api/v2/trades?orderUid=${uid}`)).body).toEqual([])
    bench.clock.advance(14_000)
    expect((await call('GET', `/mainnet/api/v1/orders/${uid}/status`)).body).toMatchObject({ type: 'traded' })
    const { body: trades } = await call('GET', `/mainnet/api/v2/trades?orderUid=${uid}&offset=0&limit=10`)
    expect(trades).toEqual([expect.objectContaining({ orderUid: uid, sellAmount: '1000000000', sellToken: USDC.toLowerCase() })])
    expect((await call('GET', `/mainnet/api/v2/trades?owner=${swap.order.sender}`)).body).toEqual(trades)
    expect((await call('GET', `/mainnet/api/v2/trades?orderUid=${uid}&offset=1`)).body).toEqual([])
    expect((await call('GET', '/mainnet/api/v2/trades')).status).toBe(400)
    expect((await call('GET', `/mainnet/api/v2/trades?orderUid=${uid}&limit=0`)).status).toBe(400)
    expect((await call('GET', `/mainnet/api/v2/trades?orderUid=${uid}&owner=${STRANGER}`)).status).toBe(400)
  })

  test('an order has every field the server gives, and none that it leaves out', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const uid = (await submitted(bench.venue, swap)).slice('mainnet:'.length)
    const { body } = await call('GET', `/mainnet/api/v1/orders/${uid}`)
    // crates/model/src/order.rs: what is not there is left out, but for the two that are always written.
    expect(body).toMatchObject({
      availableBalance: null,
      executedFeeAmount: '0',
      isLiquidityOrder: false,
      interactions: { pre: [], post: [] },
      fullAppData: (swap.execution.evidence as { appData: string }).appData,
    })
    for (const absent of ['ethflowData', 'onchainUser', 'onchainOrderData', 'validFrom']) expect(body).not.toHaveProperty(absent)

    const native = await swapOf(bench.venue, etherToUsdc())
    bench.sim.onTransaction(sentBy(native))
    bench.clock.advance(3_000)
    const { body: placed } = await call('GET', `/mainnet/api/v1/orders/${native.execution.venueRef?.slice('mainnet:'.length)}`)
    expect(placed).toMatchObject({
      ethflowData: { refundTxHash: null, isRefunded: false },
      onchainUser: native.order.sender.toLowerCase(),
      onchainOrderData: { sender: native.order.sender.toLowerCase(), placementError: null },
    })
  })

  test('the orders of an account, newest first, with those it placed through EthFlow', async () => {
    const path = (owner: string, query = '') => `/mainnet/api/v1/account/${owner}/orders${query}`
    const signedSwap = await swapOf(bench.venue, usdcToWeth())
    const older = (await submitted(bench.venue, signedSwap)).slice('mainnet:'.length)
    bench.clock.advance(1_000)
    const native = await swapOf(bench.venue, etherToUsdc())
    bench.sim.onTransaction(sentBy(native))
    bench.clock.advance(3_000)
    const newer = native.execution.venueRef?.slice('mainnet:'.length)
    const owner = native.order.sender
    const uidsOf = ({ body }: Answer) => (body as { uid: string }[]).map(({ uid }) => uid)
    expect(uidsOf(await call('GET', path(owner)))).toEqual([newer, older])
    expect(uidsOf(await call('GET', path(owner.toLowerCase(), '?offset=1&limit=1')))).toEqual([older])
    expect((await call('GET', path(STRANGER))).body).toEqual([])
    expect((await call('GET', path(owner, '?limit=1001'))).status).toBe(400)
    expect((await call('GET', `${path(owner).replace('mainnet', 'base')}`)).body).toEqual([])
  })

  test('a version, and native prices per atom', async () => {
    expect((await call('GET', '/mainnet/api/v1/version')).text).toMatch(/^v[0-9.]+$/)
    // 1 USD over 3,950 USD per ether: 10^18 / 3950 wei for 10^6 atoms.
    expect((await call('GET', `/mainnet/api/v1/token/${USDC}/native_price`)).body).toEqual({
      price: expect.closeTo(253_164_556.96, 1),
    })
    expect((await call('GET', `/mainnet/api/v1/token/${NATIVE}/native_price`)).body).toEqual({ price: 1 })
    expect(verdict(await call('GET', `/mainnet/api/v1/token/${STRANGER}/native_price`))).toBe('404 NoLiquidity')
  })

  test('nothing is deposited to this venue', () => {
    expect(bench.sim.onDeposit({ chainId: 1, token: USDC, address: STRANGER, amount: 1n, txHash: '0x' })).toBe(false)
  })
})

describe('the EthFlow contract', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const at = (data: string, index: number, value: string) =>
    `${data.slice(0, 10 + index * 64)}${value}${data.slice(10 + (index + 1) * 64)}`

  test('is known by its events: of other contracts, other chains and mere descriptions the book knows nothing', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const { logs: _logs, ...described } = sentBy(swap)
    const logs = [...(sentBy(swap).logs ?? [])]
    expect(bench.sim.onTransaction(described)).toBe(false)
    expect(bench.sim.onTransaction(sentBy(swap, { logs: logs.map((log) => ({ ...log, address: STRANGER })) }))).toBe(false)
    expect(
      bench.sim.onTransaction(sentBy(swap, { logs: logs.map((log) => ({ ...log, topics: [`0x${'1'.repeat(64)}`] })) })),
    ).toBe(false)
    expect(bench.sim.onTransaction(sentBy(swap, { chainId: 10 }))).toBe(false)
    // Whoever was called: the order is placed by the contract.
    expect(bench.sim.onTransaction(sentBy(swap, { to: STRANGER, from: STRANGER, logs }))).toBe(true)
    bench.clock.advance(3_000)
    const uid = swap.execution.venueRef?.slice('mainnet:'.length) ?? ''
    expect((await call('GET', `/mainnet/api/v1/orders/${uid}`)).body).toMatchObject({
      onchainUser: swap.order.sender.toLowerCase(),
      signingScheme: 'eip1271',
    })
  })

  test.each<[string, number, bigint, string]>([
    ['a deadline years ahead', 6, 0xffffffffn, 'ValidToTooFarInFuture'],
    ['a quote nobody gave', 8, 7n, 'QuoteNotFound'],
    ['a document nobody registered', 4, 1n, 'PreValidationError'],
    ['nothing to be bought', 3, 0n, 'PreValidationError'],
  ])('takes an order with %s, and the book does not', async (_name, index, value, placementError) => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const data = at(sentBy(swap).data, index, word(value)) as Hex
    bench.sim.onTransaction(sentBy(swap, { data }))
    bench.clock.advance(3_000)
    const order = await decodeCreateOrder(data)
    const uid = order ? await ethFlowUid(1, WETH as Address, order) : ''
    const { body } = await call('GET', `/mainnet/api/v1/orders/${uid}`)
    expect(body).toMatchObject({ status: 'open', onchainOrderData: { placementError } })
    bench.clock.advance(60_000)
    expect((await call('GET', `/mainnet/api/v1/orders/${uid}`)).body).toMatchObject({ status: 'open', executedBuyAmount: '0' })
  })

  test('tells when the coins were taken back before the deadline, which cancels the order', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    bench.sim.onTransaction(sentBy(swap))
    bench.clock.advance(4_000)
    expect(bench.sim.onTransaction(takenBack(swap))).toBe(true)
    const uid = swap.execution.venueRef?.slice('mainnet:'.length) ?? ''
    expect((await call('GET', `/mainnet/api/v1/orders/${uid}`)).body).toMatchObject({
      status: 'cancelled',
      invalidated: true,
      ethflowData: { refundTxHash: takenBack(swap).txHash },
    })
    expect((await call('GET', `/mainnet/api/v1/orders/${uid}/status`)).body).toEqual({ type: 'cancelled' })
    bench.clock.advance(60_000)
    expect((await call('GET', `/mainnet/api/v1/orders/${uid}`)).body).toMatchObject({ status: 'cancelled' })
    expect(bench.fake.sent).toEqual([])
  })
})
