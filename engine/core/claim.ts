import type { Proven } from './execution.ts'

/** A claim as it is judged: what is said, undefined where nothing is, and whether the payload shows it. */
export type ReadClaim<T> = { readonly said: T | undefined; readonly isProved: boolean }

const isTold = <T>(claim: Proven<T>): claim is { readonly told: T } =>
  typeof claim === 'object' && claim !== null && 'told' in claim

export const readClaim = <T>(claim: Proven<T>): ReadClaim<T> => {
  if (claim === 'unproved') return { said: undefined, isProved: false }
  return isTold(claim) ? { said: claim.told, isProved: false } : { said: claim, isProved: true }
}
