import { hashStruct, keccakHex, recoverTypedData } from '../../chains/evm/evmCodec.ts'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { typedFields } from '../../chains/evm/typedKind.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, Payload, TypedData } from '../../core/execution.ts'
import { ROUTER_ABI, type RouterHook, type RouterOrder } from './abi.ts'
import { ROUTER } from './published.ts'

/** BebopRouterOrderLib.ORDER_TYPE: contracts/libraries/BebopRouterOrderLib.sol of bebop-dex/bebop-rfqa */
const ORDER_TYPES = {
  BebopRouterOrder: typedFields(
    'uint256 fromAmount, uint256 toAmount, int256 limitAmount, address fromToken, address toToken, address pmmFromToken, address pmmToToken, address tokensOwner, address receiver, address originAddress, address oracle, address checker, uint256 info, uint256 routerNonce, bytes32 extraInfoHash, bytes32 hooksHash',
  ),
}
/** HookLib.HOOK_SIGN_TYPE_HASH. */
const HOOK_TYPES = { BebopHook: typedFields('address targetContract, bytes32 dataHash, uint256 makerNonce, uint256 flags') }

const NO_HOOKS: Hex = `0x${'0'.repeat(64)}`

/** HookLib.hooksHash, for hooks without a maker. */
const hashHooks = async (hooks: readonly RouterHook[]): Promise<Hex> => {
  if (hooks.length === 0) return NO_HOOKS
  const hashes = await Promise.all(
    hooks.map(({ targetContract, data, flags }) =>
      hashStruct(HOOK_TYPES, 'BebopHook', { targetContract, dataHash: keccakHex(data), makerNonce: 0n, flags }),
    ),
  )
  return keccakHex(`0x${hashes.map((hash) => hash.slice(2)).join('')}`)
}

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

/** `router` absent: the published one. */
export type RouterParts = { readonly extraInfo: Hex; readonly hooks: readonly RouterHook[]; readonly router?: Address }

/** The data that the router's signer signs: the order without its unsigned flags. It contains the other parts as hashes. */
export const routerTypedData = async (
  chainId: ChainId,
  order: RouterOrder,
  { extraInfo, hooks, router = ROUTER }: RouterParts,
): Promise<TypedData> => {
  const { unsignedFlags: _unsigned, ...signed } = order
  const numbers = Object.entries(signed).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value])
  return {
    domain: { name: 'BebopRouter', version: '1', chainId, verifyingContract: router },
    types: ORDER_TYPES,
    primaryType: 'BebopRouterOrder',
    message: { ...Object.fromEntries(numbers), extraInfoHash: keccakHex(extraInfo), hooksHash: await hashHooks(hooks) },
  }
}

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
