import { expect, test } from 'vitest'
import type { Hex } from '../../../engine/core/execution.ts'
import { ROUTER_SIGNER } from '../../../engine/simnet/venues/bebop/networks.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never } from '../../support/venueKit/calls.ts'
import { changing, toldBy } from '../../support/venueKit/canned.ts'
import { BALANCE_MANAGER, cannedBebop, openBench, STRANGER } from './support.ts'

const open = closedAfterEach(openBench)
const wordOf = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`

test.each<[string, string, string, number, readonly number[]]>([
  ['as served', ROUTER_SIGNER.address, BALANCE_MANAGER, 8453, [0, 0, 0]],
  ['another signer', STRANGER, BALANCE_MANAGER, 8453, [8, 0, 0]],
  ['another balance manager', ROUTER_SIGNER.address, STRANGER, 8453, [0, 8, 0]],
  ['another path of a chain', ROUTER_SIGNER.address, BALANCE_MANAGER, 1, [0, 0, 2]],
])('pins: %s', async (_what, signer, manager, base, differences) => {
  const chains = createFakeChains()
  chains.script.call = async (_contract, data) => wordOf(data === '0x416e6d5e' ? manager : signer)
  const served = changing(toldBy((await open()).sim), { '/pmm/chains': (body: object) => ({ ...body, base }) })
  const { venue } = cannedBebop(served, { chains, settings: { ROUTER_SIGNER: ROUTER_SIGNER.address } })
  const checks = await checkPins(venue, never())
  expect(checks.map((check) => check.differences.length)).toEqual(differences)
  expect(checks.map(({ compared, failure }) => [compared, failure])).toEqual(Array(3).fill([8, null]))
})
