import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { CHAIN_IDS, type ChainId } from '../../../engine/core/chain.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, never, prove, refusalOf, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { type Answer, type Canned, changing, toldBy } from '../../support/venueKit/canned.ts'
import lies from './lies.json' with { type: 'json' }
import {
  type Body,
  byPriority,
  byV2,
  byV3,
  cannedUniswapX,
  FEE_RECIPIENT,
  NONE,
  onUnichain,
  openBench,
  PERMIT2,
  REACTORS,
  STRANGER,
} from './support.ts'

const open = closedAfterEach(openBench)

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const TOKEN = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'

test('quote: UniswapX sells tokens within chains with documented or observed quotes, and no coins', async () => {
  const { venue } = cannedUniswapX(() => ({}))
  const serves = (from: readonly [ChainId, string], to: readonly [ChainId, string]) =>
    venue.profile.serves({ input: { chainId: from[0], address: from[1] }, output: { chainId: to[0], address: to[1] } } as never)
  expect(CHAIN_IDS.filter((chainId) => chainId > 0 && serves([chainId, TOKEN], [chainId, NATIVE]))).toEqual([
    ...[1, 130, 8453, 42161, 4663],
  ])
  expect(serves([1, NATIVE], [1, TOKEN])).toBe(false)
  expect(serves([1, TOKEN], [8453, TOKEN])).toBe(false)
  expect(serves([8453, '0x4200000000000000000000000000000000000006'], [8453, NATIVE])).toBe(false)
})

