import { type Address, parseAddress } from '../../core/address.ts'
import { type Asset, isSameAsset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'
import type { ChainIndex } from './chainList.ts'
import { fromCurrency } from './contracts.ts'
import { orderIdOf, type RelayOrder, type RelayRefund } from './order.ts'

/** What an order binds a deposit to, by its own words, which its id is the hash of. */
export type OrderTerms = {
  readonly orderId: Hex
  readonly input: { readonly asset: Asset; readonly amount: bigint }
  readonly output: { readonly asset: Asset; readonly minimum: bigint }
  readonly recipient: Address
  /** Null when the order lets nothing be refunded on the chain it is paid on. */
  readonly refundTo: Address | null
  /** Parts that would make it anything but a plain swap of one payment for another. */
  readonly unread: readonly string[]
}

const unreadable = (what: string): VenueError => new VenueError('badResponse', `relay: the order cannot be read: ${what}`)

const chainIn = (chains: ChainIndex, name: string): ChainId => {
  const chainId = chains.byName(name)
  if (chainId === null) throw unreadable('a chain of another name')
  return chainId
}

const assetIn = (chainId: ChainId, currency: string): Asset => {
  const asset = fromCurrency(chainId, currency)
  if (asset === null) throw unreadable('a currency that is none of its chain')
  return asset
}

const addressIn = (chainId: ChainId, text: string): Address => {
  const ecosystem = ecosystemOf(chainId)
  const address = parseAddress(ecosystem, ecosystem === 'evm' ? text.toLowerCase() : text)
  if (address === null) throw unreadable('an address that is none of its chain')
  return address
}

type Parties = { readonly origin: ChainId; readonly destination: ChainId; readonly recipient: Address; readonly input: Asset }

/** A refund goes back in the same coin on the chain it came from, or to the recipient on the other. */
const refundProblem = (
  { chainId: name, recipient: to, currency }: RelayRefund,
  chains: ChainIndex,
  { origin, destination, recipient, input }: Parties,
): string | null => {
  const chainId = chainIn(chains, name)
  const refunded = assetIn(chainId, currency)
  if (chainId === origin) return isSameAsset(refunded, input) ? null : 'a refund in another currency'
  return chainId === destination && addressIn(chainId, to) === recipient ? null : 'a refund to somebody else'
}

/** Null when none is paid on that chain; two addresses are one too many. */
const refundAddress = (refunds: readonly RelayRefund[], chains: ChainIndex, origin: ChainId): Address | null => {
  const own = refunds
    .filter(({ chainId }) => chains.byName(chainId) === origin)
    .map((refund) => addressIn(origin, refund.recipient))
  if (new Set(own).size > 1) throw unreadable('refunds to several addresses')
  return own[0] ?? null
}

/** Reads an order and computes its id. Throws VenueError('badResponse') when it cannot be read at all. */
export const readOrder = async (order: RelayOrder, chains: ChainIndex, now: number): Promise<OrderTerms> => {
  const { version, solver, inputs, output } = order
  const [first, ...otherInputs] = inputs
  const [payment, ...otherPayments] = output.payments
  if (!first || !payment) throw unreadable('nothing is paid')
  const origin = chainIn(chains, first.payment.chainId)
  const destination = chainIn(chains, output.chainId)
  const input = assetIn(origin, first.payment.currency)
  const recipient = addressIn(destination, payment.recipient)
  const parties = { origin, destination, recipient, input }
  const refundTo = refundAddress(first.refunds, chains, origin)
  const lapsesAt = output.deadline * 1_000
  return {
    orderId: await orderIdOf(order, chains),
    input: { asset: input, amount: BigInt(first.payment.amount) },
    output: { asset: assetIn(destination, payment.currency), minimum: BigInt(payment.minimumAmount) },
    recipient,
    refundTo,
    // The fees of an order are left out on purpose: they come out of what the solver earns, after it has delivered.
    unread: [
      ...(version === 'v1' ? [] : ['the version of the order']),
      ...(chains.isSolver(solver) ? [] : ['the solver']),
      ...(otherInputs.length === 0 ? [] : ['a second input']),
      ...(otherPayments.length === 0 ? [] : ['a second payment']),
      ...(output.calls.length === 0 ? [] : ['calls on delivery']),
      ...(lapsesAt > now ? [] : ['an order that has lapsed']),
      ...(refundTo === null ? ['no refund'] : []),
      ...first.refunds.flatMap((refund) => refundProblem(refund, chains, parties) ?? []),
    ],
  }
}
