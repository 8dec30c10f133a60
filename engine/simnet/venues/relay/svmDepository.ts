import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { type AnchorError, anchorFailure, anchorRefusal, discriminatorOf } from '../../kit/anchor.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { WatchedProgram } from '../../kit/watchProgram.ts'
import { SVM_DEPOSITORY } from './networks.ts'

/** A deposit as the depository books it. `token` is null for the native coin. */
export type SeenDeposit = { readonly orderId: string; readonly amount: bigint; readonly token: string | null }

/** `deposit_native` and `deposit_token` of packages/solana-vm, relay-depository, and how many accounts each wants. */
export const INSTRUCTIONS = {
  native: { discriminator: '0d9e0ddf5fd51c06', accounts: 5 },
  token: { discriminator: '0b9c60da27a3b413', accounts: 10 },
} as const
const BYTES = 48
/** Among its accounts. */
const SENDER = 1

const OWN_ERRORS = { InvalidVaultTokenAccount: 6010 } as const

const kindOf = (instruction: SimSolanaInstruction) =>
  Object.values(INSTRUCTIONS).find(({ discriminator }) => discriminator === discriminatorOf(instruction))

/** What a call deposits, whether it can or not. */
const read = (instruction: SimSolanaInstruction): SeenDeposit | null => {
  const kind = kindOf(instruction)
  if (instruction.programId !== SVM_DEPOSITORY.program || !kind || instruction.data.length < BYTES) return null
  const data = Buffer.from(instruction.data)
  return {
    orderId: `0x${data.subarray(16, BYTES).toString('hex')}`,
    amount: data.readBigUInt64LE(8),
    token: kind === INSTRUCTIONS.token ? (instruction.accounts[4] ?? null) : null,
  }
}

type Failure = AnchorError | keyof typeof OWN_ERRORS

const failureOf = (instruction: SimSolanaInstruction, signers: readonly string[]): Failure | null => {
  const [state, , , vault, mint = '', , vaultAccount, tokenProgram] = instruction.accounts
  const kind = kindOf(instruction)
  const isWhole = instruction.data.length >= BYTES
  const refusal = anchorRefusal(instruction, signers, kind ? { isWhole, accounts: kind.accounts, signer: SENDER } : null)
  if (refusal) return refusal
  if (state !== SVM_DEPOSITORY.state || vault !== SVM_DEPOSITORY.vault) return 'ConstraintSeeds'
  if (kind === INSTRUCTIONS.native) return null
  // The offline network has no wrapped SOL of its own.
  if (mint === NATIVE_SOL) return 'AccountNotInitialized'
  return vaultAccount === associatedTokenAddress(vault, mint, tokenProgram) ? null : 'InvalidVaultTokenAccount'
}

/** The depository on Solana: it takes a deposit from its sender, or fails. Its other instructions are not here. */
export const SVM_PROGRAM: WatchedProgram<SeenDeposit> = {
  programId: SVM_DEPOSITORY.program,
  read,
  program: (instruction, { signers }) => {
    const failure = failureOf(instruction, signers)
    if (failure) return anchorFailure(failure, OWN_ERRORS)
    const deposit = read(instruction)
    return deposit && { ...deposit, token: deposit.token ?? NATIVE_SOL, from: instruction.accounts[SENDER] ?? '' }
  },
}
