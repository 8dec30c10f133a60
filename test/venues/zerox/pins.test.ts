import { expect, test } from 'vitest'
import { metaTxnSettler, SWAP_CHAIN_IDS, takerSettler } from '../../../engine/simnet/venues/zerox/networks.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { never } from '../../support/venueKit/calls.ts'
import { cannedZerox, STRANGER } from './support.ts'

/** The registry as the simulator has it, but for the taker Settler of Base. */
const checked = async (onBase: string, settings = {}) => {
  const chains = createFakeChains()
  chains.script.call = async ({ chainId }, data) => {
    if (chainId === 1) return chainFails('unreachable', 1)()
    const settler = data.endsWith('3') ? metaTxnSettler(chainId) : chainId === 8453 ? onBase : takerSettler(chainId)
    return `0x${settler.slice(2).padStart(64, '0')}`
  }
  const checks = await checkPins(cannedZerox(() => ({}), { chains, settings }).venue, never())
  expect(checks.map(({ compared }) => compared)).toEqual(SWAP_CHAIN_IDS.map((id) => (id === 1 ? 0 : 2)))
  expect(checks.filter(({ failure }) => failure !== null)).toHaveLength(1)
  return checks.flatMap((check) => check.differences.map(({ what, published }) => [what, published[0]]))
}

test('pins: a Settler of the registry that is not derived is a difference, unless it is set', async () => {
  expect(await checked(takerSettler(8453))).toEqual([])
  expect(await checked(STRANGER)).toEqual([['taker Settlers on chain 8453', STRANGER]])
  expect(await checked(STRANGER, { SETTLERS: `8453=${STRANGER}` })).toEqual([])
})
