import type { Chains } from '../../chains/chains.ts'
import { isNonceUnspent } from '../../chains/evm/permit2.ts'
import type { UnfilledReader } from '../venue.ts'
import { orderOf } from './events.ts'
import { networkOf } from './published.ts'

/**
 * An order is unfilled while Permit2 has not seen its nonce. Its signer may strike the nonce out, before the order is filled or
 * after: what a used nonce was used for only the Fill event tells, so that is no sign of anything.
 */
export const createUnfilledReader = (chains: Pick<Chains, 'call'>): UnfilledReader => ({
  isUnfilled: async (swap, signal) => {
    const network = networkOf(swap.order.input.chainId)
    const order = await orderOf(swap)
    if (network === null || order === null) return false
    return isNonceUnspent(chains, { chainId: network.chainId, owner: swap.order.sender, nonce: BigInt(order.nonce) }, signal)
  },
})
