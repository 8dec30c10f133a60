import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Address, parseAddress } from '../../engine/core/address.ts'
import { nativeAsset } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf } from '../../engine/core/chain.ts'
import { readClaim } from '../../engine/core/claim.ts'
import type { Execution, Proven } from '../../engine/core/execution.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import type { Route } from '../../engine/core/route.ts'
import { isListed } from '../../engine/quoting/trust.ts'
import type { SimRequest, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import { SIM_VENUES } from '../../engine/simnet/simVenues.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { TrustRule } from '../../engine/venues/venue.ts'
import { VenueError } from '../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../support/anOrder.ts'
import { never, provePayload, refusalOf, swapOf } from '../support/venueKit/calls.ts'
import { faultsOf, MUTATIONS_MIN } from '../support/venueKit/mutations.ts'
import { type AnyBench, ORDERS, servedBy, withBench } from './everyVenue.ts'

/** Every venue of the registry must pass these tests. */

const CARRY_BYTES_MAX = 1_024
/** The address of a deposit may live for a month after it was to be paid; nothing may last longer. */
const DEADLINE_MS_MAX = 31 * 24 * 60 * 60_000
const UNREADABLE = /^(badResponse|rejected)$/

const firstServed = (bench: AnyBench): VenueOrder => {
  const [order] = servedBy(bench)
  if (!order) throw new Error('nothing is served')
  return order
}

describe('the venue registry', () => {
  test('has a unique id and a simulator for each venue', () => {
    const ids = VENUE_DEFINITIONS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(SIM_VENUES.map(({ id }) => id).sort()).toEqual([...ids].sort())
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,64}$/)
  })

  test('has public hosts with TLS only, and valid setting names', () => {
    for (const { id, publicBaseUrl, settings } of VENUE_DEFINITIONS) {
      expect(publicBaseUrl, id).toMatch(/^https:\/\/[^/]+(\/.*[^/])?$/)
      for (const { name, expects } of settings) {
        expect(name, id).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*$/)
        expect(['BASE_URL', 'API_KEY'], id).not.toContain(name)
        expect(expects, `${id} ${name}`).not.toBe('')
      }
    }
  })

  test('rejects an EVM address setting with a wrong checksum at start', () => {
    const right = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    for (const { id, settings } of VENUE_DEFINITIONS)
      for (const { name, pattern } of settings.filter(({ expects }) => expects.startsWith('an EVM address'))) {
        for (const text of [right, right.toLowerCase()]) expect(pattern.test(text), `${id} ${name}`).toBe(true)
        for (const text of ['', right.replace('C51812dc', 'c51812dc'), `${right}00`, '0x1234', WALLETS.solana])
          expect(pattern.test(text), `${id} ${name} ${text}`).toBe(false)
      }
  })
})

test.each(VENUE_DEFINITIONS)('$id has a journey from quote to the final status with real wallets', async ({ id }) => {
  const file = new URL(`../e2e/journeys/${id}.test.ts`, import.meta.url)
  expect(await readFile(file, 'utf8')).toContain('runJourneys({')
})

/** A read, or a question for a price as the simulator tells it. Whatever else is posted orders something. */
const changesNothing =
  ({ pricePaths }: Pick<SimVenue, 'pricePaths'>) =>
  ({ method, path, body }: Pick<SimRequest, 'method' | 'path' | 'body'>): boolean => {
    if (method !== 'POST') return method === 'GET'
    const told = (body ?? {}) as { readonly [field: string]: unknown }
    const isOrder = (unless: { readonly [field: string]: unknown }) =>
      Object.entries(unless).some(([field, value]) => told[field] === value)
    return pricePaths.some(({ path: of, unless = {} }) => of === path && !isOrder(unless))
  }

test('an order describes a price request', () => {
  const isHarmless = changesNothing({ pricePaths: [{ path: '/v0/quote', unless: { dry: false } }, { path: '/price' }] })
  expect(isHarmless({ method: 'POST', path: '/v0/quote', body: { dry: true } })).toBe(true)
  expect(isHarmless({ method: 'POST', path: '/v0/quote', body: { dry: false } })).toBe(false)
  expect(isHarmless({ method: 'POST', path: '/price', body: undefined })).toBe(true)
  expect(isHarmless({ method: 'POST', path: '/api/v1/orders', body: {} })).toBe(false)
  expect(isHarmless({ method: 'PUT', path: '/price', body: {} })).toBe(false)
  expect(isHarmless({ method: 'GET', path: '/v0/quote', body: undefined })).toBe(true)
})

