import type { Address } from '../../core/address.ts'
import { type Asset, isSameAsset, NATIVE_SOL } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { graceMs, LIFETIME_MS, unprovable, unreadable } from './map.ts'
import { orderIdsOf, type RelayOrder } from './order.ts'
import { chainNamed, fromCurrency, PINNED, spelledIn } from './published.ts'

/** What an order binds a deposit to, by its own words, which its id is the hash of. */
export type OrderTerms = {
  readonly words: RelayOrder
  /** Any of them names the order. */
  readonly orderIds: readonly Hex[]
  readonly input: { readonly asset: Asset; readonly amount: bigint }
  readonly output: { readonly asset: Asset; readonly minimum: bigint }
  /** What the solver means to deliver. */
  readonly expected: bigint
  readonly recipient: Address
  /** Null when the order lets nothing be refunded on the chain it is paid on. */
  readonly refundTo: Address | null
  /** Parts of honest orders too that nothing proves. */
  readonly unprovable: readonly string[]
  /** Parts that would make it anything but a plain swap of one payment for another. */
  readonly unread: readonly string[]
}

/** What no answer of the venue may decide. */
export type OrderRules = { readonly solver: Address; readonly now: number }

const assetIn = (chainId: ChainId, currency: string): Asset => {
  const asset = fromCurrency(chainId, currency)
  if (asset) return asset
  if (currency === NATIVE_SOL) throw unprovable('a payment in wrapped SOL')
  throw unreadable('a currency that is none of its chain')
}

/**
 * Nothing, or the one contract by whose events a payment in coins is found to have been made: anybody's contract can tell
 * of payments that never were. `getSolverPaidAmount` of relayprotocol/relay-protocol-oracle, src/services/attestation.
 */
const isPlain = (extraData: string, chainId: ChainId): boolean => {
  const { router } = PINNED[chainId]
  const word = router && `0x${router.slice(2).toLowerCase().padStart(64, '0')}`
  return extraData === '0x' || extraData.toLowerCase() === word
}

/** A way back for the input. */
type Refund = { readonly chainId: ChainId; readonly to: Address; readonly currency: string; readonly lapsesAt: number }

const refundsOf = ({ inputs: [first] }: RelayOrder): readonly Refund[] =>
  (first?.refunds ?? []).map(({ chainId: name, recipient, currency, deadline }) => {
    const chainId = chainNamed(name)
    return { chainId, to: spelledIn(chainId, recipient, 'a refund address'), currency, lapsesAt: deadline }
  })

/** What no plain swap has. */
const oddities = ({ version, solver, inputs, output }: RelayOrder, origin: ChainId, rules: OrderRules): readonly string[] => {
  const latest = rules.now + LIFETIME_MS + graceMs(origin)
  return failing({
    'the version of the order': version === 'v1',
    'the solver': solver.toLowerCase() === rules.solver.toLowerCase(),
    'a second input': inputs.length === 1,
    'a second payment': output.payments.length === 1,
    // What is paid is measured in it: weighed as nothing it can be neither filled nor refunded.
    'the weight of the payment': inputs.every(({ payment }) => payment.weight === '1'),
    'an order that lapses too soon': output.deadline * 1_000 >= latest,
  })
}

/** Reads an order and computes its id. Throws VenueError when it cannot be read at all. */
export const readOrder = async (order: RelayOrder, rules: OrderRules): Promise<OrderTerms> => {
  const { inputs, output } = order
  const [first] = inputs
  const [payment] = output.payments
  if (!first || !payment) throw unreadable('an order that pays nothing')
  const origin = chainNamed(first.payment.chainId)
  const destination = chainNamed(output.chainId)
  const input = assetIn(origin, first.payment.currency)
  const recipient = spelledIn(destination, payment.recipient, 'the recipient')
  const refunds = refundsOf(order)
  const own = refunds.filter(({ chainId }) => chainId === origin)
  const elsewhere = refunds.filter(({ chainId }) => chainId !== origin)
  const refundTo = own[0]?.to ?? null
  const isPlainOrder =
    isPlain(output.extraData, destination) &&
    first.refunds.every(({ extraData, chainId }) => isPlain(extraData, chainNamed(chainId)))
  const isParty = ({ chainId, to }: Refund) => chainId === destination && (to === recipient || to === refundTo)
  return {
    words: order,
    orderIds: await orderIdsOf(order),
    input: { asset: input, amount: BigInt(first.payment.amount) },
    output: { asset: assetIn(destination, payment.currency), minimum: BigInt(payment.minimumAmount) },
    expected: BigInt(payment.expectedAmount),
    recipient,
    refundTo,
    unprovable: failing({ 'a call on delivery': output.calls.length === 0, 'a contract that delivers': isPlainOrder }),
    // The fees of an order are left out on purpose: they come out of what the solver earns, after it has delivered.
    unread: [
      ...oddities(order, origin, rules),
      ...failing({
        'no refund': refundTo !== null,
        'refunds to several addresses': own.every(({ to }) => to === refundTo),
        'a refund in another currency': own.every(({ currency }) => isSameAsset(assetIn(origin, currency), input)),
        // It goes back in the same coin on the chain it came from, or on the other to a party of the swap.
        'a refund to somebody else': elsewhere.every(isParty),
        // Until the order lapses it may be filled: refunds are due after that, if ever.
        'a refund that lapses before the order': refunds.every(({ lapsesAt }) => lapsesAt >= output.deadline),
      }),
    ],
  }
}
