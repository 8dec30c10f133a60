import { parseAbi } from 'abitype'
import { addressOf } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'

/**
 * MetaAggregationRouterV2, which wallets call and allow: one address on all chains.
 * https://docs.kyberswap.com/kyberswap-solutions/kyberswap-aggregator/contracts
 */
export const ROUTER = addressOf('evm', '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5')

/** Chain names in paths. Source: "Supported Networks" of KyberNetwork/kyberswap-documentation, 2026-08-21. */
export const SLUGS: { readonly [chainId in ChainId]?: string } = {
  1: 'ethereum',
  10: 'optimism',
  56: 'bsc',
  130: 'unichain',
  137: 'polygon',
  143: 'monad',
  999: 'hyperevm',
  4663: 'robinhood',
  8453: 'base',
  42161: 'arbitrum',
  43114: 'avalanche',
  59144: 'linea',
}

/** `swap` of MetaAggregationRouterV2: the only function of it in live answers. */
export const SWAP_ABI = parseAbi([
  'struct Description { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct Execution { address callTarget; address approveTarget; bytes targetData; Description desc; bytes clientData; }',
  'function swap(Execution execution) payable returns (uint256 returnAmount, uint256 gasUsed)',
])

/** Of MetaAggregationRouterV2, without indexed fields: logged in this order at the end of a swap, with one more event between. */
export const SWAPPED = parseAbi([
  'event Swapped(address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
])
export const CLIENT_DATA = parseAbi(['event ClientData(bytes clientData)'])
