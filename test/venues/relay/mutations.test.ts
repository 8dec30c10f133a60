import { base58 } from '@scure/base'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import {
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  type SolanaAccountMeta,
  type SolanaInstructionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Deposit, Execution, Hex, WalletTransaction } from '../../../engine/core/execution.ts'
import type { Json } from '../../../engine/core/json.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, depositOf, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import type { Change } from './forging.ts'
import table from './mutations.json' with { type: 'json' }
import { ARB, orders, RECIPIENT_BTC, ROUTER, SOMEONE, STRANGER, USDC } from './orders.ts'
import { casesOf, openBench, type RelayBench, WITH_FEE } from './support.ts'

const LINEA_DEPOSITORY = addressOf('evm', '0x59916da825d2d2ec1bf878d71c88826f6633ecca')
const OTHER_ID: Hex = `0x${'11'.repeat(32)}`

/**
 * `order`: each word of the order by itself, so that the id in the payload is another order's. `consistentLies`: the order
 * altered, and the payload made for the altered order. `toldOfBitcoin`: nothing ties an address to the order's id, but what
 * the order says is held to what was quoted and bound.
 */
const CHANGES = casesOf<Record<keyof typeof table, readonly Change[]>>(table)

let bench: RelayBench
afterEach(() => bench?.close())
const count = countMutations('relay')

const refuses = async (swap: Swap, name: string, execution = swap.execution): Promise<readonly string[]> =>
  count(name, await prove(bench.venue, swap, execution))

/** A payload's fields, of whatever type; a text is calldata. */
type Altered<T> = { readonly [name: string]: { readonly [field in keyof T]?: unknown } | string }

const withTransaction = (execution: Execution, change: object): Execution => ({
  ...execution,
  payload: { executionType: 'TRANSACTION', transaction: { ...transactionOf(execution), ...change } },
})
const refusesTransactions = async (swap: Swap, changes: Altered<WalletTransaction>): Promise<void> => {
  for (const [name, change] of Object.entries(changes))
    await refuses(swap, name, withTransaction(swap.execution, typeof change === 'string' ? { data: change } : change))
}

const withDeposit = (execution: Execution, change: Partial<Deposit>): Execution => ({
  ...execution,
  payload: { executionType: 'DEPOSIT', deposit: { ...depositOf(execution), ...change } },
})

