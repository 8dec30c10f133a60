import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Address, parseAddress } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { nativeAsset } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf } from '../../engine/core/chain.ts'
import { readClaim } from '../../engine/core/claim.ts'
import type { Proven } from '../../engine/core/execution.ts'
import type { FeeCustody } from '../../engine/core/fee.ts'
import type { ExecutionType } from '../../engine/core/offer.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import type { Route } from '../../engine/core/route.ts'
import { isListed } from '../../engine/quoting/trust.ts'
import type { SimRequest, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import { SIM_VENUES } from '../../engine/simnet/simVenues.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { TrustRule, VenueProfile } from '../../engine/venues/venue.ts'
import { VenueError } from '../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../support/anOrder.ts'
import { never, provePayload, refusalOf, swapOf } from '../support/venueKit/calls.ts'
import { MUTATIONS_MIN } from '../support/venueKit/mutations.ts'
import { type AnyBench, ORDERS, servedBy, venueWith, withBench } from './everyVenue.ts'

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

test('each venue has a minimum of mutations [proof-every-byte]', () => {
  expect(Object.keys(MUTATIONS_MIN).sort()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).sort())
})

test.each(VENUE_DEFINITIONS)('$id has tests that alter its payloads by byte and by field [proof-every-byte]', async ({ id }) => {
  const file = new URL(`./${id}/mutations.test.ts`, import.meta.url)
  expect(await readFile(file, 'utf8')).toMatch(new RegExp(`= countMutations\\('${id}'\\)|^attack\\w+.*venue: '${id}'`, 'ms'))
})

/** Accounts for fees, as an operator sets them. */
const FEE_SETTINGS: { readonly [name: string]: string } = {
  FEE_RECIPIENT: WALLETS.evmOther,
  FEE_RECIPIENT_SOLANA: WALLETS.solana,
  FEE_WALLET: WALLETS.solana,
  FEE_ACCOUNT: 'swap-service.near',
  REFERRER: WALLETS.solana,
  INTEGRATOR: 'swap-service',
  SOURCE: 'swap-service',
  AFFILIATE: 'swap',
  MEMOLESS_URL: 'http://127.0.0.1:1',
  BROKER_ACCOUNT: 'cFHsUq1uK5opJudRDd1qkV354mUi9T7FB9SBFv17pVVm2LsU7',
}

const custodyOf = (profile: VenueProfile, order: VenueOrder): FeeCustody => {
  const offer = {
    venue: profile.id,
    executionType: 'TRANSACTION' as ExecutionType,
    outputAmount: toAmount(1n),
    fee: { bps: 10, amount: toAmount(1n) },
    slippage: null,
    gasUnits: null,
    spender: null,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: null,
    expiresAt: null,
    decimals: { input: null, output: null },
    carry: null,
  }
  return profile.feeCustody({ order, offer })
}

/** Those of the ordinary swaps on which a fee can be taken. */
const charged = (profile: VenueProfile): readonly VenueOrder[] =>
  ORDERS.filter((order) => profile.serves(order) && profile.feeRecipient(order) !== null)

const FROM = { input: 'the input', taken: 'what its order takes in', output: 'the output' } as const
const HOLDER = {
  integrator: 'the fee recipient, on chain',
  creditedAtVenue: 'an account at the venue, to withdraw from',
  venueAccount: 'the venue, until it pays',
} as const
const SEEN = { input: 'with the payment', output: 'with the delivery', none: 'no, so that it is estimated' } as const

const rowOf = (id: string, { from, holder, seen, becomes }: FeeCustody): string =>
  `| \`${id}\` | ${FROM[from]} | ${HOLDER[holder]} | ${SEEN[seen?.in ?? 'none']} | ${becomes ?? ''} |`.replace('|  |', '| |')

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

  test('documents who holds its fees, in the ledger and for the operator [fee-custody-documented]', async () => {
    const profile = venueWith(definition, FEE_SETTINGS).profile
    const orders = charged(profile)
    expect(orders.length).toBeGreaterThan(0)
    for (const order of orders) {
      const { holder, seen, from, ecosystem } = custodyOf(profile, order)
      // What is seen to be paid is paid to the integrator, by an address of that chain that the operator set.
      if (seen === null) continue
      expect(holder).toBe('integrator')
      const { chainId } = seen.in === 'input' ? order.input : order.output
      expect(seen.payee).toBe(ecosystemOf(chainId) === 'solana' ? WALLETS.solana : WALLETS.evmOther)
      expect([from, ecosystem]).not.toContain('taken')
      expect(ecosystem).toBeUndefined()
    }
    const page = await readFile(new URL('../../engine/venues/VENUES.md', import.meta.url), 'utf8')
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith(`| \`${id}\` | the `) || line.startsWith(`| \`${id}\` | what its`))
    const told = [...new Set(orders.map((order) => rowOf(id, custodyOf(profile, order))))]
    expect(rows.toSorted()).toEqual(told.toSorted())
  })

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
