import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import type { UnfilledReader } from '../venue.ts'
import { chainIn, PERMIT2 } from './published.ts'
import { tradeMessageShape } from './wire.ts'

/** `src/SignatureTransfer.sol` of Uniswap/permit2: which of 256 nonces of a wallet are spent, by a trade or by their owner. */
const NONCES = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])

const WORD = /^0x[0-9a-f]{64}$/i

/** A trade takes its input by a nonce of its signer's, which can be spent but once. */
export const createUnfilledReader = (chains: Pick<Chains, 'call'>): UnfilledReader => ({
  isUnfilled: async ({ order, execution: { payload } }, signal) => {
    const chainId = chainIn(order)
    if (chainId === null || payload.executionType !== 'SIGNATURE') return false
    const nonce = BigInt(tradeMessageShape.read(payload.typedData.message).nonce)
    const data = await encodeCall(NONCES, 'nonceBitmap', [order.sender, nonce >> 8n])
    const answer = await chains.call({ chainId, address: PERMIT2 }, data, signal)
    return answer !== null && WORD.test(answer) && ((BigInt(answer) >> (nonce & 255n)) & 1n) === 0n
  },
})
