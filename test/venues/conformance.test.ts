import { describe, expect, test } from 'vitest'
import { type Address, parseAddress } from '../../engine/core/address.ts'
import { nativeAsset } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf } from '../../engine/core/chain.ts'
import type { Execution } from '../../engine/core/execution.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import type { Route } from '../../engine/core/route.ts'
import type { SealedOffer } from '../../engine/core/swap.ts'
import type { FaultName } from '../../engine/simnet/kit/faults.ts'
import type { SimRequest } from '../../engine/simnet/kit/simVenue.ts'
import { SIM_VENUES } from '../../engine/simnet/simVenues.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { VenueDefinition } from '../../engine/venues/venue.ts'
import { VenueError } from '../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../support/anOrder.ts'
import { createFakeChains } from '../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../support/venueBench.ts'

/** What every venue must keep, whatever it is. A new venue is held to it by being in the registry. */

const USDC = {
  1: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  42161: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  [-2]: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
const DAI_ETHEREUM = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** Ordinary swaps of every kind. Each venue must serve one of them at least, or there is nothing to hold it to. */
const ORDERS: readonly VenueOrder[] = [
  anOrder({ from: [8453, USDC[8453]], to: [42161, USDC[42161]], amount: 250_000_000n }),
  anOrder({ from: [1, USDC[1]], to: [1, DAI_ETHEREUM], amount: 250_000_000n }),
  anOrder({ from: [1, NATIVE], to: [1, USDC[1]], amount: 10n ** 18n }),
  anOrder({ from: [8453, USDC[8453]], to: [-2, USDC[-2]], amount: 250_000_000n, recipient: WALLETS.solana }),
  anOrder({ from: [-2, USDC[-2]], to: [8453, USDC[8453]], amount: 250_000_000n, recipient: WALLETS.evm }),
  anOrder({ from: [-2, NATIVE_SOL], to: [-1, NATIVE], amount: 10n ** 10n, recipient: WALLETS.bitcoin }),
  anOrder({ from: [-1, NATIVE], to: [1, USDC[1]], amount: 2_500_000n, recipient: WALLETS.evm, refundTo: WALLETS.bitcoin }),
]

const NEVER_ABORTED = new AbortController().signal
const CARRY_BYTES_MAX = 1_024
/** The address of a deposit may live for a month after it was to be paid; nothing may last longer. */
const DEADLINE_MS_MAX = 31 * 24 * 60 * 60_000

const servedBy = ({ venue }: VenueBench): readonly VenueOrder[] => ORDERS.filter((order) => venue.profile.serves(order))

const withBench = async (definition: VenueDefinition, run: (bench: VenueBench) => Promise<void>): Promise<void> => {
  const simulator = SIM_VENUES.find(({ id }) => id === definition.id)
  if (!simulator) throw new Error(`${definition.id} has no simulator`)
  const solana = { blockhash: async () => WALLETS.solana }
  const bench = await createVenueBench(definition, simulator.create, { chains: createFakeChains(), solana })
  try {
    await run(bench)
  } finally {
    await bench.close()
  }
}

const seal = async ({ venue }: VenueBench, order: VenueOrder): Promise<SealedOffer> => ({
  order,
  offer: await venue.quote(order, NEVER_ABORTED),
})

const execute = ({ venue }: VenueBench, sealed: SealedOffer, signal = NEVER_ABORTED): Promise<Execution> =>
  venue.execute(sealed, { recipient: sealed.order.recipient, refundTo: sealed.order.refundTo }, signal)

/** What a call came to: the VenueError it threw. Anything else that is thrown, or a result, fails the test. */
const venueErrorOf = async (call: Promise<unknown>): Promise<VenueError> => {
  const thrown = await call.then(
    (result) =>
      new Error(`it answered ${JSON.stringify(result, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))}`),
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(VenueError)
  return thrown as VenueError
}

describe('the registry', () => {
  test('gives each venue an id of its own, and a simulator to prove it against', () => {
    const ids = VENUE_DEFINITIONS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(SIM_VENUES.map(({ id }) => id).sort()).toEqual([...ids].sort())
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,64}$/)
  })

  test('knows public hosts over TLS only, and settings an operator can write', () => {
    for (const { id, publicBaseUrl, settings } of VENUE_DEFINITIONS) {
      expect(publicBaseUrl, id).toMatch(/^https:\/\/[^/]+(\/.*[^/])?$/)
      for (const { name, expects } of settings) {
        expect(name, id).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*$/)
        expect(['BASE_URL', 'API_KEY'], id).not.toContain(name)
        expect(expects, `${id} ${name}`).not.toBe('')
      }
    }
  })
})

