import { erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { again, DELIVERED, type EventsNetwork, FILLED, openEventsNetwork, STRANGER, topicAt, withLog } from './eventsNetwork.ts'
import { type AcrossBench, openBench, SPOKE_POOL_ARBITRUM, SPOKE_POOL_BASE, USDC, WETH, WITH_FEE } from './support.ts'

/** SpokePoolInterface.sol of across-protocol/contracts. */
const REFUND_ROOT = parseAbi([
  'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
])

let network: EventsNetwork
let bench: AcrossBench
beforeAll(async () => {
  network = openEventsNetwork()
  bench = await openBench({ settings: WITH_FEE })
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const namedIn = async (seen: SeenTransaction) => (await bench.venue.events?.named(seen)) ?? null
const transfer = (token: string, from: string, to: string, value: bigint): SimLog =>
  eventLog(erc20Abi, 'Transfer', token, { from, to, value }) as SimLog

test.each(DELIVERED)(
  'events: a fill of %s claims the transfer to its recipient, and no unrelated transfer',
  async (_name, order, kind) => {
    const swap = await swapOf(bench.venue, order)
    const paid = await network.pay(swap)
    const [filled] = await network.fill(paid)
    if (!filled) throw new Error('nothing was filled')
    const { token, to } = { token: kind === 'coins' ? WETH.arbitrum : order.output.address, to: order.recipient }
    const gift = transfer(token, STRANGER, to, 5n)
    const seen = again(filled, [...filled.logs, gift])
    const named = (await namedIn(seen)) ?? []
    const got = seen.movements.filter((moved) => moved.to === to && moved.token === token)
    const [own, given] = [got.slice(0, -1), got.at(-1)]
    expect(own).toHaveLength(kind === 'coins' ? 0 : 1)
    for (const { place } of own) expect(named).toContain(place)
    expect(named).not.toContain(given?.place)
    expect(named.includes('balance')).toBe(kind === 'coins')
    // A deposit is no payment to anybody; what failed paid nothing; elsewhere the contract is another.
    expect(await namedIn(paid.seen)).toEqual([])
    expect(await namedIn({ ...seen, isSuccess: false })).toEqual([])
    for (const chainId of [10, 43114, -1] as const) expect(await namedIn({ ...seen, chainId })).toEqual([])
    const at = topicAt(filled, FILLED)
    expect(await namedIn(withLog(filled, at, (log) => ({ ...log, address: STRANGER })))).toEqual([])
  },
)

test('events: a refund root claims the refund, and no other transfer', async () => {
  const root = (address: string) =>
    eventLog(REFUND_ROOT, 'ExecutedRelayerRefundRoot', address, {
      ...{ amountToReturn: 0n, chainId: 8453n, refundAmounts: [7n], rootBundleId: 1, leafId: 0, l2TokenAddress: USDC.base },
      ...{ refundAddresses: [WALLETS.evm], deferredRefunds: false, caller: STRANGER },
    })
  const moved = [transfer(USDC.base, SPOKE_POOL_BASE, WALLETS.evm, 7n), transfer(USDC.base, STRANGER, WALLETS.evm, 7n)]
  expect(await namedIn(seenEvm(8453, [...moved, root(SPOKE_POOL_BASE)]))).toEqual(['log:0'])
  expect(await namedIn(seenEvm(8453, [...moved, root(SPOKE_POOL_ARBITRUM)]))).toEqual([])
  expect(await namedIn(seenEvm(8453, moved))).toEqual([])
})
