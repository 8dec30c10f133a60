import { expect, test } from 'vitest'
import { COINS_BY_CALLS } from '../../../engine/chains/seen.ts'
import { metaTxnSettler, SWAP_CHAIN_IDS, takerSettler } from '../../../engine/simnet/venues/zerox/networks.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, outcomeOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { ALLOWANCE_HOLDER, cannedZerox, openBench, orders, PRICE, QUOTE, SETTINGS, STRANGER, told } from './support.ts'

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

const open = closedAfterEach(openBench)
/** The first taker Settler on Ethereum of a registry at STRANGER. */
const DERIVED = '0x70a6f2b9ca738220de56e441e5fa8013c97446ce'

test.each([
  ['an AllowanceHolder', ALLOWANCE_HOLDER, STRANGER, { ALLOWANCE_HOLDERS: STRANGER }],
  ['a Settler of a registry', takerSettler(1), DERIVED, { REGISTRIES: STRANGER }],
])('%s is sold by where the operator names it, and else is rejected', async (_what, pinned, other, named) => {
  const bench = await open()
  const change = (body: object) => JSON.parse(JSON.stringify(body).replaceAll(new RegExp(pinned.slice(2), 'gi'), other.slice(2)))
  const venueOf = (settings: object) =>
    told(bench, { settings: { ...SETTINGS, ...settings }, changes: { [PRICE]: change, [QUOTE]: change } }).venue
  const order = orders.usdcToEther({ slippageBps: 20 })
  expect([await outcomeOf(venueOf({}), order), await outcomeOf(venueOf(named), order)]).toEqual(['rejected', 'signed'])
  const call = transactionOf((await swapOf(venueOf(named), order)).execution)
  const seen = { chainId: 1, isSuccess: true, movements: [], logs: [], call }
  expect(await venueOf(named).events?.named(seen as never)).toEqual([COINS_BY_CALLS])
})
