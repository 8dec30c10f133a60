import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import { readClaim } from '../../core/claim.ts'
import type { Execution, Payload, PayloadClaims } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { Route } from '../../core/route.ts'
import { addressIn, isSameAddress } from '../kit/addresses.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_EXECUTION, PLAIN_OFFER } from '../kit/plain.ts'
import { grossUp, type Repriced } from '../kit/reprice.ts'
import type { SlippageRule } from '../venue.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import { isLimit } from './decode.ts'
import { readPartnerInfo, toMessage } from './jamOrder.ts'
import { jamTypedData } from './protocol.ts'
import type { BebopSettings, Way } from './settings.ts'
import type { Evidence, WireQuote } from './wire.ts'

/**
 * Percent with two decimals, up to 50: the documents name no default. Without a slippage the router's orders have no least
 * output, so every request has one, and never zero.
 */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 50, minBps: 1, maxBps: 5_000 }

/** The greatest fee of either API: https://docs.bebop.xyz */
const FEE_BPS_MAX = 500

/** Only the sender of a transaction can sell coins. */
export const wayOf = ({ input }: Pick<Route, 'input'>, { tokensBy }: BebopSettings): Way => (isNative(input) ? 'rfq' : tokensBy)

/** The recipient of the integrator fee: our address by JAM, the partner's account at the venue by RFQ. */
export const feeRecipientOf = (route: Pick<Route, 'input'>, settings: BebopSettings): string | null => {
  if (wayOf(route, settings) === 'jam') return settings.feeRecipient
  return settings.isAuthenticated ? settings.source : null
}

export const feeBpsOf = (order: VenueOrder, settings: BebopSettings): number =>
  feeRecipientOf(order, settings) === null ? 0 : Math.min(order.feeBps, FEE_BPS_MAX)

/** The data of a request. */
export type Wish = {
  readonly order: VenueOrder
  readonly recipient: Address
  readonly slippageBps: number
  readonly feeBps: number
}

export const toQuery = ({ order, recipient, slippageBps, feeBps }: Wish, settings: BebopSettings) => {
  const isSigned = wayOf(order, settings) === 'jam'
  const { source, feeRecipient } = settings
  return {
    sell_tokens: order.input.address,
    buy_tokens: order.output.address,
    sell_amounts: order.inputAmount.toString(),
    taker_address: order.sender,
    receiver_address: recipient,
    gasless: String(isSigned),
    approval_type: 'Standard',
    slippage: (slippageBps / 100).toFixed(2),
    // The engine reports missing balance and allowance itself, with the approval that is needed.
    skip_validation: 'true',
    ...(source !== null && { source }),
    ...(feeBps > 0 && { fee: String(feeBps) }),
    ...(feeBps > 0 && isSigned && feeRecipient !== null && { fee_recipient: feeRecipient }),
  }
}

type Tokens = WireQuote['buyTokens']

/** The venue chooses the spelling of map keys. Null unless it is the only token. */
const tokenIn = (tokens: Tokens, expected: Address): Tokens[string] | null => {
  const [entry, ...others] = Object.entries(tokens)
  return entry !== undefined && others.length === 0 && isSameAddress(entry[0], expected) ? entry[1] : null
}

/** For each way, the one executable status. */
const EXECUTABLE = { jam: 'Success', rfq: 'SIG_SUCCESS' } as const
const SETTINGS = 'VENUE_BEBOP_ROUTERS, _SETTLEMENTS, _JAM_SETTLEMENTS and _BALANCE_MANAGERS'
const INDICATIVE = 'QUOTE_INDIC_ROUTE'

/** The quote's amounts, in smallest units of the output. `least`: the guaranteed amount; 0 without a guarantee. */
type Priced = { readonly expected: bigint; readonly least: bigint; readonly decimals: Offer['decimals'] }

/** Rejects a price that does not match the request. */
const readPrice = (answer: WireQuote, { order, recipient }: Wish, settings: BebopSettings): Priced => {
  const way = wayOf(order, settings)
  const { jam, routers, settlements } = settings.pinned(order.input.chainId)
  if (answer.status === INDICATIVE) throw new VenueError('noLiquidity', 'a price that cannot be executed')
  const sold = tokenIn(answer.sellTokens, order.input.address)
  const bought = tokenIn(answer.buyTokens, order.output.address)
  const { settlementAddress, approvalTarget } = answer
  // The contracts to call or sign for, and the spender of the input.
  const parties = way === 'jam' ? jam : [...routers, ...settlements].map((to) => [to, to] as const)
  if (answer.status !== EXECUTABLE[way]) throw rejected('status', 'quote: not as asked: status', answer.status)
  if (!parties.some(([to, spender]) => isSameAddress(settlementAddress, to) && isSameAddress(approvalTarget, spender)))
    throw rejected('parties', `quote: other contracts; ${SETTINGS} add some`, [settlementAddress, approvalTarget])
  demand('quote: not as asked', {
    chainId: [answer.chainId === order.input.chainId, answer.chainId],
    taker: [isSameAddress(answer.taker, order.sender), answer.taker],
    receiver: [isSameAddress(answer.receiver, recipient), answer.receiver],
    sellTokens: sold !== null && BigInt(sold.amount) === order.inputAmount,
    buyTokens: bought !== null,
  })
  return {
    expected: BigInt(bought?.amount ?? 0),
    least: BigInt(bought?.minimumAmount ?? 0),
    decimals: { input: sold?.decimals ?? null, output: bought?.decimals ?? null },
  }
}

