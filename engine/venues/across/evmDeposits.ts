import type { EventOf } from '../../chains/evm/abiFields.ts'
import { eventsBy, isBy, readEvent, type ToldLog } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { tells } from '../../chains/tells.ts'
import { type Address, addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { addressOfWord, FUNDS_DEPOSITED, wrappedNative } from '../kit/spokePools.ts'
import type { InputEvent } from '../venue.ts'
import { isDepositOf, type OwnDeposit } from './ownDeposit.ts'
import { SWAP_BEFORE_BRIDGE, WRAPPED } from './protocol.ts'
import type { Pinned } from './published.ts'

type Deposited = EventOf<typeof FUNDS_DEPOSITED>

/** The last source of a contract's tokens in these logs; `coins`: it wrapped them. Null: no source. */
const sourceOf = async (
  logs: readonly SeenLog[],
  token: Address,
  holder: Address,
  movements: readonly Movement[],
): Promise<Address | 'coins' | null> => {
  for (const log of logs.toReversed()) {
    if (!isBy(log, token)) continue
    const moved = movements.find(({ place }) => place === `log:${log.index}`)
    if (moved?.to === holder) return moved.from === ZERO_EVM_ADDRESS ? 'coins' : moved.from
    if ((await readEvent(WRAPPED, log))?.to === holder) return 'coins'
  }
  return null
}

/** The last swap that a periphery logged before it made this deposit. */
const swapBefore = async (before: readonly SeenLog[], periphery: Address) =>
  (await eventsBy(periphery, SWAP_BEFORE_BRIDGE, before)).at(-1) ?? null

/**
 * Whether a deposit was paid in the way of its payload. Deposits with and without an exchange, of coins and of wrapped coins, can
 * have equal events. Each belongs to its own swap only.
 */
const isPaidAsBuilt = async (
  { event, before }: ToldLog<Deposited>,
  own: OwnDeposit,
  { token, spokePool }: { readonly token: Address; readonly spokePool: Address },
  { chainId, movements }: SeenTransaction,
): Promise<boolean> => {
  const source = await sourceOf(before, token, spokePool, movements)
  const isWrapped = (address: Address) => address === wrappedNative(chainId)
  if (own.swap === null) {
    if (isWrapped(token) && (source === 'coins') !== own.isPaidInCoins) return false
    return source === null || source === 'coins' || (await swapBefore(before, source)) === null
  }
  const { periphery, exchange, routerCalldata, swapToken, swapTokenAmount } = own.swap
  const told = source === periphery ? await swapBefore(before, periphery) : null
  const isSwapped =
    told !== null &&
    tells(told.event, {
      exchange,
      exchangeCalldata: routerCalldata,
      swapToken,
      swapTokenAmount,
      acrossInputToken: token,
      acrossInputAmount: event.inputAmount,
      acrossOutputToken: event.outputToken,
      acrossOutputAmount: event.outputAmount,
    })
  if (!isSwapped) return false
  const earlier = before.slice(0, before.indexOf(told.log))
  return !isWrapped(swapToken) || ((await sourceOf(earlier, swapToken, periphery, movements)) === 'coins') === own.isPaidInCoins
}

/** The deposits of a transaction that are the payload's own. */
export const evmDeposits = async (seen: SeenTransaction, own: OwnDeposit, { on }: Pinned): Promise<readonly InputEvent[]> => {
  const { chainId, logs, at } = seen
  const spokePools = on(chainId)?.spokePools ?? []
  const inputs: InputEvent[] = []
  for (const told of await eventsBy(spokePools, FUNDS_DEPOSITED, logs)) {
    const { log, event, place } = told
    const token = addressOfWord(chainId, event.inputToken)
    if (token === null || !isDepositOf(event, own, at)) continue
    if (!(await isPaidAsBuilt(told, own, { token, spokePool: addressOf('evm', log.address) }, seen))) continue
    inputs.push({ place, orderId: `${chainId}:${event.depositId}`, took: { token, amount: event.inputAmount } })
  }
  return inputs
}
