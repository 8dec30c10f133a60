import { base58 } from '@scure/base'
import {
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  type SolanaAccountMeta,
  type SolanaInstructionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'

/** An account that belongs to nobody here. */
export const STRANGER_SOLANA = addressOf('solana', 'SysvarC1ock11111111111111111111111111111111')
export const BUDGET = 'ComputeBudget111111111111111111111111111111'

type Plan = { feePayer: string; recentBlockhash: string; instructions: readonly SolanaInstructionPlan[] }

/** The transaction taken apart, its account flags as wide as they may be. */
export const planOf = async (data: string): Promise<Plan> => {
  const transaction = await decodeSolanaTransaction(data)
  if (!transaction) throw new Error('no transaction')
  const { feePayer, recentBlockhash, instructions } = transaction
  const meta = (address: string | null): SolanaAccountMeta => ({ address: address ?? '', isSigner: address === feePayer })
  return { feePayer, recentBlockhash, instructions: instructions.map((all) => ({ ...all, accounts: all.accounts.map(meta) })) }
}

export const serializedOf = async (plan: Plan) => {
  const serialized = await encodeSolanaTransaction({ ...plan, instructions: [...plan.instructions] })
  return { data: serialized, serialized }
}

/** The instructions the vendor's SDK orders: vault, approval, deposit, memo. */
const [APPROVE_AT, DEPOSIT_AT] = [1, 2]

type Replan = (plan: Plan) => Plan
const instruct = (change: (all: readonly SolanaInstructionPlan[]) => readonly SolanaInstructionPlan[]): Replan => {
  return (plan) => ({ ...plan, instructions: change(plan.instructions) })
}
const withInstruction = (at: number, change: (instruction: SolanaInstructionPlan) => Partial<SolanaInstructionPlan>) =>
  instruct((all) => all.map((instruction, i) => (i === at ? { ...instruction, ...change(instruction) } : instruction)))
const withBytes = (at: number, offset: number, bytes: readonly number[]) =>
  withInstruction(at, ({ data }) => {
    const copy = Uint8Array.from(data)
    copy.set(bytes, offset)
    return { data: copy }
  })
const withAccount = (at: number, index: number, address: string) =>
  withInstruction(at, ({ accounts }) => ({ accounts: accounts.map((meta, i) => (i === index ? { address } : meta)) }))
const added = (programId: string, accounts: SolanaAccountMeta[], data: readonly number[]) =>
  instruct((all) => [...all, { programId, accounts, data: Uint8Array.from(data) }])

const stranger = [...base58.decode(STRANGER_SOLANA)]
/** Bytes of the deposit. */
const BYTES: readonly (readonly [name: string, offset: number, bytes: readonly number[]])[] = [
  ['discriminator', 0, [0]],
  ['depositor', 8, stranger],
  ['recipient', 40 + 31, [1]],
  ['dirty recipient', 40, [1]],
  ['input token', 72, stranger],
  ['output token', 104 + 31, [1]],
  ['input amount', 136, [1]],
  ['output amount', 144 + 31, [0]],
  ['output amount of nothing', 144, Array.from({ length: 32 }, () => 0)],
  ['destination chain', 176, [10, 0]],
  ['quote timestamp', 216, [0, 0, 0, 0]],
  ['fill deadline past', 220, [0, 0, 0, 0]],
  ['fill deadline far', 220, [255, 255, 255, 255]],
  ['message length', 228, [1]],
]
const [SENDER, STRANGE] = [{ address: WALLETS.solana, isSigner: true, isWritable: true }, { address: STRANGER_SOLANA }]
export const SOLANA_CHANGES: readonly (readonly [name: string, change: Replan])[] = [
  ...BYTES.map(([name, offset, bytes]) => [name, withBytes(DEPOSIT_AT, offset, bytes)] as const),
  ['a message', withInstruction(DEPOSIT_AT, ({ data }) => ({ data: Uint8Array.from([...data, 0]) }))],
  ['program', withInstruction(DEPOSIT_AT, () => ({ programId: STRANGER_SOLANA }))],
  ['mint account', withAccount(DEPOSIT_AT, 5, STRANGER_SOLANA)],
  ['token program account', withAccount(DEPOSIT_AT, 6, STRANGER_SOLANA)],
  ['fewer accounts', withInstruction(DEPOSIT_AT, ({ accounts }) => ({ accounts: accounts.slice(0, -1) }))],
  ['approved amount', withBytes(APPROVE_AT, 1, [255])],
  ['approved delegate', withAccount(APPROVE_AT, 2, STRANGER_SOLANA)],
  ['approved source', withAccount(APPROVE_AT, 0, STRANGER_SOLANA)],
  ['a transfer for the approval', withBytes(APPROVE_AT, 0, [12])],
  ['vault of a stranger', withAccount(0, 1, STRANGER_SOLANA)],
  ['owner of the vault', withAccount(0, 2, STRANGER_SOLANA)],
  ['fee payer', (plan) => ({ ...plan, feePayer: STRANGER_SOLANA })],
  ['a second signer', added('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [{ ...STRANGE, isSigner: true }], [])],
  ['no deposit', instruct((all) => all.filter((_, i) => i !== DEPOSIT_AT))],
  ['two deposits', instruct((all) => [...all, ...all.slice(DEPOSIT_AT, DEPOSIT_AT + 1)])],
  ['two approvals', instruct((all) => [...all.slice(APPROVE_AT, APPROVE_AT + 1), ...all])],
  [
    'a transfer of SOL',
    added(
      '11111111111111111111111111111111',
      [SENDER, { ...STRANGE, isWritable: true }],
      [2, 0, 0, 0, 0, 202, 154, 59, 0, 0, 0, 0],
    ),
  ],
  ['an absurd compute price', added(BUDGET, [], [3, 0, 0, 0, 0, 1, 0, 0, 0])],
  ['an unknown budget instruction', added(BUDGET, [], [4, 0, 0, 0, 0])],
]
