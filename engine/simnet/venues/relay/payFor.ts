import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import type { Payout } from '../../kit/payOut.ts'
import type { World } from '../../kit/world.ts'
import { networkOf } from './networks.ts'

/** RelayRouterV3.sol: without calls, what it is sent goes to `refundTo`. */
const MULTICALL = [
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
] as const

/**
 * Pays for an order as the oracle asks of a solver: by a transaction that names it, after the calldata, in a memo or in an
 * OP_RETURN output. `getSolverPaidAmount` of relayprotocol/relay-protocol-oracle; the live solver's transfers of April 2026
 * have it there as well: features/deposit-addresses.mdx of relayprotocol/relay-docs, `outTxs`.
 */
export const payFor = async (
  { evm, solana, bitcoin }: Pick<World, 'evm' | 'solana' | 'bitcoin'>,
  orderId: string,
  { token, to, amount }: Payout,
): Promise<string> => {
  const { chainId, address, isNative } = token
  const network = networkOf(chainId)
  if (network?.vm === 'svm') return solana.transfer({ token: address, to, amount, memo: orderId })
  if (network?.vm === 'bvm') return bitcoin.transfer({ to, amount, data: utf8ToBytes(orderId) })
  const call = isNative
    ? await callData(MULTICALL, [[], to, ZERO_EVM_ADDRESS, '0x'])
    : await callData(ERC20.transfer, [to, amount])
  const by = { to: (isNative ? network?.router : null) ?? address, data: `${call}${orderId.slice(2)}` }
  return evm.transfer({ chainId, token: address, to, amount, by })
}
