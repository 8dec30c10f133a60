import { type Address, parseAddress } from '../../core/address.ts'
import { type Amount, bpsOf, toAmount } from '../../core/amount.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { ecosystemOf, isEvmChainId } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import { PLAIN_OFFER } from '../kit/plain.ts'
import { grossUp } from '../kit/reprice.ts'
import { VenueError } from '../venueError.ts'
import { toWireChain, toWireToken } from './protocol.ts'
import type { Pinned } from './published.ts'
import type { CreateTx, WireToken } from './wire.ts'

export const VENUE_ID = 'debridge'

export type Ask = {
  readonly order: VenueOrder
  readonly binding: Binding
  /** Null: no fee is requested. */
  readonly fee: { readonly bps: number; readonly recipient: Address } | null
  readonly referralCode: string | null
}

/** Basis points as a percentage: 25 is `0.25`. */
const percentOf = (bps: number): string => String(bps / 100)

/**
 * The parties of an order. Only the recipient may cancel on the other chain, because it is an address of that chain. A cancelled
 * order always returns to the refund address.
 */
const partiesOf = ({ sender }: VenueOrder, { recipient, refundTo }: Binding) => ({
  senderAddress: sender,
  srcChainOrderAuthorityAddress: sender,
  srcChainRefundAddress: refundTo,
  srcAllowedCancelBeneficiary: refundTo,
  dstChainTokenOutRecipient: recipient,
  dstChainOrderAuthorityAddress: recipient,
})

/** Query of GET /dln/order/create-tx. */
export const toQuery = ({ order, binding, fee, referralCode }: Ask): { readonly [name: string]: string } => {
  const { input, output, inputAmount } = order
  return {
    srcChainId: String(toWireChain(input.chainId)),
    srcChainTokenIn: toWireToken(input),
    srcChainTokenInAmount: inputAmount.toString(),
    dstChainId: String(toWireChain(output.chainId)),
    dstChainTokenOut: toWireToken(output),
    // A number beside a fixed input would make a limit order, which solvers may never take.
    dstChainTokenOutAmount: 'auto',
    // The solver's cost comes out of the input, so the wallet pays the quoted amount.
    prependOperatingExpenses: 'false',
    ...partiesOf(order, binding),
    ...(fee === null ? {} : { affiliateFeePercent: percentOf(fee.bps), affiliateFeeRecipient: fee.recipient }),
    ...(referralCode === null ? {} : { referralCode }),
  }
}

/** The schema has already validated this as an integer. */
export const amountIn = (text: string): Amount => toAmount(BigInt(text))

const isToken = ({ address, chainId }: WireToken, asset: Asset): boolean => {
  const ecosystem = ecosystemOf(asset.chainId)
  const spelled = ecosystem === 'evm' ? address.toLowerCase() : address
  return (
    String(chainId) === String(toWireChain(asset.chainId)) &&
    parseAddress(ecosystem, spelled) === parseAddress(ecosystem, toWireToken(asset))
  )
}

/** Prices after the check against their request. */
export type Terms = { readonly outputAmount: Amount; readonly nativeFee: Amount }

/** Checks an answer against its request. Throws VenueError. */
export const toTerms = (
  { estimation, fixFee }: CreateTx,
  { order: { input, output, inputAmount } }: Ask,
  { feeOn }: Pinned,
): Terms => {
  const { srcChainTokenIn: paid, dstChainTokenOut: bought } = estimation
  demand('debridge answered with', {
    'another input token': [isToken(paid, input), paid],
    'another output token': [isToken(bought, output), bought],
    'another input amount': [amountIn(paid.amount) === inputAmount, paid.amount],
  })
  const outputAmount = amountIn(bought.amount)
  if (outputAmount === 0n) throw new VenueError('amountTooSmall', 'debridge: the output comes to nothing')
  return { outputAmount, nativeFee: fixFee == null ? toAmount(feeOn(input.chainId)) : amountIn(fixFee) }
}

/** "Refresh every 30 s": later, solvers may ignore an order. https://docs.debridge.com, refreshing estimates */
const LIFETIME_MS = 30_000

export type Priced = {
  readonly ask: Ask
  readonly answer: CreateTx
  readonly terms: Terms
  readonly spender: Address | null
  readonly now: number
}

/** An order demands an exact output, which changes until it is made: the slippage is our own, and execute enforces it. */
export const toOffer = ({ ask: { order, fee }, answer, terms, spender, now }: Priced): Offer => {
  const { outputAmount, nativeFee } = terms
  const { estimation, tx, order: made } = answer
  const guaranteedMin = toAmount(bpsOf(outputAmount, 10_000 - order.slippageBps) || 1n)
  const bps = fee?.bps ?? 0
  const delay = made?.approximateFulfillmentDelay
  return {
    ...PLAIN_OFFER,
    venue: VENUE_ID,
    executionType: 'TRANSACTION',
    outputAmount,
    fee: { bps, amount: toAmount(grossUp(outputAmount, bps, bps)) },
    slippage: { isFirm: true, guaranteedMin },
    gasUnits: isEvmChainId(order.input.chainId) && tx && Number.isSafeInteger(tx.gasLimit) ? BigInt(tx.gasLimit as number) : null,
    spender: isNative(order.input) ? null : spender,
    nativeFee,
    ...(delay != null && { estimatedTimeSeconds: Math.ceil(delay) }),
    expiresAt: now + LIFETIME_MS,
    decimals: { input: estimation.srcChainTokenIn.decimals, output: estimation.dstChainTokenOut.decimals },
    carry: { v: 1 },
  }
}
