import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { type Domain, digestOf, hashOfList } from '../../kit/typedHash.ts'
import { minimumOf, quoteBody } from './answers.ts'
import { checkCover, type Desk, expiryOf, grossOf, type JamOrder, numberOf, pairOf, quoteIdOf, shareOf } from './desk.ts'
import { CONTRACTS, NATIVE_MARKER, SOLVER, ZERO_ADDRESS, ZERO_HASH } from './networks.ts'
import { refusing } from './refusal.ts'
import { readQuoteRequest } from './request.ts'

/** What the venue itself keeps of every order. */
const PROTOCOL_BPS = 1n

const ORDER_TYPE =
  'JamOrder(address taker,address receiver,uint256 expiry,uint256 exclusivityDeadline,uint256 nonce,address executor,uint256 partnerInfo,address[] sellTokens,address[] buyTokens,uint256[] sellAmounts,uint256[] buyAmounts,bytes32 hooksHash)'

const domainOf = (chainId: number): Domain => ({ name: 'JamSettlement', version: '2', chainId, contract: CONTRACTS.jam })

export const jamDigest = (chainId: number, order: JamOrder): Uint8Array =>
  digestOf(domainOf(chainId), ORDER_TYPE, [
    ...[order.taker, order.receiver, order.expiry, order.exclusivityDeadline, order.nonce, order.executor, order.partnerInfo],
    ...[order.sellToken, order.buyToken, order.sellAmount, order.buyAmount].map((word) => hashOfList([word])),
    order.hooksHash,
  ])

const toSign = ({ sellToken, buyToken, sellAmount, buyAmount, ...order }: JamOrder) => ({
  ...order,
  expiry: Number(order.expiry),
  exclusivityDeadline: Number(order.exclusivityDeadline),
  nonce: order.nonce.toString(),
  partnerInfo: order.partnerInfo.toString(),
  sellTokens: [sellToken],
  buyTokens: [buyToken],
  sellAmounts: [sellAmount.toString()],
  buyAmounts: [buyAmount.toString()],
})

/** After both fees, each of the gross. */
export const netOf = (gross: bigint, partnerInfo: bigint): bigint =>
  gross - shareOf(gross, partnerInfo & 0xffffn) - shareOf(gross, (partnerInfo >> 16n) & 0xffffn)

/** GET /jam/{chain}/v2/quote */
export const answerJamQuote = async (desk: Desk, sent: SimRequest): Promise<SimResponse> => {
  const { world, network } = desk
  const takes = takesFor(world.faults, 'bebop', sent.path)
  if (takes('halt')) throw refusing(108, 'RouteNotFound')
  const request = readQuoteRequest(sent)
  const { sell, buy, amount, feeBps, feeRecipient, taker, receiver, isGasless, approval } = request
  if (!isGasless) throw refusing(101, 'only orders to sign are simulated')
  if (approval !== 'Standard') throw refusing(101, 'only Standard approvals are simulated')
  if (sell === NATIVE_MARKER) throw refusing(101, 'the native token cannot be sold gasless')
  if (feeBps > 0n && feeRecipient === null) throw refusing(101, 'fee without fee_recipient')
  const pair = pairOf(desk, sell, buy)
  const partnerInfo = (feeBps > 0n ? (BigInt(feeRecipient ?? ZERO_ADDRESS) << 32n) | (feeBps << 16n) : 0n) | PROTOCOL_BPS
  const net = netOf(grossOf(desk, pair, amount, network.gasUsdMicros) * misquotedBy(takes), partnerInfo)
  const priced = { amount: net, minimum: minimumOf(net, request) }
  if (request.isValidated) await checkCover(desk, { token: sell, owner: taker, spender: CONTRACTS.manager, amount })
  const expiry = expiryOf(desk, request)
  const quoteId = quoteIdOf(desk)
  const sides = { origin: network, destination: network }
  const terms = alteredTerms(takes, { recipient: receiver, minimum: priced.minimum, amount, contract: CONTRACTS.jam }, sides)
  const order: JamOrder = {
    ...{ taker, receiver: terms.recipient, expiry: BigInt(expiry), exclusivityDeadline: BigInt(expiry) },
    ...{ nonce: numberOf(desk), executor: SOLVER, partnerInfo },
    ...{ sellToken: sell, buyToken: buy, sellAmount: terms.amount, buyAmount: terms.minimum },
    hooksHash: takes('bad-signature') ? `0x${'b'.repeat(64)}` : ZERO_HASH,
  }
  desk.quotes.set(quoteId, { order, pair, placed: null })
  return ok({
    status: 'Success',
    ...quoteBody(desk, request, { pair, priced, expiry, quoteId }),
    settlementAddress: terms.contract,
    approvalTarget: CONTRACTS.manager,
    requiredSignatures: [],
    hooksHash: order.hooksHash,
    solver: 'simulated',
    toSign: toSign(order),
  })
}
