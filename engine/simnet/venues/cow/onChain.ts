import { bytesToHex } from '@noble/hashes/utils.js'
import { wordOf } from '../../kit/abiWords.ts'
import type { World } from '../../kit/world.ts'
import { VAULT_RELAYER_CONTRACT } from './networks.ts'

const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'
const IS_VALID_SIGNATURE = '0x1626ba7e'

/** The result of a read-only call; null when the chain does not answer or has no such contract. */
const read = async (world: World, chainId: number, to: string, data: string): Promise<string | null> => {
  try {
    const result = await world.evm.rpc(chainId, 'eth_call', [{ to, data }, 'latest'])
    return typeof result === 'string' && result.length >= 66 ? result : null
  } catch {
    // A book without a chain beside it (as in adapter tests) takes every order as covered.
    return null
  }
}

export type Cover = { readonly balance: bigint | null; readonly allowance: bigint | null }

/** What the owner has of the sell token, and how much of it the vault relayer may take; null where the chain is silent. */
export const coverOf = async (world: World, chainId: number, sellToken: string, owner: string): Promise<Cover> => {
  const balance = await read(world, chainId, sellToken, `${BALANCE_OF}${wordOf(owner)}`)
  const allowance = await read(world, chainId, sellToken, `${ALLOWANCE}${wordOf(owner)}${wordOf(VAULT_RELAYER_CONTRACT)}`)
  return { balance: balance === null ? null : BigInt(balance), allowance: allowance === null ? null : BigInt(allowance) }
}

/** EIP-1271. */
export const isContractSignature = async (
  world: World,
  { chainId, owner, digest, signature }: { chainId: number; owner: string; digest: Uint8Array; signature: string },
): Promise<boolean> => {
  const bytes = signature.slice(2)
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  const data = `${IS_VALID_SIGNATURE}${bytesToHex(digest)}${wordOf('40')}${wordOf((bytes.length / 2).toString(16))}${padded}`
  return (await read(world, chainId, owner, data))?.startsWith(IS_VALID_SIGNATURE) === true
}