test('the mutation count fails with one accepted, with too few or without a minimum [proof-every-byte]', () => {
  expect(Object.keys(MUTATIONS_MIN).sort()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).sort())
  expect(faultsOf({ altered: 98, refused: 98 }, 98)).toEqual([])
  expect(faultsOf({ altered: 98, refused: 97 }, 98)).toEqual(['1 accepted'])
  expect(faultsOf({ altered: 97, refused: 97 }, 98)).toEqual(['97 altered, at least 98 are to be'])
  expect(faultsOf({ altered: 97, refused: 97 }, undefined)).toEqual(['no minimum is set'])
})

test.each(VENUE_DEFINITIONS)('$id has tests that alter its payloads by byte and by field [proof-every-byte]', async ({ id }) => {
  const file = new URL(`./${id}/mutations.test.ts`, import.meta.url)
  expect(await readFile(file, 'utf8')).toMatch(new RegExp(`= countMutations\\('${id}'\\)|^attack\\w+.*venue: '${id}'`, 'ms'))
})

describe.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))('%s', (id, definition) => {
  test('has a complete profile [quote-no-side-effect]', () =>
    withBench(definition, async ({ venue: { profile } }) => {
      expect(profile.id).toBe(id)
      expect(profile.name).toMatch(/^\S.{0,63}$/)
      expect(profile.deadlineMsMax).toBeGreaterThan(0)
      expect(profile.deadlineMsMax).toBeLessThanOrEqual(DEADLINE_MS_MAX)
    }))

  test('pays published contracts only, in the address format of the chain', () =>
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

  test('declines every route that it does not serve [quote-no-side-effect]', () =>
    withBench(definition, async ({ venue, sent, sim }) => {
      const natives: readonly Route[] = CHAIN_IDS.flatMap((from) =>
        CHAIN_IDS.filter((to) => to !== from).map((to) => ({ input: nativeAsset(from), output: nativeAsset(to) })),
      )
      const unserved = [...natives, ...ORDERS].filter((route) => !venue.profile.serves(route))
      expect(unserved.length).toBeGreaterThan(0)
      for (const { input, output } of unserved) {
        const order = anOrder({ from: [input.chainId, input.address], to: [output.chainId, output.address], amount: 10n ** 12n })
        const { isDecline, message } = await refusalOf(venue.quote(order, never()))
        expect(isDecline, message).toBe(true)
      }
      expect(sent.filter((request) => !changesNothing(sim)(request))).toEqual([])
    }))

  test('creates no order at the venue by a quote [quote-no-side-effect]', () =>
    withBench(definition, async (bench) => {
      for (const order of servedBy(bench)) for (let i = 0; i < 3; i += 1) await bench.venue.quote(order, never())
      expect(bench.sent.length).toBeGreaterThan(0)
      expect(
        bench.sent.filter((request) => !changesNothing(bench.sim)(request)).map(({ method, path }) => `${method} ${path}`),
      ).toEqual([])
    }))

  test('offers valid terms of a small size', () =>
    withBench(definition, async (bench) => {
      for (const order of servedBy(bench)) {
        const offer = await bench.venue.quote(order, never())
        expect(offer.venue).toBe(id)
        expect(offer.outputAmount).toBeGreaterThan(0n)
        if (offer.slippage) expect(offer.slippage.guaranteedMin).toBeLessThanOrEqual(offer.outputAmount)
        if (offer.expiresAt !== null) expect(offer.expiresAt).toBeGreaterThan(bench.clock.now())
        const carry = JSON.stringify(offer.carry)
        expect(JSON.parse(carry)).toEqual(offer.carry)
        expect(Buffer.byteLength(carry)).toBeLessThanOrEqual(CARRY_BYTES_MAX)
      }
    }))

  test('decodes every payload that it builds, matching the order [proof-every-byte]', () =>
    withBench(definition, async (bench) => {
      for (const order of servedBy(bench)) {
        const { offer, execution } = await swapOf(bench.venue, order)
        expect(execution.payload.executionType).toBe(offer.executionType)
        const claims = await bench.venue.decode(execution)
        expect(claims.unread).toEqual([])
        expect(claims.chainId).toBe(order.input.chainId)
        const short = order.inputAmount - claims.input.amount
        expect(short >= 0n && short <= bench.venue.profile.amountCarriesReference(order), `short by ${short}`).toBe(true)
        expect(readClaim(claims.recipient).said).toBe(order.recipient)
        expect(readClaim(claims.output.minimum).said).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
        expect(JSON.parse(JSON.stringify(execution.carry))).toEqual(execution.carry)
        expect(JSON.parse(JSON.stringify(execution.evidence))).toEqual(execution.evidence)
      }
    }))

  test('builds the same payload from the same seed', async () => {
    const built = async () => {
      const executions: Execution[] = []
      await withBench(definition, async (bench) => {
        for (const order of servedBy(bench)) executions.push((await swapOf(bench.venue, order)).execution)
      })
      return executions
    }
    expect(await built()).toEqual(await built())
  })

  test('rejects carried data of another version at execute and status', () =>
    withBench(definition, async ({ venue, ...bench }) => {
      for (const order of servedBy({ venue })) {
        const { offer, executed } = await swapOf(venue, order)
        const strange = { order, offer: { ...offer, carry: { ...Object(offer.carry), v: 99 } } }
        const before = bench.sent.length
        if (offer.carry !== null) expect((await refusalOf(venue.execute(strange, order, never()))).kind).toMatch(UNREADABLE)
        expect(bench.sent.slice(before).filter((request) => !changesNothing(bench.sim)(request))).toEqual([])
        const { execution } = executed
        if (execution.carry === null) continue
        const carry = { ...Object(execution.carry), v: 99 }
        const followed = { order, offer, executed: { ...executed, execution: { ...execution, carry } } }
        const told = venue.tracker?.track(execution.venueRef ?? `0x${'51'.repeat(32)}`, followed, never())
        expect((await refusalOf(told)).kind).toMatch(UNREADABLE)
      }
    }))

  test('claims as unproved exactly what its profile lists, with the reason [proof-trust-documented]', () =>
    withBench(definition, async (bench) => {
      const { profile } = bench.venue
      for (const order of servedBy(bench)) {
        const { execution, ...sealed } = await swapOf(bench.venue, order)
        const { recipient, output, refundTo, fee } = await bench.venue.decode(execution)
        const { executionType } = execution.payload
        const claims: readonly (readonly [TrustRule['parts'][number], Proven<unknown>])[] = [
          ['recipient', recipient],
          ['minimum', output.minimum],
          ['refund', refundTo],
          ['fee', fee],
        ]
        for (const [part, claim] of claims)
          expect(readClaim(claim).isProved, `${part} of ${executionType}`).toBe(!isListed(profile, part, executionType, order))
        expect(readClaim(refundTo).said === null, executionType).toBe(!profile.holdsInput(order, executionType))
        // Left out of the list, the same payload is no proof.
        const proof = { sealed, binding: order, now: bench.clock.now() }
        const { decode } = bench.venue
        expect(await provePayload({ profile, decode }, execution, proof)).toEqual([])
        const isTrusted = claims.some(([, claim]) => !readClaim(claim).isProved)
        const strict = await provePayload({ profile: { ...profile, takesOnTrust: [] }, decode }, execution, proof)
        expect(strict.length > 0).toBe(isTrusted)
      }
    }))

  test('documents for the operator what its payloads cannot prove, and why [proof-trust-documented]', () =>
    withBench(definition, async ({ venue: { profile } }) => {
      const page = await readFile(new URL('../../engine/venues/VENUES.md', import.meta.url), 'utf8')
      const rows = page.split('\n').filter((line) => /^\| `[a-z0-9-]+` \| [A-Z]+, /.test(line) && line.startsWith(`| \`${id}\``))
      expect(rows).toEqual(
        profile.takesOnTrust.map(
          ({ executionType, routes, parts, reason }) =>
            `| \`${id}\` | ${executionType}, ${routes} | ${parts.join(', ')} | ${reason} |`,
        ),
      )
    }))

  test('reports an unknown ref as not found', () =>
    withBench(definition, async (bench) => {
      const order = firstServed(bench)
      const sealed = { order, offer: await bench.venue.quote(order, never()) }
      for (const ref of [`0x${'00'.repeat(32)}`, WALLETS.evmOther, 'nonsense', '../../v1/orders']) {
        const told = await bench.venue.tracker?.track(ref, { ...sealed, executed: null }, never()).then(
          ({ state }) => state,
          (error: unknown) => (error instanceof VenueError ? 'refused' : error),
        )
        expect(['not_found', 'pending', 'unknown', 'refused', undefined], ref).toContain(told)
      }
    }))
})
