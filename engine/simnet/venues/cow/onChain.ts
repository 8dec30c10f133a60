import { callData } from '../../kit/callData.ts'
import type { Book } from './book.ts'
import { VAULT_RELAYER_CONTRACT } from './networks.ts'

/** The result of a read-only call; null when the chain does not answer or has no such contract. */
const read = async (book: Book, to: string, signature: string, args: readonly string[]): Promise<string | null> => {
  const data = await callData(signature, args)
  try {
    const result = await book.world.evm.rpc(book.network.chainId, 'eth_call', [{ to, data }, 'latest'])
    return typeof result === 'string' && result.length >= 66 ? result : null
  } catch {
    // A book without a chain beside it (as in adapter tests) takes every order as covered.
    return null
  }
}

/** Whether a token's answer, in smallest units, is known to be less than what is needed: not where the chain is silent. */
const isLess = (answer: string | null, needed: bigint): boolean => answer !== null && BigInt(answer) < needed

export const lacksBalance = async (book: Book, token: string, owner: string, needed: bigint): Promise<boolean> =>
  isLess(await read(book, token, 'function balanceOf(address owner)', [owner]), needed)

/** Of what the vault relayer may take. */
export const lacksAllowance = async (book: Book, token: string, owner: string, needed: bigint): Promise<boolean> => {
  const args = [owner, VAULT_RELAYER_CONTRACT]
  return isLess(await read(book, token, 'function allowance(address owner, address spender)', args), needed)
}

/** EIP-1271: the selector itself is the yes. */
export const isContractSignature = async (book: Book, owner: string, digest: string, signature: string): Promise<boolean> => {
  const result = await read(book, owner, 'function isValidSignature(bytes32 hash, bytes signature)', [digest, signature])
  return result?.startsWith('0x1626ba7e') === true
}
