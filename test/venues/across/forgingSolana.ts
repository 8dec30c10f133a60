import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import {
  encodeSolanaTransaction,
  type SolanaInstructionPlan,
  type SolanaTransactionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../engine/chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { companions, SOMEONE } from '../../support/venueKit/payloads.ts'
import { SVM_SPOKE } from './support.ts'

export const BUDGET = 'ComputeBudget111111111111111111111111111111'

export const serializedOf = async (plan: SolanaTransactionPlan) => {
  const serialized = await encodeSolanaTransaction(plan)
  return { data: serialized, serialized }
}

/** The instructions the vendor's SDK orders: vault, approval, deposit, memo. */
const [APPROVE_AT, DEPOSIT_AT] = [1, 2]

type Replan = (plan: SolanaTransactionPlan) => SolanaTransactionPlan
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
const added = (instruction: SolanaInstructionPlan) => instruct((all) => [...all, instruction])

const DELEGATE_AT = 2
const NOW = START_OF_TIME / 1_000
const seconds = (at: number) => [0, 8, 16, 24].map((bit) => (at >>> bit) & 255)

/** With the delegate that the arguments call for, so that nothing but what they say can be wrong. */
const withDelegate: Replan = (plan) => {
  const args = plan.instructions[DEPOSIT_AT]?.data.slice(8) ?? new Uint8Array()
  const delegate = solanaProgramAddress(addressOf('solana', SVM_SPOKE), [utf8ToBytes('delegate'), keccak_256(args)])
  return [APPROVE_AT, DEPOSIT_AT].reduce((changed, at) => withAccount(at, DELEGATE_AT, delegate)(changed), plan)
}

const stranger = [...base58.decode(SOMEONE)]
/** Bytes of the deposit from its exclusive relayer on. */
const exclusive = (forSeconds: number) => [...stranger, ...seconds(NOW - 60), ...seconds(NOW + 7_140), ...seconds(forSeconds)]
export const exclusiveFor = (forSeconds: number): Replan => {
  return (plan) => withDelegate(withBytes(DEPOSIT_AT, 184, exclusive(forSeconds))(plan))
}

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
  ['fill deadline near', 220, seconds(NOW + 599)],
  ['fill deadline far by a second', 220, seconds(NOW + 6.25 * 3_600 + 1)],
  ['exclusive to nobody', 224, seconds(5)],
  ['exclusive for a day', 184, exclusive(86_400)],
  ['exclusive for longer than a few minutes', 184, exclusive(301)],
  ['more than was paid in', 144 + 24, [255]],
  ['message length', 228, [1]],
]
/** Of the deposit, in their order. */
const ACCOUNTS = [
  ...['signer', 'state', 'delegate', 'source', 'vault', 'mint'],
  ...['token program', 'associated token program', 'system program', 'event authority', 'program'],
]
export const SOLANA_CHANGES: readonly (readonly [name: string, change: Replan])[] = [
  ...BYTES.map(
    ([name, offset, bytes]) =>
      [name, (plan: SolanaTransactionPlan) => withDelegate(withBytes(DEPOSIT_AT, offset, bytes)(plan))] as const,
  ),
  ...ACCOUNTS.map((name, at) => [`account of the deposit: ${name}`, withAccount(DEPOSIT_AT, at, SOMEONE)] as const),
  ['a delegate of other arguments', withBytes(DEPOSIT_AT, 216, seconds(NOW - 61))],
  [
    'another delegate, approved',
    (plan) => withAccount(APPROVE_AT, DELEGATE_AT, SVM_SPOKE)(withAccount(DEPOSIT_AT, DELEGATE_AT, SVM_SPOKE)(plan)),
  ],
  ['another vault, made', (plan) => withAccount(0, 1, SOMEONE)(withAccount(DEPOSIT_AT, 4, SOMEONE)(plan))],
  ['more accounts', withInstruction(DEPOSIT_AT, ({ accounts }) => ({ accounts: [...accounts, { address: SOMEONE }] }))],
  ['a message', withInstruction(DEPOSIT_AT, ({ data }) => ({ data: Uint8Array.from([...data, 0]) }))],
  ['program', withInstruction(DEPOSIT_AT, () => ({ programId: SOMEONE }))],
  ['fewer accounts', withInstruction(DEPOSIT_AT, ({ accounts }) => ({ accounts: accounts.slice(0, -1) }))],
  ['approved amount', withBytes(APPROVE_AT, 1, [255])],
  ['approved delegate', withAccount(APPROVE_AT, 2, SOMEONE)],
  ['approved source', withAccount(APPROVE_AT, 0, SOMEONE)],
  ['a transfer for the approval', withBytes(APPROVE_AT, 0, [12])],
  ['vault of a stranger', withAccount(0, 1, SOMEONE)],
  ['owner of the vault', withAccount(0, 2, SOMEONE)],
  ['fee payer', (plan) => ({ ...plan, feePayer: SOMEONE })],
  ['no deposit', instruct((all) => all.filter((_, i) => i !== DEPOSIT_AT))],
  ['two deposits', instruct((all) => [...all, ...all.slice(DEPOSIT_AT, DEPOSIT_AT + 1)])],
  ['two approvals', instruct((all) => [...all.slice(APPROVE_AT, APPROVE_AT + 1), ...all])],
  ...companions(WALLETS.solana).map((companion, i) => [`companion ${i}`, added(companion)] as const),
  ['an unknown budget instruction', added({ programId: BUDGET, accounts: [], data: Uint8Array.of(4, 0, 0, 0, 0) })],
]
