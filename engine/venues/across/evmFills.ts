import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { readEvent } from '../../chains/evm/eventLogs.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { PayoutEvent } from '../venue.ts'
import { CALLS_FAILED, DRAINED_TOKENS, FILLED_RELAY, UNWRAPPED } from './abi.ts'
import { addressOfWord, type CodeOf, readDelivery } from './delivery.ts'
import { areSums, type DepositSums, type DepositTerms, isExclusivity, type OwnDeposit } from './ownDeposit.ts'
import { acrossChain, wrappedNative } from './published.ts'

type FilledRelay = Omit<DepositTerms, 'exclusivityParameter' | 'quoteTimestamp' | 'destinationChainId' | 'message'> &
  DepositSums & {
    readonly originChainId: bigint
    readonly depositId: bigint
    readonly exclusivityDeadline: number
    readonly messageHash: Hex
    readonly relayExecutionInfo: {
      readonly updatedRecipient: Hex
      readonly updatedMessageHash: Hex
      readonly updatedOutputAmount: bigint
    }
  }

/** A fill with the logs that followed it, up to the next: the SpokePool tells of a fill before it pays. */
export type Fill = { readonly log: SeenLog; readonly event: FilledRelay; readonly after: readonly SeenLog[] }

const isOf = ({ address }: SeenLog, contract: Address): boolean => address === contract.toLowerCase()

export const fillsOf = async ({ logs }: SeenTransaction, spokePool: Address): Promise<readonly Fill[]> => {
  const fills: (Fill & { readonly after: SeenLog[] })[] = []
  for (const log of logs) {
    const event = isOf(log, spokePool) ? await readEvent(FILLED_RELAY, log) : null
    if (event === null) fills.at(-1)?.after.push(log)
    else fills.push({ log, event: event as FilledRelay, after: [] })
  }
  return fills
}

/** SpokePool.sol, `_hashNonEmptyMessage`. */
export const messageHash = (message: Hex): Hex =>
  message === '0x' ? `0x${'0'.repeat(64)}` : `0x${bytesToHex(keccak_256(hexToBytes(message.slice(2))))}`

/** What the depositor may have signed anew must be as it was: the output amount alone may differ, as in a slow fill. */
const areTerms = (event: FilledRelay, own: OwnDeposit): boolean =>
  event.depositor === own.depositor &&
  event.recipient === own.recipient &&
  event.inputToken === own.inputToken &&
  event.outputToken === own.outputToken &&
  event.exclusiveRelayer === own.exclusiveRelayer &&
  event.fillDeadline === own.fillDeadline &&
  event.messageHash === messageHash(own.message) &&
  event.relayExecutionInfo.updatedRecipient === own.recipient &&
  event.relayExecutionInfo.updatedMessageHash === event.messageHash &&
  isExclusivity(event.exclusivityDeadline, own, 'any') &&
  areSums(own, event)

/** Reads the logs that followed a fill, and the movements they tell of. */
type Aftermath = { readonly after: readonly SeenLog[]; readonly movements: ReadonlyMap<string, Movement> }

const movedBy = ({ movements }: Aftermath, { index }: SeenLog): Movement | null => movements.get(`log:${index}`) ?? null

/** How many wrapped coins a contract gave for coins in this log; 0n for none. */
const unwrappedBy = async (log: SeenLog, token: Address, by: Address, aftermath: Aftermath): Promise<bigint> => {
  if (!isOf(log, token)) return 0n
  const moved = movedBy(aftermath, log)
  if (moved?.from === by && moved.to === ZERO_EVM_ADDRESS) return moved.amount
  const event = await readEvent(UNWRAPPED, log)
  return event?.['from'] === by ? (event['value'] as bigint) : 0n
}

type Paid = { readonly chainId: SeenTransaction['chainId']; readonly token: Address; readonly recipient: Address }

const paymentIn = (aftermath: Aftermath, isIt: (movement: Movement) => boolean): PayoutEvent | null => {
  const movement = aftermath.after.map((log) => movedBy(aftermath, log)).find((moved) => moved !== null && isIt(moved))
  return movement ? { place: movement.place, amount: movement.amount } : null
}

