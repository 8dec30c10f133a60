import { bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import { hashStruct } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, isSameAsset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Hex, RefundElsewhere } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { AddressesByChain, ChainNames } from '../kit/settings.ts'
import { rejected, VenueError } from '../venueError.ts'
import { graceMs, LIFETIME_MS, unreadable } from './map.ts'
import { chainNamed, fromCurrency, routersOn, SOLVER_CHAIN, spelledIn } from './published.ts'
import type { RelayOrder } from './wire.ts'

const fields = (text: string) =>
  text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

/** The types of an order's hash: src/order of relayprotocol/relay-protocol-sdk. */
const ORDER_TYPES = {
  Order: fields('string version, string solverChainId, address solver, uint256 salt, Input[] inputs, Output output, Fee[] fees'),
  Input: fields('InputPayment payment, InputRefund[] refunds'),
  InputPayment: fields('string chainId, bytes currency, uint256 amount, uint256 weight'),
  InputRefund: fields('string chainId, bytes recipient, bytes currency, uint256 minimumAmount, uint32 deadline, bytes extraData'),
  Output: fields('string chainId, OutputPayment[] payments, uint32 deadline, bytes[] calls, bytes extraData'),
  OutputPayment: fields('bytes recipient, bytes currency, uint256 minimumAmount, uint256 expectedAmount'),
  Fee: fields('string recipientChainId, bytes recipient, string currencyChainId, bytes currency, uint256 amount'),
}

/**
 * The byte before Bitcoin addresses of the old kinds. Since 2026 it is one that no segwit version has, which keeps the kinds
 * apart; before that there was no byte. HubAddressCodec.sol of relayprotocol/relay-settlement.
 */
const OLD_KIND_PREFIXES = [[0xff], []] as const

const bitcoinBytes = (address: string, prefix: readonly number[]): Uint8Array => {
  if (/^[13]/.test(address)) return Uint8Array.of(...prefix, ...base58.decode(address).slice(0, -4))
  const lower = address.toLowerCase() as `${string}1${string}`
  const { words } = lower.startsWith('bc1q') ? bech32.decode(lower, 90) : bech32m.decode(lower, 90)
  return Uint8Array.of(words[0] ?? 0, ...bech32.fromWords(words.slice(1)))
}

/** An address as the bytes that the order's hash uses: src/utils.ts, `encodeAddress`. Throws when it is invalid. */
const addressBytes = (chainName: string, address: string, { names, prefix }: Spelling): Hex => {
  switch (ecosystemOf(chainNamed(chainName, names))) {
    case 'evm':
      return address.toLowerCase() as Hex
    case 'solana':
      return `0x${bytesToHex(base58.decode(address))}`
    case 'bitcoin':
      return `0x${bytesToHex(bitcoinBytes(address, prefix))}`
  }
}

type Named = { readonly names: ChainNames }
type Spelling = Named & { readonly prefix: readonly number[] }
type Part = { readonly [field: string]: unknown }

/** A part of an order with its addresses as bytes, each of the chain beside it, or else above it. */
const inBytes = (part: Part, spelling: Spelling, chainAbove = ''): Part => {
  const {
    chainId = chainAbove,
    recipientChainId = chainId,
    currencyChainId = chainId,
  } = part as { readonly [name: string]: string }
  const chainOf: { readonly [field: string]: string } = { recipient: recipientChainId, currency: currencyChainId }
  const encode = (value: unknown, chain: string | undefined): unknown => {
    if (Array.isArray(value)) return value.map((each) => encode(each, chain))
    if (typeof value === 'object') return inBytes(value as Part, spelling, chainId)
    return chain === undefined ? value : addressBytes(chain, String(value), spelling)
  }
  return Object.fromEntries(Object.entries(part).map(([field, value]) => [field, encode(value, chainOf[field])]))
}

/**
 * The ids of an order: its EIP-712 struct hash, without a domain. With an address of Bitcoin's old kinds there are two, today's
 * first. Throws VenueError('rejected') for a chain or an address that cannot be read.
 */
export const orderIdsOf = async (order: RelayOrder, names: ChainNames): Promise<readonly Hex[]> => {
  const plain = { ...order, solver: order.solver.toLowerCase() }
  const idOf = async (prefix: readonly number[]) => hashStruct(ORDER_TYPES, 'Order', inBytes(plain, { names, prefix }))
  try {
    return [...new Set(await Promise.all(OLD_KIND_PREFIXES.map(idOf)))]
  } catch (cause) {
    throw cause instanceof VenueError ? cause : unreadable('order', 'an order', order)
  }
}

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
