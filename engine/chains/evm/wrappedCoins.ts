import { parseAbi } from 'abitype'
import { addressOf } from '../../core/address.ts'
import { chainOf } from '../../core/chain.ts'
import type { SeenTransaction } from '../seen.ts'
import { eventsBy } from './eventLogs.ts'

/** The events of WETH9 and of contracts like it. */
const EVENTS = {
  unwrapped: parseAbi(['event Withdrawal(address indexed account, uint256 wad)']),
  wrapped: parseAbi(['event Deposit(address indexed account, uint256 wad)']),
}

export type WrappedCoins = { readonly place: string; readonly amount: bigint }

/** The amounts that accepted accounts wrapped or unwrapped, by the logs of the chain's wrapped coin, in their order. */
export const wrappedCoinsIn = async (
  { chainId, logs }: SeenTransaction,
  how: keyof typeof EVENTS,
  isOne: (account: string) => boolean,
): Promise<readonly WrappedCoins[]> => {
  const { wrappedNative } = chainOf(chainId)
  if (wrappedNative === null) return []
  // Both events have the same shape.
  const told = await eventsBy(addressOf('evm', wrappedNative), EVENTS[how] as typeof EVENTS.wrapped, logs)
  return told.flatMap(({ place, event }) => (isOne(event.account) ? [{ place, amount: event.wad }] : []))
}
