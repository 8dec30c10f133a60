import { parseAbi } from 'abitype'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'

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

/** `swap` of MetaAggregationRouterV2: the only function of it in live answers. */
const SWAP_ABI = parseAbi([
  'struct Description { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct Execution { address callTarget; address approveTarget; bytes targetData; Description desc; bytes clientData; }',
  'function swap(Execution execution) payable returns (uint256 returnAmount, uint256 gasUsed)',
])

/** Null for any other call, and for data that is not the exact encoding of its arguments. */
export const readSwapCall = async (data: string): Promise<RouterCall | null> => {
  const args = await readExactCall(SWAP_ABI, data.toLowerCase() as Hex)
  // The ABI above fixes the type: viem decoded by it, with our spelling of addresses.
  return args && (args[0] as RouterCall)
}

/** Of MetaAggregationRouterV2, without indexed fields: logged in this order at the end of a swap, with one more event between. */
export const SWAPPED = parseAbi([
  'event Swapped(address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
])
export const CLIENT_DATA = parseAbi(['event ClientData(bytes clientData)'])
