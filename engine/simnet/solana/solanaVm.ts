import { createRequire } from 'node:module'
import { base58 } from '@scure/base'
import type * as LiteSvmModule from 'litesvm/dist/internal.js'
import { type SolanaInstructionPlan, SYSTEM_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import type { SolanaAccount } from './solanaAccounts.ts'
import { MEMO_PROGRAMS } from './solanaPrepare.ts'

/** The `TransactionError` of a failed transaction, in the JSON of the RPC. */
export type SolanaFailure = string | { readonly [kind: string]: unknown }

/** An instruction that ran inside another one. */
export type InnerInstruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
  readonly stackHeight: number
}

/** The result of a transaction. */
export type SolanaOutcome = {
  readonly failure: SolanaFailure | null
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
  /** By top-level instruction. */
  readonly inner: readonly (readonly InnerInstruction[])[]
}

/** The accounts and programs of Solana, and the machine that runs transactions on them. */
export interface SolanaVm {
  account(address: string): SolanaAccount | null
  /** Writes an account past every rule; null removes it. */
  put(address: string, account: SolanaAccount | null): void
  /** Every account that a program owns. */
  owned(program: string): readonly { readonly address: string; readonly account: SolanaAccount }[]
  /** The least lamports of an account of this size. */
  rentExempt(bytes: number): bigint
  moveTo(at: { readonly slot: number; readonly unixSeconds: number }): void
  /** Runs the bytes of a transaction; the caller checks signatures, blockhash and repetition. `keys` are all its accounts, in order. */
  run(bytes: Uint8Array, keys: readonly string[]): SolanaOutcome
  /** Runs one instruction without a fee, as if its signers had signed. */
  call(instruction: SolanaInstructionPlan): SolanaOutcome
  /** Runs `work`, and restores the accounts at these addresses afterwards unless its result is kept. */
  attempt<T>(addresses: readonly string[], work: () => T, isKept: (result: T) => boolean): T
}

type Native = typeof LiteSvmModule
type Metadata = LiteSvmModule.TransactionMetadata

/** https://docs.anza.xyz/consensus/fork-generation: an epoch of mainnet. */
export const SLOTS_PER_EPOCH = 432_000
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n
/** Pays the fees of single instructions. Its key is unknown. */
const CALLER = base58.encode(new Uint8Array(32).fill(7))
const CALLER_LAMPORTS = 10n ** 9n

