import { callData } from './callData.ts'
import type { World } from './world.ts'

/* What venues read of the chains beside them. */

/** What a contract answers; null where the chain is silent, as in benches that have none. */
const read = async (
  { evm }: World,
  to: string,
  chainId: number,
  call: readonly [signature: string, args: readonly unknown[]],
) => {
  const data = await callData(...call)
  try {
    const answer = await evm.rpc(chainId, 'eth_call', [{ to, data }, 'latest'])
    return typeof answer === 'string' && answer.length >= 66 ? answer : null
  } catch {
    return null
  }
}

const readNumber = async (...asked: Parameters<typeof read>): Promise<bigint | null> => {
  const answer = await read(...asked)
  return answer === null ? null : BigInt(answer.slice(0, 66))
}

type Owned = { readonly chainId: number; readonly token: string; readonly owner: string }

export const balanceOf = (world: World, { chainId, token, owner }: Owned): Promise<bigint | null> =>
  readNumber(world, token, chainId, ['function balanceOf(address owner)', [owner]])

export const allowanceOf = (world: World, { chainId, token, owner }: Owned, spender: string): Promise<bigint | null> =>
  readNumber(world, token, chainId, ['function allowance(address owner, address spender)', [owner, spender]])

/** Of EIP-2612; null where the token has no such thing. */
export const permitNonceOf = (world: World, { chainId, token, owner }: Owned): Promise<bigint | null> =>
  readNumber(world, token, chainId, ['function nonces(address owner)', [owner]])

export const hasCode = async ({ evm }: World, chainId: number, address: string): Promise<boolean> => {
  try {
    return (await evm.rpc(chainId, 'eth_getCode', [address, 'latest'])) !== '0x'
  } catch {
    return false
  }
}

/** EIP-1271: the selector itself is the yes. */
export const isAcceptedBy = async (
  world: World,
  chainId: number,
  owner: string,
  digest: string,
  signature: string,
): Promise<boolean> => {
  const call = ['function isValidSignature(bytes32 hash, bytes signature)', [digest, signature]] as const
  return (await read(world, owner, chainId, call))?.startsWith('0x1626ba7e') === true
}
