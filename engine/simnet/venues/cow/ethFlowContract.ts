import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { addressAt, bytesAt, uintAt, wordAt } from '../../kit/abiWords.ts'
import { callData } from '../../kit/callData.ts'
import { land } from '../../kit/payOut.ts'
import type { SimLog } from '../../kit/simVenue.ts'
import type { Book, SimOrder } from './book.ts'
import type { OrderData } from './digest.ts'
import { ETH_FLOW_CONTRACT } from './networks.ts'

/** An order that the contract placed. Addresses and UIDs in lower case. */
export type Placement = {
  readonly kind: 'placed'
  readonly sender: string
  readonly data: OrderData
  readonly quoteId: bigint
  /** The trader's own deadline, in Unix seconds; the order's is never. */
  readonly userValidTo: number
}

export type EthFlowEvent = Placement | { readonly kind: 'invalidated'; readonly uid: string }

/** ICoWSwapOnchainOrders.sol and ICoWSwapEthFlow.sol of https://github.com/cowprotocol/ethflowcontract */
const ORDER_PLACEMENT = keccakText(
  'OrderPlacement(address,(address,address,address,uint256,uint256,uint32,bytes32,uint256,bytes32,bool,bytes32,bytes32),(uint8,bytes),bytes)',
)
/** By the trader. */
const ORDER_INVALIDATION = keccakText('OrderInvalidation(bytes)')
/** By anyone, once it expired. */
const ORDER_REFUND = keccakText('OrderRefund(bytes,address)')

/** In words: the order is written out, then come the places of the signature and of the data. */
const DATA_PLACE = 13
const QUOTE_ID_DIGITS = 16
const VALID_TO_DIGITS = 8

const readPlacement = ({ topics, data }: SimLog): Placement => {
  const extra = bytesAt(data, DATA_PLACE)
  return {
    kind: 'placed',
    sender: `0x${topics[1]?.slice(26)}`,
    data: {
      sellToken: addressAt(data, 0),
      buyToken: addressAt(data, 1),
      receiver: addressAt(data, 2),
      sellAmount: uintAt(data, 3),
      buyAmount: uintAt(data, 4),
      validTo: Number(uintAt(data, 5)),
      appData: `0x${wordAt(data, 6)}`,
      feeAmount: uintAt(data, 7),
      partiallyFillable: uintAt(data, 9) === 1n,
    },
    quoteId: BigInt.asIntN(64, BigInt(`0x${extra.slice(0, QUOTE_ID_DIGITS)}`)),
    userValidTo: Number.parseInt(extra.slice(QUOTE_ID_DIGITS, QUOTE_ID_DIGITS + VALID_TO_DIGITS), 16),
  }
}

/** The events of the EthFlow contract among those of a transaction, in order. */
export const readEthFlowEvents = (logs: readonly SimLog[]): readonly EthFlowEvent[] =>
  logs.flatMap((log): readonly EthFlowEvent[] => {
    if (log.address.toLowerCase() !== ETH_FLOW_CONTRACT) return []
    const [topic] = log.topics
    if (topic === ORDER_PLACEMENT) return [readPlacement(log)]
    if (topic === ORDER_INVALIDATION || topic === ORDER_REFUND) return [{ kind: 'invalidated', uid: `0x${bytesAt(log.data, 0)}` }]
    return []
  })

/** Who sends coins back that nobody asked for; anyone may. */
const REFUNDER = '0x5e2f0fcd1b3a4c89d7e6a1b2c3d4e5f60718293a'

const INVALIDATE_ORDER = [
  'struct Order { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function invalidateOrder(Order order)',
]

/**
 * Sends the coins of an expired order back to the trader, by the contract. It is known by the contract's event, as is
 * everyone else's refund. Throws EvmRevert where the contract or the trader does not take it.
 */
export const refund = async ({ world, network }: Book, { data: orderData, ethFlow, outcome }: SimOrder): Promise<void> => {
  if (!ethFlow || ethFlow.refundTxHash !== null || outcome?.status === 'fulfilled') return
  const order = { ...orderData, validTo: ethFlow.userValidTo, quoteId: ethFlow.quoteId }
  const data = await callData(INVALIDATE_ORDER, [order])
  await land(world.evm, { chainId: network.chainId, from: REFUNDER, to: ETH_FLOW_CONTRACT, data })
}
