import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { recordExchanges } from '../../../engine/net/exchanges.ts'
import { takerSettler } from '../../../engine/simnet/venues/zerox/networks.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered, alteredBy, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import type { Asked } from '../../support/venueKit/canned.ts'
import {
  ALLOWANCE_HOLDER,
  API_KEY,
  DAI,
  FEE_RECIPIENT,
  GASLESS,
  GASLESS_PRICE,
  openBench,
  orders,
  PERMIT2,
  PRICE,
  QUOTE,
  refusing,
  STRANGER,
  told,
  type ZeroxBench,
} from './support.ts'

let bench: ZeroxBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const paths = () => bench.sent.map(({ path }) => path).sort()
/** A token whose permits are not known: both prices, and one firm quote to learn it. */
const LEARNING = [GASLESS_PRICE, GASLESS, PRICE]

describe('quote: the request to 0x', () => {
  test('has the fields of the order, key and version, and a fee in the output token', async () => {
    await bench.venue.quote(orders.usdc(), never())
    const asked = bench.sent.find(({ path }) => path === GASLESS_PRICE)
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      chainId: '1',
      sellToken: USDC.ethereum,
      buyToken: WETH_ETHEREUM,
      sellAmount: '1000000000',
      taker: WALLETS.evm,
      recipient: WALLETS.evmOther,
      slippageBps: '50',
      swapFeeRecipient: FEE_RECIPIENT,
      swapFeeBps: '30',
      swapFeeToken: WETH_ETHEREUM,
    })
    expect(asked?.headers).toMatchObject({ '0x-api-key': API_KEY, '0x-version': 'v2' })
    expect(paths()).toEqual(LEARNING)
  })

  test('has no fee when none is charged or no recipient is configured', async () => {
    const unset = told(bench, { settings: {} })
    await unset.venue.quote(orders.usdc(), never())
    await told(bench).venue.quote(orders.usdc({ feeBps: 0 }), never())
    expect(unset.asked[0]?.query.has('swapFeeBps')).toBe(false)
    expect((await unset.venue.quote(orders.usdc(), never())).fee).toEqual({ bps: 0, amount: 0n })
  })

  test('has a fee of at most ten percent', async () => {
    expect((await bench.venue.quote(orders.usdc({ feeBps: 2_000 }), never())).fee.bps).toBe(1_000)
  })
})

