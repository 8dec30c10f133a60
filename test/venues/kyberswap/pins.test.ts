import { expect, test } from 'vitest'
import { chainOf } from '../../../engine/core/chain.ts'
import { checkPins, describePin } from '../../../engine/venues/checkPins.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { BUILD, openBench, orders, ROUTER, ROUTES, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

/** The adapter where the venue names a router, with what differs; the router of chain 8453 names a wrapped coin. */
const published = async ({ router = ROUTER, onBase = String(chainOf(8453).wrappedNative), settings = {} } = {}) => {
  const chains = createFakeChains()
  const wordOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}` as const
  chains.script.call = async ({ chainId }) => wordOf(chainId === 8453 ? onBase : String(chainOf(chainId).wrappedNative))
  const named = (body: object) => altered(body, 'data.routerAddress', router)
  const { venue } = told(await open(), { chains, settings, changes: { [ROUTES]: named, [BUILD]: named } })
  const checks = await checkPins(venue, never())
  expect(checks.flatMap(({ failure }) => failure ?? [])).toEqual([])
  return { venue, differences: checks.flatMap((check) => check.differences.map(describePin)), sources: checks.length }
}

test('kyberswap pins: another router, or another contract at its address, is reported and rejected', async () => {
  expect(await published()).toMatchObject({ differences: [], sources: 13 })
  const wrapped = String(chainOf(8453).wrappedNative)
  const what = 'wrapped coin of the router on chain 8453'
  expect((await published({ onBase: STRANGER })).differences).toEqual([`${what}: pinned ${wrapped}, published ${STRANGER}`])
  expect((await published({ onBase: '0x' })).differences).toHaveLength(1)
  const thief = await published({ router: STRANGER })
  expect(thief.differences).toEqual([`router: pinned ${ROUTER}, published ${STRANGER}`])
  const refusal = { kind: 'rejected', check: 'router', found: STRANGER }
  expect(await refusalOf(thief.venue.quote(orders.usdc(), never()))).toMatchObject(refusal)
})

test('kyberswap pins: a router from the setting is allowed and called when the venue names it', async () => {
  const { venue, differences } = await published({ router: STRANGER, settings: { EXTRA_ROUTERS: STRANGER } })
  expect(differences).toEqual([])
  const swap = await swapOf(venue, orders.usdc())
  expect([swap.offer.spender, transactionOf(swap.execution).to]).toEqual([STRANGER, STRANGER])
  expect(await prove(venue, swap)).toEqual([])
})
