import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { type AnchorError, anchorFailure } from '../../kit/anchor.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimProgram } from '../../kit/world.ts'
import { SVM_DEPOSITORY } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

/** `deposit_native` and `deposit_token` of packages/solana-vm, relay-depository, and how many accounts each wants. */
export const INSTRUCTIONS = {
  native: { discriminator: '0d9e0ddf5fd51c06', accounts: 5 },
  token: { discriminator: '0b9c60da27a3b413', accounts: 10 },
} as const
const BYTES = 48

const OWN_ERRORS = { InvalidVaultTokenAccount: 6010 } as const

const kindOf = ({ data }: SimSolanaInstruction) =>
  Object.values(INSTRUCTIONS).find(({ discriminator }) => discriminator === Buffer.from(data.subarray(0, 8)).toString('hex'))

/** What a call of the depository deposits, whether it can or not; null when it is none, or no deposit. */
export const readSvmDeposit = (instruction: SimSolanaInstruction): SeenDeposit | null => {
  const kind = kindOf(instruction)
  if (instruction.programId !== SVM_DEPOSITORY.program || !kind || instruction.data.length < BYTES) return null
  const data = Buffer.from(instruction.data)
  return {
    orderId: `0x${data.subarray(16, BYTES).toString('hex')}`,
    amount: data.readBigUInt64LE(8),
    token: kind === INSTRUCTIONS.token ? (instruction.accounts[4] ?? null) : null,
  }
}

const failureOf = (
  instruction: SimSolanaInstruction,
  signers: readonly string[],
): AnchorError | keyof typeof OWN_ERRORS | null => {
  const { accounts, data } = instruction
  const [state, sender = '', , vault, mint = '', , vaultAccount, tokenProgram] = accounts
  const kind = kindOf(instruction)
  if (!kind) return 'InstructionFallbackNotFound'
  if (data.length < BYTES) return 'InstructionDidNotDeserialize'
  if (accounts.length < kind.accounts) return 'AccountNotEnoughKeys'
  if (!signers.includes(sender)) return 'AccountNotSigner'
  if (state !== SVM_DEPOSITORY.state || vault !== SVM_DEPOSITORY.vault) return 'ConstraintSeeds'
  if (kind === INSTRUCTIONS.native) return null
  // The offline network has no wrapped SOL of its own.
  if (mint === NATIVE_SOL) return 'AccountNotInitialized'
  return vaultAccount === associatedTokenAddress(vault, mint, tokenProgram) ? null : 'InvalidVaultTokenAccount'
}

/** What the depository does with a call: it takes a deposit from its sender, or fails. Its other instructions are not here. */
export const svmDepository: SimProgram = (instruction, { signers }) => {
  const failure = failureOf(instruction, signers)
  if (failure) return anchorFailure(failure, OWN_ERRORS)
  const deposit = readSvmDeposit(instruction)
  return deposit && { token: deposit.token ?? NATIVE_SOL, from: instruction.accounts[1] ?? '', amount: deposit.amount }
}
