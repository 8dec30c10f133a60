import { readExactCall } from '../../chains/evm/exactCall.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import { SWAP_ABI } from './protocol.ts'

/** The router's own work, beside the executor's. */
export type Description = {
  readonly srcToken: Address
  readonly dstToken: Address
  readonly srcReceivers: readonly Address[]
  readonly srcAmounts: readonly bigint[]
  readonly feeReceivers: readonly Address[]
  readonly feeAmounts: readonly bigint[]
  readonly dstReceiver: Address
  readonly amount: bigint
  readonly minReturnAmount: bigint
  readonly flags: bigint
  readonly permit: Hex
}

export type RouterCall = {
  /** Makes the swap by `targetData`, which only it can read. The router checks nothing but the output. */
  readonly callTarget: Address
  readonly approveTarget: Address
  readonly targetData: Hex
  readonly desc: Description
  /** An event repeats it, byte for byte. */
  readonly clientData: Hex
}

/** Null for any other call, and for data that is not the exact encoding of its arguments. */
export const readSwapCall = async (data: string): Promise<RouterCall | null> => {
  const args = await readExactCall(SWAP_ABI, data.toLowerCase() as Hex)
  // The ABI above fixes the type: viem decoded by it, with our spelling of addresses.
  return args && (args[0] as RouterCall)
}
