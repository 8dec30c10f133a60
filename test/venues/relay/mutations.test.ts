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
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered, depositOf, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import {
  ARB,
  bitcoinOrder,
  etherOrder,
  openBench,
  RECIPIENT_BTC,
  type RelayBench,
  solanaUsdcOrder,
  solOrder,
  USDC,
  usdcOrder,
  WITH_FEE,
} from './support.ts'

const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
const STRANGER_SOLANA = addressOf('solana', 'SysvarC1ock11111111111111111111111111111111')
const ROUTER = addressOf('evm', '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f')
const LINEA_DEPOSITORY = addressOf('evm', '0x59916da825d2d2ec1bf878d71c88826f6633ecca')
const OTHER_ID: Hex = `0x${'11'.repeat(32)}`
const NOW_SECONDS = START_OF_TIME / 1_000

let bench: RelayBench
afterEach(() => bench?.close())
const count = countMutations('relay')

const refuses = async (swap: Swap, name: string, execution: Execution): Promise<readonly string[]> =>
  count(name, await prove(bench.venue, swap, execution))

const withTransaction = (execution: Execution, change: Partial<WalletTransaction>): Execution => ({
  ...execution,
  payload: { executionType: 'TRANSACTION', transaction: { ...transactionOf(execution), ...change } },
})
const withDeposit = (execution: Execution, change: Partial<Deposit>): Execution => ({
  ...execution,
  payload: { executionType: 'DEPOSIT', deposit: { ...depositOf(execution), ...change } },
})
const withEvidence = (execution: Execution, path: string, value: unknown): Execution => ({
  ...execution,
  evidence: altered(execution.evidence, path, value) as Json,
})

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
  return swap
}

/** Each word of the order by itself: the id in the payload is then another order's. */
const ORDER_CHANGES: readonly (readonly [path: string, value: unknown])[] = [
  ['version', 'v2'],
  ['solverChainId', 'ethereum'],
  ['solver', STRANGER.toLowerCase()],
  ['salt', '0x01'],
  ['inputs', []],
  ['inputs.0.payment.chainId', 'optimism'],
  ['inputs.0.payment.chainId', 'nowhere'],
  ['inputs.0.payment.currency', ARB.toLowerCase()],
  ['inputs.0.payment.amount', '1'],
  ['inputs.0.payment.weight', '2'],
  ['inputs.0.refunds', []],
  ['inputs.0.refunds.0.chainId', 'ethereum'],
  ['inputs.0.refunds.0.recipient', STRANGER.toLowerCase()],
  ['inputs.0.refunds.0.currency', ARB.toLowerCase()],
  ['inputs.0.refunds.0.minimumAmount', '1'],
  ['inputs.0.refunds.0.deadline', 1],
  ['inputs.0.refunds.0.extraData', '0x00'],
  ['output.chainId', 'ethereum'],
  ['output.payments', []],
  ['output.payments.0.recipient', STRANGER.toLowerCase()],
  ['output.payments.0.currency', '0x0000000000000000000000000000000000000001'],
  ['output.payments.0.minimumAmount', '1'],
  ['output.payments.0.minimumAmount', '9'.repeat(30)],
  ['output.payments.0.expectedAmount', '1'],
  ['output.calls', ['0x00']],
  ['output.deadline', NOW_SECONDS - 1],
  ['output.deadline', NOW_SECONDS + 1],
  ['output.extraData', '0x00'],
  ['fees', [{ recipientChainId: 'base', recipient: STRANGER, currencyChainId: 'base', currency: USDC.base, amount: '1' }]],
  ['surprise', true],
]

const EVIDENCE_CHANGES: readonly (readonly [path: string, value: unknown])[] = [
  ['v', 2],
  ['order', null],
  ['user', STRANGER],
  ['user', ''],
  ['surprise', true],
  ['appFee', '1'],
  ['appFee', '0'],
  ['appFee', '-1'],
]

const changesEvidence = async (swap: Swap): Promise<void> => {
  for (const [path, value] of ORDER_CHANGES)
    await refuses(swap, `order.${path}`, withEvidence(swap.execution, `order.${path}`, value))
  for (const [path, value] of EVIDENCE_CHANGES) await refuses(swap, path, withEvidence(swap.execution, path, value))
  await refuses(swap, 'no evidence', { ...swap.execution, evidence: null })
}

