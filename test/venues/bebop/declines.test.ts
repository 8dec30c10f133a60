import { describe, expect, test } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { ROUTER_SIGNER } from '../../../engine/simnet/venues/bebop/networks.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf } from '../../support/venueKit/calls.ts'
import { changing, toldBy } from '../../support/venueKit/canned.ts'
import planted from './planted.json' with { type: 'json' }
import { accept } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import {
  API_KEY,
  type Body,
  cannedBebop,
  chainsNaming,
  etherToUsdc,
  openBench,
  SOURCE,
  STRANGER,
  USDC,
  usdcToWeth,
  WETH,
} from './support.ts'

const open = closedAfterEach(openBench)

/** Of two makers, at the end of the order. */
const COMMANDS = /0{63}400000000(?=0{56})/

test.each(planted as [string, object, object][])(
  'quote: an order routed through an intermediate token is not sold, and rejected with an unknown %s',
  async (_name, change, refusal) => {
    const several = recordings.find(({ name }) => name === 'USDC to ONDO by several makers')
    // Commands: a maker's token into the contract, and out of it to another maker.
    const data = several?.data.replace(COMMANDS, `${'0'.repeat(63)}407000000`)
    expect(await refusalOf(accept({ ...several, data, ...change } as (typeof recordings)[number])())).toMatchObject(refusal)
  },
)

const SIM_SIGNER = ROUTER_SIGNER.address
const USDC_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const onBase = etherToUsdc({ from: [8453, NATIVE], to: [8453, USDC_BASE] })

