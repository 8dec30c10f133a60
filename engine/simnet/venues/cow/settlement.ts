import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { land } from '../../kit/payOut.ts'
import type { SimCall } from '../../kit/world.ts'
import type { Book, SimOrder, SimTrade } from './book.ts'
import {
  COW_SOLVER,
  ETH_FLOW_CONTRACT,
  NATIVE_MARKER,
  SETTLEMENT_CONTRACT,
  VAULT_RELAYER_CONTRACT,
  ZERO_ADDRESS,
} from './networks.ts'

/** GPv2Trade.Data and GPv2Interaction.Data of https://github.com/cowprotocol/contracts */
const SETTLE = [
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
]
const WRAP_ALL = keccakText('wrapAll()').slice(0, 10)

/** GPv2Trade: bits 5 and 6 of the flags; all others are zero in fill-or-kill sell orders of ERC-20 balances. */
const EIP_1271 = 2n << 5n

const settleCall = async ({ network: { chainId } }: Book, order: SimOrder, buyAmount: bigint): Promise<SimCall> => {
  const { data, ethFlow, signingScheme, signature, owner } = order
  const isByContract = signingScheme === 'eip1271'
  const trade = {
    ...data,
    sellTokenIndex: 0n,
    buyTokenIndex: 1n,
    flags: isByContract ? EIP_1271 : 0n,
    executedAmount: 0n,
    // Contracts are named in front of what they sign.
    signature: isByContract ? `${owner}${signature.slice(2)}` : signature,
  }
  const wrap = { target: ETH_FLOW_CONTRACT, value: 0n, callData: WRAP_ALL }
  // At these prices all of the one is worth exactly the wanted amount of the other.
  const prices = [buyAmount, data.sellAmount]
  const args = [[data.sellToken, data.buyToken], prices, [trade], [ethFlow ? [wrap] : [], [], []]]
  return { chainId, from: COW_SOLVER, to: SETTLEMENT_CONTRACT, data: await callData(SETTLE, args) }
}

/** The settlement contract pays out of what it holds; the solver brings what is missing. */
const bringStock = async ({ world: { evm }, network: { chainId } }: Book, token: string, amount: bigint): Promise<void> => {
  const held = await evm.balance(chainId, token, SETTLEMENT_CONTRACT)
  if (held < amount) await evm.fund({ chainId, token, holder: SETTLEMENT_CONTRACT, amount: amount - held })
}

/**
 * Settles an order by the settlement contract, which takes what was sold, holds the solver to the signature and pays the
 * receiver. Throws EvmRevert where a contract refuses, as for want of an allowance.
 */
export const settleOrder = async (book: Book, order: SimOrder, buyAmount: bigint): Promise<SimTrade> => {
  await bringStock(book, order.data.buyToken, buyAmount)
  const { blockNumber, txHash } = await land(book.world.evm, await settleCall(book, order, buyAmount))
  return { blockNumber, logIndex: 0, buyAmount, txHash }
}

/** GPv2Settlement.sol: `filledAmount`, by the UID, after `preSignature` and the guard against reentrancy. */
const FILLED_AMOUNT_SLOT = 2n

/** Has the settlement contract count an order as sold in full. */
const countAsFilled = async ({ world: { evm }, network: { chainId } }: Book, { uid, data }: SimOrder): Promise<void> => {
  const slot = keccak_256(hexToBytes(`${uid.slice(2)}${wordOf(FILLED_AMOUNT_SLOT)}`))
  const sold = `0x${wordOf(data.sellAmount)}`
  await evm.rpc(chainId, 'anvil_setStorageAt', [SETTLEMENT_CONTRACT, `0x${bytesToHex(slot)}`, sold])
}

/**
 * Takes all that was sold and pays less than was signed. The contract refuses to, so its accounts are used behind its
 * back: what would be left of an order if it were broken. Throws as settleOrder.
 */
export const settleShort = async (book: Book, order: SimOrder, buyAmount: bigint): Promise<SimTrade> => {
  const { evm } = book.world
  const { chainId } = book.network
  const { sellToken, buyToken, sellAmount } = order.data
  const receiver = order.data.receiver === ZERO_ADDRESS ? order.owner : order.data.receiver
  const taking = await callData(ERC20.transferFrom, [order.owner, SETTLEMENT_CONTRACT, sellAmount])
  const take: SimCall = { chainId, from: VAULT_RELAYER_CONTRACT, to: sellToken, data: taking }
  const from = SETTLEMENT_CONTRACT
  const give: SimCall =
    buyToken === NATIVE_MARKER
      ? { chainId, from, to: receiver, data: '0x', value: buyAmount }
      : { chainId, from, to: buyToken, data: await callData(ERC20.transfer, [receiver, buyAmount]) }
  if (order.ethFlow) await land(evm, { chainId, from: COW_SOLVER, to: ETH_FLOW_CONTRACT, data: WRAP_ALL })
  await bringStock(book, buyToken, buyAmount)
  await evm.call(give)
  await land(evm, take)
  await countAsFilled(book, order)
  const { blockNumber, txHash } = await land(evm, give)
  return { blockNumber, logIndex: 0, buyAmount, txHash }
}