describe('quote: the 0x offer is', () => {
  test('a signature without gas where a permit is sufficient', async () => {
    const offer = await bench.venue.quote(orders.usdc(), never())
    expect(offer).toMatchObject({
      executionType: 'SIGNATURE',
      spender: PERMIT2,
      isApprovedBySignature: true,
      gasUnits: null,
      nativeFee: 0n,
      expiresAt: START_OF_TIME + 30_000,
      slippage: { isFirm: true },
    })
    // 30 bps of what the pool gives, before all else.
    const gross = (((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 999_300n) / 1_000_000n
    expect(offer.fee).toEqual({ bps: 30, amount: (gross * 30n) / 10_000n })
    expect(offer.slippage?.guaranteedMin).toBe((offer.outputAmount * 9_950n) / 10_000n)
  })

  const byTransaction = { executionType: 'TRANSACTION', gasUnits: 288_079n, expiresAt: START_OF_TIME + 30_000 }
  test.each<[string, () => VenueOrder, string | null, readonly string[]]>([
    ['coins', orders.ether, null, [PRICE]],
    ['a token without a permit or an allowance', orders.dai, ALLOWANCE_HOLDER, LEARNING],
    ['a slippage below the gasless minimum', () => orders.usdc({ slippageBps: 29 }), ALLOWANCE_HOLDER, [PRICE]],
    ['an amount below the gasless minimum', () => orders.usdc({ amount: 2_000_000n }), ALLOWANCE_HOLDER, [GASLESS_PRICE, PRICE]],
    [
      'a chain without the gasless API',
      () =>
        anOrder({
          from: [59144, '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'],
          to: [59144, NATIVE],
          amount: 50_000_000n,
        }),
      ALLOWANCE_HOLDER,
      [PRICE],
    ],
  ])('a transaction for %s', async (_what, order, spender, asked) => {
    expect(await bench.venue.quote(order(), never())).toMatchObject({ ...byTransaction, spender })
    expect(paths()).toEqual(asked)
  })

  test.each<[string, string, unknown]>([
    ['of another kind', 'approval.type', 'daiPermit'],
    ['without a limit', 'approval.eip712.message.value', (2n ** 256n - 1n).toString()],
    ['for another spender', 'approval.eip712.message.spender', STRANGER],
    ['of another owner', 'approval.eip712.message.owner', STRANGER],
    ['of another token', 'approval.eip712.domain.verifyingContract', DAI],
  ])('a transaction where the required approval is one %s', async (_what, path, value) => {
    const { venue } = told(bench, { changes: { [GASLESS]: (body) => altered(body, path, value) } })
    expect((await venue.quote(orders.usdc(), never())).executionType).toBe('TRANSACTION')
  })

  test('a signature without a permit where Permit2 may already take the input', async () => {
    const changes = { [GASLESS_PRICE]: (body: object) => ({ ...body, issues: { allowance: null } }) }
    const offer = await told(bench, { changes: changes as never }).venue.quote(orders.dai(), never())
    expect(offer).toMatchObject({ executionType: 'SIGNATURE', spender: PERMIT2 })
    expect(offer.isApprovedBySignature).toBeUndefined()
  })

  test('a transaction where the key lacks the gasless API, which is tried once an hour', async () => {
    for (const answer of [refusing('USER_NOT_AUTHORIZED'), { status: 403, body: { message: 'Forbidden' } }]) {
      const { venue, asked, notices } = told(bench, { instead: ({ path }) => (path.startsWith('/gasless') ? answer : null) })
      for (const ms of [0, 3_599_999, 1]) {
        bench.clock.advance(ms)
        expect((await venue.quote(orders.usdc(), never())).executionType).toBe('TRANSACTION')
      }
      expect([asked.filter(({ path }) => path.startsWith('/gasless')).length, notices.length]).toEqual([2, 2])
    }
  })

  test.each<[string, () => VenueOrder, readonly string[]]>([
    ['comes with a permit', orders.usdc, [GASLESS_PRICE, PRICE]],
    ['comes without one', orders.dai, [PRICE]],
  ])('priced without a firm quote for a known token that %s', async (_what, order, again) => {
    await bench.venue.quote(order(), never())
    const before = bench.sent.length
    await bench.venue.quote(order(), never())
    expect(
      bench.sent
        .slice(before)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(again)
    bench.clock.advance(6 * 3_600_000)
    await bench.venue.quote(order(), never())
    expect(paths().filter((path) => path === GASLESS)).toHaveLength(2)
  })

  test.each([
    ['the transaction, where it leaves more than the signature before gas', 1n, 'TRANSACTION'],
    ['the signature, where both leave the same before gas', 0n, 'SIGNATURE'],
  ])('%s', async (_what, more, executionType) => {
    const raised = (body: { buyAmount: string }) => altered(body, 'buyAmount', `${BigInt(body.buyAmount) + more}`)
    const { venue } = told(bench, { changes: { [PRICE]: raised as never } })
    expect((await venue.quote(orders.usdc(), never())).executionType).toBe(executionType)
  })

  const wallets = [STRANGER, WALLETS.evm, FEE_RECIPIENT, WALLETS.evmOther, STRANGER, WALLETS.evm]
  /** A venue that gives no permit to the stranger, who alone has code, and how it sells to each wallet, after whose firm quotes. */
  const soldTo = (order: typeof orders.usdc) => {
    const chains = createFakeChains()
    chains.script.code = async ({ address }) => (address === STRANGER ? '0x6001' : '0x')
    const none = (body: object, { query }: Asked) => (query.get('taker') === STRANGER ? { ...body, approval: null } : body)
    const { venue, asked } = told(bench, { chains, changes: { [GASLESS]: none } as never })
    const typeFor = async (sender: VenueOrder['sender']) =>
      (await venue.quote(order({ sender, recipient: sender }), never())).executionType
    const firm = () => asked.filter(({ path }) => path === GASLESS).map(({ query }) => query.get('taker'))
    return { typeFor, firm }
  }

  test.each([
    ['with permits', orders.usdc, 'SIGNATURE'],
    ['without', orders.dai, 'TRANSACTION'],
  ])('based on one firm quote for all wallets of a token %s, and another for a wallet with code', async (_what, order, type) => {
    const { typeFor, firm } = soldTo(order)
    const types: string[] = []
    for (const sender of wallets) types.push(await typeFor(sender))
    expect(types).toEqual(wallets.map((sender) => (sender === STRANGER ? 'TRANSACTION' : type)))
    expect(firm()).toEqual([STRANGER, WALLETS.evm])
  })

  test('based on one firm quote for simultaneous wallets; after a failure, none for that wallet for a minute', async () => {
    const { typeFor, firm } = soldTo(orders.usdc)
    await Promise.all(wallets.slice(1, 4).map(typeFor))
    expect(firm()).toHaveLength(1)
    const { venue, asked } = told(bench, { instead: ({ path }) => (path === GASLESS ? refusing('INSUFFICIENT_BALANCE') : null) })
    for (const [ms, calls] of [
      [0, 1],
      [59_999, 1],
      [1, 2],
    ] as const) {
      bench.clock.advance(ms)
      expect((await venue.quote(orders.usdc(), never())).executionType).toBe('TRANSACTION')
      expect(asked.filter(({ path }) => path === GASLESS)).toHaveLength(calls)
    }
    await venue.quote(orders.usdc({ sender: WALLETS.evmOther }), never())
    expect(asked.filter(({ path }) => path === GASLESS)).toHaveLength(3)
  })

  test.each([
    ['may be taken by Permit2 since its price', { approval: null, issues: { allowance: null } }],
    ['has another approval to sign', { approval: { type: 'executeMetaTransaction' }, issues: {} }],
  ])('independent of the firm quote of another wallet whose input %s', async (_what, change) => {
    const changed = (body: { issues: object }, { query }: Asked) =>
      query.get('taker') === WALLETS.evm ? { ...body, ...change, issues: { ...body.issues, ...change.issues } } : body
    const { venue } = told(bench, { changes: { [GASLESS]: changed } as never })
    const types: string[] = []
    for (const sender of [WALLETS.evm, WALLETS.evmOther])
      types.push((await venue.quote(orders.usdc({ sender, recipient: sender }), never())).executionType)
    expect(types).toEqual(['TRANSACTION', 'SIGNATURE'])
  })

  // No payload binds the gas: it makes up for 5 % of the output at most.
  test.each([
    [100n, '1500000', 'SIGNATURE'],
    [100n, '800000', 'TRANSACTION'],
    [96n, '999999999', 'SIGNATURE'],
    [94n, '999999999', 'TRANSACTION'],
  ])(
    'the better of both: a signature of %s percent of the output, after %s units of the input for gas [venue-zerox]',
    async (percent, amount, executionType) => {
      const part = (whole: unknown) => `${(BigInt(String(whole)) * percent) / 100n}`
      const changed = (body: object) =>
        alteredBy(body, [
          ['buyAmount', part],
          ['minBuyAmount', part],
          ['fees.gasFee', { amount, token: USDC.ethereum }],
        ])
      const changes = { [GASLESS_PRICE]: changed }
      expect((await told(bench, { changes: changes as never }).venue.quote(orders.usdc(), never())).executionType).toBe(
        executionType,
      )
    },
  )

  test('a signature where no transaction is available', async () => {
    const { venue } = told(bench, { instead: ({ path }) => (path === PRICE ? { body: { liquidityAvailable: false } } : null) })
    expect((await venue.quote(orders.usdc(), never())).executionType).toBe('SIGNATURE')
  })

  test.each([
    [[1], 'TRANSACTION'],
    [[2], 'SIGNATURE'],
    [[3], 'TRANSACTION'],
    [[1, 2], 'no room'],
  ])('limited to the remaining type when our own rate limit blocks the requests %j', async (refused, result) => {
    let requests = 0
    const count = () => {
      requests += 1
      if (refused.includes(requests)) throw new VenueError('rateLimited', 'no room', { nature: 'ownLimit' })
    }
    const quoted = recordExchanges([], () => bench.venue.quote(orders.usdc(), never()), count)
    expect(
      await quoted.then(
        ({ executionType }) => executionType,
        ({ message }) => message,
      ),
    ).toBe(result)
  })

  test('a transaction once the firm quote lacks the permit of the price', async () => {
    let approval: object = {}
    const { venue } = told(bench, { changes: { [GASLESS]: (body: object) => ({ ...body, ...approval }) } as never })
    const offer = await venue.quote(orders.usdc(), never())
    approval = { approval: null }
    const order = orders.usdc()
    expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
    expect((await venue.quote(order, never())).executionType).toBe('TRANSACTION')
  })

  test('for the requested input, ignoring other fields of the answer', async () => {
    const odd = { gas: 'much', issues: null, allowanceTarget: undefined }
    const { venue } = told(bench, { changes: { [PRICE]: (body) => Object.assign(body, odd) } })
    expect(await venue.quote(orders.ether(), never())).toMatchObject({ gasUnits: null })
  })

  test.each<[string, unknown]>([
    ['buyToken', DAI],
    ['sellToken', DAI],
    ['sellAmount', '1'],
    ['sellAmount', '1000000000000000001'],
    ['allowanceTarget', STRANGER],
    ['minBuyAmount', '0'],
    ['minBuyAmount', '99999999999999'],
    ['fees.integratorFee', null],
    ['fees.integratorFee.token', DAI],
  ])('rejected for an answer with another %s', async (path, value) => {
    const { venue } = told(bench, { changes: { [PRICE]: (body) => altered(body, path, value) } })
    expect((await refusalOf(venue.quote(orders.ether(), never()))).kind).toBe('rejected')
  })
})

const toStranger = (data: string) => data.replaceAll(takerSettler(1).slice(2), STRANGER.slice(2))
test.each<[string, () => VenueOrder, string, string, unknown]>([
  ['a trade', orders.usdc, GASLESS, 'trade.eip712.message.spender', STRANGER],
  ['a call', orders.ether, QUOTE, 'transaction.data', toStranger],
])('execute: rejects %s for an unknown Settler [venue-zerox]', async (_what, order, path, field, value) => {
  const { venue } = told(bench, { changes: { [path]: (body) => altered(body, field, value) } })
  const refusal = await refusalOf(swapOf(venue, order()))
  expect(refusal).toMatchObject({ kind: 'rejected', check: 'settler', found: expect.stringMatching(new RegExp(STRANGER, 'i')) })
})

test.each<[string, readonly [number, string], readonly [number, string]]>([
  ['two chains', [1, USDC.ethereum], [8453, USDC.base]],
  ['a token for itself', [1, USDC.ethereum], [1, USDC.ethereum]],
  ['wrapping', [1, NATIVE], [1, WETH_ETHEREUM]],
  ['unwrapping', [1, WETH_ETHEREUM], [1, NATIVE]],
  ['an unsupported chain', [324, NATIVE], [324, '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91']],
  ['Solana', [-2, 'So11111111111111111111111111111111111111112'], [-2, USDC.solana]],
])('quote: 0x does not serve %s', (_what, from, to) => {
  const { input, output } = anOrder({ from: from as never, to: to as never, amount: 1n })
  expect(bench.venue.profile.serves({ input, output })).toBe(false)
})
