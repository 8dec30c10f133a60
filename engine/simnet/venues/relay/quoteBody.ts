import { formatUnits, formatUsd, usdMicrosOf } from '../../kit/dollars.ts'
import { freshAddress } from '../../kit/freshAddress.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { currencyOf, type Network, SOLVERS } from './networks.ts'
import { orderId, type ProtocolOrder } from './order.ts'
import { type Price, priceOf } from './pricing.ts'
import type { QuotedRequest, QuoteRequest } from './quoteRequest.ts'
import { type DepositPlan, stepsOf, strangerOn } from './steps.ts'

const ID = 'relay'
const MONTH_SECONDS = 30 * 86_400

type Market = World['market']

const currencyBody = (network: Network, token: SimToken) => ({
  chainId: network.id,
  address: currencyOf(network, token),
  symbol: token.symbol,
  name: token.name,
  decimals: token.decimals,
})

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
  const fee = (value: bigint) => amountBody(market, origin, input, value)
  return {
    fees: { relayer: fee(price.relayerFee), app: fee(price.appFee) },
    details: {
      operation: 'swap',
      sender: user,
      recipient,
      currencyIn: amountBody(market, origin, input, amount),
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

/** What the faults that are on make of an honest order. */
type Distortion = {
  readonly recipient: string
  readonly minimum: bigint
  readonly amount: bigint
  readonly contract: string
  readonly isForgedId: boolean
}

const PATH = '/quote/v2'

const distort = ({ faults }: World, request: QuoteRequest, price: Price): Distortion => {
  const takes = (fault: Parameters<typeof faults.take>[1]) => faults.take(ID, fault, PATH) !== null
  const { origin, destination, recipient, amount } = request
  return {
    recipient: takes('wrong-recipient') ? strangerOn(destination.vm) : recipient,
    minimum: takes('wrong-minimum') ? price.minimum / 2n : price.minimum,
    amount: takes('wrong-amount') ? amount * 2n : amount,
    contract: takes('wrong-contract') ? strangerOn(origin.vm) : origin.depository,
    isForgedId: takes('bad-signature'),
  }
}

const spelled = ({ vm }: Network, address: string): string => (vm === 'evm' ? address.toLowerCase() : address)

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

const orderOf = (
  request: QuoteRequest,
  price: Price,
  { recipient, minimum }: Distortion,
  salt: string,
  now: number,
): ProtocolOrder => {
  const { origin, destination, input, output, amount } = request
  const deadline = Math.floor(now / 1_000) + MONTH_SECONDS
  return {
    version: 'v1',
    solverChainId: 'base',
    solver: SOLVERS.evm,
    salt: `0x${salt}`,
    inputs: [
      {
        payment: { chainId: origin.name, currency: currencyOf(origin, input), amount: amount.toString(), weight: '1' },
        refunds: refundsOf(request, deadline),
      },
    ],
    output: {
      chainId: destination.name,
      payments: [
        {
          recipient: spelled(destination, recipient),
          currency: currencyOf(destination, output),
          minimumAmount: minimum.toString(),
          expectedAmount: price.expected.toString(),
        },
      ],
      calls: [],
      deadline,
      extraData: extraDataOf(destination),
    },
    fees: [],
  }
}

/** An order before the deposit pays something else than what the wallet has: the swapped coin. */
const swapped = (order: ProtocolOrder, { origin, input }: QuoteRequest, isSwap: boolean): ProtocolOrder => {
  const [first] = order.inputs
  if (!isSwap || !first) return order
  const currency = origin.nativeCurrency === currencyOf(origin, input) ? currencyOf(origin, input) : origin.nativeCurrency
  return { ...order, inputs: [{ ...first, payment: { ...first.payment, currency } }] }
}

/** What a payment of another amount, or one more, is taken for: a request of its own at the price of now. Throws Refusal. */
export const quoteAgain = ({ clock, random, market }: World, entry: QuotedRequest, amount: bigint): QuotedRequest => {
  const request = { ...entry.request, amount }
  const price = priceOf(request, market)
  const { recipient } = request
  const honest = { recipient, minimum: price.minimum, amount, contract: request.origin.depository, isForgedId: false }
  const order = orderOf(request, price, honest, random.hex(64), clock.now())
  const { depositAddress } = entry
  const ids = { requestId: `0x${random.hex(64)}`, orderId: orderId(order), depositAddress, createdAt: clock.now() }
  return { ...ids, request, quoted: price }
}

/** POST /quote/v2: the answer, and the request the venue will know by it. */
export const quoteBody = (world: World, request: QuoteRequest, price: Price, isSwap: boolean) => {
  const { clock, random, market, faults } = world
  const { origin } = request
  const distortion = distort(world, request, price)
  const order = swapped(orderOf(request, price, distortion, random.hex(64), clock.now()), request, isSwap)
  const id = orderId(order)
  const requestId = `0x${random.hex(64)}`
  const isTaken = faults.take(ID, 'wrong-contract', '/deposit-address') !== null || distortion.contract !== origin.depository
  const fresh = spelled(origin, freshAddress(origin.chainId, random))
  const depositAddress = !request.useDepositAddress ? null : isTaken ? (request.refundTo ?? request.user) : fresh
  const plan: DepositPlan = {
    requestId,
    orderId: distortion.isForgedId ? `0x${random.hex(64)}` : id,
    contract: distortion.contract,
    amount: distortion.amount,
    depositAddress,
  }
  const entry: QuotedRequest = { requestId, orderId: id, request, quoted: price, depositAddress, createdAt: clock.now() }
  const { currency, amount } = order.inputs[0]?.payment ?? { currency: '', amount: '0' }
  const paymentDetails = { chainId: origin.name, depository: origin.depository, currency, amount }
  const body = {
    requestId,
    steps: stepsOf(request, plan),
    ...priceBody(market, request, price),
    protocol: { v2: { orderId: plan.orderId, hubType: 'onchain', orderData: order, paymentDetails } },
  }
  return { body, entry }
}
