import { parseAbi } from 'abitype'
import { type Address, addressOf } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Chains } from '../chains.ts'
import { encodeCall } from './evmCodec.ts'

/** The same on every chain: https://docs.uniswap.org/contracts/permit2/overview */
export const PERMIT2 = addressOf('evm', '0x000000000022D473030F116dDEE9F6B43aC78BA3')

/** `src/SignatureTransfer.sol` of Uniswap/permit2: which of 256 nonces of a wallet are spent, by an order or by their owner. */
const NONCES = parseAbi(['function nonceBitmap(address owner, uint256 wordPos) view returns (uint256)'])

const WORD = /^0x[0-9a-f]{64}$/i

export type Permit2Nonce = { readonly chainId: EvmChainId; readonly owner: Address; readonly nonce: bigint }

/** Whether the chain shows a nonce of a wallet as unspent: it can be spent but once. Throws ChainError. */
export const isNonceUnspent = async (
  chains: Pick<Chains, 'call'>,
  { chainId, owner, nonce }: Permit2Nonce,
  signal: AbortSignal,
): Promise<boolean> => {
  const data = await encodeCall(NONCES, 'nonceBitmap', [owner, nonce >> 8n])
  const answer = await chains.call({ chainId, address: PERMIT2 }, data, signal)
  return answer !== null && WORD.test(answer) && ((BigInt(answer) >> (nonce & 255n)) & 1n) === 0n
}
