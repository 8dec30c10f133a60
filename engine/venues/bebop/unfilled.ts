import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { UnfilledReader } from '../venue.ts'
import { JAM_SETTLE } from './abi.ts'
import { readMessage } from './jamOrder.ts'
import { JAM_SETTLEMENT } from './published.ts'

/** Before it would never end: JamValidation.sol keeps other books of the nonces of such orders. */
const LATER_S = 9_999_999_998n

/**
 * The settlement tells nobody which nonces were used: but it takes one of a taker that was not, and no other. An order of
 * nothing for nothing, tried in the taker's name, which needs no signature, therefore fails where the nonce was used, and only
 * there. src/base/JamValidation.sol of bebop-dex/bebop-jam-contracts
 */
export const createUnfilledReader = (chains: Pick<Chains, 'call' | 'code'>): UnfilledReader => ({
  isUnfilled: async ({ order, execution: { payload } }, signal) => {
    const { chainId } = order.input
    if (payload.executionType !== 'SIGNATURE' || !isEvmChainId(chainId)) return false
    const { taker, nonce } = readMessage(payload.typedData)
    const nothing = { sellTokens: [], buyTokens: [], sellAmounts: [], buyAmounts: [] }
    const terms = { expiry: LATER_S, exclusivityDeadline: 0n, executor: ZERO_EVM_ADDRESS, partnerInfo: 0n, usingPermit2: false }
    const trial = { taker, receiver: taker, nonce: BigInt(nonce), ...terms, ...nothing }
    const data = await encodeCall(JAM_SETTLE, 'settle', [trial, '0x', [], '0x', taker])
    const from = addressOf('evm', taker)
    const contract = { chainId, address: JAM_SETTLEMENT }
    const [code, answer] = await Promise.all([chains.code(contract, signal), chains.call({ ...contract, from }, data, signal)])
    return code !== '0x' && answer !== null
  },
})
