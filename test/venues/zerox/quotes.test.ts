import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { recordExchanges } from '../../../engine/net/exchanges.ts'
import { takerSettler } from '../../../engine/simnet/venues/zerox/payloads.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import type { Asked, Telling } from '../../support/venueKit/canned.ts'
import { FEE_RECIPIENT, GASLESS, GASLESS_PRICE, openBench, orders, PRICE, QUOTE, refusing, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

/** The adapter on its bench: how it sells, and what it has requested. */
const stage = async (telling: Telling = {}) => {
  const bench = await open()
  const { venue, asked, notices } = told(bench, telling)
  const typeFor = async (order: VenueOrder) => (await venue.quote(order, never())).executionType
  const firm = () => asked.filter(({ path }) => path === GASLESS).map(({ query }) => query.get('taker'))
  return { bench, venue, asked, notices, typeFor, firm }
}
const changing = (changes: { readonly [path: string]: (body: never, asked: Asked) => unknown }): Telling => ({ changes })
const by = (order: typeof orders.usdc, sender: VenueOrder['sender']) => order({ sender, recipient: sender })

// No payload binds the gas: it makes up for 5 % of the output at most.
test.each([
  [100n, '1500000', 'SIGNATURE'],
  [100n, '800000', 'TRANSACTION'],
  [96n, '999999999', 'SIGNATURE'],
  [94n, '999999999', 'TRANSACTION'],
])(
  'quote: a signature of %s percent of the output, after %s units of the input for gas, leads to a %s [venue-zerox]',
  async (percent, amount, executionType) => {
    const part = (whole: unknown) => `${(BigInt(String(whole)) * percent) / 100n}`
    const parts = ['buyAmount', 'minBuyAmount'].map((path) => [path, part] as const)
    const gas = ['fees.gasFee', { amount, token: USDC.ethereum }] as const
    const { typeFor } = await stage(changing({ [GASLESS_PRICE]: (body: object) => alteredBy(body, [...parts, gas]) }))
    expect(await typeFor(orders.usdc())).toBe(executionType)
  },
)

const toStranger = (data: string) => data.replaceAll(takerSettler(1).slice(2), STRANGER.slice(2))
test.each<[string, () => VenueOrder, string, string, unknown]>([
  ['a trade', orders.usdc, GASLESS, 'trade.eip712.message.spender', STRANGER],
  ['a call', orders.ether, QUOTE, 'transaction.data', toStranger],
])('execute: rejects %s for an unknown Settler [venue-zerox]', async (_what, order, path, field, value) => {
  const { venue } = await stage(changing({ [path]: (body: object) => altered(body, field, value) }))
  const found = expect.stringMatching(new RegExp(STRANGER, 'i'))
  expect(await refusalOf(swapOf(venue, order()))).toMatchObject({ kind: 'rejected', check: 'settler', found })
})

test('execute: rejects a quoted fee whose recipient is no longer configured', async () => {
  const { bench } = await stage()
  const { order, offer, binding } = await swapOf(bench.venue, orders.ether())
  const { venue } = told(bench, { settings: {} })
  expect((await refusalOf(venue.execute({ order, offer }, binding, never()))).kind).toBe('unavailable')
})

test('quote: a key without the gasless API leads to transactions, and the API is tried once an hour', async () => {
  for (const answer of [refusing('USER_NOT_AUTHORIZED'), { status: 403, body: { message: 'Forbidden' } }]) {
    const { bench, asked, notices, typeFor } = await stage({
      instead: ({ path }) => (path.startsWith('/gasless') ? answer : null),
    })
    for (const ms of [0, 3_599_999, 1]) {
      bench.clock.advance(ms)
      expect(await typeFor(orders.usdc())).toBe('TRANSACTION')
    }
    expect([asked.filter(({ path }) => path.startsWith('/gasless')).length, notices.length]).toEqual([2, 2])
  }
})

test.each([
  [[1], 'TRANSACTION'],
  [[2], 'SIGNATURE'],
  [[3], 'TRANSACTION'],
  [[1, 2], 'no room'],
])('quote: our own rate limit on the requests %j leads to %s', async (refused, result) => {
  const { bench } = await stage()
  let requests = 0
  const count = () => {
    requests += 1
    if (refused.includes(requests)) throw new VenueError('rateLimited', 'no room', { nature: 'ownLimit' })
  }
  const quoted = recordExchanges([], () => bench.venue.quote(orders.usdc(), never()), count)
  const outcome = await quoted.catch(({ message }: Error) => ({ executionType: message }))
  expect(outcome.executionType).toBe(result)
})

describe('quote: whether a token comes with a permit', () => {
  test.each<[string, () => VenueOrder, readonly string[]]>([
    ['with', orders.usdc, [GASLESS_PRICE, PRICE]],
    ['without', orders.dai, [PRICE]],
  ])('is learned from one firm quote for six hours: %s', async (_what, order, again) => {
    const { bench, asked, typeFor, firm } = await stage()
    await typeFor(order())
    const before = asked.length
    await typeFor(order())
    expect(asked.slice(before).map(({ path }) => path)).toEqual(again)
    bench.clock.advance(6 * 3_600_000)
    await typeFor(order())
    expect(firm()).toHaveLength(2)
  })

  const wallets = [STRANGER, WALLETS.evm, FEE_RECIPIENT, WALLETS.evmOther, STRANGER, WALLETS.evm]
  /** A venue that gives no permit to the stranger, who alone has code. */
  const withCode = () => {
    const chains = createFakeChains()
    chains.script.code = async ({ address }) => (address === STRANGER ? '0x6001' : '0x')
    const none = (body: object, { query }: Asked) => (query.get('taker') === STRANGER ? { ...body, approval: null } : body)
    return stage({ chains, ...changing({ [GASLESS]: none }) })
  }

  test.each([
    ['with permits', orders.usdc, 'SIGNATURE'],
    ['without', orders.dai, 'TRANSACTION'],
  ])('is learned once for all wallets, and once more for a wallet with code: %s', async (_what, order, type) => {
    const { typeFor, firm } = await withCode()
    const types: string[] = []
    for (const sender of wallets) types.push(await typeFor(by(order, sender)))
    expect(types).toEqual(wallets.map((sender) => (sender === STRANGER ? 'TRANSACTION' : type)))
    expect(firm()).toEqual([STRANGER, WALLETS.evm])
  })

  test('is requested once by simultaneous wallets; after a failure, not for that wallet for a minute', async () => {
    const { bench, typeFor, firm } = await withCode()
    await Promise.all(wallets.slice(1, 4).map((sender) => typeFor(by(orders.usdc, sender))))
    expect(firm()).toHaveLength(1)
    const { venue, asked } = told(bench, { instead: ({ path }) => (path === GASLESS ? refusing('INSUFFICIENT_BALANCE') : null) })
    const failed = () => asked.filter(({ path }) => path === GASLESS).length
    for (const [ms, calls] of [
      [0, 1],
      [59_999, 1],
      [1, 2],
    ] as const) {
      bench.clock.advance(ms)
      expect((await venue.quote(orders.usdc(), never())).executionType).toBe('TRANSACTION')
      expect(failed()).toBe(calls)
    }
    await venue.quote(orders.usdc({ sender: WALLETS.evmOther }), never())
    expect(failed()).toBe(3)
  })

  test.each([
    ['may be taken by Permit2 since its price', { approval: null, issues: { allowance: null } }],
    ['has another approval to sign', { approval: { type: 'executeMetaTransaction' }, issues: {} }],
  ])('does not depend on another wallet whose input %s', async (_what, change) => {
    const changed = (body: { issues: object }, { query }: Asked) =>
      query.get('taker') === WALLETS.evm ? { ...body, ...change, issues: { ...body.issues, ...change.issues } } : body
    const { typeFor } = await stage(changing({ [GASLESS]: changed }))
    expect(await typeFor(by(orders.usdc, WALLETS.evm))).toBe('TRANSACTION')
    expect(await typeFor(by(orders.usdc, WALLETS.evmOther))).toBe('SIGNATURE')
  })

  test('is forgotten once the firm quote lacks the permit of the price', async () => {
    let approval: object = {}
    const { venue, typeFor } = await stage(changing({ [GASLESS]: (body: object) => ({ ...body, ...approval }) }))
    const order = orders.usdc()
    const offer = await venue.quote(order, never())
    approval = { approval: null }
    expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
    expect(await typeFor(order)).toBe('TRANSACTION')
  })

  test('does not matter where Permit2 may already take the input', async () => {
    const { venue } = await stage(changing({ [GASLESS_PRICE]: (body: object) => ({ ...body, issues: { allowance: null } }) }))
    expect((await venue.quote(orders.dai(), never())).isApprovedBySignature).toBeUndefined()
  })
})

describe('0x without an API key', () => {
  /** As is every other venue that needs one. */
  const KEYLESS = { NETWORK: 'mainnet', VENUES_ENABLED: 'cow,zerox' }

  test('is disabled on mainnet, reported at start and in health, and receives no request [health-venue-off-key]', async () => {
    expect(parseConfig(KEYLESS)).toMatchObject({ venuesWithoutKey: ['zerox'] })
    const asked: string[] = []
    const http = async ({ url }: { url: string }) => {
      asked.push(url)
      throw new Error('nobody answers')
    }
    const engine = await createTestEngine({ env: KEYLESS, http })
    const off = { event: 'venue.off', venue: 'zerox', reason: 'VENUE_ZEROX_API_KEY is not set' }
    expect(engine.reported('venue.off')).toEqual([off])
    const { venues, isDegraded } = await engine.engine.health()
    expect(venues.at(-1)).toMatchObject({ id: 'zerox', name: '0x', trouble: null, off: 'keyMissing' })
    expect(isDegraded).toBe(false)
    await engine.engine.quote({ ...orders.ether(), unnamed: [] }, engine.context).catch(() => null)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((url) => url.includes('api.0x.org'))).toEqual([])
    await engine.close()
  })

  test('is enabled once a key is set', async () => {
    const engine = await createTestEngine({ env: { ...KEYLESS, VENUE_ZEROX_API_KEY: 'a-key' } })
    expect(engine.reported('venue.off')).toEqual([])
    expect((await engine.engine.health()).venues).toContainEqual(expect.objectContaining({ id: 'zerox', trouble: null }))
    await engine.close()
  })
})
