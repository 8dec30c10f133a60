import { bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import { hashStruct } from '../../chains/evm/evmCodec.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { amount, closed, count, evmAddress, list, type Schema, type Static, text } from '../kit/shapes.ts'
import { VenueError } from '../venueError.ts'
import { unreadable } from './map.ts'
import { chainNamed, PINNED } from './published.ts'

const name = text({ minLength: 1, maxLength: 64 })
const address = text({ pattern: '^[0-9a-zA-Z]{25,90}$' })
const salt = text({ pattern: '^(0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})$' })
const bytes = text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 8_000 })
/** Unix seconds. */
const seconds = count(4_294_967_295)
const few = <T>(items: Schema<T>) => list(items, { maxItems: 8 })

/** Where the input may go back to when it cannot be swapped. */
const refund = closed({
  chainId: name,
  recipient: address,
  currency: address,
  minimumAmount: amount,
  deadline: seconds,
  extraData: bytes,
})

/**
 * What a solver has to do for a deposit: `protocol.v2.orderData`. Its hash is the id a deposit carries, which binds the
 * money to it; a field more would not be in the hash, and nothing would bind it. Source: src/order of
 * relayprotocol/relay-protocol-sdk.
 */
export const relayOrder = closed({
  version: name,
  solverChainId: name,
  solver: evmAddress,
  salt,
  inputs: few(closed({ payment: closed({ chainId: name, currency: address, amount, weight: amount }), refunds: few(refund) })),
  output: closed({
    chainId: name,
    payments: few(closed({ recipient: address, currency: address, minimumAmount: amount, expectedAmount: amount })),
    calls: few(bytes),
    deadline: seconds,
    extraData: bytes,
  }),
  // Paid out of what the solver earns, after it has delivered.
  fees: few(closed({ recipientChainId: name, recipient: address, currencyChainId: name, currency: address, amount })),
})

export type RelayOrder = Static<typeof relayOrder>

const fields = (text: string) =>
  text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

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
 * How addresses of Bitcoin's old kinds are written: since 2026 with a byte before them that no segwit version has, so that
 * none is taken for the other; before that without. HubAddressCodec.sol of relayprotocol/relay-settlement.
 */
const OLD_KIND_PREFIX = { today: [0xff], before: [] } as const

const bitcoinBytes = (address: string, prefix: readonly number[]): Uint8Array => {
  if (/^[13]/.test(address)) return Uint8Array.of(...prefix, ...base58.decode(address).slice(0, -4))
  const lower = address.toLowerCase() as `${string}1${string}`
  const { words } = lower.startsWith('bc1q') ? bech32.decode(lower, 90) : bech32m.decode(lower, 90)
  return Uint8Array.of(words[0] ?? 0, ...bech32.fromWords(words.slice(1)))
}

/** An address as the bytes an order is hashed over: src/utils.ts, `encodeAddress`. Throws when it is none. */
const addressBytes = (chainName: string, address: string, prefix: readonly number[]): Hex => {
  switch (ecosystemOf(chainNamed(chainName))) {
    case 'evm':
      return address.toLowerCase() as Hex
    case 'solana':
      return `0x${bytesToHex(base58.decode(address))}`
    case 'bitcoin':
      return `0x${bytesToHex(bitcoinBytes(address, prefix))}`
  }
}

type Part = { readonly [field: string]: unknown }

/** A part of an order with its addresses as bytes, each of the chain that is named beside it, or else above it. */
const inBytes = (part: Part, prefix: readonly number[], chainAbove = ''): Part => {
  const {
    chainId = chainAbove,
    recipientChainId = chainId,
    currencyChainId = chainId,
  } = part as { readonly [name: string]: string }
  const chainOf: { readonly [field: string]: string } = { recipient: recipientChainId, currency: currencyChainId }
  const encode = (value: unknown, chain: string | undefined): unknown => {
    if (Array.isArray(value)) return value.map((each) => encode(each, chain))
    if (typeof value === 'object') return inBytes(value as Part, prefix, chainId)
    return chain === undefined ? value : addressBytes(chain, String(value), prefix)
  }
  return Object.fromEntries(Object.entries(part).map(([field, value]) => [field, encode(value, chainOf[field])]))
}

/**
 * The ids of an order: the EIP-712 hash of it as a struct, without a domain; two where it names an address of one of
 * Bitcoin's old kinds, today's first. Throws VenueError('badResponse') when it names a chain or an address that cannot
 * be read.
 */
export const orderIdsOf = async (order: RelayOrder): Promise<readonly Hex[]> => {
  const plain = { ...order, solver: order.solver.toLowerCase() }
  const idOf = (prefix: readonly number[]) => hashStruct(ORDER_TYPES, 'Order', inBytes(plain, prefix))
  try {
    const id = await idOf(OLD_KIND_PREFIX.today)
    return JSON.stringify(order).includes(`"${PINNED[BITCOIN].name}"`)
      ? [...new Set([id, await idOf(OLD_KIND_PREFIX.before)])]
      : [id]
  } catch (cause) {
    throw cause instanceof VenueError ? cause : unreadable('an order', cause)
  }
}
