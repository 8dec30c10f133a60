import type { Abi } from 'viem'
import type { Hex } from '../../core/execution.ts'
import { type CallOf, namedArguments } from './abiFields.ts'
import { decodeCall, encodeCall } from './evmCodec.ts'

/** A call as it was read: its arguments, and the hex digits that follow them. */
export type LeadingCall = { readonly args: readonly unknown[]; readonly rest: string }

/** Reads a call of the one function of `abi`, in lower case; null when it is another call, or not in canonical form. */
export const readLeadingCall = async (abi: Abi, data: Hex): Promise<LeadingCall | null> => {
  const call = await decodeCall(abi, data)
  if (!call) return null
  // Encoded again and compared, so that no byte is left that a contract would read differently from us. Words that are more
  // than their type holds are decoded, and cannot be encoded.
  const canonical = await encodeCall(abi, call.functionName, call.args).catch(() => null)
  return canonical !== null && data.startsWith(canonical) ? { args: call.args, rest: data.slice(canonical.length) } : null
}

/** Arguments of a call with nothing after them; null when it is another call, or not in canonical form. */
export const readExactCall = async (abi: Abi, data: Hex): Promise<readonly unknown[] | null> => {
  const call = await readLeadingCall(abi, data)
  return call?.rest === '' ? call.args : null
}

/** As `readExactCall`, by the names that the one function of `abi` has for its arguments. */
export const readNamedCall = async <const A extends Abi>(abi: A, data: Hex): Promise<CallOf<A> | null> => {
  const args = await readExactCall(abi as Abi, data)
  return args && namedArguments(abi, args)
}
