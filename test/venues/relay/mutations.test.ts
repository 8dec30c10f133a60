import { base58 } from '@scure/base'
import { bytesToHex, encodeFunctionData, hexToBytes, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import {
  encodeSolanaTransaction,
  type SolanaInstructionPlan,
  type SolanaTransactionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { Execution, Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { solanaPlanOf } from '../../support/venueKit/solanaPlan.ts'
import type { Change } from './forging.ts'
import table from './mutations.json' with { type: 'json' }
import { orders, RECIPIENT_BTC, ROUTER, SOMEONE, STRANGER, USDC } from './orders.ts'
import { casesOf, openBench, type RelayBench, WITH_FEE } from './support.ts'

const LINEA_DEPOSITORY = addressOf('evm', '0x59916da825d2d2ec1bf878d71c88826f6633ecca')

/**
 * `order`: each word of the order by itself, so that the id in the payload is another order's. `consistentLies`: the order
 * altered, and the payload made for the altered order. `toldOfBitcoin`: nothing ties an address to the order's id, but what
 * the order says is held to what was quoted and bound.
 */
const CHANGES = casesOf<Record<keyof typeof table, readonly Change[]>>(table)

let bench: RelayBench
afterEach(() => bench?.close())
const count = countMutations('relay')

const refuses = async (swap: Swap, ...changes: readonly Change[]): Promise<readonly string[]> => {
  const name = changes.map(([path, value]) => `${path} = ${value}`).join()
  return count(name, await prove(bench.venue, swap, alteredBy(swap.execution, changes)))
}
/** Refused one by one. */
const refusesEach = async (swap: Swap, under: string, changes: readonly Change[]): Promise<void> => {
  for (const [path, value] of changes) await refuses(swap, [`${under}.${path}`, value])
}
const refusesAllEvidence = async (swap: Swap): Promise<void> => {
  await refusesEach(swap, 'evidence.order', CHANGES.order)
  await refusesEach(swap, 'evidence', CHANGES.evidence)
  await refuses(swap, ['evidence', null])
}

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

const idOf = ({ evidence }: Execution): string => orderId((evidence as never as { order: Parameters<typeof orderId>[0] }).order)

const FEE_ON_TOKENS = orders.usdc({ feeBps: 15, slippageBps: 50 })

test.each([
  ['tokens', FEE_ON_TOKENS],
  ['coins', orders.ether()],
])('a deposit of %s: every byte of the call, and every field of payload and order', async (_what, order) => {
  const swap = await open(order)
  const { sender, recipient, input, inputAmount } = order
  const id = idOf(swap.execution)
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
  const bytes = flips(hexToBytes(data as Hex)).map((flipped) => bytesToHex(flipped))
  const lengths = [`${data}00`, `${data}${'ab'.repeat(32)}`, data.slice(0, -2), data.slice(0, -1), '0x']
  await refusesEach(swap, 'payload.transaction', [
    ...[...bytes, ...lengths, ...calls.filter((other) => other !== data)].map((other): Change => ['data', other]),
    ...[STRANGER, addressOf('evm', ROUTER), LINEA_DEPOSITORY, sender].map((to): Change => ['to', to]),
    ...[value + 1n, ...(value > 0n ? [0n] : [])].map((other): Change => ['value', other]),
    ['chainId', 10],
  ])
  await refusesAllEvidence(swap)
})

test('an order that lies, with a payload made for it, is refused for what it says', async () => {
  const swap = await open(FEE_ON_TOKENS)
  const { data } = transactionOf(swap.execution)
  for (const [path, value] of CHANGES.consistentLies) {
    const lie: Change = [`evidence.order.${path}`, value]
    const forged = data.replace(idOf(swap.execution).slice(2), idOf(alteredBy(swap.execution, [lie])).slice(2))
    expect(forged).not.toBe(data)
    // And not for a hash that does not fit.
    const objections = await refuses(swap, lie, ['payload.transaction.data', forged])
    expect(objections.join(), path).not.toMatch(/the id of another order|undecodable/)
  }
})

test('a fee, a spender and a kind of payload that nobody quoted', async () => {
  const swap = await open(FEE_ON_TOKENS)
  for (const fee of [null, '374999', '375001', '750000', '250000000']) await refuses(swap, ['evidence.appFee', fee])
  await refuses({ ...swap, offer: { ...swap.offer, spender: STRANGER } })
  await refuses({ ...swap, offer: { ...swap.offer, fee: { bps: 0, amount: 0n as never } } })
  const deposit = { chainId: 8453, address: STRANGER, amount: FEE_ON_TOKENS.inputAmount }
  await refuses(swap, ['payload', { executionType: 'DEPOSIT', deposit }])
})

test('an order that has lapsed by the time it is built', async () => {
  const swap = await open(orders.usdc())
  bench.clock.advance(31 * 86_400_000)
  const later = count('late', await prove(bench.venue, swap, swap.execution, bench.clock.now()))
  expect(later).toContain('unread: an order that lapses too soon')
})

const MEMO = { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', data: Uint8Array.of(97) }

/** What may stand in place of the two instructions of a deposit. */
const instructionsInstead = ({
  feePayer,
  instructions,
}: SolanaTransactionPlan): readonly (readonly SolanaInstructionPlan[])[] => {
  const [budget, deposit] = instructions as [SolanaInstructionPlan, SolanaInstructionPlan]
  const { accounts, data } = deposit
  const sends: SolanaInstructionPlan = {
    programId: '11111111111111111111111111111111',
    accounts: [
      { address: feePayer, isSigner: true, isWritable: true },
      { address: SOMEONE, isWritable: true },
    ],
    data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  }
  const deposits: readonly Partial<SolanaInstructionPlan>[] = [
    ...flips(data).map((flipped) => ({ data: flipped })),
    { data: Uint8Array.of(...data, 0) },
    { data: data.slice(0, -1) },
    ...accounts.map((_, at) => ({ accounts: accounts.with(at, { address: SOMEONE }) })),
    { accounts: [...accounts, { address: SOMEONE }] },
    { accounts: accounts.slice(0, -1) },
    { programId: SOMEONE },
  ]
  const companions: readonly SolanaInstructionPlan[] = [
    deposit,
    // Another call of the depository.
    { ...deposit, data: base58.decode('2222222222') },
    { programId: SOMEONE, accounts: [], data: Uint8Array.of(1) },
    sends,
    { ...MEMO, accounts: [{ address: SOMEONE, isSigner: true }] },
  ]
  const absurdPrice = { ...budget, data: Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 1) }
  return [
    ...deposits.map((change) => [budget, { ...deposit, ...change }]),
    ...companions.map((companion) => [budget, deposit, companion]),
    [sends, budget, deposit],
    [absurdPrice, deposit],
    [budget],
  ]
}

test.each([
  ['SOL', orders.sol()],
  ['SPL tokens', orders.solanaUsdc()],
])('a deposit of %s: every account, byte and companion', async (_name, order) => {
  const swap = await open(order)
  const { data } = transactionOf(swap.execution)
  const plan = await solanaPlanOf(data)
  const both = (bytes: string): readonly Change[] => [
    ['payload.transaction.data', bytes],
    ['payload.transaction.serialized', bytes],
  ]
  const packed = async (change: Partial<SolanaTransactionPlan>) => both(await encodeSolanaTransaction({ ...plan, ...change }))
  // What the plan was read from is accepted again: the helper loses nothing.
  expect(await prove(bench.venue, swap, alteredBy(swap.execution, await packed({})))).toEqual([])
  for (const instructions of instructionsInstead(plan)) await refuses(swap, ...(await packed({ instructions })))
  for (const bytes of [`${data}AAAA`, 'AAAA']) await refuses(swap, ...both(bytes))
  await refuses(swap, ...(await packed({ feePayer: SOMEONE })))
  await refusesEach(swap, 'payload.transaction', [
    ['chainId', 8453],
    ['to', SOMEONE],
    ['value', 1n],
    ['data', data.replace(/A/, 'B')],
    ['serialized', `${data.slice(0, -4)}AAAA`],
  ])
  await refusesAllEvidence(swap)
})

test('an address in bitcoin: everything the venue says of it', async () => {
  const swap = await open(orders.bitcoin({ feeBps: 30, slippageBps: 100 }))
  await refusesEach(swap, 'payload.deposit', [
    ['address', RECIPIENT_BTC],
    ['amount', 1_000_001n],
    ['amount', 1n],
    ['chainId', 8453],
  ])
  // The wallet's own, and the depository all orders share.
  for (const address of [WALLETS.bitcoin, 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6'])
    await refuses(swap, ['evidence.depositAddress', address], ['payload.deposit.address', address])
  await refusesEach(swap, 'evidence.order', CHANGES.toldOfBitcoin)
  await refusesEach(swap, 'evidence', [
    ...[RECIPIENT_BTC, WALLETS.evm, '', null].map((address): Change => ['depositAddress', address]),
    ...[null, '2999', '3001', '6000'].map((fee): Change => ['appFee', fee]),
  ])
  await refuses({ ...swap, binding: { ...swap.binding, refundTo: RECIPIENT_BTC } })
  await refuses({ ...swap, binding: { ...swap.binding, recipient: STRANGER } })
})
