import { parseAbi } from 'abitype'
import { encodeCall, keccakText } from '../../../chains/evm/evmCodec.ts'
import { ETH_FLOW_ORDER } from '../../../venues/cow/protocol.ts'
import { addressAt, bytesAt, uintAt, wordAt, wordOf } from '../../kit/abiWords.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { land } from '../../kit/payOut.ts'
import type { SimLog } from '../../kit/simVenue.ts'
import { keccakBytes } from '../../kit/typedHash.ts'
import { type Book, COW_SOLVER, ETH_FLOW, type OrderData, RELAYER, SETTLEMENT, type SimOrder } from './book.ts'

/* What the contracts of the venue do. https://github.com/cowprotocol/contracts, https://github.com/cowprotocol/ethflowcontract */

const SETTLE = parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
])
const WRAP_ALL = keccakText('wrapAll()').slice(0, 10)

/** GPv2Trade: bits 5 and 6 of the flags; all others are zero in our orders. */
const EIP_1271 = 2n << 5n

/** The settlement contract pays out of what it holds; the solver brings what is missing. */
const bringStock = async ({ world: { evm }, network: { chainId } }: Book, token: string, amount: bigint): Promise<void> => {
  const held = await evm.balance(chainId, token, SETTLEMENT)
  if (held < amount) await evm.fund({ chainId, token, holder: SETTLEMENT, amount: amount - held })
}

/** Settles an order by the settlement contract. Throws EvmRevert where a contract refuses, as for want of an allowance. */
export const settleOrder = async (book: Book, order: SimOrder, buyAmount: bigint): Promise<SimOrder['outcome']> => {
  const { data, ethFlow, signingScheme, signature, owner } = order
  const isByContract = signingScheme === 'eip1271'
  const trade = {
    ...data,
    ...{ sellTokenIndex: 0n, buyTokenIndex: 1n, feeAmount: 0n, flags: isByContract ? EIP_1271 : 0n, executedAmount: 0n },
    // A contract is named in front of its signature.
    signature: isByContract ? `${owner}${signature.slice(2)}` : signature,
  }
  const wrap = { target: ETH_FLOW, value: 0n, callData: WRAP_ALL }
  // At these prices all of the one is worth exactly the wanted amount of the other.
  const prices = [buyAmount, data.sellAmount]
  const args = [[data.sellToken, data.buyToken], prices, [trade], [ethFlow ? [wrap] : [], [], []]]
  await bringStock(book, data.buyToken, buyAmount)
  const call = { chainId: book.network.chainId, from: COW_SOLVER, to: SETTLEMENT }
  const { txHash } = await land(book.world.evm, { ...call, data: await encodeCall(SETTLE, 'settle', args) })
  return { status: 'fulfilled', buyAmount, txHash }
}

/** GPv2Settlement.sol: `filledAmount`, by the UID, after `preSignature` and the guard against reentrancy. */
const FILLED_AMOUNT_SLOT = 2n

/** Takes all that was sold and pays less than was signed, as if the contract were broken. Throws as settleOrder. */
export const settleShort = async (book: Book, order: SimOrder, amount: bigint): Promise<SimOrder['outcome']> => {
  const { evm } = book.world
  const { chainId } = book.network
  const { sellToken, buyToken: token, sellAmount, receiver } = order.data
  const taken = await callData(ERC20.transferFrom, [order.owner, SETTLEMENT, sellAmount])
  if (order.ethFlow) await land(evm, { chainId, from: COW_SOLVER, to: ETH_FLOW, data: WRAP_ALL })
  await land(evm, { chainId, from: RELAYER, to: sellToken, data: taken })
  const slot = keccakBytes(`${order.uid}${wordOf(FILLED_AMOUNT_SLOT)}`)
  await evm.rpc(chainId, 'anvil_setStorageAt', [SETTLEMENT, slot, `0x${wordOf(sellAmount)}`])
  const txHash = await evm.transfer({ chainId, token, to: receiver, amount })
  return { status: 'fulfilled', buyAmount: amount, txHash }
}

export const INVALIDATE_ORDER = parseAbi([ETH_FLOW_ORDER, 'function invalidateOrder(EthFlowOrder order)'])

/** Who returns the coins of an expired order; anyone may. */
const REFUNDER = '0x5e2f0fcd1b3a4c89d7e6a1b2c3d4e5f60718293a'

/** Returns the coins of an expired order to its sender. Throws EvmRevert where the contract or the sender refuses. */
export const refund = async ({ world, network }: Book, { data, ethFlow, outcome }: SimOrder): Promise<void> => {
  if (!ethFlow || ethFlow.refundTxHash !== null || outcome?.status === 'fulfilled') return
  const order = { ...data, validTo: ethFlow.userValidTo, quoteId: ethFlow.quoteId, feeAmount: 0n, partiallyFillable: false }
  const call = await encodeCall(INVALIDATE_ORDER, 'invalidateOrder', [order])
  await land(world.evm, { chainId: network.chainId, from: REFUNDER, to: ETH_FLOW, data: call })
}

const ORDER_PLACEMENT = keccakText(
  'OrderPlacement(address,(address,address,address,uint256,uint256,uint32,bytes32,uint256,bytes32,bool,bytes32,bytes32),(uint8,bytes),bytes)',
)
const ENDS: readonly (string | undefined)[] = ['OrderInvalidation(bytes)', 'OrderRefund(bytes,address)'].map(keccakText)

/** In words: the order is written out, then come the places of the signature and of the data. */
const DATA_PLACE = 13

const readPlacement = ({ topics, data }: SimLog) => {
  const extra = bytesAt(data, DATA_PLACE)
  const order: OrderData = {
    ...{ sellToken: addressAt(data, 0), buyToken: addressAt(data, 1), receiver: addressAt(data, 2) },
    ...{ sellAmount: uintAt(data, 3), buyAmount: uintAt(data, 4), validTo: Number(uintAt(data, 5)) },
    appData: `0x${wordAt(data, 6)}`,
  }
  const quoteId = BigInt.asIntN(64, BigInt(`0x${extra.slice(0, 16)}`))
  // The sender's own deadline, in Unix seconds.
  const userValidTo = Number.parseInt(extra.slice(16), 16)
  return { data: order, sender: `0x${topics[1]?.slice(26)}`, quoteId, userValidTo }
}
export type Placement = ReturnType<typeof readPlacement>

/** The orders that EthFlow placed in a transaction, and the UIDs of those that it ended. */
export const readEthFlow = (logs: readonly SimLog[]) => {
  const own = logs.filter(({ address }) => address.toLowerCase() === ETH_FLOW)
  return {
    placed: own.filter(({ topics }) => topics[0] === ORDER_PLACEMENT).map(readPlacement),
    ended: own.filter(({ topics }) => ENDS.includes(topics[0])).map(({ data }) => `0x${bytesAt(data, 0)}`),
  }
}
