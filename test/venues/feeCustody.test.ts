import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { toAmount } from '../../engine/core/amount.ts'
import { ecosystemOf } from '../../engine/core/chain.ts'
import type { FeeCustody } from '../../engine/core/fee.ts'
import type { ExecutionType } from '../../engine/core/offer.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { VenueDefinition, VenueProfile } from '../../engine/venues/venue.ts'
import { WALLETS } from '../support/anOrder.ts'
import { ORDERS, venueWith } from './everyVenue.ts'

/** Accounts for fees, as an operator sets them. */
const SETTINGS: { readonly [name: string]: string } = {
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

const profileOf = (definition: VenueDefinition): VenueProfile => venueWith(definition, SETTINGS).profile

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

test.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))(
  '%s documents who holds its fees, in the ledger and for the operator [fee-custody-documented]',
  async (id, definition) => {
    const profile = profileOf(definition)
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
  },
)
