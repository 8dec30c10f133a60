import { parseAbi } from 'abitype'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { wrappedCoinsIn } from '../../chains/evm/wrappedCoins.ts'
import { COINS_BY_CALLS, type SeenTransaction } from '../../chains/seen.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import { isSameAddress } from '../kit/addresses.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { readShare, takesSurplus } from './actions.ts'
import { readSwap } from './decode.ts'
import { SWAP_CHAINS } from './protocol.ts'
import type { Settlers } from './settlers.ts'
import { tradeMessageShape } from './wire.ts'

/* Neither AllowanceHolder nor a Settler emits an event of a swap. Token transfers and the call itself show its movements. */

/** The Settler's task in a payload. */
type Done = { readonly settler: string; readonly actions: readonly Hex[]; readonly minimum: bigint }

const doneBy = async ({ execution: { payload } }: ExecutedSwap): Promise<Done | null> => {
  if (payload.executionType === 'SIGNATURE') {
    const { spender, slippageAndActions } = tradeMessageShape.read(payload.typedData.message)
    return { settler: spender, actions: slippageAndActions.actions, minimum: BigInt(slippageAndActions.minAmountOut) }
  }
  const swap = payload.executionType === 'TRANSACTION' ? await readSwap(payload.transaction.data) : null
  return swap && { settler: swap.target, actions: swap.actions, minimum: swap.header.minAmountOut }
}

const isCalledWith = ({ call }: SeenTransaction, part: string): boolean =>
  part.length > 2 && call?.data.toLowerCase().includes(part.slice(2).toLowerCase()) === true

/** Transfers of exactly the input from the payer. Coins of a contract wallet leave no log: the Settler's wrapping shows them. */
const takenBy = async (seen: SeenTransaction, { order }: ExecutedSwap, { settler }: Done): Promise<readonly InputEvent[]> => {
  const took = { token: order.input.address, amount: order.inputAmount }
  const found = isNative(order.input)
    ? await wrappedCoinsIn(seen, 'wrapped', (account) => isSameAddress(account, settler))
    : seen.movements.filter(({ token, from }) => token === took.token && from === order.sender)
  return found.filter(({ amount }) => amount === took.amount).map(({ place }) => ({ place, orderId: null, took }))
}

/** The offsets of AllowanceHolder calls for a Settler in a transaction. */
const callsOf = ({ call }: SeenTransaction, { settler }: Done): readonly number[] => {
  const head = `2213bc0b${settler.slice(2).toLowerCase().padStart(64, '0')}`
  const data = call?.data.toLowerCase() ?? ''
  const places: number[] = []
  for (let at = data.indexOf(head); at >= 0; at = data.indexOf(head, at + 1)) places.push(at)
  return places
}

/**
 * The payment of a call inside a contract wallet's transaction: the call that took it has paid the recipient, or it failed and
 * took nothing. Null where the chain does not show it, and where the call is the transaction itself.
 */
const inputsInside = async (seen: SeenTransaction, swap: ExecutedSwap, done: Done): Promise<readonly InputEvent[] | null> => {
  const { order, binding, execution } = swap
  const { payload } = execution
  if (payload.executionType !== 'TRANSACTION' || seen.call === null || seen.call.to === payload.transaction.to) return null
  if (!seen.isSuccess || seen.chainId !== order.input.chainId || !isCalledWith(seen, payload.transaction.data)) return null
  if (isNative(order.output)) return null
  const isPaid = seen.movements.some(
    ({ token, from, to, amount }) =>
      token === order.output.address &&
      from !== null &&
      isSameAddress(from, done.settler) &&
      to === binding.recipient &&
      amount >= done.minimum,
  )
  if (!isPaid) return []
  // Null for tokens: transfers from the wallet show them, as many as the transaction has such calls.
  if (!isNative(order.input)) return null
  const taken = await takenBy(seen, swap, done)
  // Calls run in the order of their offsets. Coins are not always wrapped.
  const all = callsOf(seen, done)
  const isOwn = (at: number | undefined): boolean =>
    at !== undefined && seen.call?.data.toLowerCase().startsWith(payload.transaction.data.slice(2).toLowerCase(), at) === true
  return taken.length === all.length ? taken.filter((_one, index) => isOwn(all[index])) : null
}

