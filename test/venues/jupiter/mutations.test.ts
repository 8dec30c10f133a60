import { afterEach, expect, test } from 'vitest'
import {
  associatedTokenAddress,
  type SolanaInstructionPlan,
  type SolanaTransactionPlan,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../engine/chains/solana/solanaCodec.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { companions, SOMEONE } from '../../support/venueKit/payloads.ts'
import {
  inBetween,
  type JupiterBench,
  OTHER,
  openBench,
  orders,
  PROGRAM,
  PYUSD,
  planOf,
  TOKEN_2022,
  told,
  USDT,
  WITH_FEE,
  withPlan,
} from './support.ts'

/**
 * Excluded are pools, their accounts and route steps, since the program pays the minimum or fails; a higher quoted output; and
 * changes that only make the transaction cheaper.
 */

let bench: JupiterBench
afterEach(() => bench?.close())
const count = countMutations('jupiter')

type Change = ReturnType<typeof inBetween>
type Opened = { readonly swap: Swap; readonly plan: SolanaTransactionPlan }
const open = async (order: VenueOrder, change: Change = (body) => body): Promise<Opened> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(told(bench, { change, settings: WITH_FEE }).venue, order)
  const plan = await planOf(swap.execution, bench.network)
  // Put together again, it is accepted: the helper loses nothing.
  expect(await prove(bench.venue, swap, await withPlan(swap.execution, plan))).toEqual([])
  return { swap, plan }
}

const refuses = async (name: string, swap: Swap, plan: SolanaTransactionPlan): Promise<void> => {
  count(name, await prove(bench.venue, swap, await withPlan(swap.execution, plan)))
}

type Changes = readonly Partial<SolanaInstructionPlan>[]
const refusesEach = async (swap: Swap, plan: SolanaTransactionPlan, at: number, changes: Changes): Promise<void> => {
  const own = plan.instructions[at] as SolanaInstructionPlan
  for (const [which, change] of changes.entries()) {
    const changed = { ...own, ...change }
    await refuses(`${own.programId} ${at}: ${which}`, swap, { ...plan, instructions: plan.instructions.with(at, changed) })
  }
}

/** The data with one of its bytes less by one; those that are zero are left as they are. */
const lowered = (data: Uint8Array, from: number, to: number): Changes =>
  Array.from({ length: to - from }, (_, at) => at + from)
    .filter((at) => (data[at] ?? 0) > 0)
    .map((at) => ({ data: Uint8Array.from(data).fill((data[at] ?? 0) - 1, at, at + 1) }))

const flipped = (data: Uint8Array, from: number, to: number): Changes =>
  flips(data)
    .slice(from, to)
    .map((bytes) => ({ data: bytes }))

const elsewhere = ({ accounts }: SolanaInstructionPlan, places: readonly number[]): Changes =>
  places.map((at) => ({ accounts: accounts.with(at, { address: SOMEONE }) }))

const range = (to: number): readonly number[] => Array.from({ length: to }, (_, at) => at)

const SWAPS: readonly [string, VenueOrder, { head: number; slots: number; fee: number | null }, Change?][] = [
  ['tokens for another wallet, with a fee', orders.usdc({ feeBps: 30 }), { head: 8, slots: 10, fee: 10 }],
  ['tokens for the wallet itself', orders.usdc({ recipient: WALLETS.solana }), { head: 8, slots: 10, fee: null }],
  ['SOL for tokens', orders.sol(), { head: 8, slots: 10, fee: null }],
  ['tokens for SOL', orders.toSol(), { head: 8, slots: 10, fee: null }],
  ['SOL for tokens of Token-2022, by two pools, with a fee', orders.pyusd({ feeBps: 30 }), { head: 9, slots: 12, fee: 12 }],
  ['an account of SOL in between', orders.usdc(), { head: 8, slots: 10, fee: null }, inBetween(NATIVE_SOL, TOKEN_PROGRAM)],
  ['an account of Token-2022 in between', orders.sol(), { head: 8, slots: 10, fee: null }, inBetween(PYUSD, TOKEN_2022)],
]