describe('bebop: the order signer is the one that the router on chain names [venue-bebop]', () => {
  const told = async (chains: FakeChains, settings = {}, change = (body: Body): object => body) => {
    const { sim, clock } = await open()
    const answering = changing(toldBy(sim), { '/pmm/base/v3/quote': change })
    const { venue } = cannedBebop(answering, { settings, chains, now: clock.now })
    const refused = () => refusalOf(venue.quote(onBase, never()))
    const kindOf = () =>
      venue.quote(onBase, never()).then(
        () => 'offered',
        ({ kind }: VenueError) => kind,
      )
    return { clock, kindOf, refused }
  }

  test('quote: sells coins on Base without a pinned signer, and reads the router once an hour', async () => {
    const chains = createFakeChains()
    const { clock, kindOf } = await told(chains)
    for (const ms of [0, 59 * 60_000, 60_000, 1]) {
      clock.advance(ms)
      expect(await kindOf()).toBe('offered')
    }
    expect(chains.calls).toHaveLength(2)
  })

  test('quote: rejects another signer until the router names it', async () => {
    const chains = chainsNaming(STRANGER)
    const { clock, kindOf, refused } = await told(chains, { ROUTER_SIGNER: SIM_SIGNER })
    expect(await refused()).toMatchObject({ kind: 'rejected', check: 'signer' })
    chains.script.call = createFakeChains().script.call
    expect(await kindOf()).toBe('rejected')
    clock.advance(60_000)
    expect(await kindOf()).toBe('offered')
  })

  test('quote: accepts a new signer after rejections of others, with few chain reads', async () => {
    const chains = chainsNaming(STRANGER)
    // The last byte of the signature's `s`: each is of a signer of its own.
    let forged: number | null = 0
    const forge = (data: string) => data.replace(/(0{62}41[0-9a-f]{126})../, `$1${Buffer.of(forged ?? 0).toString('hex')}`)
    const { kindOf } = await told(chains, {}, (body) => (forged === null ? body : altered(body, 'tx.data', forge)))
    expect(await kindOf()).toBe('rejected')
    chains.script.call = createFakeChains().script.call
    forged = null
    expect(await kindOf()).toBe('offered')
    for (forged = 1; forged < 21; forged += 1) expect(await kindOf()).toBe('rejected')
    expect(chains.calls.length).toBeLessThanOrEqual(9)
  })

  const unreadable = [null, '0x', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(24)}${SIM_SIGNER.slice(2)}`] as const
  test.each<[string, FakeChains['script']['call']]>([
    ['cannot be read', chainFails('unreachable', 8453)],
    ...unreadable.map((word): [string, FakeChains['script']['call']] => [`returns ${word}`, async () => word as never]),
  ])('quote: uses the signer of the setting when the chain %s, and sells nothing without one', async (_what, call) => {
    const chains = createFakeChains()
    chains.script.call = call
    expect(await (await told(chains, { ROUTER_SIGNER: SIM_SIGNER })).kindOf()).toBe('offered')
    expect(await (await told(chains)).refused()).toMatchObject({ kind: 'unavailable' })
    expect(await (await told(chains, { ROUTER_SIGNER: STRANGER })).refused()).toMatchObject({ kind: 'rejected', check: 'signer' })
  })
})

test('quote and execute: decline an order to sign that ends within 25 s, as those of seven chains do without a key [venue-bebop]', async () => {
  const order = usdcToWeth({ from: [8453, USDC_BASE], to: [8453, '0x4200000000000000000000000000000000000006'] })
  expect(await refusalOf((await open()).venue.quote(order, never()))).toMatchObject({ kind: 'noLiquidity', reason: null })
  const keyed = await open({ settings: { SOURCE }, apiKey: API_KEY })
  const offer = await keyed.venue.quote(order, never())
  expect(offer.expiresAt).toBe(keyed.clock.now() + 60_000)
  const late = { settings: { SOURCE }, apiKey: API_KEY, now: () => keyed.clock.now() + 35_001 }
  const { venue } = cannedBebop(toldBy(keyed.sim), late)
  expect(await refusalOf(venue.execute({ order, offer }, order, never()))).toMatchObject({ kind: 'noLiquidity' })
})

test.each([
  [20, null],
  [30, 30_000],
])('quote: an order expires with its signed deadline, in %i s, whatever the answer states', async (seconds, left) => {
  const { sim, clock } = await open()
  const endsAt = Math.floor(clock.now() / 1_000) + seconds
  const answering = changing(toldBy(sim), { '/jam/ethereum/v2/quote': (body) => altered(body, 'toSign.expiry', endsAt) })
  const { venue } = cannedBebop(answering, { now: clock.now })
  const offer = venue.quote(usdcToWeth(), never())
  if (left === null) expect(await refusalOf(offer)).toMatchObject({ kind: 'noLiquidity' })
  else expect((await offer).expiresAt).toBe(endsAt * 1_000)
})

describe('bebop: classifies a decline for', () => {
  test.each([
    ['an unknown token', usdcToWeth({ to: [1, STRANGER] }), 'unsupportedPair'],
    ['less than the minimum', usdcToWeth({ amount: 1n }), 'amountTooSmall'],
    ['less than the gas cost', usdcToWeth({ amount: 1_200_000n }), 'amountTooSmall'],
    ['more tokens than any maker fills', usdcToWeth({ amount: 10n ** 13n }), 'noLiquidity'],
    ['more coins than any maker fills', etherToUsdc({ amount: 10n ** 24n }), 'noLiquidity'],
  ] as const)('%s', async (_name, order, kind) => {
    const { venue } = await open()
    expect((await refusalOf(venue.quote(order, never()))).kind).toBe(kind)
  })

  test('a pair without a market, without a request', async () => {
    const bench = await open()
    const pair = (from: OrderWish['from'], to: OrderWish['to']) => ({ from, to, amount: 10n ** 9n })
    const wrapping = [pair([1, NATIVE], [1, WETH]), pair([1, WETH], [1, NATIVE])]
    for (const wish of [...wrapping, pair([1, USDC], [10, WETH]), pair([59144, USDC], [59144, WETH])])
      expect((await refusalOf(bench.venue.quote(anOrder(wish), never()))).kind).toBe('unsupportedPair')
    expect(bench.sent).toEqual([])
  })

  test('a halted pair as noLiquidity', async () => {
    const bench = await open()
    bench.faults.set('bebop', 'halt', {}, null)
    for (const order of [usdcToWeth(), etherToUsdc()])
      expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('noLiquidity')
  })
})

const CODES: readonly (readonly [kind: string, party: string, codes: readonly number[]])[] = [
  // The last is none that anybody documented.
  ['badRequest', '', [101, 107, 208, 210, 211, 999]],
  ['badRequest', 'sender', [112, 204, 205]],
  ['badRequest', 'signature', [212]],
  ['noLiquidity', '', [102, 108, 201, 202, 203, 206, 207]],
  ['unavailable', '', [103, 500, 522]],
  ['amountTooSmall', '', [104, 106]],
  ['unsupportedPair', '', [105]],
  ['rateLimited', '', [111]],
]

describe.each([200, 400])('bebop: an error with HTTP %i', (status) => {
  const codes = CODES.flatMap(([kind, party, all]) => all.map((code) => [code, kind, party] as const))
  test.each(codes)('is classified by its code: %i', async (errorCode, kind, party) => {
    const body = { error: { errorCode, message: 'as documented', requestId: 'x' } }
    const refusal = await refusalOf(cannedBebop(() => ({ status, body })).venue.quote(usdcToWeth(), never()))
    expect([refusal.kind, refusal.party ?? '']).toEqual([kind, party])
  })
})

test.each<[string, number, unknown, string]>([
  ['an error of undocumented form', 200, { error: 'x' }, 'badResponse'],
  ['an error of undocumented form with HTTP 400', 400, { error: 'x' }, 'badResponse'],
  ['too many requests', 429, {}, 'rateLimited'],
  ['a page of a bot filter', 403, 'no', 'unavailable'],
  ['a server failure with an undocumented code', 500, { error: { errorCode: 998 } }, 'unavailable'],
])('bebop: classifies %s', async (_name, status, body, kind) => {
  expect((await refusalOf(cannedBebop(() => ({ status, body })).venue.quote(usdcToWeth(), never()))).kind).toBe(kind)
})

test('bebop: HTTP 403 is reported as an API key problem only with a key', async () => {
  const natureOf = async (options = {}) =>
    (await refusalOf(cannedBebop(() => ({ status: 403 }), options).venue.quote(usdcToWeth(), never()))).nature
  expect([await natureOf(), await natureOf({ apiKey: API_KEY })]).toEqual([null, 'keyRefused'])
})

test('quote: an indicative price is noLiquidity', async () => {
  const { sim } = await open()
  const indicative = { '/pmm/ethereum/v3/quote': (body: Body) => ({ ...body, status: 'QUOTE_INDIC_ROUTE' }) }
  const { venue } = cannedBebop(changing(toldBy(sim), indicative))
  expect((await refusalOf(venue.quote(etherToUsdc(), never()))).kind).toBe('noLiquidity')
})
