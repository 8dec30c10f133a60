import { type AbiFunction, parseAbi } from 'abitype'
import { encodeCall, encodeParameters } from '../../chains/evm/evmCodec.ts'
import type { Hex } from '../../core/execution.ts'

/** A function in Solidity, after the structs it takes: https://abitype.dev/api/human */
type Signature = string | readonly string[]

const functionOf = (signature: Signature): AbiFunction => {
  const lines: readonly string[] = typeof signature === 'string' ? [signature] : signature
  const [called] = parseAbi(lines).filter((item) => item.type === 'function')
  if (!called) throw new RangeError('no function is declared')
  return called
}

/** Calldata of a call. */
export const callData = (signature: Signature, args: readonly unknown[]): Promise<Hex> => {
  const called = functionOf(signature)
  return encodeCall([called], called.name, args)
}

/** The arguments of a function alone, as `abi.encode` puts them. */
export const encodedArguments = (signature: Signature, args: readonly unknown[]): Promise<Hex> =>
  encodeParameters(functionOf(signature).inputs as Parameters<typeof encodeParameters>[0], args)

export const ERC20 = {
  approve: 'function approve(address spender, uint256 value)',
  transfer: 'function transfer(address to, uint256 value)',
  transferFrom: 'function transferFrom(address from, address to, uint256 value)',
} as const
