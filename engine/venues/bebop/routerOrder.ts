import { recoverTypedData } from '../../chains/evm/evmCodec.ts'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, Payload } from '../../core/execution.ts'
import { ROUTER_ABI, type RouterHook, type RouterOrder, type RouterParts, routerTypedData } from './protocol.ts'

const NOBODYS_BITS = 160n
/** After the swap, and whether it may fail. */
const PLAIN_FLAGS = 0b11n

/**
 * The router calls hooks in its own name, so a hook could spend the wallet's allowance beyond the sale. A hook is harmless when
 * it calls the checker of the order only. The router asks the checker for the fee, so the checker is no token.
 */
export const isHarmless = ({ targetContract, hookSignature, flags }: RouterHook, { checker }: RouterOrder): boolean =>
  checker !== ZERO_EVM_ADDRESS &&
  targetContract === checker &&
  hookSignature === '0x' &&
  BigInt.asUintN(Number(NOBODYS_BITS), flags) === 0n &&
  flags >> NOBODYS_BITS <= PLAIN_FLAGS

/** The signer of an order; null without a valid signature. */
export const routerSignerOf = async (
  chainId: ChainId,
  order: RouterOrder,
  parts: RouterParts & { readonly signature: Hex },
): Promise<Address | null> => recoverTypedData(await routerTypedData(chainId, order, parts), parts.signature)

const SECONDS_BITS = 64

/** `info`: least positive slippage (128 bits), expiry in Unix seconds (64), the protocol's shares (32 each). */
export const expiryOf = ({ info }: RouterOrder): bigint => BigInt.asUintN(SECONDS_BITS, info >> BigInt(SECONDS_BITS))

/** The router order in a payload; null for any other payload. */
export const routerOrderOf = async (payload: Payload): Promise<RouterOrder | null> => {
  if (payload.executionType !== 'TRANSACTION') return null
  return (await readNamedCall(ROUTER_ABI, payload.transaction.data as Hex))?.order ?? null
}
