import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { metaTxnCall, metaTxnSettler, takerSettler } from '../../../engine/simnet/venues/zerox/payloads.ts'
import type { SwapEvents, Venue } from '../../../engine/venues/venue.ts'
import { ALLOWANCE_HOLDER } from '../../../engine/venues/zerox/protocol.ts'
import { USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { any, atLeast } from '../../support/venueKit/attackPayload.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { openBench, orders, STRANGER } from './support.ts'

const open = closedAfterEach(openBench)
const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
])
const forged = forgeEvents('zerox', 59, EVENTS)

const TAKER = addressOf('evm', takerSettler(1))
const RELAYED = addressOf('evm', metaTxnSettler(1))
const ETHER = 10n ** 18n

const eventsOf = ({ events }: Venue): SwapEvents => {
  if (!events) throw new TypeError('a venue without events')
  return events
}
const transfer = (from: Address, to: Address, value: bigint) => eventLog(EVENTS, 'Transfer', USDC.ethereum, { from, to, value })
const wrapped = (dst: Address, wad = ETHER) => eventLog(EVENTS, 'Deposit', WETH_ETHEREUM, { dst, wad })
const unwrapped = (src: Address, wad = ETHER) => eventLog(EVENTS, 'Withdrawal', WETH_ETHEREUM, { src, wad })
const calling = (to: Address, data: string) => ({ call: { from: WALLETS.evm, to, data: data as Hex, value: 0n } })

type Task = {
  readonly recipient: string
  readonly buyToken: string
  readonly minAmountOut: string
  readonly actions: readonly Hex[]
}

describe('events: a signed 0x trade', () => {
  /** A trade for coins, and the call that settles it with these actions. */
  const stage = async () => {
    const { venue } = await open()
    const swap = await swapOf(venue, orders.usdcToEther())
    const { actions, ...task } = typedDataOf(swap.execution).message['slippageAndActions'] as unknown as Task
    const header = { ...task, minAmountOut: BigInt(task.minAmountOut) }
    const settling = (all = actions, taker: Address = WALLETS.evm) =>
      metaTxnCall({ header, actions: [...all], zid: `0x${'0'.repeat(24)}`, taker }, '0x')
    return { ...eventsOf(venue), swap, actions, least: header.minAmountOut, settling }
  }
  const taken = transfer(WALLETS.evm, RELAYED, 1_000_000_000n)

  test('is paid by the transaction that contains its first action, with the exact input', async () => {
    const { inputs, swap, actions, settling } = await stage()
    const read = (seen: SeenTransaction) => inputs(seen, swap)
    const seenAs = calling(RELAYED, `0xfd3ad6d4${(actions[0] ?? '').slice(2)}`)
    await forged({ chainId: 1, logs: { taken }, read, seenAs, harmless: { 'taken.to': any } })
    expect(await read(seenEvm(1, [taken], calling(RELAYED, '0xfd3ad6d4')))).toEqual([])
    // One that its signer made anew, with the same nonce and without a share, is paid and is not whole.
    const whole = await read(seenEvm(1, [taken], calling(RELAYED, await settling())))
    const stripped = await read(seenEvm(1, [taken], calling(RELAYED, await settling(actions.slice(0, -1)))))
    expect(whole).toEqual([
      { place: 'log:0', orderId: null, took: { token: USDC.ethereum, amount: 1_000_000_000n }, isWhole: true },
    ])
    expect([stripped?.[0]?.place, stripped?.[0]?.isWhole]).toEqual(['log:0', undefined])
  })

  test('delivers coins unwrapped by its Settler, less the shares, in a transaction of its own', async () => {
    const { outputs, swap, actions, least, settling } = await stage()
    const own = await settling()
    const told = (logs: readonly ReturnType<typeof unwrapped>[], data: string = own, to = RELAYED) =>
      outputs(seenEvm(1, logs, calling(to, data)), swap, [])
    // 30 bps for the integrator, then at most 24 for 0x.
    const less = (amount: bigint, bps: bigint) => amount - (amount * bps) / 10_000n
    const [event] = (await told([unwrapped(RELAYED)])) ?? []
    expect(event?.place).toBe('log:0')
    expect(event?.amount).toBeLessThan(less(ETHER, 30n))
    expect(event?.amount).toBeGreaterThanOrEqual(less(less(less(ETHER, 30n), 24n), 100n))
    // Of two, or of another's, or below the minimum, none is told: the money must show it.
    await forged({
      chainId: 1,
      logs: { unwrapped: unwrapped(RELAYED) },
      // Nothing but null leaves it to the money.
      read: async (seen) => [await outputs(seen, swap, [])].filter((found) => found !== null),
      seenAs: calling(RELAYED, own),
      harmless: { 'unwrapped.wad': ({ other }) => (other as bigint) > (least * 10_100n) / 10_000n },
      also: { 'two unwrappings': [unwrapped(RELAYED), unwrapped(RELAYED)] },
    })
    expect(await told([unwrapped(RELAYED)], own, STRANGER)).toBeNull()
    // Nor what the same Settler unwraps for another trade, whatever is written behind it.
    const [first = '0x', ...others] = actions
    const another = await settling([`${first.slice(0, -1)}7` as Hex, ...others])
    for (const data of ['0x', another, `${another}${first.slice(2)}`, await settling(actions, STRANGER)])
      expect(await told([unwrapped(RELAYED)], data)).toBeNull()
  })
})

