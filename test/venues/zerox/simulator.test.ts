import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { zeroxContracts } from '../../../engine/simnet/contracts/zeroxContracts.ts'
import { ALLOWANCE_HOLDER, metaTxnSettler, takerSettler } from '../../../engine/simnet/venues/zerox/networks.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, never, type Swap, signed, swapOf } from '../../support/venueKit/calls.ts'
import { speakTo } from '../../support/venueKit/speak.ts'
import { DAI, FEE_RECIPIENT, GASLESS, openBench, orders, PRICE, QUOTE, STRANGER, type ZeroxBench } from './support.ts'

/** The simulated venue refuses what the reference says is refused. */

let bench: ZeroxBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const HEADERS = { '0x-api-key': 'some-key-1234', '0x-version': 'v2' }
type Query = { readonly [name: string]: string | undefined }
const ASKED: Query = {
  ...{ chainId: '1', sellToken: USDC.ethereum, buyToken: WETH_ETHEREUM, sellAmount: '1000000000' },
  ...{ taker: WALLETS.evm },
}

const get = (path: string, query: Query = {}, headers: Record<string, string> = HEADERS) =>
  speakTo(bench, path, { query, headers })

describe('a question', () => {
  test.each<[string, Record<string, string>, number]>([
    ['no key', { '0x-version': 'v2' }, 401],
    ['what is no key', { ...HEADERS, '0x-api-key': 'short' }, 401],
    ['no version', { '0x-api-key': 'some-key-1234' }, 400],
    ['another version', { ...HEADERS, '0x-version': 'v1' }, 400],
  ])('with %s is refused', async (_what, headers, status) => {
    expect((await get(PRICE, ASKED, headers)).status).toBe(status)
  })

  test.each<[Query, string]>([
    [{ sellToken: `0x${'0'.repeat(40)}` }, 'sellToken'],
    [{ buyToken: '0x12' }, 'buyToken'],
    [{ buyToken: USDC.ethereum }, 'buyToken'],
    [{ sellAmount: undefined }, 'sellAmount'],
    [{ buyAmount: '1' }, 'sellAmount'],
    [{ sellAmount: '1.5' }, 'sellAmount'],
    [{ chainId: '324' }, 'chainId'],
    [{ slippageBps: '50', slippagePpm: '5000' }, 'slippagePpm'],
    [{ slippageBps: '10001' }, 'slippageBps'],
    [{ swapFeeRecipient: FEE_RECIPIENT }, 'swapFeeBps'],
    [{ swapFeeBps: '30' }, 'swapFeeBps'],
    [{ swapFeeRecipient: `${FEE_RECIPIENT},${STRANGER}`, swapFeeBps: '30' }, 'swapFeeBps'],
    [{ swapFeeRecipient: FEE_RECIPIENT, swapFeeBps: '1001', swapFeeToken: WETH_ETHEREUM }, 'swapFeeBps'],
    [{ swapFeeRecipient: FEE_RECIPIENT, swapFeeBps: '30', swapFeeToken: DAI }, 'swapFeeToken'],
    [{ taker: 'nobody' }, 'taker'],
    [{ surprise: 'yes' }, 'surprise'],
  ])('with %o is refused for its %s', async (change, field) => {
    const { status, body } = await get(PRICE, { ...ASKED, ...change })
    expect([status, body]).toMatchObject([400, { name: 'INPUT_INVALID', data: { details: [{ field }] } }])
  })

  test.each<[string, string, Query, string]>([
    ['a firm price without a taker', QUOTE, { taker: undefined }, 'INPUT_INVALID'],
    ['a gasless price of coins', GASLESS, { sellToken: NATIVE }, 'INPUT_INVALID'],
    ['a gasless price of an exact output', GASLESS, { sellAmount: undefined, buyAmount: '1' }, 'INPUT_INVALID'],
    ['a gasless price with less slippage than is relayed', GASLESS, { slippageBps: '29' }, 'INPUT_INVALID'],
    ['a gasless price for another origin', GASLESS, { txOrigin: WALLETS.evm }, 'INPUT_INVALID'],
    ['a gasless price where nothing is relayed', GASLESS, { chainId: '59144' }, 'INPUT_INVALID'],
    ['a gasless price of too little', GASLESS, { sellAmount: '9999999' }, 'SELL_AMOUNT_TOO_SMALL'],
    ['a token that is none', PRICE, { sellToken: STRANGER }, 'TOKEN_NOT_SUPPORTED'],
    ['wrapping for somebody else', PRICE, { sellToken: NATIVE, recipient: STRANGER }, 'RECIPIENT_NOT_SUPPORTED'],
  ])('for %s is refused', async (_what, path, change, name) => {
    const { status, body } = await get(path, { ...ASKED, ...change })
    expect([status, body['name']]).toEqual([400, name])
  })

  test('for its chains, sources and nothing that it has is answered', async () => {
    expect((await get('/swap/chains')).body['chains']).toHaveLength(13)
    expect((await get('/gasless/chains')).body['chains']).toHaveLength(12)
    expect((await get('/sources', { chainId: '1' })).status).toBe(200)
    expect((await get('/swap/permit2/quote', ASKED)).status).toBe(404)
    expect((await get('/gasless/price', ASKED)).body).not.toHaveProperty('trade')
  })
})

