import type { SimSolanaInstruction } from './simVenue.ts'
import type { SimCharge } from './world.ts'

/** What programs built with Anchor fail with: https://docs.rs/anchor-lang/latest/anchor_lang/error/enum.ErrorCode.html */
const ANCHOR_ERRORS = {
  InstructionFallbackNotFound: 101,
  InstructionDidNotDeserialize: 102,
  ConstraintSeeds: 2006,
  AccountNotEnoughKeys: 3005,
  AccountNotSigner: 3010,
  AccountNotInitialized: 3012,
} as const

export type AnchorError = keyof typeof ANCHOR_ERRORS

/** The first eight bytes of an instruction, in hex: which one it is. */
export const discriminatorOf = ({ data }: SimSolanaInstruction): string => Buffer.from(data.subarray(0, 8)).toString('hex')

/** Borsh of a whole number in so many bytes, the lowest first. */
export const littleEndian = (bytes: number, value: bigint | number): Buffer =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0'),
    'hex',
  ).reverse()

/** A call of a program as Anchor fails it. `own`: the program's own errors, by number. */
export const anchorFailure = <E extends string>(error: AnchorError | E, own: { readonly [K in E]: number }): SimCharge => ({
  fails: { ...ANCHOR_ERRORS, ...own }[error],
  because: `AnchorError occurred. Error Code: ${error}.`,
})