/** Calls that ask for a price alone, by what their body says. Whatever else is posted orders something. */
const PRICE_QUESTIONS: readonly { readonly path: RegExp; isOnlyThat(body: { readonly [field: string]: unknown }): boolean }[] = [
  { path: /\/quote$/, isOnlyThat: ({ dry }) => dry !== false },
  { path: /^\/quote\/v2$/, isOnlyThat: ({ useDepositAddress }) => useDepositAddress !== true },
  { path: /^\/price$/, isOnlyThat: () => true },
]

/** A read, or a question for a price. */
const changesNothing = ({ method, path, body }: SimRequest): boolean =>
  method === 'GET' ||
  (method === 'POST' &&
    PRICE_QUESTIONS.some(
      (question) => question.path.test(path) && question.isOnlyThat((body ?? {}) as { [field: string]: unknown }),
    ))

test('a question for a price is told from an order', () => {
  const request = { query: new URLSearchParams(), headers: {}, rawBody: '' }
  expect(changesNothing({ ...request, method: 'POST', path: '/v0/quote', body: { dry: true } })).toBe(true)
  expect(changesNothing({ ...request, method: 'POST', path: '/v0/quote', body: { dry: false } })).toBe(false)
  expect(changesNothing({ ...request, method: 'POST', path: '/api/v1/orders', body: {} })).toBe(false)
  expect(changesNothing({ ...request, method: 'PUT', path: '/api/v1/quote', body: {} })).toBe(false)
  expect(changesNothing({ ...request, method: 'POST', path: '/quote/v2', body: { strict: true } })).toBe(true)
  expect(changesNothing({ ...request, method: 'POST', path: '/quote/v2', body: { useDepositAddress: true } })).toBe(false)
  expect(changesNothing({ ...request, method: 'POST', path: '/price', body: { useDepositAddress: true } })).toBe(true)
  expect(changesNothing({ ...request, method: 'POST', path: '/execute/permits', body: {} })).toBe(false)
})

/** Transport faults, in the words of a test name. None of them is the venue's considered "no". */
const TROUBLES: readonly FaultName[] = [
  'reset',
  'http-500',
  'http-429',
  'malformed-body',
  'truncated-body',
  'huge-body',
  'wrong-shape',
]

