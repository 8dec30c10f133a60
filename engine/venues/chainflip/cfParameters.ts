import { hexToBytes } from '@noble/hashes/utils.js'
import { hexOf } from '../../chains/solana/borsh.ts'
import { type Address, addressOf } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'

/**
 * Parameters of a vault call for the State Chain, from a wallet on an EVM chain: SCALE, `VersionedCfParameters` in
 * state-chain/chains/src/cf_parameters.rs of chainflip-backend, 2026-08-21.
 */
export type CfParameters = {
  /** Blocks of the State Chain in which it retries the swap before it refunds. */
  readonly retryBlocks: number
  readonly refundTo: Address
  /** Smallest units of the output for one of the input, times 2^128. */
  readonly minPriceX128: bigint
  readonly broker: { readonly account: Hex; readonly bps: number }
  readonly boostBps: number
}

const VERSION_1 = 1
/** Without options: every other field would be one of them. */
const BYTES = 96

const little = (bytes: Uint8Array): bigint => BigInt(hexOf(bytes.toReversed()))

/**
 * Reads parameters of version 1 to their last byte. Null for other versions, and for more than a plain swap. Such extras are a
 * call on refund, a bound by an oracle's price, a swap in parts, or affiliate fees.
 */
export const readCfParameters = (parameters: Hex): CfParameters | null => {
  const bytes = hexToBytes(parameters.slice(2))
  if (bytes.length !== BYTES || bytes[0] !== VERSION_1) return null
  const [refundCall, oracleBound, parts, boostBps = 0] = bytes.slice(57, 61)
  const affiliates = bytes[95]
  if (refundCall !== 0 || oracleBound !== 0 || parts !== 0 || affiliates !== 0) return null
  return {
    retryBlocks: Number(little(bytes.slice(1, 5))),
    refundTo: addressOf('evm', hexOf(bytes.slice(5, 25))),
    minPriceX128: little(bytes.slice(25, 57)),
    boostBps,
    broker: { account: hexOf(bytes.slice(61, 93)), bps: Number(little(bytes.slice(93, 95))) },
  }
}