describe('events: a 0x call inside a contract wallet transaction', () => {
  const stage = async () => {
    const { venue } = await open()
    const swap = await swapOf(venue, orders.ether())
    return { ...eventsOf(venue), swap, own: transactionOf(swap.execution).data }
  }
  const WALLET = parseAbi(['function execute(address to, uint256 value, bytes data)'])
  const inside = (data: string) => encodeFunctionData({ abi: WALLET, args: [ALLOWANCE_HOLDER as Hex, 0n, data as Hex] })

  test('pays in coins that its Settler wrapped, where it paid the recipient the minimum', async () => {
    const { inputs, swap, own } = await stage()
    const seenAs = calling(WALLETS.evm, inside(own))
    const delivered = transfer(TAKER, WALLETS.evmOther, swap.execution.slippage?.guaranteedMin ?? 0n)
    const logs = { wrapped: wrapped(TAKER), delivered }
    expect(await inputs(seenEvm(1, Object.values(logs), seenAs), swap)).toMatchObject([
      { place: 'log:0', took: { token: NATIVE } },
    ])
    const read = async (seen: SeenTransaction) => (await inputs(seen, swap)) ?? []
    await forged({ chainId: 1, logs, read, seenAs, harmless: { 'delivered.value': atLeast } })
    // Without its delivery nothing was taken. Not every pool wants wrapped coins.
    expect(await inputs(seenEvm(1, [logs.wrapped], seenAs), swap)).toEqual([])
    for (const others of [[delivered], [wrapped(TAKER, 1n), delivered]])
      expect(await inputs(seenEvm(1, others, seenAs), swap)).toBeNull()
  })

  test('is left to the top-level call, and does not match another call', async () => {
    const { inputs, swap, own } = await stage()
    expect(await inputs(seenEvm(1, [], calling(ALLOWANCE_HOLDER, own)), swap)).toBeNull()
    expect(await inputs(seenEvm(1, [], calling(WALLETS.evm, inside('0x1234'))), swap)).toBeNull()
  })
})

test('events: the claimed transfers of a 0x transaction are all payouts of Settlers, and coins unwrapped or named by a call', async () => {
  const { venue } = await open()
  const { named } = eventsOf(venue)
  const by = calling(STRANGER, '0x')
  const payouts = [TAKER, RELAYED, STRANGER].map((from) => transfer(from, STRANGER, 5n))
  expect(await named(seenEvm(1, payouts, by))).toEqual(['log:0', 'log:1'])
  expect(await named(seenEvm(1, [unwrapped(RELAYED, 5n)], by))).toEqual([COINS_BY_CALLS])
  const swap = await swapOf(venue, orders.usdcToEther({ slippageBps: 20 }))
  expect(await named(seenEvm(1, [], calling(ALLOWANCE_HOLDER, transactionOf(swap.execution).data)))).toEqual([COINS_BY_CALLS])
  for (const seen of [
    seenEvm(1, [unwrapped(RELAYED, 5n)], { ...by, isSuccess: false }),
    seenEvm(324, [unwrapped(RELAYED, 5n)], by),
    seenEvm(1, [unwrapped(STRANGER, 5n)], by),
  ])
    expect(await named(seen)).toEqual([])
})
