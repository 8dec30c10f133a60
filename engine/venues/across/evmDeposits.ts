import { readEvent } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { InputEvent } from '../venue.ts'
import { FUNDS_DEPOSITED, SWAP_BEFORE_BRIDGE, WRAPPED } from './abi.ts'
import { addressOfWord } from './delivery.ts'
import { areSums, type DepositSums, type DepositTerms, isExclusivity, type OwnDeposit, type OwnSwap } from './ownDeposit.ts'
import { acrossChain, wrappedNative } from './published.ts'

/** The fields of the event by the names of its ABI. */
type FundsDeposited = Omit<DepositTerms, 'exclusivityParameter'> &
  DepositSums & { readonly depositId: bigint; readonly exclusivityDeadline: number }

type SwapBeforeBridge = {
  readonly exchange: Address
  readonly exchangeCalldata: Hex
  readonly swapToken: Address
  readonly acrossInputToken: Address
  readonly swapTokenAmount: bigint
  readonly acrossInputAmount: bigint
  readonly acrossOutputToken: Hex
  readonly acrossOutputAmount: bigint
}

/** `before`: the logs since the deposit before it. */
type Told = { readonly log: SeenLog; readonly event: FundsDeposited; readonly before: readonly SeenLog[] }

const isOf = ({ address }: SeenLog, contract: Address): boolean => address === contract.toLowerCase()

const depositsOf = async ({ logs }: SeenTransaction, spokePool: Address): Promise<readonly Told[]> => {
  const deposits: Told[] = []
  let before: SeenLog[] = []
  for (const log of logs) {
    const event = isOf(log, spokePool) ? await readEvent(FUNDS_DEPOSITED, log) : null
    if (event === null) before.push(log)
    else {
      deposits.push({ log, event: event as FundsDeposited, before })
      before = []
    }
  }
  return deposits
}

/**
 * Deposits by any call that was handed out are counted; others bear a hash (SpokePool.sol, `getUnsafeDepositId`), which
 * two of them may share.
 */
const DEPOSIT_IDS_END = 1n << 32n

const areTerms = (event: FundsDeposited, own: OwnDeposit, at: number | null): boolean =>
  event.depositor === own.depositor &&
  event.recipient === own.recipient &&
  event.inputToken === own.inputToken &&
  event.outputToken === own.outputToken &&
  event.destinationChainId === own.destinationChainId &&
  event.exclusiveRelayer === own.exclusiveRelayer &&
  event.quoteTimestamp === own.quoteTimestamp &&
  event.fillDeadline === own.fillDeadline &&
  event.message === own.message &&
  event.depositId < DEPOSIT_IDS_END &&
  isExclusivity(event.exclusivityDeadline, own, at) &&
  areSums(own, event)

/** Where a contract got a token from last, of these logs; `coins`: it wrapped them. Null: nowhere. */
const sourceOf = async (
  logs: readonly SeenLog[],
  {
    token,
    holder,
    movements,
  }: { readonly token: Address; readonly holder: Address; readonly movements: ReadonlyMap<string, Movement> },
): Promise<Address | 'coins' | null> => {
  for (const log of logs.toReversed()) {
    if (!isOf(log, token)) continue
    const moved = movements.get(`log:${log.index}`)
    if (moved?.to === holder) return moved.from === ZERO_EVM_ADDRESS ? 'coins' : moved.from
    if ((await readEvent(WRAPPED, log))?.['to'] === holder) return 'coins'
  }
  return null
}

const isSwap = async (log: SeenLog, swap: OwnSwap, deposit: FundsDeposited, inputToken: Address): Promise<boolean> => {
  const event = (await readEvent(SWAP_BEFORE_BRIDGE, log)) as SwapBeforeBridge | null
  return (
    event?.exchange === swap.exchange &&
    event.exchangeCalldata === swap.routerCalldata &&
    event.swapToken === swap.swapToken &&
    event.acrossInputToken === inputToken &&
    event.swapTokenAmount === swap.swapTokenAmount &&
    event.acrossInputAmount === deposit.inputAmount &&
    event.acrossOutputToken === deposit.outputToken &&
    event.acrossOutputAmount === deposit.outputAmount
  )
}

/** The swap that a periphery told of last, before it made this deposit. */
const swapBefore = async ({ before }: Told, periphery: Address): Promise<number> => {
  for (const [at, log] of [...before.entries()].toReversed())
    if (isOf(log, periphery) && (await readEvent(SWAP_BEFORE_BRIDGE, log)) !== null) return at
  return -1
}

/**
 * Whether a deposit was paid as the payload has it paid. The events of a plain deposit and of one after a swap, of coins and
 * of their wrapped form, may otherwise agree in every field, and each is its own swap's.
 */
const isPaidAsBuilt = async (told: Told, own: OwnDeposit, seen: SeenTransaction, spokePool: Address): Promise<boolean> => {
  const { chainId } = seen
  const movements = new Map(seen.movements.map((moved) => [moved.place, moved]))
  const token = addressOfWord(chainId, told.event.inputToken)
  if (token === null) return false
  const source = await sourceOf(told.before, { token, holder: spokePool, movements })
  const isWrapped = (address: Address) => address === wrappedNative(chainId)
  if (own.swap === null) {
    const isSwapped = source !== null && source !== 'coins' && (await swapBefore(told, source)) >= 0
    return !isSwapped && (!isWrapped(token) || (source === 'coins') === own.isPaidInCoins)
  }
  const { periphery, swapToken } = own.swap
  const at = await swapBefore(told, periphery)
  const log = told.before[at]
  if (source !== periphery || log === undefined || !(await isSwap(log, own.swap, told.event, token))) return false
  const paid = { token: swapToken, holder: periphery, movements }
  return !isWrapped(swapToken) || ((await sourceOf(told.before.slice(0, at), paid)) === 'coins') === own.isPaidInCoins
}

/** The deposits of a transaction that are the payload's own. */
export const evmDeposits = async (seen: SeenTransaction, own: OwnDeposit): Promise<readonly InputEvent[]> => {
  const spokePool = acrossChain(seen.chainId)?.spokePool
  if (spokePool === undefined) return []
  const inputs: InputEvent[] = []
  for (const told of await depositsOf(seen, spokePool)) {
    const { event, log } = told
    const token = addressOfWord(seen.chainId, event.inputToken)
    if (token === null || !areTerms(event, own, seen.at) || !(await isPaidAsBuilt(told, own, seen, spokePool))) continue
    const orderId = `${seen.chainId}:${event.depositId}`
    inputs.push({ place: `log:${log.index}`, orderId, took: { token, amount: event.inputAmount } })
  }
  return inputs
}
