import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, type ToldLog } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../chains/seen.ts'
import { SOLANA } from '../../core/chain.ts'
import { addressOfWord, EXECUTED_REFUND_ROOT, FILLED_RELAY, UNWRAPPED, wrappedNative } from '../kit/spokePools.ts'
import type { Deployed, Pinned } from './published.ts'
import { paidOnSolana } from './solanaEvents.ts'

type Fill = ToldLog<EventOf<typeof FILLED_RELAY>>

/** The relayer's payment for a fill: the first transfer to its recipient. The SpokePool itself pays wrapped coins. */
const paidByRelayer = ({ event, after }: Fill, { chainId, movements }: SeenTransaction): readonly Movement[] => {
  const [token, recipient] = [addressOfWord(chainId, event.outputToken), addressOfWord(chainId, event.recipient)]
  if (token === wrappedNative(chainId)) return []
  const places = new Set(after.map(({ index }) => `log:${index}`))
  const paid = movements.find((moved) => places.has(moved.place) && moved.token === token && moved.to === recipient)
  return paid ? [paid] : []
}

/** Native coins come from unwrapping, without an event of their own. */
const paysCoins = async (seen: SeenTransaction, payers: readonly string[]): Promise<boolean> => {
  const wrapped = wrappedNative(seen.chainId)
  const isPayer = (address: string | null) => payers.some((payer) => payer === address)
  const isBurnt = ({ token, from, to }: Movement) => token === wrapped && isPayer(from) && /^0x0+$/.test(to)
  if (seen.movements.some(isBurnt)) return true
  const unwrapped = wrapped === null ? [] : await eventsBy(wrapped, UNWRAPPED, seen.logs)
  return unwrapped.some(({ event }) => isPayer(event.from))
}

const paidOnEvm = async (seen: SeenTransaction, { spokePools, handlers }: Deployed): Promise<readonly string[]> => {
  const fills = await eventsBy(spokePools, FILLED_RELAY, seen.logs)
  if (fills.length === 0 && (await eventsBy(spokePools, EXECUTED_REFUND_ROOT, seen.logs)).length === 0) return []
  const payers = [...spokePools, ...(fills.length > 0 ? handlers : [])]
  const byContracts = seen.movements.filter(({ from }) => payers.some((payer) => payer === from))
  const paid = [...byContracts, ...fills.flatMap((fill) => paidByRelayer(fill, seen))]
  return [...new Set(paid.map(({ place }) => place)), ...((await paysCoins(seen, payers)) ? [COINS_BY_CALLS] : [])]
}

/**
 * See SwapEvents.named. Payments of SpokePool and handler in a transaction that fills deposits, and payments of relayers. Refund
 * roots count too: Across pays them, whomever they name.
 */
export const named = async (seen: SeenTransaction, pinned: Pinned): Promise<readonly string[]> => {
  if (!seen.isSuccess) return []
  if (seen.chainId === SOLANA) return paidOnSolana(seen, pinned)
  const deployed = pinned.on(seen.chainId)
  return deployed === null ? [] : paidOnEvm(seen, deployed)
}