test.each(SWAPS)('proof: rejects an altered swap argument or account: %s', async (_what, order, { head, slots, fee }, change) => {
  const { swap, plan } = await open(order, change)
  const at = plan.instructions.findIndex(({ programId }) => programId === PROGRAM)
  const own = plan.instructions[at] as SolanaInstructionPlan
  const { data, accounts } = own
  const isShared = head === 9
  await refusesEach(swap, plan, at, [
    // Which call, and what it takes.
    ...flipped(data, 0, 8),
    ...['e517cb977ae3ad2a', 'c1209b3341d69c81', '9d8ab85215f4f324', '3560e5cad8bbfa18'].map((other) => ({
      data: Uint8Array.of(...Buffer.from(other, 'hex'), ...data.slice(8)),
    })),
    ...(isShared ? [{ data: Uint8Array.from(data).fill(16, 8, 9) }, { data: Uint8Array.from(data).fill(3, 8, 9) }] : []),
    ...flipped(data, head, head + 8),
    // What it quotes, the tolerance, both fees, and how many steps.
    ...lowered(data, head + 8, head + 16),
    ...flipped(data, head + 16, head + 26),
    ...[20_000n, 10_001n, 5_000n].map((bps) => {
      const other = Buffer.from(data)
      other.writeUInt16LE(Number(bps), head + 16)
      return { data: new Uint8Array(other) }
    }),
    ...[head + 25, head + 4, 8].map((bytes) => ({ data: data.slice(0, bytes) })),
    // The program moves what it has between accounts of its own, and says nothing of them.
    ...elsewhere(own, isShared ? range(slots).filter((slot) => slot !== 3 && slot !== 4) : range(slots)),
    // Another account for the fee, with or without ours behind it.
    ...(fee === null ? [] : [...elsewhere(own, [fee]), { accounts: accounts.toSpliced(fee, 0, { address: SOMEONE }) }]),
    ...[slots - 1, 4, 0].map((many) => ({ accounts: accounts.slice(0, many) })),
    { programId: SOMEONE },
  ])
})

test.each(SWAPS)('proof: rejects any altered byte or account beside the swap: %s', async (_what, order, _slots, change) => {
  const { swap, plan } = await open(order, change)
  const [limit, price] = plan.instructions
  for (const [at, own] of plan.instructions.entries()) {
    const { programId, data, accounts } = own
    if (programId === PROGRAM || own === limit || own === price) continue
    const isName = programId.startsWith('Memo')
    await refusesEach(swap, plan, at, [
      // Another name is as good, as long as it is one.
      ...(isName ? flipped(data, 0, 5) : flipped(data, 0, data.length)),
      ...[Uint8Array.of(...data, 0), data.slice(0, -1)].map((bytes) => ({ data: bytes })),
      ...elsewhere(own, range(accounts.length)),
      { accounts: [...accounts, { address: SOMEONE }] },
      { programId: SOMEONE },
    ])
  }
})

test('proof: rejects a compute price that could drain the wallet, a missing one and an invalid limit', async () => {
  const { swap, plan } = await open(orders.usdc())
  const price = Buffer.alloc(9, 255).fill(3, 0, 1)
  await refusesEach(swap, plan, 1, [{ data: price }, { data: Uint8Array.of(3) }, { data: Uint8Array.of(4, 0, 0, 1, 0) }])
  await refusesEach(swap, plan, 0, [
    { data: Uint8Array.of(2) },
    { data: Uint8Array.of(0, 0, 0, 1, 0) },
    { accounts: [{ address: SOMEONE }] },
  ])
})

test.each(SWAPS)('proof: rejects an added instruction and a missing required one: %s', async (_what, order, _slots, change) => {
  const { swap, plan } = await open(order, change)
  const { feePayer, instructions } = plan
  const pair: readonly unknown[] = [order.input.address, order.output.address]
  const isNeeded = ({ programId, accounts }: SolanaInstructionPlan): boolean =>
    !programId.startsWith('AToken') || accounts[2]?.address !== feePayer || !pair.includes(accounts[3]?.address)
  // Of the account for wrapped coins, the pay-out of what is left is no need: it stays the wallet's.
  for (const [at, own] of instructions.entries())
    if (isNeeded(own) && !(own.data[0] === 9 && order.input.address === NATIVE_SOL))
      await refuses(`without ${at}`, swap, { ...plan, instructions: instructions.toSpliced(at, 1) })
  const wallet = { address: feePayer, isSigner: true, isWritable: true }
  const wrapped = associatedTokenAddress(feePayer, NATIVE_SOL)
  const token = (data: readonly number[], ...accounts: readonly string[]): SolanaInstructionPlan => ({
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    accounts: accounts.map((address) => ({ address, isSigner: address === feePayer, isWritable: true })),
    data: Uint8Array.from(data),
  })
  const holding = associatedTokenAddress(feePayer, USDC.solana)
  const amount = [1, 0, 0, 0, 0, 0, 0, 0]
  const takers: readonly SolanaInstructionPlan[] = [
    ...companions(feePayer),
    // Transfer, Approve, SetAuthority of owner, CloseAccount to another, and of another account.
    token([3, ...amount], holding, SOMEONE, feePayer),
    token([4, ...amount], holding, SOMEONE, feePayer),
    token([6, 2, 1, ...new Uint8Array(32)], holding, feePayer),
    token([9], wrapped, SOMEONE, feePayer),
    token([9], holding, feePayer, feePayer),
    { programId: '11111111111111111111111111111111', accounts: [wallet, { address: SOMEONE }], data: Uint8Array.of(1, 0, 0, 0) },
    ...instructions.filter(
      ({ programId }) => programId === PROGRAM || programId.startsWith('Memo') || programId.startsWith('Compute'),
    ),
  ]
  for (const [which, beside] of takers.entries())
    for (const all of [
      [...instructions, beside],
      [beside, ...instructions],
    ])
      await refuses(`beside ${which}`, swap, { ...plan, instructions: all })
  await refuses('another payer', swap, { ...plan, feePayer: SOMEONE })
})

