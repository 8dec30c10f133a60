import { expect, test } from 'vitest'
import { ROUTER_SIGNER } from '../../../engine/simnet/venues/bebop/networks.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { never } from '../../support/venueKit/calls.ts'
import { BALANCE_MANAGER, cannedBebop, STRANGER } from './support.ts'

test.each<[string, string, string, readonly string[]]>([
  ['no difference for the published values', ROUTER_SIGNER.address, BALANCE_MANAGER, []],
  ['reports another signer', STRANGER, BALANCE_MANAGER, ['routerSigner() of the router']],
  ['reports another balance manager', ROUTER_SIGNER.address, STRANGER, ['balanceManager() of the JAM settlement']],
])('bebop pins: %s', async (_what, signer, manager, differences) => {
  const chains = createFakeChains()
  chains.script.call = async (_, data) => `0x${(data === '0x416e6d5e' ? manager : signer).slice(2).padStart(64, '0')}`
  const { venue } = cannedBebop(() => ({}), { chains, settings: { ROUTER_SIGNER: ROUTER_SIGNER.address } })
  const checks = await checkPins(venue, never())
  expect(checks.map(({ compared, failure }) => [compared, failure])).toEqual(Array.from({ length: 16 }, () => [1, null]))
  const found = checks.flatMap((check) => check.differences.map(({ what }) => what))
  expect(found.length).toBe(8 * differences.length)
  expect(new Set(found.map((what) => what.replace(/ on chain .*/, '')))).toEqual(new Set(differences))
})
