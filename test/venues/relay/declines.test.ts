import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import type { VenueErrorKind } from '../../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import table from './declines.json' with { type: 'json' }
import { forged } from './forging.ts'
import { ARB, NATIVE_SOL, orders, USDC } from './orders.ts'
import { casesOf, keptAnswers, openBench, outcomeWith, told } from './support.ts'

const open = closedAfterEach(openBench)
const answers = keptAnswers()
const USUAL = orders.usdc()
const BITCOIN = orders.bitcoin()

type Chain = { readonly id: number }
const CASES = casesOf<{
  readonly codes: readonly (readonly [code: string | null, status: number, VenueErrorKind, party: string | null])[]
  /** `change` null: not listed; no object: in its place. */
  readonly chains: readonly (readonly [what: string, id: number, change: unknown, outcome: string])[]
}>(table)

// Every class of the vendor's errors, and what the status alone means. Any code with a 400 is a considered no to this one
// order, whatever it is called.
test.each(CASES.codes)('%s with HTTP %d means %s, party %s', async (errorCode, status, kind, party) => {
  const { chains } = await answers(USUAL)
  const refusal = { status, body: { message: 'words that may change', ...(errorCode !== null && { errorCode }) } }
  const { venue } = canned(relay, ({ path }) => (path === '/chains' ? { body: chains } : refusal))
  for (const order of [USUAL, BITCOIN])
    expect(await refusalOf(venue.quote(order, never()))).toMatchObject({ kind, party, minimum: null, maximum: null })
})

test.each([
  ['less than the fees', orders.usdc({ amount: 40_000n }), 'amountTooSmall'],
  ['more than the solver holds', orders.usdc({ amount: 2_000_000_000_000n }), 'noLiquidity'],
  ['a token nobody knows', orders.usdc({ to: [42161, '0x000000000000000000000000000000000000dEaD'] }), 'unsupportedPair'],
  ['a recipient that is a token', orders.usdc({ recipient: addressOf('evm', USDC.arbitrum) }), 'badRequest'],
] as const)('the venue itself refuses %s', async (_name, order, kind) => {
  const bench = await open()
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe(kind)
})

test('a halted venue has no liquidity, and recovers', async () => {
  const bench = await open()
  for (const order of [USUAL, BITCOIN, orders.sol()]) {
    bench.faults.set('relay', 'halt', {}, 1)
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('noLiquidity')
    await bench.venue.quote(order, never())
  }
})

test('a swap before the deposit is not asked for: the venue says so at once, and one offered all the same is declined', async () => {
  const order = anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n })
  const bench = await open()
  expect(await refusalOf(bench.venue.quote(order, never()))).toMatchObject({ kind: 'noLiquidity', isDecline: true })
  expect(bench.sent.at(-1)?.body).toMatchObject({ disableOriginSwaps: true })
  const proper = await answers(USUAL)
  const quote = forged(proper.quote, [['inputs.0.payment.currency', `0x${'00'.repeat(20)}`]])
  const { venue } = told({ ...proper, quote })
  expect(await refusalOf(venue.quote(USUAL, never()))).toMatchObject({ kind: 'unsupportedPair', isDecline: true })
})

describe('chains as the venue lists them', () => {
  const outcomeOf = async (id: number, change: unknown, order = USUAL) => {
    const proper = await answers(USUAL)
    const isObject = typeof change === 'object'
    const chains = (proper.chains as { chains: readonly Chain[] }).chains.flatMap((chain) => {
      if (chain.id !== id) return chain
      return change === null ? [] : isObject ? { ...chain, ...change } : change
    })
    return outcomeWith({ ...proper, chains: { chains } }, order)
  }
  test.each(CASES.chains)('%s: %d with %j: %s', async (_what, id, change, outcome) => {
    expect(await outcomeOf(id, change)).toBe(outcome)
  })

  test('a chain whose orders have no name there cannot be proved', async () => {
    const order = orders.usdc({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })
    expect(await outcomeOf(792703809, { protocol: { v2: { chainId: null, depository: null } } }, order)).toBe('unsupportedPair')
  })
})
