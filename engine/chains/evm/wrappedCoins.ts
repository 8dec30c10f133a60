import { parseAbi } from 'abitype'
import { addressOf } from '../../core/address.ts'
import { chainOf } from '../../core/chain.ts'
import type { SeenTransaction } from '../seen.ts'
import { eventsBy } from './eventLogs.ts'

/** WETH9, and what is built like it. */
const EVENTS = {
  unwrapped: parseAbi(['event Withdrawal(address indexed account, uint256 wad)']),
  wrapped: parseAbi(['event Deposit(address indexed account, uint256 wad)']),
}

export type WrappedCoins = { readonly place: string; readonly amount: bigint }

/** What the wrapped coin of the chain tells that accounts of a kind wrapped or unwrapped, in its order. */
export const wrappedCoinsIn = async (
  { chainId, logs }: SeenTransaction,
  how: keyof typeof EVENTS,
  isOne: (account: string) => boolean,
): Promise<readonly WrappedCoins[]> => {
  const { wrappedNative } = chainOf(chainId)
  if (wrappedNative === null) return []
  // One shape, two names.
  const told = await eventsBy(addressOf('evm', wrappedNative), EVENTS[how] as typeof EVENTS.wrapped, logs)
  return told.flatMap(({ place, event }) => (isOne(event.account) ? [{ place, amount: event.wad }] : []))
}
