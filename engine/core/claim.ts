import type { Proven } from './execution.ts'

/** A claim to judge: its value, undefined without one, and whether the payload proves it. */
export type ReadClaim<T> = { readonly said: T | undefined; readonly isProved: boolean }

const isTold = <T>(claim: Proven<T>): claim is { readonly told: T } =>
  typeof claim === 'object' && claim !== null && 'told' in claim

export const readClaim = <T>(claim: Proven<T>): ReadClaim<T> => {
  if (claim === 'unproved') return { said: undefined, isProved: false }
  return isTold(claim) ? { said: claim.told, isProved: false } : { said: claim, isProved: true }
}
