import { Keypair } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import {
  decodeSolanaTransaction,
  packSolanaTransaction,
  type SolanaInstructionPlan,
  type SolanaTransaction,
} from '../../../engine/chains/solanaCodec.ts'
import { checkPayment } from '../../../engine/venues/relay/solanaPayment.ts'
import { BLOCKHASH, openBench, SOLANA_PROGRAM, solanaUsdcOrder, solOrder, swapOf, transactionOf } from './support.ts'

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const STRANGER = 'SysvarC1ock11111111111111111111111111111111'
const TABLE = 'SysvarRent111111111111111111111111111111111'

const built = async (order = solOrder()): Promise<SolanaTransaction> => {
  const bench = await openBench()
  const { execution } = await swapOf(bench.venue, order)
  await bench.close()
  const decoded = await decodeSolanaTransaction(transactionOf(execution).data)
  if (!decoded) throw new TypeError('not a transaction')
  return decoded
}

/** The same instructions, compiled anew as a wallet does that added its own. */
const recompiled = async (
  { feePayer, instructions, recentBlockhash }: SolanaTransaction,
  change: (plans: readonly SolanaInstructionPlan[]) => readonly SolanaInstructionPlan[],
  { payer = feePayer as string, blockhash = recentBlockhash, tables = new Map<string, never[]>() } = {},
): Promise<SolanaTransaction> => {
  const plans = instructions.map(
    ({ programId, accounts, data }): SolanaInstructionPlan => ({
      programId,
      accounts: accounts.map((address) => ({
        address: address ?? '',
        isSigner: address === feePayer,
        isWritable: address === feePayer,
      })),
      data,
    }),
  )
  const packed = await packSolanaTransaction({ feePayer: payer, recentBlockhash: blockhash, instructions: change(plans) }, tables)
  const decoded = packed === null ? null : await decodeSolanaTransaction(packed, tables)
  if (!decoded) throw new TypeError('not a transaction')
  return decoded
}

const price = (high: number, low = 1): SolanaInstructionPlan => ({
  programId: COMPUTE_BUDGET,
  accounts: [],
  data: Uint8Array.from([3, low, 0, 0, 0, 0, 0, 0, high]),
})
const limit: SolanaInstructionPlan = { programId: COMPUTE_BUDGET, accounts: [], data: Uint8Array.from([2, 64, 13, 3, 0]) }
const isDeposit = ({ programId }: SolanaInstructionPlan) => programId === SOLANA_PROGRAM

describe.each([
  ['SOL', solOrder()],
  ['tokens', solanaUsdcOrder()],
] as const)('a payment in %s', (_name, order) => {
  test('as it was built still pays', async () => {
    const transaction = await built(order)
    expect(checkPayment(transaction, transaction)).toEqual([])
    expect(transaction.recentBlockhash).toBe(BLOCKHASH)
  })

  test('with compute budgets added, changed or left out still pays', async () => {
    const transaction = await built(order)
    for (const change of [
      (plans: readonly SolanaInstructionPlan[]) => [price(0), ...plans],
      (plans: readonly SolanaInstructionPlan[]) => [...plans, price(0), limit],
      (plans: readonly SolanaInstructionPlan[]) => plans.filter(isDeposit),
      (plans: readonly SolanaInstructionPlan[]) => [limit, price(0, 200), ...plans.filter(isDeposit)],
    ])
      expect(checkPayment(await recompiled(transaction, change), transaction)).toEqual([])
  })

  test('compiled with a lookup table still pays, once the table is read; unread it does not', async () => {
    const transaction = await built(order)
    const accounts = transaction.instructions.flatMap(({ accounts }) => accounts) as never[]
    const tables = new Map([[TABLE, accounts]])
    const same = (plans: readonly SolanaInstructionPlan[]) => plans
    const looked = await recompiled(transaction, same, { tables })
    expect(looked.usesLookupTables).toBe(true)
    expect(checkPayment(looked, transaction)).toEqual([])
    const hidden = looked.instructions.map((each) => ({ ...each, accounts: each.accounts.map(() => null) }))
    expect(checkPayment({ ...looked, instructions: hidden }, { ...looked, instructions: hidden })).not.toEqual([])
  })

  const CHANGES: readonly (readonly [
    string,
    (plans: readonly SolanaInstructionPlan[]) => readonly SolanaInstructionPlan[],
    string,
  ])[] = [
    ['its deposit left out', (plans) => plans.filter((plan) => !isDeposit(plan)), 'no deposit at the top level'],
    ['its deposit twice', (plans) => [...plans, ...plans.filter(isDeposit)], 'other instructions'],
    [
      'its deposit wrapped by the program of a contract wallet',
      (plans) => plans.map((plan) => (isDeposit(plan) ? { ...plan, programId: STRANGER } : plan)),
      'no deposit at the top level',
    ],
    [
      'an instruction more',
      (plans) => [...plans, { programId: STRANGER, accounts: [], data: Uint8Array.of(1) }],
      'other instructions',
    ],
    ['an absurd compute price', (plans) => [price(1), ...plans], 'other instructions'],
    [
      'another amount',
      (plans) =>
        plans.map((plan) =>
          isDeposit(plan) ? { ...plan, data: plan.data.map((byte, at) => (at === 9 ? byte ^ 1 : byte)) } : plan,
        ),
      'other instructions',
    ],
    [
      'the id of another order',
      (plans) =>
        plans.map((plan) =>
          isDeposit(plan) ? { ...plan, data: plan.data.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) } : plan,
        ),
      'other instructions',
    ],
    [
      'another vault',
      (plans) =>
        plans.map((plan) =>
          isDeposit(plan)
            ? { ...plan, accounts: plan.accounts.map((meta, at) => (at === 3 ? { ...meta, address: STRANGER } : meta)) }
            : plan,
        ),
      'no deposit at the top level',
    ],
    [
      'accounts left out',
      (plans) => plans.map((plan) => (isDeposit(plan) ? { ...plan, accounts: plan.accounts.slice(0, -1) } : plan)),
      'no deposit at the top level',
    ],
  ]
  test.each(CHANGES)('with %s it does not', async (_change, change, difference) => {
    const transaction = await built(order)
    expect(checkPayment(await recompiled(transaction, change), transaction)).toContain(difference)
  })

  test('by another payer, with another signer or on another block it does not', async () => {
    const transaction = await built(order)
    const same = (plans: readonly SolanaInstructionPlan[]) => plans
    const payer = Keypair.fromSeed(new Uint8Array(32).fill(3)).publicKey.toBase58()
    expect(checkPayment(await recompiled(transaction, same, { payer }), transaction)).toEqual([
      'another fee payer',
      'another signer',
      'no deposit at the top level',
    ])
    expect(checkPayment(await recompiled(transaction, same, { blockhash: STRANGER }), transaction)).toEqual(['another blockhash'])
  })
})

test('a deposit in another order among the instructions is another transaction', async () => {
  const transaction = await built()
  const memo = { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Uint8Array.of(97) }
  const after = await recompiled(transaction, (plans) => [...plans, memo])
  const before = await recompiled(transaction, (plans) => [memo, ...plans])
  expect(checkPayment(after, after)).toEqual([])
  expect(checkPayment(before, after)).toEqual(['other instructions'])
})
