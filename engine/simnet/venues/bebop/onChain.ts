import { callData } from '../../kit/callData.ts'
import type { Desk } from './desk.ts'
import { refusing } from './refusal.ts'

/** The result of a read-only call; null when the chain does not answer, as where there is none, or has no such contract. */
const read = async ({ world, network }: Desk, to: string, signature: string, args: readonly string[]): Promise<string | null> => {
  const data = await callData(signature, args)
  try {
    const result = await world.evm.rpc(network.chainId, 'eth_call', [{ to, data }, 'latest'])
    return typeof result === 'string' && result.length >= 66 ? result : null
  } catch {
    return null
  }
}

type Cover = { readonly token: string; readonly owner: string; readonly spender: string; readonly amount: bigint }

/** Refuses a taker who has less than is sold, or allows less of it. What no chain tells is taken as enough. */
export const checkCover = async (desk: Desk, { token, owner, spender, amount }: Cover): Promise<void> => {
  const isLess = (answer: string | null): boolean => answer !== null && BigInt(answer) < amount
  const held = await read(desk, token, 'function balanceOf(address owner)', [owner])
  if (isLess(held)) throw refusing(204, 'taker has insufficient balance')
  const allowed = await read(desk, token, 'function allowance(address owner, address spender)', [owner, spender])
  if (isLess(allowed)) throw refusing(205, 'taker has insufficient approval')
}

/** EIP-1271: the selector itself is the yes. */
export const isContractSignature = async (desk: Desk, owner: string, digest: string, signature: string): Promise<boolean> => {
  const result = await read(desk, owner, 'function isValidSignature(bytes32 hash, bytes signature)', [digest, signature])
  return result?.startsWith('0x1626ba7e') === true
}
