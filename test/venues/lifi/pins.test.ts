import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import { ESCROW, OUTPUT_SETTLER } from './fakeNetwork.ts'
import { BY_INTENTS, FORWARDER, openBench, orders, QUOTE, STRANGER, TREASURY, told } from './support.ts'

const open = closedAfterEach(openBench)
const NEWER = '0xDe2b920506EE931a6A2ABDF566526220214FBbAE'
const ORACLE = '0x008C3800F3Ad9b3B662d002E90Cc00000000eE17'

const wordOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}` as const
/** Puts another address in the place of one, in the call of an answer. */
const inPlaceOf = (was: string, other: string) => (body: { transactionRequest: { data: string } }) =>
  altered(body, 'transactionRequest.data', (data: string) => data.replaceAll(wordOf(was).slice(26), wordOf(other).slice(26)))

test.each([
  ['a newer fee contract, while the older is pinned too', inPlaceOf(FORWARDER, NEWER), {}],
  ['a fee contract that the operator names', inPlaceOf(FORWARDER, STRANGER), { FEE_FORWARDERS: `10=${NEWER},8453=${STRANGER}` }],
  ['a treasury that the operator names', inPlaceOf(TREASURY, STRANGER), { FEE_TREASURIES: STRANGER }],
  ['a payer that the operator names', inPlaceOf(OUTPUT_SETTLER, STRANGER), { ...BY_INTENTS, INTENT_OUTPUT_SETTLERS: STRANGER }],
  ['an oracle that the operator names', inPlaceOf(ORACLE, STRANGER), { ...BY_INTENTS, INTENT_ORACLES: STRANGER }],
])('lifi: a route with %s is sold, and one with another is not', async (what, change, settings) => {
  const sold = told(await open({ settings }), { settings, changes: { [QUOTE]: change as never } })
  expect(await outcomeOf(sold.venue, orders.bridged())).toBe('signed')
  const without = told(await open({ settings }), {
    settings: 'DENY_BRIDGES' in settings ? BY_INTENTS : {},
    changes: { [QUOTE]: (what.startsWith('a newer') ? inPlaceOf(FORWARDER, STRANGER) : change) as never },
  })
  expect((await refusalOf(without.venue.quote(orders.bridged(), never()))).kind).toBe('rejected')
})

/** Diamonds that name this fee contract for the one of Base, and this escrow. */
const chainsWith = (forwarder = NEWER, escrow = ESCROW) => {
  const chains = createFakeChains()
  const settler = toFunctionSelector('function LIFI_INTENT_ESCROW_SETTLER_V2()')
  chains.script.call = async ({ chainId }, data) => (chainId !== 8453 ? null : wordOf(data === settler ? escrow : forwarder))
  return chains
}

test('lifi pins: a published list that is as pinned gives no difference, and a thief in it is reported and sold nothing', async () => {
  const bench = await open()
  const differences = async (chains: ReturnType<typeof chainsWith>, changes = {}) => {
    const checks = await checkPins(told(bench, { chains, changes }).venue, never())
    const own = checks.filter(({ source }) => /^GET|chain 8453$/.test(source))
    expect(own.map(({ failure, compared }) => [failure, compared > 0])).toEqual([
      [null, true],
      [null, true],
    ])
    return own.flatMap((check) => check.differences.map(({ what, published }) => [what, published]))
  }
  expect(await differences(chainsWith())).toEqual([])
  const listed = {
    '/v1/chains': (body: { chains: readonly { id: number }[] }) =>
      altered(body, `chains.${body.chains.findIndex(({ id }) => id === 8453)}.diamondAddress`, STRANGER),
  }
  expect(await differences(chainsWith(), listed)).toEqual([['diamond on chain 8453', [STRANGER]]])
  expect(await differences(chainsWith(STRANGER, STRANGER))).toEqual([
    ['fee contract on chain 8453', [STRANGER]],
    ['escrow of LI.FI Intents on chain 8453', [STRANGER]],
  ])
  const thief = (body: object) => altered(body, 'transactionRequest.to', STRANGER)
  const { venue } = told(bench, { chains: chainsWith(STRANGER), changes: { ...listed, [QUOTE]: thief as never } })
  await checkPins(venue, never())
  expect(await refusalOf(venue.quote(orders.bridged(), never()))).toMatchObject({ kind: 'rejected', check: 'contract' })
})
