import {
  decodeWithTables,
  encodeSolanaTransaction,
  type SolanaInstructionPlan,
  type SolanaTransactionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { flips } from './mutations.ts'

/** What can be altered in any payload, whatever it does. */

/** An account of Solana that belongs to nobody here. */
export const SOMEONE = addressOf('solana', 'SysvarC1ock11111111111111111111111111111111')

/** A transaction taken apart, to be changed and put together again. Only the fee payer signs, and no account need be written. */
export const solanaPlanOf = async (
  data: string,
  readTable: (table: Address) => Promise<readonly Address[] | null> = async () => null,
): Promise<SolanaTransactionPlan> => {
  const transaction = await decodeWithTables(data, readTable)
  if (!transaction) throw new TypeError('not a transaction')
  const { feePayer, recentBlockhash, instructions } = transaction
  const meta = (address: string | null) => ({ address: address ?? '', isSigner: address === feePayer })
  return {
    feePayer,
    recentBlockhash,
    instructions: instructions.map(({ accounts, ...instruction }) => ({ ...instruction, accounts: accounts.map(meta) })),
  }
}

/** One instruction altered: every byte, every account, one of either more and one less, another program. */
const otherInstructions = (own: SolanaInstructionPlan): readonly SolanaInstructionPlan[] => {
  const { accounts, data } = own
  const someone = { address: SOMEONE }
  const changes: readonly Partial<SolanaInstructionPlan>[] = [
    ...[...flips(data), Uint8Array.of(...data, 0), data.slice(0, -1)].map((bytes) => ({ data: bytes })),
    ...accounts.map((_, at) => ({ accounts: accounts.with(at, someone) })),
    ...[[...accounts, someone], accounts.slice(0, -1)].map((others) => ({ accounts: others })),
    { programId: SOMEONE },
  ]
  return changes.map((change) => ({ ...own, ...change }))
}

/** What takes money beside honest instructions, or lets somebody else sign. */
export const companions = (feePayer: string): readonly SolanaInstructionPlan[] => [
  { programId: SOMEONE, accounts: [], data: Uint8Array.of(1) },
  {
    programId: '11111111111111111111111111111111',
    accounts: [
      { address: feePayer, isSigner: true, isWritable: true },
      { address: SOMEONE, isWritable: true },
    ],
    data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  },
  {
    programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    accounts: [{ address: SOMEONE, isSigner: true }],
    data: Uint8Array.of(97),
  },
  { programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 1) },
]

/** Transactions that do not do what this one does, by the place of the instruction that matters. */
export const otherTransactions = async (data: string, at: number): Promise<readonly string[]> => {
  const plan = await solanaPlanOf(data)
  const { feePayer, instructions } = plan
  const own = instructions[at] as SolanaInstructionPlan
  const others = [
    ...otherInstructions(own).map((other) => instructions.with(at, other)),
    // A second one, and another call of the same program, too.
    ...[own, { ...own, data: own.data.slice(0, 4) }, ...companions(feePayer)].flatMap((beside) => [
      [...instructions, beside],
      [beside, ...instructions],
    ]),
    instructions.toSpliced(at, 1),
  ]
  const plans = [...others.map((all) => ({ ...plan, instructions: all })), { ...plan, feePayer: SOMEONE }]
  return [...(await Promise.all(plans.map(encodeSolanaTransaction))), `${data}AAAA`, 'AAAA']
}
