import type { Address } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { Chains } from '../chains.ts'
import { decodeAggregate3, encodeAggregate3, MULTICALL3_ADDRESSES } from './multicall3.ts'

/** `getCurrentBlockTimestamp()` of Multicall3. */
const BLOCK_TIME: Hex = '0x0f28c97d'
const WORD = /^0x[0-9a-f]{64}$/i

/** The result of a contract call, and the time of its block, epoch ms. */
export type TimedAnswer = { readonly answer: Hex; readonly at: number }

/**
 * Calls a contract of an EVM chain at the latest block of the node that answers. The same call reads that block's time: another
 * node may be further. Null where there is no answer, or no time. Throws ChainError.
 */
export const callWithTime = async (
  chains: Pick<Chains, 'call'>,
  { chainId, address }: { readonly chainId: EvmChainId; readonly address: Address },
  data: Hex,
  signal: AbortSignal,
): Promise<TimedAnswer | null> => {
  const multicall = MULTICALL3_ADDRESSES[chainId]
  const calls = [
    { target: multicall, data: BLOCK_TIME },
    { target: address, data },
  ]
  const found = await chains.call({ chainId, address: multicall as Address }, encodeAggregate3(calls), signal)
  const [time = null, answer = null] = decodeAggregate3(found, calls.length) ?? []
  const seconds = time !== null && WORD.test(time) ? Number(time) : Number.NaN
  return answer !== null && Number.isSafeInteger(seconds * 1_000) ? { answer, at: seconds * 1_000 } : null
}
