import { base58 } from '@scure/base'
import type * as LiteSvmModule from 'litesvm/dist/internal.js'
import type { SolanaAccount } from './solanaAccounts.ts'
import type { SlotHash } from './solanaBlocks.ts'
import {
  duplicateInstructionFailure,
  failureNumbered,
  instructionFailure,
  rentFailure,
  restrictedFailure,
  type SolanaFailure,
} from './solanaFailure.ts'
import { MEMO_PROGRAM } from './solanaMemos.ts'
import { solanaStandIn } from './solanaStandIn.ts'

export type InnerInstruction = {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Buffer
  readonly stackHeight: number
}

/** What a transaction did, or would have done. */
export type VmOutcome = {
  readonly failure: SolanaFailure | null
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
  readonly returnData: { readonly program: string; readonly data: Buffer } | null
  /** By top-level instruction. */
  readonly inner: readonly (readonly InnerInstruction[])[]
  /** Of a simulation: the accounts as they would be. */
  readonly accounts: ReadonlyMap<string, SolanaAccount>
}

export const NOTHING_RAN: VmOutcome = {
  failure: null,
  logs: [],
  unitsConsumed: 0n,
  returnData: null,
  inner: [],
  accounts: new Map(),
}

/** How an outcome numbers what it names, where that is not as the bytes number it. */
export type VmNumbering = {
  readonly instruction: (index: number) => number
  readonly account: (index: number) => number
}

/** Accounts and programs, and the machine that runs transactions on them. */
export interface SolanaVm {
  account(address: string): SolanaAccount | null
  /** Writes an account past every rule. */
  put(address: string, account: SolanaAccount): void
  /** Every account a program owns. */
  owned(program: string): readonly { readonly address: string; readonly account: SolanaAccount }[]
  /** The least an account of this size must hold. */
  rentExempt(bytes: number): bigint
  /** Puts a program here that does nothing; see solanaStandIn. */
  install(program: string, behaviour: Parameters<typeof solanaStandIn>[0]): void
  moveTo(at: { readonly slot: number; readonly unixSeconds: number }): void
  setSlotHashes(hashes: readonly SlotHash[]): void
  /** Signatures, blockhash and repetition are the caller's to check; the bytes must decode and be sane. */
  run(bytes: Uint8Array, numbering?: VmNumbering): VmOutcome
  simulate(bytes: Uint8Array, numbering?: VmNumbering): VmOutcome
}

type Native = typeof LiteSvmModule
type Metadata = LiteSvmModule.TransactionMetadata
type NativeError = ReturnType<LiteSvmModule.FailedTransactionMetadata['err']>

/** https://docs.anza.xyz/consensus/fork-generation: an epoch of mainnet. */
export const SLOTS_PER_EPOCH = 432_000
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n

const AS_THEY_ARE: VmNumbering = { instruction: (index) => index, account: (index) => index }

const toFailure = (native: Native, error: NativeError, { instruction, account }: VmNumbering): SolanaFailure => {
  if (typeof error === 'number') return failureNumbered(error)
  if (error instanceof native.TransactionErrorDuplicateInstruction) return duplicateInstructionFailure(instruction(error.index))
  if (error instanceof native.TransactionErrorInsufficientFundsForRent) return rentFailure(account(error.accountIndex))
  if (error instanceof native.TransactionErrorProgramExecutionTemporarilyRestricted)
    return restrictedFailure(account(error.accountIndex))
  const index = instruction(error.index)
  const cause = error.err()
  if (typeof cause === 'number') return instructionFailure(index, cause)
  return instructionFailure(index, cause instanceof native.InstructionErrorCustom ? { custom: cause.code } : 52)
}

const toAccount = (account: LiteSvmModule.Account): SolanaAccount => ({
  owner: base58.encode(account.owner()),
  lamports: account.lamports(),
  data: Buffer.from(account.data()),
  isExecutable: account.executable(),
})

const toOutcome = (meta: Metadata, { account }: VmNumbering, more: Partial<VmOutcome> = {}): VmOutcome => {
  const returned = Buffer.from(meta.returnData().data())
  return {
    ...NOTHING_RAN,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    returnData: returned.length === 0 ? null : { program: base58.encode(meta.returnData().programId()), data: returned },
    inner: meta.innerInstructions().map((list) =>
      list.map((entry) => ({
        program: account(entry.instruction().programIdIndex()),
        accounts: [...entry.instruction().accounts()].map(account),
        data: Buffer.from(entry.instruction().data()),
        stackHeight: entry.stackHeight(),
      })),
    ),
    ...more,
  }
}

/**
 * LiteSVM, which holds no blocks: time, blockhashes and signatures are checked by who calls it. Its package is imported
 * here and nowhere else, and past its front, which would load all of @solana/kit for types we do not use.
 */
export const openSolanaVm = async (): Promise<SolanaVm> => {
  const native: Native = await import('litesvm/dist/internal.js')
  const svm = new native.LiteSvm()
  svm.withNativeMints()
  svm.setSigverify(false)
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  // LiteSVM brings the version before, which takes the same and does the same.
  const memo = svm.getAccount(base58.decode(MEMO_PROGRAM.v3))
  if (memo) svm.addProgram(base58.decode(MEMO_PROGRAM.v4), memo.data())

  const account = (address: string): SolanaAccount | null => {
    const found = svm.getAccount(base58.decode(address))
    return found && found.lamports() > 0n ? toAccount(found) : null
  }

  return {
    account,
    put: (address, { owner, lamports, data, isExecutable = false }) =>
      svm.setAccount(
        base58.decode(address),
        new native.Account(lamports, data, base58.decode(owner), isExecutable, RENT_EXEMPT_EPOCH),
      ),
    owned: (program) =>
      svm.getProgramAccounts(base58.decode(program)).map((entry) => ({
        address: base58.encode(entry.address),
        account: toAccount(entry.account()),
      })),
    rentExempt: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    install: (program, behaviour) => svm.addProgram(base58.decode(program), solanaStandIn(behaviour)),
    moveTo: ({ slot, unixSeconds }) => {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
      const seconds = BigInt(unixSeconds)
      svm.setClock(new native.Clock(BigInt(slot), seconds, epoch, epoch + 1n, seconds))
    },
    setSlotHashes: (hashes) => svm.setSlotHashes(hashes.map(({ slot, hash }) => ({ slot: BigInt(slot), hash }))),
    run: (bytes, numbering = AS_THEY_ARE) => {
      const result = svm.sendVersionedTransaction(bytes)
      return result instanceof native.FailedTransactionMetadata
        ? toOutcome(result.meta(), numbering, { failure: toFailure(native, result.err(), numbering) })
        : toOutcome(result, numbering)
    },
    simulate: (bytes, numbering = AS_THEY_ARE) => {
      const result = svm.simulateVersionedTransaction(bytes)
      if (result instanceof native.FailedTransactionMetadata)
        return toOutcome(result.meta(), numbering, { failure: toFailure(native, result.err(), numbering) })
      const accounts = result.postAccounts().map((entry) => [base58.encode(entry.address), toAccount(entry.account())] as const)
      return toOutcome(result.meta(), numbering, { accounts: new Map(accounts) })
    },
  }
}
