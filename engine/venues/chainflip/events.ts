import { parseAbi } from 'abitype'
import { eventsBy } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS } from '../../chains/seen.ts'
import { anything, tells } from '../../chains/tells.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { InputEvent, SwapEvents } from '../venue.ts'
import { readVaultCall } from './decode.ts'
import { SOLANA_VAULT, vaultOf } from './published.ts'

/** IVault.sol of chainflip-eth-contracts 1.4.1. `sender`: whoever called, which may be a wallet's own contract. */
const SWAP_NATIVE = parseAbi([
  'event SwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, uint256 amount, address indexed sender, bytes cfParameters)',
])
const SWAP_TOKEN = parseAbi([
  'event SwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, address indexed sender, bytes cfParameters)',
])

/** A channel is paid like any address; of a call of the vault its event tells every word. */
const inputs: SwapEvents['inputs'] = async (seen, { execution: { payload } }): Promise<readonly InputEvent[]> => {
  const vault = vaultOf(seen.chainId)
  if (payload.executionType !== 'TRANSACTION' || !vault || !seen.isSuccess) return []
  const { transaction } = payload
  const call = seen.chainId === transaction.chainId ? await readVaultCall(transaction) : null
  if (call === null) return []
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

/** What leaves a vault is paid by the State Chain's word alone: it names no swap, and is for no other venue's. */
const named: SwapEvents['named'] = async ({ chainId, isSuccess, movements, call }) => {
  const vault = chainId === SOLANA ? SOLANA_VAULT : vaultOf(chainId)
  if (!isSuccess || vault === null) return []
  const own = movements.filter(({ from }) => from === vault).map(({ place }) => place)
  return isEvmChainId(chainId) && call?.to === vault ? [...own, COINS_BY_CALLS] : own
}

/** Payments by the vault's own events. Deliveries and refunds the money itself must show. */
export const events: SwapEvents = { inputs, outputs: async () => null, refunds: async () => null, named }
