import { wordOf } from '../../contracts/accountOf.ts'
import type { World } from '../../kit/world.ts'
import type { Book, SimOrder } from './book.ts'
import { ETH_FLOW_CONTRACT } from './networks.ts'

/** Who sends coins back that nobody asked for; anyone may. */
const REFUNDER = '0x5e2f0fcd1b3a4c89d7e6a1b2c3d4e5f60718293a'

const INVALIDATE_ORDER = '0x7bc41b96'

const int64Word = (value: bigint): string => wordOf(BigInt.asUintN(256, value).toString(16))
const uintWord = (value: bigint | number): string => wordOf(value.toString(16))

/**
 * Sends the coins of an expired order back to the trader, by the contract. It is known by the contract's event, as is
 * everyone else's refund. Throws EvmRevert where the contract or the trader does not take it.
 */
export const refund = async (
  world: World,
  { network: { chainId } }: Book,
  { data, ethFlow, outcome }: SimOrder,
): Promise<void> => {
  if (!ethFlow || ethFlow.refundTxHash !== null || outcome?.status === 'fulfilled') return
  const words = [
    wordOf(data.buyToken),
    wordOf(data.receiver),
    uintWord(data.sellAmount),
    uintWord(data.buyAmount),
    wordOf(data.appData),
    uintWord(data.feeAmount),
    uintWord(ethFlow.userValidTo),
    uintWord(data.partiallyFillable ? 1 : 0),
    int64Word(ethFlow.quoteId),
  ]
  const call = { chainId, from: REFUNDER, to: ETH_FLOW_CONTRACT, data: `${INVALIDATE_ORDER}${words.join('')}` }
  await world.evm.call(call)
  const { status, txHash } = await world.evm.send(call)
  if (status === 'reverted') throw new Error(`the refund ${txHash} reverted`)
}
