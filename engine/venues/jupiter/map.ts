import type { Address } from '../../core/address.ts'
import { bpsOf, toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_OFFER } from '../kit/plain.ts'
import { grossUp, leastOf } from '../kit/reprice.ts'
import { rejected, VenueError } from '../venueError.ts'
import { type BuildAnswer, stepsShape } from './wire.ts'

export const VENUE_ID = 'jupiter'

export type Ask = {
  readonly order: Order
  readonly binding: Binding
  readonly slippageBps: number
  /** The token account of the fee; null: no fee is requested. */
  readonly fee: { readonly bps: number; readonly account: Address } | null
  /** The recipient's token account; null where the sender's own account receives, which the venue names. */
  readonly destination: Address | null
}

/** Accounts of the route itself. With more, the other instructions seldom fit into a packet. */
const ROUTE_ACCOUNTS_MAX = 50

/** Query of GET /swap/v2/build. */
export const toQuery = ({ order, slippageBps, fee, destination }: Ask): { readonly [name: string]: string } => ({
  inputMint: order.input.address,
  outputMint: order.output.address,
  amount: order.inputAmount.toString(),
  taker: order.sender,
  slippageBps: String(slippageBps),
  maxAccounts: String(ROUTE_ACCOUNTS_MAX),
  ...(fee === null ? {} : { platformFeeBps: String(fee.bps), feeAccount: fee.account }),
  ...(destination === null ? {} : { destinationTokenAccount: destination }),
})

/** The input of the route's first steps: all of the input, less a fee on it. */
const swappedOf = (answer: BuildAnswer): bigint => {
  const { inputMint, routePlan } = stepsShape.read(answer)
  return routePlan.reduce((sum, { swapInfo: s }) => sum + (s.inputMint === inputMint ? BigInt(s.inAmount) : 0n), 0n)
}

/** The expected output of an answer, checked against its request. Throws VenueError. */
export const expectedOf = (answer: BuildAnswer, { order, slippageBps }: Ask): bigint => {
  const [inAmount, outAmount] = [BigInt(answer.inAmount), BigInt(answer.outAmount)]
  const [floor, threshold] = [leastOf(outAmount, slippageBps), BigInt(answer.otherAmountThreshold)]
  demand('jupiter answered with', {
    'another input token': [answer.inputMint === order.input.address, answer.inputMint],
    'another output token': [answer.outputMint === order.output.address, answer.outputMint],
    'another input amount': inAmount === order.inputAmount,
    'another slippage': [answer.slippageBps === slippageBps, answer.slippageBps],
    // Rounded up in some published samples, and down in others.
    'another minimum output': threshold === floor || threshold === floor + 1n,
  })
  return outAmount
}

/**
 * Whether a price leaves out the fee. No document states whether the expected output is net of it. It is net where less than the
 * input is swapped. Rejects a price that is net of another fee.
 */
export const leavesOutFee = (answer: BuildAnswer, { order: { inputAmount }, fee }: Ask): boolean => {
  const swapped = fee === null ? 0n : swappedOf(answer)
  const isOther = fee !== null && swapped !== inputAmount && swapped > inputAmount - bpsOf(inputAmount, fee.bps)
  if (isOther) throw rejected('feeShare', 'jupiter: a price that is not net of the fee', swapped)
  return swapped === inputAmount
}

/** Closing the account would pay the recipient all wrapped SOL that the sender holds in it, and its rent. */
export const demandOwnCoins = ({ order: { output, sender }, recipient }: { order: Order; recipient: Address }): void => {
  if (isNative(output) && recipient !== sender)
    throw new VenueError('badRequest', 'jupiter: SOL goes to the wallet that swaps only', { party: 'recipient' })
}

/** No answer states how long its price holds: our own choice. Execute builds anew. */
const LIFETIME_MS = 30_000

type Price = Parameters<typeof firm>[0] & { readonly signatures: bigint }

export const toOffer = ({ signatures, ...price }: Price, { ask, now }: { readonly ask: Ask; readonly now: number }): Offer => {
  const bps = ask.fee?.bps ?? 0
  return {
    ...PLAIN_OFFER,
    venue: VENUE_ID,
    executionType: 'TRANSACTION',
    ...firm(price),
    fee: { bps, amount: toAmount(grossUp(price.expected, bps, bps)) },
    gasUnits: signatures,
    spender: null,
    expiresAt: now + LIFETIME_MS,
  }
}
