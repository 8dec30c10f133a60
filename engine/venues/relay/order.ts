import type { Address } from '../../core/address.ts'
import { type Asset, isSameAsset } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, RefundElsewhere } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { AddressesByChain, ChainNames } from '../kit/settings.ts'
import { rejected, VenueError } from '../venueError.ts'
import { chainNamed, graceMs, LIFETIME_MS, routersOn, spelledIn, unreadable } from './map.ts'
import { fromCurrency, orderIds, SOLVER_CHAIN } from './protocol.ts'
import type { RelayOrder } from './wire.ts'

type Named = { readonly names: ChainNames }

/** The ids of an order. Throws VenueError('rejected') for a chain or an address that cannot be read. */
export const orderIdsOf = (order: RelayOrder, names: ChainNames): Promise<readonly Hex[]> =>
  orderIds(order, (name) => chainNamed(name, names)).catch((cause: unknown) => {
    throw cause instanceof VenueError ? cause : unreadable('order', 'an order', order)
  })

/** The terms that an order binds a deposit to, from the data that its id is the hash of. */
export type OrderTerms = {
  /** The order itself. */
  readonly words: RelayOrder
  /** Each of them identifies the order. */
  readonly orderIds: readonly Hex[]
  readonly input: { readonly asset: Asset; readonly amount: bigint }
  readonly output: { readonly asset: Asset; readonly minimum: bigint }
  /** The delivery that the solver intends. */
  readonly expected: bigint
  readonly recipient: Address
  /** Null when the order allows no refund on its input chain. */
  readonly refundTo: Address | null
  /**
   * Other places where the order allows a refund in the output's currency. The order may name any currency of that chain, because
   * the solver refunds from its holdings there. Refunds in another currency do not count, because their value is unknown.
   */
  readonly refundsElsewhere: readonly RefundElsewhere[]
  /**
   * Epoch ms after which it can be neither filled nor refunded: the oracle attests to no transaction after its deadline.
   * `getSolverPaidAmount` of relayprotocol/relay-protocol-oracle.
   */
  readonly lapsesAt: number
  /** Unproved parts, each as the error of a quote with it. */
  readonly unprovable: readonly VenueError[]
  /** Parts that would make it more than a plain swap of one payment for another. */
  readonly unread: readonly string[]
}

/** Inputs that no answer of the venue may decide. `routers`: besides the published ones; `names`: all of chains. */
export type OrderRules = Named & { readonly solver: Address; readonly routers: AddressesByChain; readonly now: number }

const assetIn = (chainId: ChainId, currency: string): Asset => {
  const asset = fromCurrency(chainId, currency)
  if (asset) return asset
  throw unreadable('currency', 'a currency that is none of its chain', currency)
}

type Way = { readonly extraData: string; readonly chainId: ChainId }

/**
 * `extraData` is empty, or names the contract whose events prove a payment in coins: another contract could report false
 * payments. `getSolverPaidAmount` of relayprotocol/relay-protocol-oracle, src/services/attestation.
 */
const rejectedRouters = (ways: readonly Way[], extra: AddressesByChain): readonly VenueError[] =>
  ways.flatMap(({ extraData, chainId }) => {
    const router = extraData.toLowerCase().replace(/^0x0{24}(?=[0-9a-f]{40}$)/, '0x')
    const isKnown = routersOn(chainId, extra).some((known) => known.toLowerCase() === router && extraData.length === 66)
    const found = `${router} (not pinned on chain ${chainId}; VENUE_RELAY_ROUTERS adds a router of Relay)`
    return isKnown || router === '0x' ? [] : [rejected('router', `relay: an order names the router ${found}`, found)]
  })

/** Fields that no plain swap has. */
const oddities = (order: RelayOrder, origin: ChainId, rules: OrderRules): readonly string[] => {
  const { version, solverChainId, solver, inputs, output } = order
  const latest = rules.now + LIFETIME_MS + graceMs(origin)
  return failing({
    'the version of the order': version === 'v1',
    'the chain of the solver': rules.names.get(solverChainId) === SOLVER_CHAIN,
    'the solver': solver.toLowerCase() === rules.solver.toLowerCase(),
    'a second input': inputs.length === 1,
    'a second payment': output.payments.length === 1,
    // The weight scales the payment: with weight zero it can be neither filled nor refunded.
    'the weight of the payment': inputs.every(({ payment }) => payment.weight === '1'),
    'an order that lapses too soon': output.deadline * 1_000 >= latest,
  })
}

/** Reads an order and computes its id. Throws VenueError when it cannot be read at all. */
export const readOrder = async (order: RelayOrder, rules: OrderRules): Promise<OrderTerms> => {
  const { inputs, output } = order
  const [first] = inputs
  const [payment] = output.payments
  if (!first || !payment) throw unreadable('order', 'an order that pays nothing', order)
  const origin = chainNamed(first.payment.chainId, rules.names)
  const destination = chainNamed(output.chainId, rules.names)
  const input = assetIn(origin, first.payment.currency)
  const recipient = spelledIn(destination, payment.recipient, 'the recipient')
  const refunds = first.refunds.map(({ chainId: name, recipient: party, ...refund }) => {
    const chainId = chainNamed(name, rules.names)
    return { ...refund, chainId, to: spelledIn(chainId, party, 'a refund address') }
  })
  const own = refunds.filter(({ chainId }) => chainId === origin)
  const elsewhere = refunds.filter(({ chainId }) => chainId !== origin)
  const refundTo = own[0]?.to ?? null
  const outputAsset = assetIn(destination, payment.currency)
  return {
    words: order,
    orderIds: await orderIdsOf(order, rules.names),
    input: { asset: input, amount: BigInt(first.payment.amount) },
    output: { asset: outputAsset, minimum: BigInt(payment.minimumAmount) },
    expected: BigInt(payment.expectedAmount),
    recipient,
    refundTo,
    refundsElsewhere: elsewhere
      .filter(({ chainId, currency }) => {
        const asset = fromCurrency(chainId, currency)
        return asset !== null && isSameAsset(asset, outputAsset)
      })
      .map(({ to }) => ({ asset: outputAsset, recipient: to })),
    lapsesAt: Math.max(output.deadline, ...refunds.map(({ deadline }) => deadline)) * 1_000,
    unprovable: [
      // The service never requests a call.
      ...output.calls.map((call) => rejected('calls', 'relay: an order calls a contract on delivery', call)),
      ...rejectedRouters([{ extraData: output.extraData, chainId: destination }, ...refunds], rules.routers),
    ],
    // The fees of an order are omitted on purpose: they come from the solver's earnings, after its delivery.
    unread: [
      ...oddities(order, origin, rules),
      ...failing({
        'no refund': refundTo !== null,
        // Real refund options have no least amount: each one adds a risk of an almost empty refund.
        'more refunds than one on a chain': own.length <= 1 && elsewhere.length <= 1,
        'a refund in another currency': own.every(({ currency }) => isSameAsset(assetIn(origin, currency), input)),
        // A refund is in the same coin on its own chain, or on the other chain to a party of the swap.
        'a refund to somebody else': elsewhere.every(
          ({ chainId, to }) => chainId === destination && [recipient, refundTo].includes(to),
        ),
        // The order may be filled until it expires, so refunds are due after that.
        'a refund that lapses before the order': refunds.every(({ deadline }) => deadline >= output.deadline),
      }),
    ],
  }
}
