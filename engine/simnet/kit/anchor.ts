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

/** A call of a program as Anchor fails it. `own`: the program's own errors, by number. */
export const anchorFailure = <E extends string>(error: AnchorError | E, own: { readonly [K in E]: number }): SimCharge => ({
  fails: { ...ANCHOR_ERRORS, ...own }[error],
  because: `AnchorError occurred. Error Code: ${error}.`,
})
