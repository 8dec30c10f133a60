import { expect, test } from 'vitest'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { renamed } from '../../support/renamed.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf } from '../../support/venueKit/calls.ts'
import { BY_ACROSS, BY_CCTP, FORWARDER, openBench, orders, QUOTE, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

test.each([
  ['of every protocol while no own venue is healthy', [], null, 'across,polymer,polymerStandard,lifiIntents'],
  ['except Across while the Across venue is healthy', ['across', 'cow'], null, 'polymer,polymerStandard,lifiIntents'],
  ['of every protocol when DENY_BRIDGES is none', ['across'], 'none', 'across,polymer,polymerStandard,lifiIntents'],
  ['except those of DENY_BRIDGES', [], 'polymer,mayan', 'across,polymerStandard,lifiIntents'],
] as const)('quote: allows the bridges %s [venue-lifi]', async (_name, wellVenues, denied, allowed) => {
  const { venue, asked } = told(await open(), { wellVenues, settings: { DENY_BRIDGES: denied } })
  await venue.quote(orders.bridged(), never())
  expect(asked[0]?.query.get('allowBridges')).toBe(allowed)
})

test('quote: rejects a call of a bridge that the request did not allow [venue-lifi]', async () => {
  const { sim } = await open()
  // It answers by Across, whatever was requested.
  const handle: typeof sim.handle = (asked) => {
    asked.query.set('allowBridges', 'across')
    return sim.handle(asked)
  }
  const quote = (settings: object) =>
    told({ sim: { ...sim, handle } }, { settings: { ...settings } }).venue.quote(orders.bridged(), never())
  expect((await quote(BY_ACROSS)).outputAmount).toBeGreaterThan(0n)
  expect(await refusalOf(quote(BY_CCTP))).toMatchObject({ kind: 'rejected', check: 'aBridgeThatWasNotAllowed' })
})

const NOT_SOLD = { kind: 'unsupportedPair', reason: 'notSold' }
test.each([
  ['rejects a call of a facet that fixes neither recipient nor minimum', '0xa3443faa', { kind: 'rejected', check: 'call' }],
  ['does not sell a call of Stargate', '0x14d53077', NOT_SOLD],
  ['does not sell a call of Stargate after an exchange', '0xa6010a66', NOT_SOLD],
])('quote: %s [venue-lifi]', async (_what, selector, refusal) => {
  const change = (body: object) => altered(body, 'transactionRequest.data', (data: string) => `${selector}${data.slice(10)}`)
  const { venue } = told(await open(), { changes: { [QUOTE]: change } })
  const found = refusal === NOT_SOLD ? null : selector
  expect(await refusalOf(venue.quote(orders.bridged(), never()))).toMatchObject({ ...refusal, found })
})

test('quote: declines a new fee contract while the chain is unreachable, and sells it once the diamond names it', async () => {
  const chains = createFakeChains()
  const change = (body: object) => renamed(body, [[FORWARDER, STRANGER]])
  const { venue } = told(await open(), { chains, changes: { [QUOTE]: change } })
  chains.script.call = chainFails('unreachable', 8453)
  expect((await refusalOf(venue.quote(orders.bridged(), never()))).kind).toBe('noLiquidity')
  chains.script.call = async () => `0x${STRANGER.slice(2).padStart(64, '0')}`
  expect((await venue.quote(orders.bridged(), never())).outputAmount).toBeGreaterThan(0n)
})