describe('a trade that is posted', () => {
  let swap: Swap
  let body: object
  beforeEach(async () => {
    swap = await swapOf(bench.venue, orders.usdc())
    const venue = bench.afresh({ baseUrl: bench.baseUrl })
    await venue.submitter?.submit(swap, await signed(swap.execution), never())
    body = bench.sent.findLast(({ method }) => method === 'POST')?.body as object
  })
  const post = async (sent: unknown) => (await speakTo(bench, '/gasless/submit', { body: sent, headers: HEADERS })).body['name']

  test('again is told so', async () => {
    expect(await post(body)).toBe('TRADE_ALREADY_SUBMITTED')
  })

  test.each<[string, unknown, string]>([
    ['trade.eip712.message.nonce', '1', 'META_TRANSACTION_INVALID'],
    ['trade.eip712.message.permitted.amount', '1', 'META_TRANSACTION_INVALID'],
    ['trade.eip712.domain.name', 'Permit3', 'META_TRANSACTION_INVALID'],
    ['trade.type', 'otc', 'INPUT_INVALID'],
    ['trade.extra', 1, 'INPUT_INVALID'],
    ['extra', 1, 'INPUT_INVALID'],
    ['chainId', 10, 'INPUT_INVALID'],
    ['trade.signature.r', '0x12', 'INPUT_INVALID'],
  ])('with another %s is refused', async (path, value, name) => {
    expect(await post(altered(body, path, value))).toBe(name)
  })
})

test('a trade is refused by who did not sign it, in what is no signature, and too late', async () => {
  const refused = async (change: object, lateMs = 0) => {
    const swap = await swapOf(bench.venue, orders.usdc())
    bench.clock.advance(lateMs)
    const call = bench.venue.submitter?.submit(swap, { ...(await signed(swap.execution)), ...change }, never())
    return call?.then(
      () => 'taken',
      (error: Error) => error.message,
    )
  }
  const { signature } = await signed((await swapOf(bench.venue, orders.usdc())).execution)
  expect(await refused({ signature })).toContain('INVALID_SIGNER')
  expect(await refused({ signature: `${signature.slice(0, -2)}1d` })).toContain('INVALID_SIGNATURE')
  expect(await refused({ approvalSignature: signature })).toContain('INVALID_SIGNER')
  expect(await refused({}, 1_790_000)).toContain('META_TRANSACTION_EXPIRY_TOO_SOON')
  expect(await refused({})).toBe('taken')
})

test('a status is asked with its chain, and of a trade that is there', async () => {
  const hash = `0x${'12'.repeat(32)}`
  expect((await get(`/gasless/status/${hash}`)).status).toBe(400)
  expect(await get(`/gasless/status/${hash}`, { chainId: '1' })).toMatchObject({
    status: 404,
    body: { name: 'META_TRANSACTION_STATUS_NOT_FOUND' },
  })
})

test('its contracts stand where the registry makes them: the current ones of Ethereum and Base are among the known', async () => {
  const accounts = await zeroxContracts(1, createArtifacts())
  const addresses = accounts.map(({ address }) => address)
  expect(addresses).toEqual(expect.arrayContaining([ALLOWANCE_HOLDER, takerSettler(1), metaTxnSettler(1)]))
  // Of the calls that were recorded in September 2026.
  expect(takerSettler(1)).toBe('0x0889e9327b98d7d1be3c301a4585ff3330502c9a')
  expect(await zeroxContracts(324, createArtifacts())).toEqual([])
})
