import type { CallOf } from '../../chains/evm/abiFields.ts'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import type { Hex } from '../../core/execution.ts'
import { SWAP_ABI } from './protocol.ts'

/**
 * `callTarget` makes the swap by `targetData`, which only it can read. The router checks nothing but the output. An event repeats
 * `clientData`, byte for byte.
 */
export type RouterCall = CallOf<typeof SWAP_ABI>['execution']

/** Null for any other call, and for data that is not the exact encoding of its arguments. */
export const readSwapCall = async (data: string): Promise<RouterCall | null> =>
  (await readNamedCall(SWAP_ABI, data.toLowerCase() as Hex))?.execution ?? null
