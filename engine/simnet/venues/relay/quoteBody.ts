import { wordOf } from '../../kit/abiWords.ts'
import { unitsFor } from '../../kit/dollars.ts'
import { freshAddress } from '../../kit/freshAddress.ts'
import { type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { alteredTerms, type PayloadTerms, takesFor } from '../../kit/lies.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { amountBody, currencyOf, isSolverCurrency, type Network, SOLVER, spelled } from './networks.ts'
import { orderId } from './order.ts'
import { type Deal, priced } from './pricing.ts'
import { type Payable, stepsOf } from './steps.ts'

/** A quote that may be paid, and what became of it. */
export type RelayRequest = Payable &
  Terms &
  Progress & {
    /** The request a payment of another amount was taken for; null while there is none. */
    supersededBy: string | null
    /** How a deposit address is swept into the depository, told only: on this network what is paid there stays there. */
    readonly sweepTxHash: string
  }

/** As in every order that was published. */
const WEEK_SECONDS = 7 * 86_400
/** From the payment, or from its block on Bitcoin, until it is filled. */
export const FILL_MS = 6_000
/** The solver takes its own cost of sending out of a refund: features/deposit-addresses.mdx, "minus the cost of gas". */
const REFUND_COST_SATOSHI = 1_900n
/** By the `fees.gas` of the vendor's own examples, in millionths of a dollar. */
const REFUND_COST_MICROS = { ethereum: 19_054n, others: 1_000n }

const refundCostOf = ({ origin, input }: Deal, market: World['market']): bigint => {
  if (origin.vm === 'bvm') return REFUND_COST_SATOSHI
  return unitsFor(market, input, origin.name === 'ethereum' ? REFUND_COST_MICROS.ethereum : REFUND_COST_MICROS.others)
}

/** `details` and `fees`, which /price answers with as well. */
export const priceBody = (deal: Deal) => ({
  fees: { relayer: amountBody(deal.origin, deal.input, deal.relayerFee), app: amountBody(deal.origin, deal.input, deal.appFee) },
  details: {
    sender: deal.user,
    recipient: deal.recipient,
    currencyIn: amountBody(deal.origin, deal.input, deal.amount),
    currencyOut: amountBody(deal.destination, deal.output, deal.expected, deal.minimum),
    timeEstimate: deal.timeEstimate,
  },
})

/** The contract a delivery or a refund goes through, as `encodeOrderExtraData` of relay-protocol-sdk writes it. */
const extraDataOf = ({ router }: Network): string => (router === null ? '0x' : `0x${wordOf(router)}`)

/** On either chain, as in the orders of the vendor's own examples. An address of the one is no address of the other everywhere. */
const refundsOf = ({ origin, destination, input, output, user, refundTo, recipient }: Deal, deadline: number) => {
  const refund = (network: Network, token: SimToken, to: string) => ({
    chainId: network.name,
    recipient: spelled(network, to),
    // What was swapped for is given back as what the solver holds.
    currency: isSolverCurrency(token) ? currencyOf(network, token) : network.nativeCurrency,
    minimumAmount: '0',
    deadline,
    extraData: extraDataOf(network),
  })
  const onOther = origin.vm === destination.vm ? (refundTo ?? recipient) : recipient
  return [refund(origin, input, refundTo ?? user), refund(destination, output, onOther)]
}

/** `protocol.v2.orderData`. */
const orderOf = (deal: Deal, terms: PayloadTerms, { clock, random }: World) => {
  const { origin, destination, input, output, amount, expected } = deal
  const deadline = Math.floor(clock.now() / 1_000) + WEEK_SECONDS
  const payment = { chainId: origin.name, currency: currencyOf(origin, input), amount: amount.toString(), weight: '1' }
  const delivery = {
    recipient: spelled(destination, terms.recipient),
    currency: currencyOf(destination, output),
    minimumAmount: terms.minimum.toString(),
    expectedAmount: expected.toString(),
  }
  return {
    version: 'v1',
    solverChainId: 'base',
    solver: SOLVER,
    salt: `0x${random.hex(64)}`,
    inputs: [{ payment, refunds: refundsOf(deal, deadline) }],
    output: { chainId: destination.name, payments: [delivery], calls: [], deadline, extraData: extraDataOf(destination) },
    fees: [],
  }
}

const honestTerms = (deal: Deal): PayloadTerms => ({ ...deal, contract: deal.origin.depository })

/** The order, and the request the venue knows it by. */
const open = (world: World, deal: Deal, terms: PayloadTerms, depositAddress: string | null) => {
  const order = orderOf(deal, terms, world)
  const isBitcoin = deal.origin.vm === 'bvm'
  const entry: RelayRequest = {
    ...deal,
    ...untouched(),
    requestId: `0x${world.random.hex(64)}`,
    orderId: orderId(order),
    depositAddress,
    supersededBy: null,
    sweepTxHash: world.random.hex(64),
    // Any payment is taken: what one is worth is decided then.
    amountNeeded: 1n,
    refundCost: refundCostOf(deal, world.market),
    openUntil: world.clock.now(),
    settleMs: isBitcoin ? FILL_MS : 0,
  }
  return { order, entry }
}

/** What a payment of another amount, or one more, is taken for: a request of its own at the price of now. Throws Refusal. */
export const quoteAgain = (world: World, first: RelayRequest, amount: bigint): RelayRequest => {
  const deal = priced({ ...first, amount }, world.market)
  return open(world, deal, honestTerms(deal), first.depositAddress).entry
}

/** POST /quote/v2: the answer, and the request the venue will know by it. */
export const quoteBody = (world: World, venue: string, deal: Deal) => {
  const { random, faults } = world
  const { origin, refundTo, user } = deal
  const takes = takesFor(faults, venue, '/quote/v2')
  const terms = alteredTerms(takes, honestTerms(deal), deal)
  const address = terms.contract === origin.depository ? freshAddress(origin.chainId, random) : (refundTo ?? user)
  const { order, entry } = open(world, deal, terms, origin.vm === 'bvm' ? address : null)
  const id = takes('bad-signature') ? `0x${random.hex(64)}` : entry.orderId
  const body = {
    requestId: entry.requestId,
    steps: stepsOf({ ...entry, ...terms, orderId: id }),
    ...priceBody(deal),
    protocol: { v2: { orderId: id, orderData: order } },
  }
  return { body, entry }
}
