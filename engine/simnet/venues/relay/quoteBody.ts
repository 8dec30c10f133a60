import { formatUnits, formatUsd, usdMicrosOf } from '../../kit/dollars.ts'
import { freshAddress } from '../../kit/freshAddress.ts'
import { alteredTerms, type PayloadTerms, takesFor } from '../../kit/lies.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { currencyBody, currencyOf, isSolverCurrency, type Network, SOLVERS, spelled } from './networks.ts'
import { orderId } from './order.ts'
import { type Price, priceOf } from './pricing.ts'
import type { QuoteRequest } from './quoteRequest.ts'
import { type DepositPlan, stepsOf } from './steps.ts'

/** A quote that may be paid. */
export type QuotedRequest = {
  readonly requestId: string
  readonly orderId: string
  readonly request: QuoteRequest
  readonly quoted: Pick<Price, 'expected' | 'minimum'>
  readonly depositAddress: string | null
  readonly createdAt: number
}

const MONTH_SECONDS = 30 * 86_400

type Market = World['market']

const amountBody = (market: Market, network: Network, token: SimToken, amount: bigint, minimum = amount) => ({
  currency: currencyBody(network, token),
  amount: amount.toString(),
  amountFormatted: formatUnits(amount, token.decimals),
  amountUsd: formatUsd(usdMicrosOf(market, token, amount)),
  minimumAmount: minimum.toString(),
})

/** `details` and `fees`, which /price answers with as well. */
export const priceBody = (market: Market, request: QuoteRequest, price: Price) => {
  const { origin, destination, input, output, amount, user, recipient } = request
  const ofInput = (value: bigint) => amountBody(market, origin, input, value)
  return {
    fees: { relayer: ofInput(price.relayerFee), app: ofInput(price.appFee) },
    details: {
      operation: 'swap',
      sender: user,
      recipient,
      currencyIn: ofInput(amount),
      currencyOut: amountBody(market, destination, output, price.expected, price.minimum),
      totalImpact: { usd: '0', percent: '0' },
      rate: '1',
      slippageTolerance: { total: String(price.slippageBps) },
      timeEstimate: price.timeEstimate,
      userBalance: '0',
      isFixedRate: false,
    },
  }
}

/** The contract a delivery or a refund goes through, as `encodeOrderExtraData` of relay-protocol-sdk writes it. */
const extraDataOf = ({ vm, router }: Network): string => (vm === 'evm' ? `0x${router.slice(2).padStart(64, '0')}` : '0x')

/** On either chain, as in the orders of the vendor's own examples. An address of the one is no address of the other everywhere. */
const refundsOf = ({ origin, destination, input, output, user, refundTo, recipient }: QuoteRequest, deadline: number) => {
  const refund = (network: Network, token: SimToken, to: string) => ({
    chainId: network.name,
    recipient: spelled(network, to),
    currency: currencyOf(network, token),
    minimumAmount: '0',
    deadline,
    extraData: extraDataOf(network),
  })
  const onOther = origin.vm === destination.vm ? (refundTo ?? recipient) : recipient
  return [refund(origin, input, refundTo ?? user), refund(destination, output, onOther)]
}

type Deal = { readonly request: QuoteRequest; readonly price: Price; readonly terms: PayloadTerms }

/** `protocol.v2.orderData`. Swapped before the deposit, what is paid is the coin the chain calls its own. */
const orderOf = ({ request, price, terms }: Deal, { clock, random }: World) => {
  const { origin, destination, input, output, amount } = request
  const deadline = Math.floor(clock.now() / 1_000) + MONTH_SECONDS
  const currency = isSolverCurrency(input) ? currencyOf(origin, input) : origin.nativeCurrency
  const payment = { chainId: origin.name, currency, amount: amount.toString(), weight: '1' }
  const delivery = {
    recipient: spelled(destination, terms.recipient),
    currency: currencyOf(destination, output),
    minimumAmount: terms.minimum.toString(),
    expectedAmount: price.expected.toString(),
  }
  return {
    version: 'v1',
    solverChainId: 'base',
    solver: SOLVERS.evm,
    salt: `0x${random.hex(64)}`,
    inputs: [{ payment, refunds: refundsOf(request, deadline) }],
    output: { chainId: destination.name, payments: [delivery], calls: [], deadline, extraData: extraDataOf(destination) },
    fees: [],
  }
}

const honestTerms = ({ recipient, amount, origin }: QuoteRequest, { minimum }: Price): PayloadTerms => ({
  ...{ recipient, minimum, amount },
  contract: origin.depository,
})

/** The request the venue knows an order by. */
const entryOf = ({ clock, random }: World, { request, price }: Deal, order: object): Omit<QuotedRequest, 'depositAddress'> => ({
  requestId: `0x${random.hex(64)}`,
  orderId: orderId(order),
  request,
  quoted: price,
  createdAt: clock.now(),
})

/** What a payment of another amount, or one more, is taken for: a request of its own at the price of now. Throws Refusal. */
export const quoteAgain = (world: World, { request: first, depositAddress }: QuotedRequest, amount: bigint): QuotedRequest => {
  const request = { ...first, amount }
  const price = priceOf(request, world.market)
  const deal = { request, price, terms: honestTerms(request, price) }
  return { ...entryOf(world, deal, orderOf(deal, world)), depositAddress }
}

/** POST /quote/v2: the answer, and the request the venue will know by it. */
export const quoteBody = (world: World, venue: string, request: QuoteRequest, price: Price) => {
  const { random, market, faults } = world
  const { origin } = request
  const takes = takesFor(faults, venue, '/quote/v2')
  const terms = alteredTerms(takes, honestTerms(request, price), request)
  const deal = { request, price, terms }
  const order = orderOf(deal, world)
  const known = entryOf(world, deal, order)
  const isTaken = terms.contract !== origin.depository || takesFor(faults, venue, '/deposit-address')('wrong-contract')
  const fresh = spelled(origin, freshAddress(origin.chainId, random))
  const depositAddress = !request.useDepositAddress ? null : isTaken ? (request.refundTo ?? request.user) : fresh
  const entry: QuotedRequest = { ...known, depositAddress }
  const { contract, amount } = terms
  const id = takes('bad-signature') ? `0x${random.hex(64)}` : entry.orderId
  const plan: DepositPlan = { requestId: entry.requestId, orderId: id, contract, amount, depositAddress }
  const { currency = '', amount: owed = '0' } = order.inputs[0]?.payment ?? {}
  const paymentDetails = { chainId: origin.name, depository: origin.depository, currency, amount: owed }
  const body = {
    requestId: entry.requestId,
    steps: stepsOf(request, plan),
    ...priceBody(market, request, price),
    protocol: { v2: { orderId: id, hubType: 'onchain', orderData: order, paymentDetails } },
  }
  return { body, entry }
}
