import { eventsBy } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type SeenTransaction } from '../../chains/seen.ts'
import { anything, tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { InputEvent, SwapEvents } from '../venue.ts'
import { readVaultCall } from './decode.ts'
import { SWAP_NATIVE, SWAP_TOKEN } from './protocol.ts'
import type { Pinned } from './published.ts'

/** A payment of a channel looks like any transfer. The event of a vault call repeats every argument. */
const inputsBy = async (
  { vaults }: Pinned,
  ...[seen, { execution }]: Parameters<SwapEvents['inputs']>
): Promise<readonly InputEvent[]> => {
  const { payload } = execution
  if (payload.executionType !== 'TRANSACTION' || !seen.isSuccess) return []
  const { transaction } = payload
  const vault = vaults(seen.chainId).find((one) => one === transaction.to)
  const call = seen.chainId === transaction.chainId ? await readVaultCall(transaction) : null
  if (call === null || vault === undefined) return []
  const { input, ...words } = call
  const due = { ...words, amount: input.amount, sender: anything }
  const ofCoins = (await eventsBy(vault, SWAP_NATIVE, seen.logs)).filter(
    ({ event }) => transaction.value > 0n && tells(event, due),
  )
  const ofTokens = (await eventsBy(vault, SWAP_TOKEN, seen.logs)).filter(
    ({ event }) => transaction.value === 0n && tells(event, { ...due, srcToken: input.token }),
  )
  return [...ofCoins, ...ofTokens].map(({ place }) => ({ place, orderId: null, took: input }))
}

/** Only the State Chain makes a vault pay. Such a payment names no swap, and belongs to no other venue. */
const namedBy = (
  { vaults, solanaVaults }: Pinned,
  { chainId, isSuccess, movements, call }: SeenTransaction,
): readonly string[] => {
  const own: readonly Address[] = chainId === SOLANA ? solanaVaults : vaults(chainId)
  const paid = isSuccess ? movements.filter(({ from }) => from !== null && own.includes(from)).map(({ place }) => place) : []
  return isSuccess && isEvmChainId(chainId) && call?.to && own.includes(call.to) ? [...paid, COINS_BY_CALLS] : paid
}

/** Payments by the vault's own events. Transfers must show deliveries and refunds. */
export const createEvents = (pinned: Pinned): SwapEvents => ({
  inputs: (seen, swap) => inputsBy(pinned, seen, swap),
  outputs: async () => null,
  refunds: async () => null,
  named: async (seen) => namedBy(pinned, seen),
})