const withEvidence = (execution: Execution, path: string, value: unknown): Execution => ({
  ...execution,
  evidence: altered(execution.evidence, path, value) as Json,
})
const refusesEvidence = async (swap: Swap, changes: readonly Change[], under = ''): Promise<void> => {
  for (const [path, value] of changes)
    await refuses(swap, `${path} = ${value}`, withEvidence(swap.execution, `${under}${path}`, value))
}
const refusesAllEvidence = async (swap: Swap): Promise<void> => {
  await refusesEvidence(swap, CHANGES.order, 'order.')
  await refusesEvidence(swap, CHANGES.evidence)
  await refuses(swap, 'no evidence', { ...swap.execution, evidence: null })
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

const idOf = ({ evidence }: Execution): Hex =>
  orderId((evidence as never as { order: Parameters<typeof orderId>[0] }).order) as Hex

const refusesEnvelopes = async (swap: Swap): Promise<void> => {
  const { data, value } = transactionOf(swap.execution)
  await refusesTransactions(swap, {
    chain: { chainId: 10 },
    stranger: { to: STRANGER },
    router: { to: addressOf('evm', ROUTER) },
    'another depository': { to: LINEA_DEPOSITORY },
    sender: { to: swap.order.sender },
    'more value': { value: value + 1n },
    ...(value > 0n && { 'no value': { value: 0n } }),
    'extra calldata': `${data}00`,
    'an id after the id': `${data}${'ab'.repeat(32)}`,
    'cut short': data.slice(0, -2),
    'another selector': `0xdeadbeef${data.slice(10)}`,
    'odd digits': data.slice(0, -1),
    nothing: '0x',
  })
}

test('a deposit of tokens: every field of payload and order', async () => {
  const swap = await open(orders.usdc({ feeBps: 15, slippageBps: 50 }))
  const { sender, recipient, input, inputAmount } = swap.order
  const id = idOf(swap.execution)
  const { data } = transactionOf(swap.execution)
  expect(call('depositErc20', sender, input.address, inputAmount, id)).toBe(data)
  await refusesEnvelopes(swap)
  await refusesTransactions(swap, {
    depositor: call('depositErc20', STRANGER, input.address, inputAmount, id),
    'depositor is the recipient': call('depositErc20', recipient, input.address, inputAmount, id),
    token: call('depositErc20', sender, ARB, inputAmount, id),
    more: call('depositErc20', sender, input.address, inputAmount + 1n, id),
    less: call('depositErc20', sender, input.address, inputAmount - 1n, id),
    id: call('depositErc20', sender, input.address, inputAmount, OTHER_ID),
    'all that is allowed': call('depositErc20', sender, input.address, id),
    native: call('depositNative', sender, id),
    transfer: call('transfer', STRANGER, inputAmount),
    'dirty depositor': data.replace(/^(0x.{8})00/, '$101'),
  })
  await refusesAllEvidence(swap)
  for (const [path, value] of CHANGES.consistentLies) {
    const lie = withEvidence(swap.execution, `order.${path}`, value)
    const forged = call('depositErc20', sender, input.address, inputAmount, idOf(lie))
    // Refused for what it says, not for a hash that does not fit.
    const objections = await refuses(swap, `consistent lie: ${path}`, withTransaction(lie, { data: forged }))
    expect(objections.join(), path).not.toMatch(/the id of another order|undecodable/)
  }
  await refusesEvidence(
    swap,
    [null, '374999', '375001', '750000', '250000000'].map((fee) => ['appFee', fee]),
  )
  await refuses({ ...swap, offer: { ...swap.offer, spender: STRANGER } }, 'spender')
  const unpaid = { ...swap, offer: { ...swap.offer, fee: { bps: 0, amount: 0n as never } } }
  await refuses(unpaid, 'a fee nobody quoted')
  await refuses(swap, 'another execution type', {
    ...swap.execution,
    payload: { executionType: 'DEPOSIT', deposit: { chainId: 8453, address: STRANGER, amount: inputAmount } },
  })
})

test('an order that has lapsed by the time it is built', async () => {
  const swap = await open(orders.usdc())
  bench.clock.advance(31 * 86_400_000)
  const later = count('late', await prove(bench.venue, swap, swap.execution, bench.clock.now()))
  expect(later).toContain('unread: an order that lapses too soon')
})

test('a deposit of coins: every field', async () => {
  const swap = await open(orders.ether())
  const { sender } = swap.order
  const id = idOf(swap.execution)
  expect(call('depositNative', sender, id)).toBe(transactionOf(swap.execution).data)
  await refusesEnvelopes(swap)
  await refusesTransactions(swap, {
    depositor: call('depositNative', STRANGER, id),
    id: call('depositNative', sender, OTHER_ID),
    tokens: call('depositErc20', sender, USDC.base, 1n, id),
  })
  await refusesAllEvidence(swap)
})

/** The instructions of a transaction, to be changed and put together again. */
const planOf = async (data: string) => {
  const decoded = await decodeSolanaTransaction(data)
  if (!decoded) throw new TypeError('not a transaction')
  const instructions = decoded.instructions.map(({ programId, accounts, data: bytes }): SolanaInstructionPlan => {
    const metas = accounts.map((address, index): SolanaAccountMeta => {
      const isSender = address === decoded.feePayer
      return { address: address ?? '', isSigner: isSender, isWritable: isSender || index === 3 || (index > 4 && index < 7) }
    })
    return { programId, accounts: metas, data: bytes }
  })
  return { feePayer: decoded.feePayer as string, recentBlockhash: decoded.recentBlockhash, instructions }
}

const MEMO = { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', data: Uint8Array.of(97) }

type Two = readonly [budget: SolanaInstructionPlan, deposit: SolanaInstructionPlan]

/** What may stand in place of the two instructions of a deposit. */
const instructionsInstead = (
  [budget, deposit]: Two,
  feePayer: string,
): { readonly [name: string]: readonly SolanaInstructionPlan[] } => {
  const withAccounts = (accounts: readonly SolanaAccountMeta[]) => [budget, { ...deposit, accounts }]
  const withData = (...data: readonly number[]) => [budget, { ...deposit, data: Uint8Array.from(data) }]
  const withByte = (at: number, change: (byte: number) => number) =>
    withData(...deposit.data.map((byte, index) => (index === at ? change(byte) : byte)))
  const flipped = (byte: number) => byte ^ 1
  const sends: SolanaInstructionPlan = {
    programId: '11111111111111111111111111111111',
    accounts: [
      { address: feePayer, isSigner: true, isWritable: true },
      { address: SOMEONE, isWritable: true },
    ],
    data: Uint8Array.from([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  }
  const accounts = deposit.accounts.map((_, index) => {
    const strange = { isSigner: false, address: SOMEONE }
    return [`account ${index}`, withAccounts(deposit.accounts.map((meta, at) => (at === index ? { ...meta, ...strange } : meta)))]
  })
  return {
    ...Object.fromEntries(accounts),
    'an account too many': withAccounts([...deposit.accounts, { address: SOMEONE }]),
    'an account too few': withAccounts(deposit.accounts.slice(0, -1)),
    discriminator: withByte(0, () => 0),
    amount: withByte(8, flipped),
    'amount, high byte': withByte(15, () => 1),
    id: withByte(16, flipped),
    'id, last byte': withByte(47, flipped),
    'data too long': withData(...deposit.data, 0),
    'data too short': withData(...deposit.data.slice(0, -1)),
    program: [budget, { ...deposit, programId: SOMEONE }],
    'no deposit': [budget],
    'two deposits': [budget, deposit, deposit],
    'another instruction of the program': [budget, deposit, { ...deposit, data: base58.decode('2222222222') }],
    'a stranger’s program': [budget, deposit, { programId: SOMEONE, accounts: [], data: Uint8Array.of(1) }],
    'a transfer besides': [budget, deposit, sends],
    'a transfer before': [sends, budget, deposit],
    'an absurd compute price': [{ ...budget, data: Uint8Array.from([3, 0, 0, 0, 0, 0, 0, 0, 1]) }, deposit],
    'a memo another must sign': [budget, deposit, { ...MEMO, accounts: [{ address: SOMEONE, isSigner: true }] }],
  }
}

test.each([
  ['SOL', orders.sol()],
  ['SPL tokens', orders.solanaUsdc()],
])('a deposit of %s: every account, byte and companion', async (_name, order) => {
  const swap = await open(order)
  const { data } = transactionOf(swap.execution)
  const plan = await planOf(data)
  const packed = async (change: Partial<typeof plan>) => {
    const bytes = await encodeSolanaTransaction({ ...plan, ...change })
    return { data: bytes, serialized: bytes }
  }
  // What the plan was read from is accepted again: the helper loses nothing.
  const again = await packed({})
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, again))).toEqual([])
  for (const [name, instructions] of Object.entries(instructionsInstead(plan.instructions as never as Two, plan.feePayer)))
    await refusesTransactions(swap, { [name]: await packed({ instructions: [...instructions] }) })
  await refusesTransactions(swap, {
    'another fee payer': await packed({ feePayer: SOMEONE }),
    chain: { chainId: 8453 },
    to: { to: SOMEONE },
    value: { value: 1n },
    'data alone': again.data.replace(/A/, 'B'),
    'serialized alone': { serialized: `${data.slice(0, -4)}AAAA` },
    'bytes left over': { data: `${data}AAAA`, serialized: `${data}AAAA` },
    'no transaction': { data: 'AAAA', serialized: 'AAAA' },
  })
  await refusesAllEvidence(swap)
})

test('an address in bitcoin: everything the venue says of it', async () => {
  const swap = await open(orders.bitcoin({ feeBps: 30, slippageBps: 100 }))
  const deposits: readonly Partial<Deposit>[] = [
    { address: RECIPIENT_BTC },
    { amount: 1_000_001n as never },
    { amount: 1n as never },
    { chainId: 8453 },
  ]
  for (const change of deposits) await refuses(swap, Object.keys(change).join(), withDeposit(swap.execution, change))
  for (const own of [WALLETS.bitcoin, 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6']) {
    const both = withDeposit(withEvidence(swap.execution, 'depositAddress', own), { address: own as Address })
    await refuses(swap, `the address of another: ${own}`, both)
  }
  await refusesEvidence(swap, CHANGES.toldOfBitcoin, 'order.')
  await refusesEvidence(swap, [
    ...[RECIPIENT_BTC, WALLETS.evm, '', null].map((address): Change => ['depositAddress', address]),
    ...[null, '2999', '3001', '6000'].map((fee): Change => ['appFee', fee]),
  ])
  await refuses({ ...swap, binding: { ...swap.binding, refundTo: RECIPIENT_BTC } }, 'bound refund')
  await refuses({ ...swap, binding: { ...swap.binding, recipient: STRANGER } }, 'bound recipient')
})