/**
 * The payment of a signed trade. The relayer's transaction contains the trade's first action, which has token, amount, a unique
 * nonce and the deadline. By it exactly the input left the signer.
 */
const inputs: SwapEvents['inputs'] = async (seen, swap) => {
  const { order, execution } = swap
  const done = await doneBy(swap)
  if (execution.payload.executionType !== 'SIGNATURE') return done && inputsInside(seen, swap, done)
  const isOwn = isCalledWith(seen, done?.actions[0] ?? '0x')
  if (!seen.isSuccess || seen.chainId !== order.input.chainId || !isOwn) return []
  if (done === null) return []
  const taken = await takenBy(seen, swap, done)
  return (await isAlone(seen, swap, done)) ? taken.map((event) => ({ ...event, isWhole: true })) : taken
}

/** `src/interfaces/ISettlerMetaTxn.sol` of 0x-settler. */
const EXECUTE_META_TXN = parseAbi([
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function executeMetaTxn(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate, address msgSender, bytes sig)',
])

/** Whether a call of a Settler is for that signer's trade, in every byte. */
const isOwnTrade = async (data: string, sender: string, { actions }: Done): Promise<boolean> => {
  const done = await readNamedCall(EXECUTE_META_TXN, data.toLowerCase() as Hex)
  return done !== null && isSameAddress(done.msgSender, sender) && isSameAddress(done.actions.join(), actions.join())
}

/** Whether a transaction contains only this swap, so that all of the Settler's work is for it. */
const isAlone = async ({ call }: SeenTransaction, { execution, order }: ExecutedSwap, done: Done): Promise<boolean> => {
  const { payload } = execution
  if (call === null || call.to === null) return false
  if (payload.executionType === 'SIGNATURE')
    return isSameAddress(call.to, done.settler) && isOwnTrade(call.data, order.sender, done)
  const isSent = payload.executionType === 'TRANSACTION' && isSameAddress(call.data, payload.transaction.data)
  return isSent && call.to === payload.transaction.to
}

/**
 * Coins leave no log. Where the Settler unwrapped once, it paid that amount less the shares of coins in its actions. Null where
 * it did not unwrap, or may have kept a part: the transfer itself must then show it.
 */
const outputs: SwapEvents['outputs'] = async (seen, swap) => {
  const { order } = swap
  const done = await doneBy(swap)
  if (!isNative(order.output) || !seen.isSuccess || seen.chainId !== order.output.chainId) return null
  if (done === null || !(await isAlone(seen, swap, done))) return null
  const { settler, actions, minimum } = done
  const [one, ...others] = await wrappedCoinsIn(seen, 'unwrapped', (account) => isSameAddress(account, settler))
  if (!one || others.length > 0 || takesSurplus(actions, NATIVE)) return null
  const shares = (await Promise.all(actions.map(readShare))).flatMap((share) => (share?.token === NATIVE ? [share.bps] : []))
  const amount = shares.reduce((left, bps) => left - (left * bps) / 10_000n, one.amount)
  return amount >= minimum ? [{ place: one.place, amount } satisfies PayoutEvent] : null
}

const paysCoins = async ({ call, chainId }: SeenTransaction, holdersOn: Settlers['allowanceHolders']): Promise<boolean> => {
  if (call === null || !holdersOn(chainId).some((holder) => holder === call.to)) return false
  return (await readSwap(call.data.toLowerCase()))?.header.buyToken === NATIVE
}

/** All payments of Settlers, to any recipient. */
const namedBy =
  ({ isSettler, allowanceHolders }: Settlers): SwapEvents['named'] =>
  async (seen) => {
    const { chainId, isSuccess, movements } = seen
    if (!isSuccess || !SWAP_CHAINS.includes(chainId)) return []
    const isOne = (account: string) => isSettler('taker', chainId, account) || isSettler('metaTransaction', chainId, account)
    const paid = movements.filter(({ from }) => from !== null && isOne(from)).map(({ place }) => place)
    const hasCoins = (await wrappedCoinsIn(seen, 'unwrapped', isOne)).length > 0 || (await paysCoins(seen, allowanceHolders))
    return hasCoins ? [...paid, COINS_BY_CALLS] : paid
  }

export const createEvents = (settlers: Settlers): SwapEvents => ({
  inputs,
  outputs,
  // A swap happens in one transaction, or not at all.
  refunds: async () => null,
  named: namedBy(settlers),
})
