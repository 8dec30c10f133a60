import { callData } from '../../kit/callData.ts'
import type { World } from '../../kit/world.ts'
import { VAULT_RELAYER_CONTRACT } from './networks.ts'

type Call = { readonly chainId: number; readonly to: string; readonly signature: string; readonly args: readonly unknown[] }

/** The result of a read-only call; null when the chain does not answer or has no such contract. */
const read = async ({ evm }: World, { chainId, to, signature, args }: Call): Promise<string | null> => {
  const data = await callData(signature, args)
  try {
    const result = await evm.rpc(chainId, 'eth_call', [{ to, data }, 'latest'])
    return typeof result === 'string' && result.length >= 66 ? result : null
  } catch {
    // A book without a chain beside it (as in adapter tests) takes every order as covered.
    return null
  }
}

export type Cover = { readonly balance: bigint | null; readonly allowance: bigint | null }

/** What the owner has of the sell token, and how much of it the vault relayer may take; null where the chain is silent. */
export const coverOf = async (world: World, chainId: number, sellToken: string, owner: string): Promise<Cover> => {
  const amountOf = async (signature: string, args: readonly string[]): Promise<bigint | null> => {
    const result = await read(world, { chainId, to: sellToken, signature, args })
    return result === null ? null : BigInt(result)
  }
  return {
    balance: await amountOf('function balanceOf(address owner)', [owner]),
    allowance: await amountOf('function allowance(address owner, address spender)', [owner, VAULT_RELAYER_CONTRACT]),
  }
}

/** EIP-1271: the selector itself is the yes. */
export const isContractSignature = async (
  world: World,
  { chainId, owner, digest, signature }: { chainId: number; owner: string; digest: string; signature: string },
): Promise<boolean> => {
  const call = {
    chainId,
    to: owner,
    signature: 'function isValidSignature(bytes32 hash, bytes signature)',
    args: [digest, signature],
  }
  const result = await read(world, call)
  return result?.startsWith('0x1626ba7e') === true
}
