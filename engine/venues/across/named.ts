import { readEvent } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenLog, type SeenTransaction } from '../../chains/seen.ts'
import { SOLANA } from '../../core/chain.ts'
import { EXECUTED_REFUND_ROOT, UNWRAPPED } from './abi.ts'
import { addressOfWord } from './delivery.ts'
import { type Fill, fillsOf } from './evmFills.ts'
import { type AcrossChain, acrossChain, wrappedNative } from './published.ts'
import { paidOnSolana } from './solanaEvents.ts'

/** What a fill has the relayer pay: the first that comes to its recipient. Wrapped coins the SpokePool pays itself. */
const paidByRelayer = ({ event, after }: Fill, { chainId, movements }: SeenTransaction): readonly Movement[] => {
  const [token, recipient] = [addressOfWord(chainId, event.outputToken), addressOfWord(chainId, event.recipient)]
  if (token === wrappedNative(chainId)) return []
  const places = new Set(after.map(({ index }) => `log:${index}`))
  const paid = movements.find((moved) => places.has(moved.place) && moved.token === token && moved.to === recipient)
  return paid ? [paid] : []
}

const isRefundRoot = async ({ logs }: SeenTransaction, spokePool: string): Promise<boolean> => {
  for (const log of logs)
    if (log.address === spokePool.toLowerCase() && (await readEvent(EXECUTED_REFUND_ROOT, log)) !== null) return true
  return false
}

/** Coins are paid out of what was unwrapped, without a word. */
const paysCoins = async (seen: SeenTransaction, payers: readonly string[]): Promise<boolean> => {
  const wrapped = wrappedNative(seen.chainId)
  const isPayer = (address: unknown) => payers.some((payer) => payer === address)
  const isBurnt = ({ token, from, to }: Movement) => token === wrapped && isPayer(from) && /^0x0+$/.test(to)
  if (seen.movements.some(isBurnt)) return true
  const isUnwrapping = async (log: SeenLog) => isPayer((await readEvent(UNWRAPPED, log))?.['from'])
  const told = seen.logs.filter(({ address }) => address === wrapped?.toLowerCase())
  return (await Promise.all(told.map(isUnwrapping))).includes(true)
}

const paidOnEvm = async (seen: SeenTransaction, { spokePool, multicallHandler }: AcrossChain): Promise<readonly string[]> => {
  if (!seen.logs.some(({ address }) => address === spokePool.toLowerCase())) return []
  const fills = await fillsOf(seen, spokePool)
  if (fills.length === 0 && !(await isRefundRoot(seen, spokePool))) return []
  const payers = [spokePool, ...(multicallHandler !== null && fills.length > 0 ? [multicallHandler] : [])]
  const byContracts = seen.movements.filter(({ from }) => payers.some((payer) => payer === from))
  const paid = [...byContracts, ...fills.flatMap((fill) => paidByRelayer(fill, seen))]
  return [...new Set(paid.map(({ place }) => place)), ...((await paysCoins(seen, payers)) ? [COINS_BY_CALLS] : [])]
}

/**
 * See SwapEvents.named. What SpokePool and handler pay out in a transaction that fills deposits, and what relayers do; and
 * what a refund root gives back, which is Across's own whomever it names.
 */
export const named = async (seen: SeenTransaction): Promise<readonly string[]> => {
  if (!seen.isSuccess) return []
  if (seen.chainId === SOLANA) return paidOnSolana(seen)
  const deployed = acrossChain(seen.chainId)
  return deployed === null ? [] : paidOnEvm(seen, deployed)
}
