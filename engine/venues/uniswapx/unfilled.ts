import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import type { UnfilledReader } from '../venue.ts'
import { orderOf } from './events.ts'
import { networkOf, PERMIT2 } from './published.ts'

/** src/SignatureTransfer.sol of Uniswap/permit2: the bits of the nonces that were used, 256 to a word. */
const NONCES = parseAbi(['function nonceBitmap(address owner, uint256 wordPos) view returns (uint256)'])

const WORD = /^0x[0-9a-fA-F]{64}$/

/**
 * An order is unfilled while Permit2 has not seen its nonce. Its signer may strike the nonce out, before the order is filled or
 * after: what a used nonce was used for only the Fill event tells, so that is no sign of anything.
 */
export const createUnfilledReader = (chains: Pick<Chains, 'call'>): UnfilledReader => ({
  isUnfilled: async (swap, signal) => {
    const network = networkOf(swap.order.input.chainId)
    const order = await orderOf(swap)
    if (network === null || order === null) return false
    const nonce = BigInt(order.nonce)
    const data = await encodeCall(NONCES, 'nonceBitmap', [swap.order.sender, nonce >> 8n])
    const answer = await chains.call({ chainId: network.chainId, address: PERMIT2 }, data, signal)
    return answer !== null && WORD.test(answer) && ((BigInt(answer) >> (nonce & 255n)) & 1n) === 0n
  },
})
