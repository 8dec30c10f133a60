import { encodeCall, keccakText } from '../../../chains/evm/evmCodec.ts'
import { wordOf } from '../../contracts/accountOf.ts'
import { COW_SOLVER } from '../../contracts/cowContracts.ts'
import type { SimCall, SimReceipt, World } from '../../kit/world.ts'
import type { Book, SimOrder, SimTrade } from './book.ts'
import { bytesAt } from './ethFlowEvents.ts'
import { ETH_FLOW_CONTRACT, NATIVE_MARKER, SETTLEMENT_CONTRACT, VAULT_RELAYER_CONTRACT, ZERO_ADDRESS } from './networks.ts'

/** GPv2Trade.Data and GPv2Interaction.Data of https://github.com/cowprotocol/contracts */
const TRADE_FIELDS = [
  { name: 'sellTokenIndex', type: 'uint256' },
  { name: 'buyTokenIndex', type: 'uint256' },
  { name: 'receiver', type: 'address' },
  { name: 'sellAmount', type: 'uint256' },
  { name: 'buyAmount', type: 'uint256' },
  { name: 'validTo', type: 'uint32' },
  { name: 'appData', type: 'bytes32' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'flags', type: 'uint256' },
  { name: 'executedAmount', type: 'uint256' },
  { name: 'signature', type: 'bytes' },
] as const
const INTERACTION_FIELDS = [
  { name: 'target', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'callData', type: 'bytes' },
] as const
const SETTLE = [
  {
    type: 'function',
    name: 'settle',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'tokens', type: 'address[]' },
      { name: 'clearingPrices', type: 'uint256[]' },
      { name: 'trades', type: 'tuple[]', components: TRADE_FIELDS },
      { name: 'interactions', type: 'tuple[][3]', components: INTERACTION_FIELDS },
    ],
    outputs: [],
  },
] as const
const TRADE = keccakText('Trade(address,address,address,uint256,uint256,uint256,bytes)')
const WRAP_ALL = keccakText('wrapAll()').slice(0, 10)
const TRANSFER = '0xa9059cbb'
const TRANSFER_FROM = '0x23b872dd'

/** GPv2Trade: bits 5 and 6 of the flags; all others are zero in fill-or-kill sell orders of ERC-20 balances. */
const SCHEME_FLAGS: { readonly [scheme: string]: bigint } = {
  eip712: 0n,
  ethsign: 1n << 5n,
  eip1271: 2n << 5n,
  presign: 3n << 5n,
}

/** Contracts are named in front of what they sign. */
const signatureOf = ({ signingScheme, signature, owner }: SimOrder): string =>
  signingScheme === 'eip1271' || signingScheme === 'presign' ? `${owner}${signature.slice(2)}` : signature

const settleCall = async ({ network: { chainId } }: Book, order: SimOrder, buyAmount: bigint): Promise<SimCall> => {
  const { data, ethFlow, signingScheme } = order
  const trade = {
    ...data,
    sellTokenIndex: 0n,
    buyTokenIndex: 1n,
    flags: SCHEME_FLAGS[signingScheme] ?? 0n,
    executedAmount: 0n,
    signature: signatureOf(order),
  }
  const wrap = { target: ETH_FLOW_CONTRACT, value: 0n, callData: WRAP_ALL }
  // At these prices all of the one is worth exactly the wanted amount of the other.
  const prices = [buyAmount, data.sellAmount]
  const args = [[data.sellToken, data.buyToken], prices, [trade], [ethFlow ? [wrap] : [], [], []]]
  return { chainId, from: COW_SOLVER, to: SETTLEMENT_CONTRACT, data: await encodeCall(SETTLE, 'settle', args) }
}

/** The settlement contract pays out of what it holds; the solver brings what is missing. */
const bringStock = async ({ evm }: World, chainId: number, token: string, amount: bigint): Promise<void> => {
  const held = await evm.balance(chainId, token, SETTLEMENT_CONTRACT)
  if (held < amount) await evm.fund({ chainId, token, holder: SETTLEMENT_CONTRACT, amount: amount - held })
}

const land = async ({ evm }: World, call: SimCall): Promise<SimReceipt> => {
  await evm.call(call)
  const receipt = await evm.send(call)
  if (receipt.status === 'reverted') throw new Error(`the transaction ${receipt.txHash} reverted`)
  return receipt
}

/**
 * Settles an order by the settlement contract, which takes what was sold, holds the solver to the signature and pays the
 * receiver; gives what its event tells. Throws EvmRevert where a contract refuses, as for want of an allowance.
 */
export const settleOrder = async (world: World, book: Book, order: SimOrder, buyAmount: bigint): Promise<SimTrade> => {
  await bringStock(world, book.network.chainId, order.data.buyToken, buyAmount)
  const { logs, blockNumber, txHash } = await land(world, await settleCall(book, order, buyAmount))
  const logIndex = logs.findIndex(
    ({ address, topics, data }) =>
      address.toLowerCase() === SETTLEMENT_CONTRACT && topics[0] === TRADE && `0x${bytesAt(data, 5)}` === order.uid,
  )
  const data = logs[logIndex]?.data
  if (data === undefined) throw new Error(`the settlement ${txHash} traded nothing`)
  return { blockNumber, logIndex, buyAmount: BigInt(`0x${data.slice(2 + 3 * 64, 2 + 4 * 64)}`), txHash }
}

/**
 * Takes all that was sold and pays less than was signed. The contract refuses to, so its accounts are used behind its
 * back: what would be left of an order if it were broken. Throws as settleOrder.
 */
export const settleShort = async (world: World, book: Book, order: SimOrder, buyAmount: bigint): Promise<SimTrade> => {
  const { chainId } = book.network
  const { sellToken, buyToken, sellAmount } = order.data
  const receiver = order.data.receiver === ZERO_ADDRESS ? order.owner : order.data.receiver
  const take: SimCall = {
    chainId,
    from: VAULT_RELAYER_CONTRACT,
    to: sellToken,
    data: `${TRANSFER_FROM}${wordOf(order.owner)}${wordOf(SETTLEMENT_CONTRACT)}${wordOf(sellAmount.toString(16))}`,
  }
  const from = SETTLEMENT_CONTRACT
  const give: SimCall =
    buyToken === NATIVE_MARKER
      ? { chainId, from, to: receiver, data: '0x', value: buyAmount }
      : { chainId, from, to: buyToken, data: `${TRANSFER}${wordOf(receiver)}${wordOf(buyAmount.toString(16))}` }
  if (order.ethFlow) await land(world, { chainId, from: COW_SOLVER, to: ETH_FLOW_CONTRACT, data: WRAP_ALL })
  await bringStock(world, chainId, buyToken, buyAmount)
  await world.evm.call(give)
  await land(world, take)
  const { blockNumber, txHash } = await land(world, give)
  return { blockNumber, logIndex: 0, buyAmount, txHash }
}
