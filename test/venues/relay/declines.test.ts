import { afterAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueErrorKind } from '../../../engine/venues/venueError.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { altered, never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import table from './declines.json' with { type: 'json' }
import { ARB, casesOf, openBench, orders, told } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())
const USUAL = orders.usdc()
const BITCOIN = orders.bitcoin()
const ARB_TO_USDC = orders.usdc({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n })

const CASES = casesOf<{
  readonly codes: readonly (readonly [code: string | null, status: number, VenueErrorKind, party: string | null])[]
  /** `change` null: not listed; no object: in its place. */
  readonly chains: readonly (readonly [what: string, id: number, change: unknown, outcome: string])[]
}>(table)

// Every class of the vendor's errors, and what the status alone means. A documented code with a 400 declines this one order.
test.each(CASES.codes)('relay: error %s with HTTP %d becomes %s, party %s', async (errorCode, status, kind, party) => {
  const refusal = { status, body: { message: 'words that may change', ...(errorCode !== null && { errorCode }) } }
  const { venue } = told(bench, { instead: ({ path }) => (path === '/chains' ? null : refusal) })
  const expected = { kind, party, minimum: null, maximum: null, ...(kind === 'badResponse' && { nature: 'unexplained' }) }
  for (const order of [USUAL, BITCOIN]) expect(await refusalOf(venue.quote(order, never()))).toMatchObject(expected)
})

test.each([
  ['less than the fees', orders.usdc({ amount: 40_000n }), 'amountTooSmall'],
  ['more than the solver holds', orders.usdc({ amount: 2_000_000_000_000n }), 'noLiquidity'],
  ['an unknown token', orders.usdc({ to: [42161, '0x000000000000000000000000000000000000dEaD'] }), 'unsupportedPair'],
  ['a recipient that is a token', orders.usdc({ recipient: addressOf('evm', USDC.arbitrum) }), 'badRequest'],
] as const)('quote: the simulated Relay declines %s', async (_name, order, kind) => {
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe(kind)
})

test('quote: a halted venue reports noLiquidity, and recovers', async () => {
  for (const order of [USUAL, BITCOIN, orders.sol()]) {
    bench.faults.set('relay', 'halt', {}, 1)
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('noLiquidity')
    await bench.venue.quote(order, never())
  }
})

test('quote: requests no swap before the deposit', async () => {
  expect(await refusalOf(bench.venue.quote(ARB_TO_USDC, never()))).toMatchObject({ kind: 'noLiquidity', isDecline: true })
  expect(bench.sent.at(-1)?.body).toMatchObject({ disableOriginSwaps: true })
})

describe('quote: the chain list of Relay with', () => {
  const outcomeWith = (id: number, change: unknown) => {
    const changed = (chain: object) => (typeof change === 'object' ? { ...chain, ...change } : change)
    const relisted = (chains: readonly { readonly id: number }[]) =>
      chains.flatMap((chain) => (chain.id !== id ? chain : change === null ? [] : changed(chain)))
    return outcomeOf(told(bench, { changes: { '/chains': (list) => altered(list, 'chains', relisted) } }).venue, USUAL)
  }
  test.each(CASES.chains)('%s: %d with %j: %s', async (_what, id, change, outcome) => {
    expect(await outcomeWith(id, change)).toBe(outcome)
  })
})