/** LiteSVM shows a failure as Rust does, such as `InstructionError(0, Custom(1))`. */
const FAILURE =
  /^FailedTransactionMetadata\(FailedTransactionMetadata \{ err: (\w+)(?:\((\d+), (\w+)(?:\((\d+)\))?|\((\d+)| \{ account_index: (\d+))?/

const failureOf = (shown: string): SolanaFailure => {
  const [, name = 'Unknown', instruction, cause, custom, index, account] = FAILURE.exec(shown) ?? []
  if (cause !== undefined) return { [name]: [Number(instruction), custom === undefined ? cause : { [cause]: Number(custom) }] }
  if (index !== undefined) return { [name]: Number(index) }
  return account === undefined ? name : { [name]: { account_index: Number(account) } }
}

/** The message of a node for a failure. */
export const failureText = (failure: SolanaFailure): string => {
  type Errors = { getSolanaErrorFromTransactionError(failure: SolanaFailure): Error }
  const errors = createRequire(import.meta.url)('@solana/errors') as Errors
  return errors.getSolanaErrorFromTransactionError(failure).message
}

const toAccount = (account: LiteSvmModule.Account): SolanaAccount => ({
  owner: base58.encode(account.owner()),
  lamports: account.lamports(),
  data: Buffer.from(account.data()),
  isExecutable: account.executable(),
})

const toOutcome = (meta: Metadata, failure: SolanaFailure | null, keys: readonly string[]): SolanaOutcome => {
  const keyAt = (index: number): string => keys[index] ?? ''
  return {
    failure,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map((list) =>
      list.map((entry) => ({
        program: keyAt(entry.instruction().programIdIndex()),
        accounts: [...entry.instruction().accounts()].map(keyAt),
        data: entry.instruction().data(),
        stackHeight: entry.stackHeight(),
      })),
    ),
  }
}

type Meta = { readonly address: string; readonly isSigner?: boolean; readonly isWritable?: boolean }

/** Signers first, and of each kind the writable ones. */
const rankOf = ({ isSigner = false, isWritable = false }: Meta): number => (isSigner ? 0 : 2) + (isWritable ? 0 : 1)

/** A v0 transaction of one instruction, with empty signatures and an empty blockhash, and its accounts in order. */
const encodeCall = ({ programId, accounts, data }: SolanaInstructionPlan): { bytes: Buffer; keys: readonly string[] } => {
  const metas = new Map<string, Meta>([[CALLER, { address: CALLER, isSigner: true, isWritable: true }]])
  for (const { address, isSigner = false, isWritable = false } of [...accounts, { address: programId }]) {
    const known = metas.get(address)
    metas.set(address, {
      address,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  const sorted = [...metas.values()].sort((a, b) => rankOf(a) - rankOf(b))
  const keys = sorted.map(({ address }) => address)
  const ranked = (rank: number) => sorted.filter((meta) => rankOf(meta) === rank).length
  const signatures = ranked(0) + ranked(1)
  const length = (value: number) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7])
  const bytes = Buffer.concat([
    Buffer.of(signatures),
    Buffer.alloc(64 * signatures),
    Buffer.of(0x80, signatures, ranked(1), ranked(3), ...length(keys.length)),
    ...keys.map((key) => base58.decode(key)),
    Buffer.alloc(32),
    Buffer.of(1, keys.indexOf(programId), ...length(accounts.length)),
    Buffer.from(accounts.map(({ address }) => keys.indexOf(address))),
    Buffer.of(...length(data.length)),
    data,
    Buffer.of(0),
  ])
  return { bytes, keys }
}

/**
 * Starts LiteSVM. The module behind its front is imported, because the front loads all of @solana/kit for types that nobody
 * uses here.
 */
export const openSolanaVm = async (): Promise<SolanaVm> => {
  const native: Native = await import('litesvm/dist/internal.js')
  const svm = new native.LiteSvm()
  svm.withNativeMints()
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  // LiteSVM has the version before, which does the same.
  const memo = svm.getAccount(base58.decode(MEMO_PROGRAMS.v3))
  if (memo) svm.addProgram(base58.decode(MEMO_PROGRAMS.v4), memo.data())

  const account = (address: string): SolanaAccount | null => {
    const found = svm.getAccount(base58.decode(address))
    return found && found.lamports() > 0n ? toAccount(found) : null
  }
  const put: SolanaVm['put'] = (address, written) => {
    const { owner, lamports, data } = written ?? { owner: SYSTEM_PROGRAM, lamports: 0n, data: Buffer.alloc(0) }
    svm.setAccount(base58.decode(address), new native.Account(lamports, data, base58.decode(owner), false, RENT_EXEMPT_EPOCH))
  }
  const run: SolanaVm['run'] = (bytes, keys) => {
    const result = svm.sendVersionedTransaction(bytes)
    return result instanceof native.FailedTransactionMetadata
      ? toOutcome(result.meta(), failureOf(result.toString()), keys)
      : toOutcome(result, null, keys)
  }

  return {
    account,
    put,
    owned: (program) =>
      svm.getProgramAccounts(base58.decode(program)).map((entry) => ({
        address: base58.encode(entry.address),
        account: toAccount(entry.account()),
      })),
    rentExempt: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    moveTo: ({ slot, unixSeconds }) => {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
      const seconds = BigInt(unixSeconds)
      svm.setClock(new native.Clock(BigInt(slot), seconds, epoch, epoch + 1n, seconds))
    },
    run,
    call: (instruction) => {
      put(CALLER, { owner: SYSTEM_PROGRAM, lamports: CALLER_LAMPORTS, data: Buffer.alloc(0) })
      const { bytes, keys } = encodeCall(instruction)
      return run(bytes, keys)
    },
    attempt: (addresses, work, isKept) => {
      const before = addresses.map((address) => [address, account(address)] as const)
      const result = work()
      if (isKept(result)) return result
      // A transaction changes no program.
      for (const [address, held] of before) if (held?.isExecutable !== true) put(address, held)
      return result
    },
  }
}
