import { base58 } from '@scure/base'
import type { Commitment } from './solanaBlocks.ts'
import { invalidParams, RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'

/** The options object of a call. */
export type CallOptions = { readonly [name: string]: unknown }

const COMMITMENTS: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies readonly Commitment[]

export const readKey = (value: unknown): string => {
  if (typeof value !== 'string') throw invalidParams(`Invalid params: invalid type: ${typeof value}, expected a string.`)
  let bytes: Uint8Array
  try {
    bytes = base58.decode(value)
  } catch {
    throw invalidParams('Invalid param: Invalid')
  }
  if (bytes.length !== 32) throw invalidParams('Invalid param: WrongSize')
  return value
}

export const readSignature = (value: unknown): string => {
  if (typeof value !== 'string') throw invalidParams(`Invalid params: invalid type: ${typeof value}, expected a string.`)
  let bytes: Uint8Array
  try {
    bytes = base58.decode(value)
  } catch {
    throw invalidParams('Invalid param: Invalid')
  }
  if (bytes.length !== 64) throw invalidParams('Invalid param: WrongSize')
  return value
}

/** An options object; left out and null are empty. Its commitment and `minContextSlot` are checked here, for every call. */
export const readOptions = (value: unknown, tip: number): CallOptions => {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('Invalid params: expected an options object.')
  const options = value as CallOptions
  for (const name of ['commitment', 'preflightCommitment']) {
    const commitment = options[name] ?? 'finalized'
    if (!COMMITMENTS.includes(commitment))
      throw invalidParams(
        `Invalid params: unknown variant \`${String(commitment)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
      )
  }
  const slot = options.minContextSlot ?? 0
  if (typeof slot !== 'number') throw invalidParams('Invalid params: minContextSlot: expected u64.')
  if (slot > tip)
    throw new SolanaRpcError(RPC_CODE.contextSlotNotReached, 'Minimum context slot has not been reached', { contextSlot: tip })
  return options
}

/** Of options that were read. */
export const commitmentOf = ({ commitment }: CallOptions): Commitment => (commitment ?? 'finalized') as Commitment

/** As `commitmentOf`, for what has no lower one than confirmed. */
export const confirmedCommitmentOf = (options: CallOptions): Commitment => {
  const commitment = commitmentOf(options)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

/** True or false; false when left out. */
export const readFlag = (options: CallOptions, name: string): boolean => {
  const value = options[name] ?? false
  if (typeof value !== 'boolean') throw invalidParams(`Invalid params: ${name}: expected a boolean.`)
  return value
}

/** A whole number from zero to `max`. */
export const readWhole = (value: unknown, name: string, max = Number.MAX_SAFE_INTEGER): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value
  throw invalidParams(`Invalid params: ${name}: expected a whole number from 0 to ${max}.`)
}

export const readList = (value: unknown, max: number): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalidParams('Invalid params: expected a sequence.')
  if (value.length > max) throw invalidParams(`Too many inputs provided; max ${max}`)
  return value
}