/** A venue that lies consistently: the order altered, and the payload made for the altered order. */
const CONSISTENT_LIES: readonly (readonly [path: string, value: unknown])[] = [
  ['version', 'v2'],
  ['solver', STRANGER.toLowerCase()],
  ['inputs.0.payment.currency', ARB.toLowerCase()],
  ['inputs.0.payment.amount', '249999999'],
  ['inputs.0.refunds', []],
  ['inputs.0.refunds.0.recipient', STRANGER.toLowerCase()],
  ['inputs.0.refunds.0.currency', ARB.toLowerCase()],
  ['inputs.0.refunds.0.chainId', 'arbitrum'],
  ['output.chainId', 'ethereum'],
  ['output.payments.0.recipient', STRANGER.toLowerCase()],
  ['output.payments.0.recipient', WALLETS.evm.toLowerCase()],
  ['output.payments.0.currency', ARB.toLowerCase()],
  ['output.payments.0.currency', '0x0000000000000000000000000000000000000000'],
  ['output.payments.0.minimumAmount', '1'],
  ['output.payments.0.minimumAmount', '248317174'],
  ['output.calls', ['0xdeadbeef']],
  ['output.deadline', NOW_SECONDS - 1],
]

const ABI = parseAbi([
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function depositErc20(address depositor, address token, bytes32 id)',
  'function depositNative(address depositor, bytes32 id)',
  'function transfer(address to, uint256 amount)',
])
const call = (functionName: string, args: readonly unknown[]): string =>
  encodeFunctionData({ abi: ABI, functionName, args } as never)

const orderIn = ({ evidence }: Execution) => (evidence as { order: Json }).order
const idOf = (order: unknown): Hex => orderId(order as Parameters<typeof orderId>[0]) as Hex

const envelopeChanges = async (swap: Swap): Promise<void> => {
  const { data, value } = transactionOf(swap.execution)
  const change = (name: string, of: Partial<WalletTransaction>) => refuses(swap, name, withTransaction(swap.execution, of))
  await change('chain', { chainId: 10 })
  for (const to of [STRANGER, ROUTER, LINEA_DEPOSITORY, swap.order.sender]) await change(`contract ${to}`, { to })
  await change('more value', { value: (value + 1n) as never })
  if (value > 0n) await change('no value', { value: 0n as never })
  await change('extra calldata', { data: `${data}00` })
  await change('an id after the id', { data: `${data}${'ab'.repeat(32)}` })
  await change('cut short', { data: data.slice(0, -2) })
  await change('another selector', { data: `0xdeadbeef${data.slice(10)}` })
  await change('odd digits', { data: data.slice(0, -1) })
  await change('nothing', { data: '0x' })
}

test('a deposit of tokens: every field of payload and order', async () => {
  const swap = await open(usdcOrder({ feeBps: 15, slippageBps: 50 }))
  const { sender, input, inputAmount } = swap.order
  const id = idOf(orderIn(swap.execution))
  const data = (...args: readonly unknown[]) => withTransaction(swap.execution, { data: call('depositErc20', args) })
  expect(data(sender, input.address, inputAmount, id)).toEqual(swap.execution)
  await envelopeChanges(swap)
  await refuses(swap, 'depositor', data(STRANGER, input.address, inputAmount, id))
  await refuses(swap, 'depositor is the recipient', data(swap.order.recipient, input.address, inputAmount, id))
  await refuses(swap, 'token', data(sender, ARB, inputAmount, id))
  await refuses(swap, 'more', data(sender, input.address, inputAmount + 1n, id))
  await refuses(swap, 'less', data(sender, input.address, inputAmount - 1n, id))
  await refuses(swap, 'id', data(sender, input.address, inputAmount, OTHER_ID))
  await refuses(swap, 'all that is allowed', data(sender, input.address, id))
  await refuses(swap, 'native', withTransaction(swap.execution, { data: call('depositNative', [sender, id]) }))
  await refuses(swap, 'transfer', withTransaction(swap.execution, { data: call('transfer', [STRANGER, inputAmount]) }))
  const dirty = transactionOf(swap.execution).data.replace(/^(0x.{8})00/, '$101')
  await refuses(swap, 'dirty depositor', withTransaction(swap.execution, { data: dirty }))
  await refuses({ ...swap, offer: { ...swap.offer, spender: STRANGER } }, 'spender', swap.execution)
  await changesEvidence(swap)
  for (const [path, value] of CONSISTENT_LIES) {
    const lie = withEvidence(swap.execution, `order.${path}`, value)
    const forged = { data: call('depositErc20', [sender, input.address, inputAmount, idOf(orderIn(lie))]) }
    // Refused for what it says, not for a hash that does not fit.
    const objections = await refuses(swap, `consistent lie: ${path}`, withTransaction(lie, forged))
    expect(objections, path).not.toContain('unread: the id of another order')
    expect(objections.join(), path).not.toContain('undecodable')
  }
  for (const fee of [null, '374999', '375001', '750000', '250000000'])
    await refuses(swap, `fee ${fee}`, withEvidence(swap.execution, 'appFee', fee))
  const unpaid = { ...swap, offer: { ...swap.offer, fee: { bps: 0, amount: 0n as never } } }
  await refuses(unpaid, 'a fee nobody quoted', swap.execution)
  await refuses(swap, 'another execution type', {
    ...swap.execution,
    payload: { executionType: 'DEPOSIT', deposit: { chainId: 8453, address: STRANGER, amount: inputAmount } },
  })
})