export const payloadOf = ({ order }: Wish, answer: WireQuote, settings: BebopSettings): Payload => {
  const { tx, toSign, settlementAddress } = answer
  const { chainId } = order.input
  const { routers, settlements } = settings.pinned(chainId)
  if (wayOf(order, settings) === 'jam') {
    if (!toSign) throw rejected('toSign', 'quote: there is nothing to sign')
    const contract = addressIn(chainId, settlementAddress.toLowerCase(), 'the settlement')
    const typedData = jamTypedData(chainId, toMessage(chainId, toSign), contract)
    return { executionType: 'SIGNATURE', chainId, typedData, approvalData: null }
  }
  if (!tx) throw rejected('tx', 'quote: there is nothing to send')
  const value = toAmount(isNative(order.input) ? order.inputAmount : 0n)
  const to = [...routers, ...settlements].find((contract) => isSameAddress(tx.to, contract))
  if (to === undefined) throw rejected('to', 'quote: another transaction', tx.to)
  demand('quote: another transaction', {
    settlementAddress: [isSameAddress(settlementAddress, to), settlementAddress],
    from: [isSameAddress(tx.from, order.sender), tx.from],
    value: [BigInt(tx.value) === value, tx.value],
  })
  return { executionType: 'TRANSACTION', transaction: { chainId, to, data: tx.data.toLowerCase(), value } }
}

export const evidenceOf = ({ order }: Wish): Evidence => ({ v: 1, taker: order.sender })

/** The request, the answer, and the claims of its payload. */
export type Answered = {
  readonly wish: Wish
  readonly answer: WireQuote
  readonly payload: Payload
  readonly claims: PayloadClaims
}

/** The recipient's expected output, and the guarantee of the bytes. */
export type Terms = Repriced & Pick<Priced, 'decimals'>

/** Offers only what execute could hand out. Where the bytes show a fee, it is the quoted fee, paid to our address. */
export const termsOf = ({ wish, answer, claims }: Answered, settings: BebopSettings): Terms => {
  const { order, recipient, feeBps } = wish
  const { least, ...priced } = readPrice(answer, wish, settings)
  const { said: minimum = 0n } = readClaim(claims.output.minimum)
  const binding = { recipient, refundTo: order.refundTo }
  const problems = claimProblems(claims, { order, binding, minimum: least, expected: priced.expected })
  const unknown = problems.find((problem) => !isLimit(problem))
  if (unknown !== undefined) throw rejected(checkId(unknown), `quote: ${problems.join(', ')}`, problems)
  if (problems.length > 0) throw new VenueError('unsupportedPair', `quote: ${problems.join(', ')}`, { reason: 'notSold' })
  const { said: fee } = readClaim(claims.fee)
  const taken = fee && 'bps' in fee ? fee : null
  demand('quote: not as asked', {
    fee:
      fee === undefined ||
      (feeBps === 0 ? taken === null : taken?.bps === feeBps && taken.recipient === feeRecipientOf(order, settings)),
    minimum: minimum > 0n,
    expiry: claims.deadlineAt !== null && claims.deadlineAt <= answer.expiry * 1_000,
  })
  return { ...priced, minimum }
}

/** The least time that a wallet needs to quote, execute and sign, in ms. Without a key, most chains' orders live 9 to 10 s. */
const SIGNING_MS_MIN = 25_000

/** The end of an offer: a signed order may end before the time of the answer. */
const endOf = ({ answer, claims }: Answered): number => Math.min(claims.deadlineAt ?? 0, answer.expiry * 1_000)

/** Declines an order to sign that ends before a wallet can sign it. `now`: epoch ms. */
export const demandTimeToSign = (answered: Answered, now: number): void => {
  const left = endOf(answered) - now
  if (answered.payload.executionType === 'SIGNATURE' && left < SIGNING_MS_MIN)
    throw new VenueError('noLiquidity', `the order ends in ${Math.floor(left / 1_000)} s: too soon to be signed`)
}

export const toOffer = (answered: Answered, { decimals, ...price }: Terms): Offer => {
  const { wish, answer, payload, claims } = answered
  const { feeBps } = wish
  const { tx, toSign } = answer
  // All fees on the output: ours, and the protocol's for JAM.
  const totalBps = feeBps + (readPartnerInfo(BigInt(toSign?.partnerInfo ?? 0))?.protocolBps ?? 0)
  return {
    ...PLAIN_OFFER,
    ...firm(price),
    venue: 'bebop',
    executionType: payload.executionType,
    fee: { bps: feeBps, amount: toAmount(grossUp(price.expected, feeBps, totalBps)) },
    gasUnits: Number.isSafeInteger(tx?.gas) ? BigInt(tx?.gas as number) : null,
    spender: claims.spender,
    expiresAt: endOf(answered),
    decimals,
    carry: { v: 1 },
  }
}

export const toExecution = ({ wish, answer, payload }: Answered, price: Terms): Execution => ({
  ...PLAIN_EXECUTION,
  ...firm(price),
  payload,
  // A transaction is tracked by its own hash.
  venueRef: payload.executionType === 'SIGNATURE' ? answer.quoteId : null,
  evidence: evidenceOf(wish),
})
