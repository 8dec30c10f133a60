import { callData } from '../../kit/callData.ts'
import { land } from '../../kit/payOut.ts'
import type { World } from '../../kit/world.ts'
import type { Book, SimOrder } from './book.ts'
import { ETH_FLOW_CONTRACT } from './networks.ts'

/** Who sends coins back that nobody asked for; anyone may. */
const REFUNDER = '0x5e2f0fcd1b3a4c89d7e6a1b2c3d4e5f60718293a'

/** CoWSwapEthFlow.sol of https://github.com/cowprotocol/ethflowcontract */
const INVALIDATE_ORDER = [
  'struct Order { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function invalidateOrder(Order order)',
]

/**
 * Sends the coins of an expired order back to the trader, by the contract. It is known by the contract's event, as is
 * everyone else's refund. Throws EvmRevert where the contract or the trader does not take it.
 */
export const refund = async (
  world: World,
  { network: { chainId } }: Book,
  { data: orderData, ethFlow, outcome }: SimOrder,
): Promise<void> => {
  if (!ethFlow || ethFlow.refundTxHash !== null || outcome?.status === 'fulfilled') return
  const order = { ...orderData, validTo: ethFlow.userValidTo, quoteId: ethFlow.quoteId }
  const data = await callData(INVALIDATE_ORDER, [order])
  await land(world.evm, { chainId, from: REFUNDER, to: ETH_FLOW_CONTRACT, data })
}