test.each(SWAPS)('proof: rejects SOL (un)wrapped on the other side of the swap: %s', async (_what, order, _slots, change) => {
  const { swap, plan } = await open(order, change)
  const at = plan.instructions.findIndex(({ programId }) => programId === PROGRAM)
  const own = plan.instructions[at] as SolanaInstructionPlan
  const isWrapping = ({ programId }: SolanaInstructionPlan) => [SYSTEM_PROGRAM, TOKEN_PROGRAM].some((one) => one === programId)
  const rest = plan.instructions.toSpliced(at, 1)
  const turned = [...rest.slice(at).filter(isWrapping), own, ...rest.slice(0, at).filter(isWrapping)]
  if (turned.length === 1) return
  const others = rest.filter((each) => !isWrapping(each))
  await refuses('SOL on the other side', swap, { ...plan, instructions: [...others, ...turned] })
})

test('proof: accepts one intermediate token account, opened before the swap and closed to the wallet after it', async () => {
  const { swap, plan } = await open(orders.usdc(), inBetween(PYUSD, TOKEN_2022))
  const { instructions } = plan
  const opens = instructions.find(({ accounts }) => accounts[3]?.address === PYUSD) as SolanaInstructionPlan
  const closes = instructions.find(({ programId }) => programId === TOKEN_2022) as SolanaInstructionPlan
  const others = instructions.filter((each) => each !== opens && each !== closes)
  const swapAt = others.findIndex(({ programId }) => programId === PROGRAM)
  const around = (before: readonly SolanaInstructionPlan[], after: readonly SolanaInstructionPlan[]) => ({
    ...plan,
    instructions: others.toSpliced(swapAt + 1, 0, ...after).toSpliced(swapAt, 0, ...before),
  })
  const theirs = { address: associatedTokenAddress(SOMEONE, PYUSD, TOKEN_2022), isWritable: true }
  const forTheirs = { ...opens, accounts: opens.accounts.with(1, theirs).with(2, { address: SOMEONE }) }
  const byOther = { ...closes, programId: TOKEN_PROGRAM }
  for (const [what, before, after] of [
    ['closed twice', [opens], [closes, closes]],
    ['closed before', [opens, closes], []],
    ['closed and opened again', [opens, closes], [opens, closes]],
    ['opened after', [], [opens, closes]],
    ['opened again', [opens], [closes, opens]],
    ['closed by the other program', [opens], [byOther]],
    ['opened for another', [forTheirs], [{ ...closes, accounts: closes.accounts.with(0, theirs) }]],
  ] as const)
    await refuses(what, swap, around(before, after))
  expect(await prove(bench.venue, swap, await withPlan(swap.execution, around([opens], [closes])))).toEqual([])
})

test('proof: rejects an altered payload around the transaction, and another quote', async () => {
  const { swap } = await open(orders.usdc({ feeBps: 30 }))
  const { execution } = swap
  const { data } = transactionOf(execution)
  const packed = (bytes: string) => ['data', 'serialized'].map((field) => [`payload.transaction.${field}`, bytes] as const)
  for (const changes of [
    packed(`${data}AAAA`),
    packed('AAAA'),
    packed(''),
    [['payload.transaction.data', data.replace(/A/, 'B')] as const],
    [['payload.transaction.serialized', `${data.slice(0, -4)}AAAA`] as const],
    [['payload.transaction.to', SOMEONE] as const],
    [['payload.transaction.chainId', 8453] as const],
    [['payload.transaction.value', 1n] as const],
    [['payload', { executionType: 'DEPOSIT', deposit: { chainId: -2, address: SOMEONE, amount: 1n } }] as const],
  ])
    count(String(changes).slice(0, 60), await prove(bench.venue, swap, alteredBy(execution, changes)))
  const { order, offer, binding } = swap
  const others: readonly Partial<Swap>[] = [
    { offer: { ...offer, fee: { ...offer.fee, bps: 0 } } },
    { offer: { ...offer, fee: { ...offer.fee, bps: 31 } } },
    { offer: { ...offer, spender: OTHER } },
    { offer: { ...offer, slippage: { isFirm: true, guaranteedMin: ((offer.slippage?.guaranteedMin ?? 0n) + 1n) as never } } },
    { binding: { ...binding, recipient: WALLETS.solana } },
    { order: { ...order, sender: OTHER } },
    { order: orders.usdc({ feeBps: 30, amount: order.inputAmount + 1n }) },
    { order: orders.usdc({ feeBps: 30, to: [-2, NATIVE_SOL] }) },
    { order: orders.usdc({ feeBps: 30, from: [-2, USDT], to: [-2, USDC.solana] }) },
  ]
  for (const [which, other] of others.entries()) count(`quote ${which}`, await prove(bench.venue, { ...swap, ...other }))
})
