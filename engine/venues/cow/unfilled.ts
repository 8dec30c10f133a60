import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import type { UnfilledReader } from '../venue.ts'
import { ownUid } from './events.ts'
import { networkOf, SETTLEMENT } from './published.ts'

/** GPv2Settlement.sol: what was sold of an order so far. */
const FILLED_AMOUNT = parseAbi(['function filledAmount(bytes orderUid) view returns (uint256)'])

const ZERO = /^0x0{64}$/

/**
 * An order is unfilled while the settlement counts nothing as sold of it. Its owner may strike it out on chain, before it is
 * filled or after (`invalidateOrder`), and it reads as the greatest number from then on: what was filled before cannot be told
 * any more, so that is no sign of anything. An order of EthFlow can be struck out by nobody. https://docs.cow.fi/cow-protocol/reference/contracts/core/settlement
 */
export const createUnfilledReader = (chains: Pick<Chains, 'call'>): UnfilledReader => ({
  isUnfilled: async (swap, signal) => {
    const network = networkOf(swap.order.input.chainId)
    const uid = await ownUid(swap)
    if (network === null || uid === null) return false
    const data = await encodeCall(FILLED_AMOUNT, 'filledAmount', [uid])
    const answer = await chains.call({ chainId: network.chainId, address: SETTLEMENT }, data, signal)
    return answer !== null && ZERO.test(answer)
  },
})