describe.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))('%s', (id, definition) => {
  test('has a complete profile', () =>
    withBench(definition, async ({ venue: { profile } }) => {
      expect(profile.id).toBe(id)
      expect(profile.name).toMatch(/^\S.{0,63}$/)
      expect(profile.deadlineMsMax).toBeGreaterThan(0)
      expect(profile.deadlineMsMax).toBeLessThanOrEqual(DEADLINE_MS_MAX)
    }))

  test('pays published contracts only, each spelt as its chain does', () =>
    withBench(definition, async ({ venue: { profile } }) => {
      for (const [chainId, contracts] of Object.entries(profile.contracts) as [string, readonly Address[]][]) {
        const ecosystem = ecosystemOf(Number(chainId) as ChainId)
        for (const contract of contracts) expect(parseAddress(ecosystem, contract), `chain ${chainId}`).toBe(contract)
        expect(new Set(contracts).size).toBe(contracts.length)
      }
    }))

  test('serves an ordinary swap', () =>
    withBench(definition, async (bench) => {
      expect(servedBy(bench).length).toBeGreaterThan(0)
    }))

  test('declines every route it says it does not serve, should it be asked all the same', () =>
    withBench(definition, async ({ venue, sent }) => {
      const natives: readonly Route[] = CHAIN_IDS.flatMap((from) =>
        CHAIN_IDS.filter((to) => to !== from).map((to) => ({ input: nativeAsset(from), output: nativeAsset(to) })),
      )
      const unserved = [...natives, ...ORDERS].filter((route) => !venue.profile.serves(route))
      expect(unserved.length).toBeGreaterThan(0)
      for (const { input, output } of unserved) {
        const order = anOrder({ from: [input.chainId, input.address], to: [output.chainId, output.address], amount: 10n ** 12n })
        const { isDecline, message } = await venueErrorOf(venue.quote(order, NEVER_ABORTED))
        expect(isDecline, message).toBe(true)
      }
      expect(sent.filter((request) => !changesNothing(request))).toEqual([])
    }))

  test('prices in a way that leaves nothing behind at the venue', () =>
    withBench(definition, async (bench) => {
      for (const order of servedBy(bench)) for (let i = 0; i < 3; i += 1) await seal(bench, order)
      expect(bench.sent.length).toBeGreaterThan(0)
      expect(bench.sent.filter((request) => !changesNothing(request)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
    }))

  test('offers what can be sealed: sane terms, and little to carry', () =>
    withBench(definition, async (bench) => {
      for (const order of servedBy(bench)) {
        const { offer } = await seal(bench, order)
        expect(offer.venue).toBe(id)
        expect(offer.outputAmount).toBeGreaterThan(0n)
        if (offer.slippage) expect(offer.slippage.guaranteedMin).toBeLessThanOrEqual(offer.outputAmount)
        if (offer.expiresAt !== null) expect(offer.expiresAt).toBeGreaterThan(bench.clock.now())
        const carry = JSON.stringify(offer.carry)
        expect(JSON.parse(carry)).toEqual(offer.carry)
        expect(Buffer.byteLength(carry)).toBeLessThanOrEqual(CARRY_BYTES_MAX)
      }
    }))

  test('reads back in full what it builds, and it is what was ordered', () =>
    withBench(definition, async (bench) => {
      for (const order of servedBy(bench)) {
        const sealed = await seal(bench, order)
        const execution = await execute(bench, sealed)
        expect(execution.payload.executionType).toBe(sealed.offer.executionType)
        const claims = await bench.venue.decode(execution)
        expect(claims.unread).toEqual([])
        expect(claims.chainId).toBe(order.input.chainId)
        expect(claims.input.amount).toBe(order.inputAmount)
        expect(claims.recipient).toBe(order.recipient)
        expect(claims.output.minimum).toBeGreaterThanOrEqual(sealed.offer.slippage?.guaranteedMin ?? 0n)
        expect(JSON.parse(JSON.stringify(execution.carry))).toEqual(execution.carry)
        expect(JSON.parse(JSON.stringify(execution.evidence))).toEqual(execution.evidence)
      }
    }))

  test('lets go of a call within a moment of being told to', () =>
    withBench(definition, async (bench) => {
      bench.faults.set(id, 'hang', {}, null)
      for (const order of servedBy(bench)) {
        const startedAt = performance.now()
        const { kind } = await venueErrorOf(bench.venue.quote(order, AbortSignal.timeout(50)))
        expect(kind).toBe('timeout')
        expect(performance.now() - startedAt).toBeLessThan(1_000)
      }
    }))

  test('sends nothing when it was told to stop before it began', () =>
    withBench(definition, async (bench) => {
      const [order] = servedBy(bench)
      if (!order) throw new Error('nothing is served')
      expect((await venueErrorOf(bench.venue.quote(order, AbortSignal.abort()))).kind).toBe('timeout')
      expect(bench.sent).toEqual([])
    }))

  test.each(TROUBLES)('calls trouble by its name when the venue answers with %s, and recovers', (fault) =>
    withBench(definition, async (bench) => {
      const [order] = servedBy(bench)
      if (!order) throw new Error('nothing is served')
      bench.faults.set(id, fault, {}, null)
      const error = await venueErrorOf(bench.venue.quote(order, NEVER_ABORTED))
      expect([error.isDecline, error.isRetryable], error.message).toEqual([false, true])
      bench.faults.clear(id)
      const sealed = await seal(bench, order)
      const executed = { ...sealed, binding: order, execution: await execute(bench, sealed) }
      bench.faults.set(id, fault, {}, null)
      const ref = executed.execution.venueRef ?? `0x${'ab'.repeat(32)}`
      await bench.venue.tracker?.track(ref, { ...sealed, executed }, NEVER_ABORTED).then(
        // Where a venue is followed on chain alone there is nothing it could have answered.
        ({ state }) => expect(['pending', 'not_found', 'unknown']).toContain(state),
        (thrown: unknown) => expect(thrown).toBeInstanceOf(VenueError),
      )
    }),
  )

  test('believes no ref that belongs to nobody', () =>
    withBench(definition, async (bench) => {
      const [order] = servedBy(bench)
      if (!order) throw new Error('nothing is served')
      const sealed = await seal(bench, order)
      for (const ref of [`0x${'00'.repeat(32)}`, WALLETS.evmOther, 'nonsense', '../../v1/orders']) {
        const told = await bench.venue.tracker?.track(ref, { ...sealed, executed: null }, NEVER_ABORTED).then(
          ({ state }) => state,
          (error: unknown) => (error instanceof VenueError ? 'refused' : error),
        )
        expect(['not_found', 'pending', 'unknown', 'refused', undefined], ref).toContain(told)
      }
    }))
})