test('an order that has lapsed by the time it is built', async () => {
  const swap = await open(usdcOrder())
  expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
  bench.clock.advance(31 * 86_400_000)
  const later = count('late', await prove(bench.venue, swap, swap.execution, bench.clock.now()))
  expect(later).toContain('unread: an order that lapses too soon')
})

test('a deposit of coins: every field', async () => {
  const swap = await open(etherOrder())
  const { sender } = swap.order
  const id = idOf(orderIn(swap.execution))
  const data = (...args: readonly unknown[]) => withTransaction(swap.execution, { data: call('depositNative', args) })
  expect(data(sender, id)).toEqual(swap.execution)
  await envelopeChanges(swap)
  await refuses(swap, 'depositor', data(STRANGER, id))
  await refuses(swap, 'id', data(sender, OTHER_ID))
  await refuses(swap, 'tokens', withTransaction(swap.execution, { data: call('depositErc20', [sender, USDC.base, 1n, id]) }))
  await changesEvidence(swap)
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

const solanaMutations = async (order: VenueOrder): Promise<void> => {
  const swap = await open(order)
  const plan = await planOf(transactionOf(swap.execution).data)
  const [budget, deposit] = plan.instructions as [SolanaInstructionPlan, SolanaInstructionPlan]
  const with_ = async (name: string, instructions: readonly SolanaInstructionPlan[], feePayer = plan.feePayer) => {
    const data = await encodeSolanaTransaction({ ...plan, feePayer, instructions })
    await refuses(swap, name, withTransaction(swap.execution, { data, serialized: data }))
  }
  const bytes = (at: number, value: number): SolanaInstructionPlan => {
    const data = Uint8Array.from(deposit.data)
    data[at] = value
    return { ...deposit, data }
  }
  // What the plan was read from is accepted again: the helper loses nothing.
  const again = await encodeSolanaTransaction(plan)
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, { data: again, serialized: again }))).toEqual([])
  for (let index = 0; index < deposit.accounts.length; index += 1) {
    const accounts = deposit.accounts.map((meta, at) =>
      at === index ? { ...meta, isSigner: false, address: STRANGER_SOLANA } : meta,
    )
    await with_(`account ${index}`, [budget, { ...deposit, accounts }])
  }
  await with_('an account too many', [budget, { ...deposit, accounts: [...deposit.accounts, { address: STRANGER_SOLANA }] }])
  await with_('an account too few', [budget, { ...deposit, accounts: deposit.accounts.slice(0, -1) }])
  await with_('discriminator', [budget, bytes(0, 0)])
  await with_('amount', [budget, bytes(8, (deposit.data[8] ?? 0) ^ 1)])
  await with_('amount, high byte', [budget, bytes(15, 1)])
  await with_('id', [budget, bytes(16, (deposit.data[16] ?? 0) ^ 1)])
  await with_('id, last byte', [budget, bytes(47, (deposit.data[47] ?? 0) ^ 1)])
  await with_('data too long', [budget, { ...deposit, data: Uint8Array.from([...deposit.data, 0]) }])
  await with_('data too short', [budget, { ...deposit, data: deposit.data.slice(0, -1) }])
  await with_('program', [budget, { ...deposit, programId: STRANGER_SOLANA }])
  await with_('no deposit', [budget])
  await with_('two deposits', [budget, deposit, deposit])
  await with_('another instruction of the program', [budget, deposit, { ...deposit, data: base58.decode('2222222222') }])
  await with_('a stranger’s program', [budget, deposit, { programId: STRANGER_SOLANA, accounts: [], data: Uint8Array.of(1) }])
  const sends = (lamports: number): SolanaInstructionPlan => ({
    programId: '11111111111111111111111111111111',
    accounts: [
      { address: plan.feePayer, isSigner: true, isWritable: true },
      { address: STRANGER_SOLANA, isWritable: true },
    ],
    data: Uint8Array.from([2, 0, 0, 0, lamports, 0, 0, 0, 0, 0, 0, 0]),
  })
  await with_('a transfer besides', [budget, deposit, sends(1)])
  await with_('a transfer before', [sends(1), budget, deposit])
  const price = (high: number): SolanaInstructionPlan => ({ ...budget, data: Uint8Array.from([3, 0, 0, 0, 0, 0, 0, 0, high]) })
  await with_('an absurd compute price', [price(1), deposit])
  await with_('another fee payer', [budget, deposit], STRANGER_SOLANA)
  const memo = { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', data: Uint8Array.of(97) }
  await with_('a memo another must sign', [
    budget,
    deposit,
    { ...memo, accounts: [{ address: STRANGER_SOLANA, isSigner: true }] },
  ])
  const { data } = transactionOf(swap.execution)
  const change = (name: string, of: Partial<WalletTransaction>) => refuses(swap, name, withTransaction(swap.execution, of))
  await change('chain', { chainId: 8453 })
  await change('to', { to: STRANGER_SOLANA })
  await change('value', { value: 1n as never })
  await change('data alone', { data: again.replace(/A/, 'B') })
  await change('serialized alone', { serialized: `${data.slice(0, -4)}AAAA` })
  await change('bytes left over', { data: `${data}AAAA`, serialized: `${data}AAAA` })
  await change('no transaction', { data: 'AAAA', serialized: 'AAAA' })
  await changesEvidence(swap)
}

