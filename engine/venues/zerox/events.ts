import { parseAbi } from 'abitype'
import { readEventBy } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type SeenTransaction } from '../../chains/seen.ts'
import { addressOf } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import { chainOf } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { readShare, takesSurplus } from './actions.ts'
import { readSwap } from './decode.ts'
import { ALLOWANCE_HOLDER, SWAP_CHAINS } from './published.ts'
import type { Settlers } from './settlers.ts'
import { tradeMessageShape } from './wire.ts'

/* Neither AllowanceHolder nor a Settler emits anything of a swap. What they move is told by tokens and by the call itself. */

const WITHDRAWAL = parseAbi(['event Withdrawal(address indexed src, uint256 wad)'])

/** What a payload has a Settler do. */
type Done = { readonly settler: string; readonly actions: readonly Hex[]; readonly minimum: bigint }

const doneBy = async ({ execution: { payload } }: ExecutedSwap): Promise<Done | null> => {
  if (payload.executionType === 'SIGNATURE') {
    const { spender, slippageAndActions } = tradeMessageShape.read(payload.typedData.message)
    return { settler: spender, actions: slippageAndActions.actions, minimum: BigInt(slippageAndActions.minAmountOut) }
  }
  const swap = payload.executionType === 'TRANSACTION' ? await readSwap(payload.transaction.data) : null
  return swap && { settler: swap.target, actions: swap.actions, minimum: swap.header.minAmountOut }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * The payment of a signed trade. Its first action, which names token, amount, a nonce that is its own and deadline, stands in the
 * transaction that a relayer sent, and exactly the input left the signer by it.
 */
const inputs: SwapEvents['inputs'] = async (seen, swap) => {
  const { order, execution } = swap
  if (execution.payload.executionType !== 'SIGNATURE') return null
  const [first] = (await doneBy(swap))?.actions ?? []
  const isOwn = first !== undefined && seen.call?.data.toLowerCase().includes(first.slice(2).toLowerCase()) === true
  if (!seen.isSuccess || seen.chainId !== order.input.chainId || !isOwn) return []
  const took = { token: order.input.address, amount: order.inputAmount }
  return seen.movements
    .filter(({ token, from, amount }) => token === took.token && from === order.sender && amount === took.amount)
    .map(({ place }): InputEvent => ({ place, orderId: null, took }))
}

/** The withdrawals of wrapped coins by accounts of a kind. */
const withdrawalsIn = async ({ chainId, logs }: SeenTransaction, isOne: (account: string) => boolean) => {
  const { wrappedNative } = chainOf(chainId)
  const found: { readonly place: string; readonly amount: bigint }[] = []
  if (wrappedNative === null) return found
  for (const log of logs) {
    const told = await readEventBy(addressOf('evm', wrappedNative), WITHDRAWAL, log)
    if (told && isOne(told.src)) found.push({ place: `log:${log.index}`, amount: told.wad })
  }
  return found
}

/**
 * Coins leave no log. Where the Settler unwrapped them once, what it paid is that, less the shares that its actions pay out
 * of coins; where it did not, or may have kept some of it, the money itself must show it.
 */
const coinsPaid = async (seen: SeenTransaction, { settler, actions, minimum }: Done): Promise<readonly PayoutEvent[] | null> => {
  const [one, ...others] = await withdrawalsIn(seen, (account) => isSame(account, settler))
  if (!one || others.length > 0 || takesSurplus(actions, NATIVE)) return null
  const shares = (await Promise.all(actions.map(readShare))).flatMap((share) => (share?.token === NATIVE ? [share.bps] : []))
  const amount = shares.reduce((left, bps) => left - (left * bps) / 10_000n, one.amount)
  return amount >= minimum ? [{ place: one.place, amount }] : null
}

const outputs: SwapEvents['outputs'] = async (seen, swap) => {
  const { order, execution, binding } = swap
  const done = isNative(order.output) && seen.isSuccess && seen.chainId === order.output.chainId ? await doneBy(swap) : null
  // A wallet that is the Settler's own would be paid nothing by it.
  if (done === null || execution.slippage === null || isSame(binding.recipient, done.settler)) return null
  return coinsPaid(seen, done)
}

const paysCoins = async ({ call }: SeenTransaction): Promise<boolean> => {
  if (call?.to !== ALLOWANCE_HOLDER) return false
  return (await readSwap(call.data.toLowerCase()))?.header.buyToken === NATIVE
}

/** All that Settlers paid, to whomever. */
const namedBy =
  ({ isSettler }: Settlers): SwapEvents['named'] =>
  async (seen) => {
    const { chainId, isSuccess, movements } = seen
    if (!isSuccess || !SWAP_CHAINS.includes(chainId)) return []
    const isOne = (account: string) => isSettler('taker', chainId, account) || isSettler('metaTransaction', chainId, account)
    const paid = movements.filter(({ from }) => from !== null && isOne(from)).map(({ place }) => place)
    const hasCoins = (await withdrawalsIn(seen, isOne)).length > 0 || (await paysCoins(seen))
    return hasCoins ? [...paid, COINS_BY_CALLS] : paid
  }

export const createEvents = (settlers: Settlers): SwapEvents => ({
  inputs,
  outputs,
  // A swap is made in one transaction, or nothing of it is.
  refunds: async () => null,
  named: namedBy(settlers),
})
