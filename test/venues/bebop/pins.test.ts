import { expect, test } from 'vitest'
import { ROUTER_SIGNER } from '../../../engine/simnet/venues/bebop/networks.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { never } from '../../support/venueKit/calls.ts'
import { BALANCE_MANAGER, cannedBebop, STRANGER } from './support.ts'

test.each<[string, string, string, readonly number[]]>([
  ['as served', ROUTER_SIGNER.address, BALANCE_MANAGER, [0, 0]],
  ['another signer', STRANGER, BALANCE_MANAGER, [8, 0]],
  ['another balance manager', ROUTER_SIGNER.address, STRANGER, [0, 8]],
])('pins: %s', async (_what, signer, manager, differences) => {
  const chains = createFakeChains()
  chains.script.call = async (_, data) => `0x${(data === '0x416e6d5e' ? manager : signer).slice(2).padStart(64, '0')}`
  const { venue } = cannedBebop(() => ({}), { chains, settings: { ROUTER_SIGNER: ROUTER_SIGNER.address } })
  const checks = await checkPins(venue, never())
  expect(checks.map((check) => check.differences.length)).toEqual(differences)
  expect(checks.map(({ compared, failure }) => [compared, failure])).toEqual([
    [8, null],
    [8, null],
  ])
})
