import { standsIn } from '../../chains/evm/standsIn.ts'
import type { SeenTransaction } from '../../chains/seen.ts'
import type { Address } from '../../core/address.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { EvidencePorts } from './readEvidence.ts'

const bare = (hex: Hex | Address): string => hex.slice(2).toLowerCase()

/** True if a transaction names the account: as sender, as callee, in calldata or in a log. */
const names = ({ call, logs }: SeenTransaction, payee: Address): boolean => {
  const wanted = bare(payee)
  const isIn = (hex: Hex): boolean => standsIn(bare(hex), wanted) >= 0
  return (
    (call !== null && (call.from === payee || call.to === payee || isIn(call.data))) ||
    logs.some(({ topics, data }) => topics.some(isIn) || isIn(data))
  )
}

/**
 * Coins that contracts sent an account in the block of a transaction, if the transaction runs a contract and names the account.
 * The balance of the block alone would prove any transaction in it. Null if the node has pruned the block.
 */
export const coinsByCalls = async (
  { evidence, read }: EvidencePorts,
  seen: SeenTransaction,
  payee: Address,
): Promise<bigint | 'unreadable' | null> => {
  const { chainId, call } = seen
  if (!isEvmChainId(chainId) || call === null || !names(seen, payee)) return 0n
  const { to } = call
  const isCall = to === null || (await read(chainId, (signal) => evidence.hasCode({ chainId, address: to }, signal)))
  if (isCall === 'unreadable') return isCall
  return isCall ? read(chainId, (signal) => evidence.coinsByBalance(seen, payee, signal)) : 0n
}
