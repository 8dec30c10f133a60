import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { callWithTime } from '../../chains/evm/timedCall.ts'
import { addressOf } from '../../core/address.ts'
import { type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Payload } from '../../core/execution.ts'
import type { UnfilledReader } from '../venue.ts'
import { readMessage } from './jamOrder.ts'
import { JAM_SETTLE, NONCE_VALID } from './protocol.ts'
import { expiryOf, routerOrderOf } from './routerOrder.ts'

/** Before the value for "never": JamValidation.sol stores the nonces of such orders elsewhere. */
const LATER_S = 9_999_999_998n

type Read = { readonly payload: Payload; readonly chainId: EvmChainId; readonly signal: AbortSignal }

/**
 * JAM has no view of used nonces, but accepts each nonce of a taker once only. An empty order in the taker's name needs no
 * signature and fails when the nonce was used. Until the order's own end it is exclusive to an executor that never calls, so it
 * fails in every earlier block, too. src/base/JamValidation.sol
 */
const isUnsettled = async (chains: Pick<Chains, 'call' | 'code'>, { payload, chainId, signal }: Read): Promise<boolean> => {
  if (payload.executionType !== 'SIGNATURE') return false
  const { taker, nonce, expiry } = readMessage(payload.typedData)
  const contract = { chainId, address: addressOf('evm', payload.typedData.domain.verifyingContract ?? '') }
  const nothing = { sellTokens: [], buyTokens: [], sellAmounts: [], buyAmounts: [], partnerInfo: 0n, usingPermit2: false }
  const times = { expiry: LATER_S, exclusivityDeadline: BigInt(expiry), executor: contract.address }
  const trial = { taker, receiver: taker, nonce: BigInt(nonce), ...times, ...nothing }
  const data = await encodeCall(JAM_SETTLE, 'settle', [trial, '0x', [], '0x', taker])
  const tried = chains.call({ ...contract, from: addressOf('evm', taker) }, data, signal)
  const [code, answer] = await Promise.all([chains.code(contract, signal), tried])
  return code !== '0x' && answer !== null
}

const YES = /^0x0{63}1$/

export const createUnfilledReader = (chains: Pick<Chains, 'call' | 'code'>): UnfilledReader => ({
  isUnfilled: async ({ order: { input, sender }, execution: { payload } }, signal) => {
    const { chainId } = input
    if (!isEvmChainId(chainId)) return false
    const routed = await routerOrderOf(payload)
    if (routed === null || payload.executionType !== 'TRANSACTION') return isUnsettled(chains, { payload, chainId, signal })
    // The router records nonces by user. For an order that any user may fill, this user's nonce proves nothing.
    if (routed.tokensOwner !== sender) return false
    const data = await encodeCall(NONCE_VALID, 'isNonceValid', [sender, routed.routerNonce])
    const found = await callWithTime(chains, { chainId, address: payload.transaction.to }, data, signal)
    return found !== null && YES.test(found.answer) && found.at > Number(expiryOf(routed)) * 1_000
  },
})
