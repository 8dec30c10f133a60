import { parseEvmAddress } from '../../core/address.ts'
import { wordOf } from '../kit/abiWords.ts'
import type { SimLog } from '../kit/simVenue.ts'
import type { SimToken } from '../kit/tokens.ts'
import type { SimCall, SimReceipt } from '../kit/world.ts'
import { type AnvilNode, AnvilRpcError, asRevert } from './anvilNode.ts'

/** Who pays for the venues. */
export const TREASURY = '0x3550999d755458E47cae191732B711a729A9b83b'

const TRANSFER = '0xa9059cbb'
const BALANCE_OF = '0x70a08231'

/** Wei; well above the base fee of any block here. */
const GAS_PRICE = 10n ** 10n
const SPARE_GAS = 2_000_000n
/** For a call that is going to fail. */
const FAILING_GAS = 3_000_000n

type RawReceipt = {
  readonly transactionHash: string
  readonly blockNumber: string
  readonly blockTimestamp: string | number
  readonly status: string
  readonly gasUsed: string
  readonly effectiveGasPrice: string
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

const toLog = ({ address, topics, data }: RawReceipt['logs'][number]): SimLog => ({
  address: parseEvmAddress(address.toLowerCase()) ?? address,
  topics,
  data,
})

const toReceipt = ({ transactionHash, blockNumber, blockTimestamp, status, logs }: RawReceipt): SimReceipt => ({
  txHash: transactionHash,
  blockNumber: Number(blockNumber),
  timestamp: Number(blockTimestamp),
  status: status === '0x1' ? 'success' : 'reverted',
  logs: logs.map(toLog),
})

export const readReceipt = async (node: AnvilNode, txHash: string): Promise<SimReceipt | null> => {
  const receipt = (await node.rpc('eth_getTransactionReceipt', [txHash])) as RawReceipt | null
  return receipt && toReceipt(receipt)
}

export const readBalance = async (node: AnvilNode, token: SimToken, owner: string): Promise<bigint> => {
  const held = token.isNative
    ? await node.rpc('eth_getBalance', [owner, 'latest'])
    : await node.rpc('eth_call', [{ to: token.address, data: `${BALANCE_OF}${wordOf(owner)}` }, 'latest'])
  return BigInt(held as string)
}

/** The treasury's payment of a token or the coin. */
export const transferCall = ({ chainId, address, isNative }: SimToken, to: string, amount: bigint): SimCall =>
  isNative
    ? { chainId, from: TREASURY, to, data: '0x', value: amount }
    : { chainId, from: TREASURY, to: address, data: `${TRANSFER}${wordOf(to)}${wordOf(amount)}` }

const changeCoins = async (node: AnvilNode, holder: string, change: bigint): Promise<void> => {
  const held = BigInt((await node.rpc('eth_getBalance', [holder, 'latest'])) as string)
  await node.rpc('anvil_setBalance', [holder, hex(held + change)])
}

const gasOf = async (node: AnvilNode, transaction: object): Promise<bigint> => {
  try {
    const estimate = BigInt((await node.rpc('eth_estimateGas', [transaction, 'latest', {}, { baseFee: '0x0' }])) as string)
    // The least that worked may be too little for an inner call whose failure the outer one forgives.
    return estimate + SPARE_GAS
  } catch (error) {
    if (error instanceof AnvilRpcError && error.data !== null) return FAILING_GAS
    throw asRevert(error)
  }
}

/**
 * Sends a transaction as any account and gives its receipt. The gas is lent for the time of the transaction and what is
 * left of it taken back, so the sender's coins change by the value alone: one at a time per node. Throws EvmRevert where
 * the chain itself refuses it, as for want of coins.
 */
export const landTransaction = async (node: AnvilNode, { from, to, data, value = 0n }: SimCall): Promise<SimReceipt> => {
  const transaction = { from, to, data, value: hex(value) }
  const gas = await gasOf(node, transaction)
  const lent = gas * GAS_PRICE
  await node.rpc('anvil_impersonateAccount', [from])
  await changeCoins(node, from, lent)
  let spent = 0n
  try {
    const priced = { ...transaction, gas: hex(gas), gasPrice: hex(GAS_PRICE) }
    const receipt = (await node.rpc('eth_sendTransactionSync', [priced])) as RawReceipt
    spent = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    return toReceipt(receipt)
  } catch (error) {
    throw asRevert(error)
  } finally {
    await changeCoins(node, from, spent - lent)
    await node.rpc('anvil_stopImpersonatingAccount', [from])
  }
}