/** Without a message the SpokePool itself pays, or has the relayer pay, what its event says. */
const directly = async (
  fill: Fill,
  aftermath: Aftermath,
  { token, recipient, isCoins, spokePool }: Paid & { readonly isCoins: boolean; readonly spokePool: Address },
): Promise<PayoutEvent | null> => {
  const isPaid = (moved: Movement) => moved.token === token && moved.to === recipient
  if (!isCoins) return paymentIn(aftermath, isPaid)
  // The wrapped coins are paid out as they are, or unwrapped: never both.
  if (paymentIn(aftermath, (moved) => isPaid(moved) && moved.from === spokePool) !== null) return null
  const amount = fill.event.relayExecutionInfo.updatedOutputAmount
  for (const log of fill.after)
    if ((await unwrappedBy(log, token, spokePool, aftermath)) === amount) return { place: `log:${fill.log.index}`, amount }
  return null
}

/** Where only the message decides what arrives. */
const CODELESS: CodeOf = async () => '0x'

/** With a message the handler pays, and its event names whom; coins it pays without a word, out of what it unwrapped. */
const byHandler = async (
  fill: Fill,
  aftermath: Aftermath,
  { own, swap, handler, token }: { own: OwnDeposit; swap: ExecutedSwap; handler: Address; token: Address },
): Promise<PayoutEvent | null> => {
  const { output } = swap.order
  const outputAmount = fill.event.relayExecutionInfo.updatedOutputAmount
  const delivery = await readDelivery({ ...own, chainId: output.chainId, outputAmount }, CODELESS)
  const isOurs = delivery.unread.length === 0 && delivery.recipient === swap.binding.recipient
  if (!isOurs || !isSameAsset(delivery.output, output)) return null
  for (const [at, log] of fill.after.entries()) {
    if (isNative(output)) {
      // All calls of the message were undone, and the wrapped coins went to the fallback recipient.
      if (isOf(log, handler) && (await readEvent(CALLS_FAILED, log)) !== null) return null
      const isUnwrapped = (await unwrappedBy(log, token, handler, aftermath)) >= outputAmount
      if (isUnwrapped) return { place: `log:${fill.log.index}`, amount: delivery.output.amount }
      continue
    }
    const drained = isOf(log, handler) ? await readEvent(DRAINED_TOKENS, log) : null
    if (drained?.['recipient'] !== delivery.recipient || drained['token'] !== token) continue
    const before = { after: fill.after.slice(0, at).toReversed(), movements: aftermath.movements }
    return paymentIn(before, (moved) => moved.token === token && moved.from === handler && moved.to === delivery.recipient)
  }
  return null
}

const deliveredBy = async (
  fill: Fill,
  own: OwnDeposit,
  swap: ExecutedSwap,
  seen: SeenTransaction,
): Promise<PayoutEvent | null> => {
  const { chainId } = seen
  const { output } = swap.order
  const deployed = acrossChain(chainId)
  const token = addressOfWord(chainId, own.outputToken)
  const recipient = addressOfWord(chainId, own.recipient)
  if (deployed === null || token === null || recipient === null) return null
  const aftermath = { after: fill.after, movements: new Map(seen.movements.map((moved) => [moved.place, moved])) }
  if (own.message !== '0x') {
    const handler = deployed.multicallHandler
    return handler !== null && handler === recipient ? byHandler(fill, aftermath, { own, swap, handler, token }) : null
  }
  const isCoins = isNative(output)
  if (recipient !== swap.binding.recipient || token !== (isCoins ? wrappedNative(chainId) : output.address)) return null
  return directly(fill, aftermath, { chainId, token, recipient, isCoins, spokePool: deployed.spokePool })
}

/** The fills of a transaction that deliver one of these deposits, where the chain shows the money beside them. */
export const evmFills = async (
  seen: SeenTransaction,
  own: OwnDeposit,
  { swap, isOrder }: { readonly swap: ExecutedSwap; readonly isOrder: (originChainId: bigint, depositId: bigint) => boolean },
): Promise<readonly PayoutEvent[]> => {
  const spokePool = acrossChain(seen.chainId)?.spokePool
  if (spokePool === undefined) return []
  const outputs: PayoutEvent[] = []
  for (const fill of await fillsOf(seen, spokePool)) {
    const { originChainId, depositId } = fill.event
    if (!isOrder(originChainId, depositId) || !areTerms(fill.event, own)) continue
    const delivered = await deliveredBy(fill, own, swap, seen)
    if (delivered !== null) outputs.push(delivered)
  }
  return outputs
}
