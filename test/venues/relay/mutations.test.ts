import { encodeFunctionData, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { otherCalls, otherTransactions, SOMEONE, solanaPlanOf } from '../../support/venueKit/payloads.ts'
import { type Change, idOf } from './forging.ts'
import table from './mutations.json' with { type: 'json' }
import {
  casesOf,
  LINEA_DEPOSITORY,
  openBench,
  orders,
  RECIPIENT_BTC,
  type RelayBench,
  ROUTER,
  STRANGER,
  WITH_FEE,
} from './support.ts'

/**
 * `evidence`: each field altered alone, so that the order no longer matches the id in the payload. `consistentLies`: an altered
 * order with a matching payload. `bitcoin`: nothing ties an address to the order id, so the order is compared with quote and
 * binding, and the address with all known facts.
 */
const CHANGES = casesOf<Record<keyof typeof table, readonly Change[]>>(table)

let bench: RelayBench
afterEach(() => bench?.close())
const count = countMutations('relay')

const refuses = async (swap: Swap, ...changes: readonly Change[]): Promise<readonly string[]> => {
  const name = changes.map(([path, value]) => `${path} = ${value}`).join()
  return count(name, await prove(bench.venue, swap, alteredBy(swap.execution, changes)))
}
const refusesAllEvidence = async (swap: Swap): Promise<void> => {
  await refusesEach(swap, 'evidence', CHANGES.evidence)
  await refuses(swap, ['evidence', null])
}
/** Refused one by one. */
const refusesEach = async (swap: Swap, under: string, changes: readonly Change[]): Promise<void> => {
  for (const [path, value] of changes) await refuses(swap, [`${under}.${path}`, value])
}
const others = (field: string, values: readonly unknown[]): readonly Change[] => values.map((value) => [field, value])

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap)).toEqual([])
  return swap
}

const ABI = parseAbi([
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function depositErc20(address depositor, address token, bytes32 id)',
  'function depositNative(address depositor, bytes32 id)',
  'function transfer(address to, uint256 amount)',
])
const call = (functionName: string, ...args: readonly unknown[]): string =>
  encodeFunctionData({ abi: ABI, functionName, args } as never)

const orderIdIn = ({ evidence }: Execution): string => idOf((evidence as { order?: unknown }).order)

const FEE_ON_TOKENS = orders.usdc({ feeBps: 15, slippageBps: 50 })

test.each([
  ['tokens', FEE_ON_TOKENS],
  ['coins', orders.ether()],
])('proof: rejects any altered byte and field of payload and order for a deposit of %s', async (_what, order) => {
  const swap = await open(order)
  const { sender, recipient, input, inputAmount } = order
  const id = orderIdIn(swap.execution)
  const { data, value } = transactionOf(swap.execution)
  const calls = [
    call('depositErc20', sender, input.address, inputAmount, id),
    call('depositErc20', recipient, input.address, inputAmount, id),
    call('depositErc20', sender, USDC.base, 1n, id),
    // All that is allowed.
    call('depositErc20', sender, input.address, id),
    call('depositNative', sender, id),
    call('depositNative', recipient, id),
    call('transfer', STRANGER, inputAmount),
  ]
  expect(calls).toContain(data)
  await refusesEach(swap, 'payload.transaction', [
    ...others('data', [...otherCalls(data), ...calls.filter((other) => other !== data)]),
    ...others('to', [STRANGER, addressOf('evm', ROUTER), LINEA_DEPOSITORY, sender]),
    ...others('value', [value + 1n, ...(value > 0n ? [0n] : [])]),
    ['chainId', 10],
  ])
  await refusesAllEvidence(swap)
})

test('proof: rejects an altered order with a matching payload', async () => {
  const swap = await open(FEE_ON_TOKENS)
  const { data } = transactionOf(swap.execution)
  for (const [path, value] of CHANGES.consistentLies) {
    const lie: Change = [`evidence.order.${path}`, value]
    const forged = data.replace(orderIdIn(swap.execution).slice(2), orderIdIn(alteredBy(swap.execution, [lie])).slice(2))
    expect(forged).not.toBe(data)
    // And not for a hash that does not fit, though another input is another deposit.
    const objections = await refuses(swap, lie, ['payload.transaction.data', forged])
    const others = path.startsWith('inputs.0.payment.') ? /undecodable/ : /a call other than the order’s deposit|undecodable/
    expect(objections.join(), path).not.toMatch(others)
  }
})

test('proof: rejects an unquoted fee, spender and payload type, and an expired order', async () => {
  const swap = await open(FEE_ON_TOKENS)
  await refusesEach(swap, 'evidence', others('appFee', [null, '374999', '375001', '750000', '250000000']))
  await refuses({ ...swap, offer: { ...swap.offer, spender: STRANGER } })
  await refuses({ ...swap, offer: { ...swap.offer, fee: { bps: 0, amount: 0n as never } } })
  const deposit = { chainId: 8453, address: STRANGER, amount: FEE_ON_TOKENS.inputAmount }
  await refuses(swap, ['payload', { executionType: 'DEPOSIT', deposit }])
  bench.clock.advance(31 * 86_400_000)
  const later = count('late', await prove(bench.venue, swap, swap.execution, bench.clock.now()))
  expect(later).toContain('unread: an order that lapses too soon')
})

test.each([
  ['SOL', orders.sol()],
  ['SPL tokens', orders.solanaUsdc()],
])('proof: rejects any altered account, byte and instruction for a deposit of %s', async (_name, order) => {
  const swap = await open(order)
  const { data } = transactionOf(swap.execution)
  const packed = (bytes: string): readonly Change[] => [
    ['payload.transaction.data', bytes],
    ['payload.transaction.serialized', bytes],
  ]
  // Put together again, it is accepted: the helper loses nothing.
  const again = packed(await encodeSolanaTransaction(await solanaPlanOf(data)))
  expect(await prove(bench.venue, swap, alteredBy(swap.execution, again))).toEqual([])
  for (const other of await otherTransactions(data, 1)) await refuses(swap, ...packed(other))
  await refusesEach(swap, 'payload.transaction', [
    ['chainId', 8453],
    ['to', SOMEONE],
    ['value', 1n],
    ['data', data.replace(/A/, 'B')],
    ['serialized', `${data.slice(0, -4)}AAAA`],
  ])
  await refusesAllEvidence(swap)
})

test('proof: rejects any altered statement about a bitcoin address', async () => {
  const swap = await open(orders.bitcoin({ feeBps: 30, slippageBps: 100 }))
  // The wallet's own, and the depository all orders share.
  for (const address of [WALLETS.bitcoin, 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6'])
    await refuses(swap, ['evidence.depositAddress', address], ['payload.deposit.address', address])
  for (const change of CHANGES.bitcoin) await refuses(swap, change)
  await refusesEach(swap, 'payload.deposit', others('amount', [1_000_001n, 1n]))
  await refuses({ ...swap, binding: { ...swap.binding, refundTo: RECIPIENT_BTC } })
  await refuses({ ...swap, binding: { ...swap.binding, recipient: STRANGER } })
})