test('a deposit of SOL: every account, byte and companion', () => solanaMutations(solOrder()))
test('a deposit of SPL tokens: every account, byte and companion', () => solanaMutations(solanaUsdcOrder()))

test('an address in bitcoin: everything the venue says of it', async () => {
  const swap = await open(bitcoinOrder({ feeBps: 30, slippageBps: 100 }))
  const deposit = (name: string, change: Partial<Deposit>) => refuses(swap, name, withDeposit(swap.execution, change))
  await deposit('address', { address: RECIPIENT_BTC })
  await deposit('amount', { amount: 1_000_001n as never })
  await deposit('less', { amount: 1n as never })
  await deposit('chain', { chainId: 8453 })
  for (const address of [RECIPIENT_BTC, WALLETS.evm, '', null])
    await refuses(swap, `evidence ${address}`, withEvidence(swap.execution, 'depositAddress', address))
  for (const own of [WALLETS.bitcoin, 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6']) {
    const both = withDeposit(withEvidence(swap.execution, 'depositAddress', own), { address: own as Address })
    await refuses(swap, `the address of another: ${own}`, both)
  }
  // Nothing ties an address to the order's id; but what the order says is held to what was quoted and bound.
  const LIES: readonly (readonly [string, unknown])[] = [
    ['inputs.0.payment.amount', '999999'],
    ['inputs.0.payment.chainId', 'base'],
    ['inputs.0.refunds', []],
    ['inputs.0.refunds.0.recipient', RECIPIENT_BTC],
    ['output.payments.0.recipient', STRANGER.toLowerCase()],
    ['output.payments.0.minimumAmount', '1'],
    ['output.payments.0.currency', ARB.toLowerCase()],
    ['output.chainId', 'arbitrum'],
    ['output.calls', ['0x00']],
    ['output.deadline', NOW_SECONDS - 1],
    ['solver', STRANGER.toLowerCase()],
    ['version', 'v2'],
  ]
  for (const [path, value] of LIES) await refuses(swap, path, withEvidence(swap.execution, `order.${path}`, value))
  for (const fee of [null, '2999', '3001', '6000']) await refuses(swap, `fee ${fee}`, withEvidence(swap.execution, 'appFee', fee))
  await refuses({ ...swap, binding: { ...swap.binding, refundTo: RECIPIENT_BTC } }, 'bound refund', swap.execution)
  await refuses({ ...swap, binding: { ...swap.binding, recipient: STRANGER } }, 'bound recipient', swap.execution)
})