test.each([
  ['V2 on Ethereum', byV2, 'DUTCH_V2', 'UNISWAPX_V2', REACTORS.v2],
  ['V3 on Arbitrum, for coins', byV3, 'DUTCH_V3', 'UNISWAPX_V3', REACTORS.v3],
  ['priority on Base', byPriority, 'PRIORITY', 'UNISWAPX_V2', REACTORS.priority],
] as const)('quote: requests one order type and offers its terms: %s', async (_name, orderOf, routing, protocol, reactor) => {
  const bench = await open()
  const order = orderOf({ slippageBps: 29 })
  const swap = await swapOf(bench.venue, order)
  const isCoins = order.output.address === NATIVE
  expect(bench.sent[0]?.body).toEqual({
    type: 'EXACT_INPUT',
    amount: '2000000000',
    tokenInChainId: order.input.chainId,
    tokenOutChainId: order.input.chainId,
    tokenIn: order.input.address,
    tokenOut: isCoins ? `0x${'0'.repeat(40)}` : order.output.address,
    swapper: WALLETS.evm,
    recipient: WALLETS.evmOther,
    slippageTolerance: 0.29,
    protocols: [protocol],
    routingPreference: 'BEST_PRICE',
    integratorFees: [{ bips: 30, recipient: FEE_RECIPIENT }],
  })
  const { offer, execution } = swap
  const gross = (((2_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 99_750n) / 100_000n
  const fee = (gross * 30n) / 10_000n
  const expected = gross - fee
  const least = routing === 'PRIORITY' ? expected : (expected * 9_971n) / 10_000n
  expect(offer).toMatchObject({
    ...{ outputAmount: expected, fee: { bps: 30, amount: fee }, slippage: { isFirm: true, guaranteedMin: least } },
    ...{ spender: PERMIT2, gasUnits: null, expiresAt: START_OF_TIME + 30_000, carry: { v: 1, routing } },
  })
  const { domain, message, primaryType } = typedDataOf(execution)
  expect(domain).toEqual({ name: 'Permit2', chainId: order.input.chainId, verifyingContract: PERMIT2 })
  expect([primaryType, message['spender']]).toEqual(['PermitWitnessTransferFrom', reactor])
  expect(execution.venueRef).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await prove(bench.venue, swap)).toEqual([])
})

test('quote: omits a recipient equal to the swapper, and a fee without a recipient', async () => {
  const bench = await open()
  for (const order of [byV2({ recipient: WALLETS.evm, feeBps: 0 }), byV2({ recipient: FEE_RECIPIENT })]) {
    const { offer, execution } = await swapOf(bench.venue, order)
    expect(Object.keys(bench.sent.at(-1)?.body as Body)).not.toContain('integratorFees')
    expect(offer.fee).toEqual({ bps: 0, amount: 0n })
    expect((await bench.venue.decode(execution)).recipient).toBe(order.recipient)
  }
})

test('execute: requests exactly the fields of the quote, with the API key', async () => {
  const { venue, asked } = cannedUniswapX(() => NONE)
  await refusalOf(venue.quote(byV3(), never()))
  expect(asked).toMatchObject([{ method: 'POST', path: '/quote', headers: { 'x-api-key': 'a-key-0123456789' } }])
})

describe('quote: UniswapX V3 is requested when the older protocol has no quote', () => {
  const protocolsIn = (asked: Canned['asked']) => asked.map(({ body }) => String((body as Body)['protocols']))
  /** A venue that answers V2 so, and V3 as the simulator does unless it is told otherwise. */
  const without = async (v2: Answer, v3?: Answer) => {
    const answering = toldBy((await open()).sim)
    return cannedUniswapX((asked) => (protocolsIn([asked])[0] === 'UNISWAPX_V2' ? v2 : (v3 ?? answering(asked))))
  }

  test.each<[string, Answer, typeof byV2, string]>([
    ['no quote', NONE, byV2, '0x0000000015757c461808EA25Eb309638B62681cf'],
    ['a route over pools', { body: { routing: 'CLASSIC' } }, byV2, '0x0000000015757c461808EA25Eb309638B62681cf'],
    ['no quote on Base', NONE, byPriority, '0x000000008a8330B5d1F43A62Bf4C673A49f27ba0'],
    ['no quote on Unichain', NONE, onUnichain, '0x000000005aF66799D1a6317714D66800f9CA1406'],
  ])('after %s: the offer is V3, which execute requests first', async (_what, v2, orderOf, reactor) => {
    const { venue, asked } = await without(v2)
    const swap = await swapOf(venue, orderOf())
    expect(swap.offer.carry).toEqual({ v: 1, routing: 'DUTCH_V3' })
    expect(typedDataOf(swap.execution).message['spender']).toBe(reactor)
    expect(await prove(venue, swap)).toEqual([])
    expect(protocolsIn(asked)).toEqual(['UNISWAPX_V2', 'UNISWAPX_V3', 'UNISWAPX_V3'])
  })

  test.each<[string, Answer, Answer, string, number]>([
    ['no quote of either version', NONE, NONE, 'noLiquidity', 2],
    ['a V3 request that the API rejects', NONE, { status: 400, body: { errorCode: 'RequestValidationError' } }, 'noLiquidity', 2],
    ['a V3 failure', NONE, { status: 500, body: {} }, 'unavailable', 2],
    ['a wallet without funds', { status: 404, body: { errorCode: 'InsufficientBalance' } }, NONE, 'badRequest', 1],
  ])('after %s', async (_what, v2, v3, kind, calls) => {
    const { venue, asked } = await without(v2, v3)
    expect((await refusalOf(venue.quote(byV2(), never()))).kind).toBe(kind)
    expect(asked).toHaveLength(calls)
  })
})

test.each([
  [PERMIT2, []],
  [STRANGER, Array(8).fill([STRANGER])],
])('uniswapx pins: reactors that take input through %s', async (permit2, published) => {
  const chains = createFakeChains()
  chains.script.call = async () => `0x${permit2.slice(2).padStart(64, '0')}`
  const checks = await checkPins(cannedUniswapX(() => ({}), { chains }).venue, never())
  expect(checks.flatMap(({ differences }) => differences.map((difference) => difference.published))).toEqual(published)
})

test('quote: rejects a reactor that is neither published nor configured [venue-uniswapx]', async () => {
  const { venue, clock } = await open()
  const swap = await swapOf(venue, byV2())
  const moved = alteredBy(swap.execution, [
    ['payload.typedData.message.spender', STRANGER],
    ['payload.typedData.message.witness.info.reactor', STRANGER],
  ])
  const unread = (REACTORS?: string) =>
    cannedUniswapX(() => ({}), { settings: { FEE_RECIPIENT, ...(REACTORS ? { REACTORS } : {}) }, now: clock.now })
  expect((await unread().venue.decode(moved)).unread).toContain('reactor')
  const { decode, profile } = unread(`1=${STRANGER}`).venue
  expect((await decode(moved)).unread).not.toContain('reactor')
  expect(profile.contracts[1]).toContain(STRANGER)
})

describe('quote: a UniswapX answer', () => {
  const changed = async (change: (body: Body) => unknown, order = byV2()) => {
    const bench = await open()
    return cannedUniswapX(changing(toldBy(bench.sim), { '/quote': change as never })).venue.quote(order, never())
  }
  /** A venue that hears something else. */
  const asking = async (heard: (body: Body) => Body, answered = (body: Body): unknown => body) => {
    const { sim } = await open()
    const answering = changing(toldBy(sim), { '/quote': answered as never })
    return cannedUniswapX((asked) => answering({ ...asked, body: heard(asked.body as Body) })).venue
  }
  const VALUES = 'permitData.values'

  test('with integers as JSON numbers or ethers objects is accepted', async () => {
    const hex = (text: unknown) => ({ type: 'BigNumber', hex: `0x${BigInt(String(text)).toString(16)}` })
    for (const [path, by] of [
      [`${VALUES}.witness.info.nonce`, hex],
      [`${VALUES}.nonce`, hex],
      [`${VALUES}.witness.info.deadline`, String],
      [`${VALUES}.permitted.amount`, Number],
      [`${VALUES}.witness.baseInputStartAmount`, hex],
      [`${VALUES}.witness.baseOutputs.*.startAmount`, hex],
    ] as const)
      expect((await changed((body) => altered(body, path, by))).carry, path).toEqual({ v: 1, routing: 'DUTCH_V2' })
  })

  test('with the id as `orderHash` is accepted; without an id or with another one it is rejected', async () => {
    const renamed = (body: Body) => {
      const { orderId, ...quote } = body['quote'] as Body
      return { ...body, quote: { ...quote, orderHash: orderId } }
    }
    expect((await changed(renamed)).outputAmount).toBeGreaterThan(0n)
    for (const id of [`0x${'1'.repeat(64)}`, undefined])
      expect((await refusalOf(changed((body) => altered(body, 'quote.orderId', id)))).message).toContain('another id')
  })

  test.each([
    ['CLASSIC', 'noLiquidity'],
    ['BRIDGE', 'noLiquidity'],
    ['DUTCH_LIMIT', 'noLiquidity'],
    // No such reactor on Ethereum.
    ['PRIORITY', 'noLiquidity'],
    ['DUTCH_V3', 'rejected'],
  ])('with routing %s is %s', async (routing, kind) => {
    expect((await refusalOf(changed((body) => ({ ...body, routing })))).kind).toBe(kind)
  })

  test('of another chain or contract is rejected', async () => {
    for (const [path, value] of [
      ['permitData.domain.chainId', 8453],
      ['permitData.domain.verifyingContract', STRANGER],
      ['permitData.domain.name', 'Permit3'],
    ] as const)
      expect((await refusalOf(changed((body) => altered(body, path, value)))).kind).toBe('rejected')
  })

  type Lie = [at: string, value: string, kind: string, check: string | null]
  test.each(lies as Lie[])('paying only the swapper is not sold, or rejected: unknown %s', async (at, value, kind, check) => {
    const changes = (body: Body) => altered(body, at, value)
    const deaf = await asking(({ recipient: _, ...body }) => body, changes)
    expect(await refusalOf(deaf.quote(byV2({ feeBps: 0 }), never()))).toMatchObject({
      kind,
      check,
      reason: check ? null : 'notSold',
    })
  })

  test('with a higher fee than requested is rejected [venue-uniswapx]', async () => {
    const greedy = await asking((body) => ({ ...body, integratorFees: [{ bips: 90, recipient: FEE_RECIPIENT }] }))
    expect((await refusalOf(greedy.quote(byV2(), never()))).message).toContain('more fee')
  })

  test('with any payload fault is rejected', async () => {
    for (const fault of ['wrong-recipient', 'wrong-amount', 'wrong-contract'] as const) {
      const bench = await open()
      bench.faults.set('uniswapx', fault, {}, null)
      expect((await refusalOf(bench.venue.quote(byV3(), never()))).kind, fault).toBe('rejected')
    }
  })
})

test('execute: requests a slipped price once more with less slippage, so that the quoted minimum holds', async () => {
  const bench = await open()
  const order = byV2({ slippageBps: 100, feeBps: 0 })
  const offer = await bench.venue.quote(order, never())
  bench.market.setPrice('ETH', 3_960_000_000n)
  const execution = await bench.venue.execute({ order, offer }, order, never())
  expect(bench.sent).toHaveLength(3)
  expect(execution.slippage?.guaranteedMin).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
})

describe('quote: the cosigner of a UniswapX order [venue-uniswapx]', () => {
  const cosignerOf = async () => {
    const { execution } = await swapOf((await open()).venue, byV2())
    return String((typedDataOf(execution).message['witness'] as { cosigner: string }).cosigner)
  }

  test.each(['', `${STRANGER}, `])('must be configured, where any is: %j before it', async (before) => {
    const bench = await open()
    const [COSIGNER, answering] = [`${before}${await cosignerOf()}`, toldBy(bench.sim)]
    const { venue } = cannedUniswapX(answering, { settings: { FEE_RECIPIENT, COSIGNER } })
    const swap = await swapOf(venue, byV2())
    expect(await prove(venue, swap)).toEqual([])
    const strict = cannedUniswapX(answering, { settings: { FEE_RECIPIENT, COSIGNER: STRANGER } }).venue
    expect(await prove(strict, swap)).toEqual([expect.stringContaining('cosigner')])
    expect(await refusalOf(strict.quote(byV2(), never()))).toMatchObject({ kind: 'rejected' })
  })

  test('setting is a list of addresses without the zero address', () => {
    const read = (text: string) =>
      parseConfig({ NETWORK: 'mainnet', VENUE_UNISWAPX_API_KEY: 'a-key-0123456789', VENUE_UNISWAPX_COSIGNER: text })
    expect(() => read(`${STRANGER},${FEE_RECIPIENT}`)).not.toThrow()
    for (const text of [`${STRANGER},`, 'somebody', `${STRANGER} ${FEE_RECIPIENT}`, `${STRANGER},0x${'0'.repeat(40)}`])
      expect(() => read(text), text).toThrow('VENUE_UNISWAPX_COSIGNER')
  })
})
