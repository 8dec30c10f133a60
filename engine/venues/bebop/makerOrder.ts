import { readNamedCall } from '../../chains/evm/exactCall.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { AGGREGATE_ABI, type AggregateOrder, SINGLE_ABI, type SingleOrder } from './protocol.ts'

/** One maker's receipt from the taker, and its payment to the receiver. */
export type MakerLeg = { readonly maker: Address; readonly takerAmount: bigint; readonly makerAmount: bigint }

/** The makers' orders in a call of BebopSettlement, taken together. */
export type MakerOrder = {
  /** Unix seconds. */
  readonly expiry: bigint
  readonly taker: Address
  readonly receiver: Address
  readonly takerToken: Address
  readonly makerToken: Address
  readonly takerAmount: bigint
  /** Signed by the maker: the least payment for all of `takerAmount`. */
  readonly makerAmount: bigint
  /** The amount to fill, in `takerToken`. 0: all. */
  readonly filledTakerAmount: bigint
  /** The order's id in the contract's fill event. */
  readonly eventId: bigint
  readonly partnerId: bigint
  /** One leg per maker; null where a maker pays or takes no token or several, or transfers a token to another. */
  readonly legs: readonly MakerLeg[] | null
  /** The contract wraps the coins of the call, which are the input. */
  readonly isPaidInCoins: boolean
  /** Unreadable parts, each in a few words. */
  readonly unread: readonly string[]
}

const HALF = 128n
const PARTNER_BITS = 64

/** Event id (128 bits), partner id (64), and 64 undocumented bits. */
const readFlags = (flags: bigint) => ({
  eventId: flags >> HALF,
  partnerId: BigInt.asUintN(PARTNER_BITS, flags >> BigInt(PARTNER_BITS)),
  isPlain: BigInt.asUintN(PARTNER_BITS, flags) === 0n,
})

/** Of `packed_commands`, by src/libs/Order.sol of the settlement. Other bits unwrap the output, or take the input by Permit2. */
const TAKER_HAS_NATIVE = 1n

const readSingle = (order: SingleOrder, filledTakerAmount: bigint): MakerOrder => {
  const { isPlain, ...told } = readFlags(order.flags)
  return {
    ...told,
    legs: [{ maker: order.maker_address, takerAmount: order.taker_amount, makerAmount: order.maker_amount }],
    isPaidInCoins: order.packed_commands === TAKER_HAS_NATIVE,
    expiry: order.expiry,
    taker: order.taker_address,
    receiver: order.receiver,
    takerToken: order.taker_token,
    makerToken: order.maker_token,
    takerAmount: order.taker_amount,
    makerAmount: order.maker_amount,
    filledTakerAmount,
    unread: failing({ packed_commands: order.packed_commands <= TAKER_HAS_NATIVE, flags: isPlain }),
  }
}

type Leg = { readonly token: Address; readonly amount: bigint; readonly command: string }

/** Commands that pass a token through the contract between two makers: into it, and out of it. */
const [INTO, OUT_OF] = ['07', '08']
const MIDDLE = [INTO, OUT_OF]
const PLAIN = '00'

/** The total that the legs move from end to end, in one token; null for several tokens, or none. */
const sumOf = (legs: readonly Leg[]): Omit<Leg, 'command'> | null => {
  const ends = legs.filter(({ command }) => !MIDDLE.includes(command))
  const [first] = ends
  if (first === undefined || ends.some(({ token }) => token !== first.token)) return null
  return { token: first.token, amount: ends.reduce((sum, { amount }) => sum + amount, 0n) }
}

type Legs = { readonly maker: readonly Leg[]; readonly taker: readonly Leg[] }

/** One command byte for each leg: for every maker its own legs first, then the taker's. Null where the lists do not match. */
const legsOf = (order: AggregateOrder): Legs | null => {
  const commands = order.commands.slice(2).match(/../g) ?? []
  const [maker, taker]: [Leg[], Leg[]] = [[], []]
  let at = 0
  const take = (into: Leg[], tokens: readonly string[] = [], amounts: readonly bigint[] = []): boolean => {
    tokens.forEach((token, index) => {
      into.push({ token: token as Address, amount: amounts[index] ?? -1n, command: commands[at + index] ?? '' })
    })
    at += tokens.length
    return tokens.length === amounts.length
  }
  const isWhole = order.maker_addresses.every(
    (_maker, index) =>
      take(maker, order.maker_tokens[index], order.maker_amounts[index]) &&
      take(taker, order.taker_tokens[index], order.taker_amounts[index]),
  )
  const { maker_addresses, ...lists } = order
  const { maker_nonces, maker_tokens, maker_amounts, taker_tokens, taker_amounts } = lists
  const isEven = [maker_nonces, maker_tokens, maker_amounts, taker_tokens, taker_amounts].every(
    ({ length }) => length === maker_addresses.length,
  )
  return isWhole && isEven && at === commands.length ? { maker, taker } : null
}

const makerLegsOf = ({ maker_addresses, maker_amounts, taker_amounts, commands }: AggregateOrder): MakerOrder['legs'] => {
  const isPlain = [...maker_amounts, ...taker_amounts].every(({ length, 0: amount = 0n }) => length === 1 && amount > 0n)
  const amountsOf = (at: number) => ({ takerAmount: taker_amounts[at]?.[0] ?? 0n, makerAmount: maker_amounts[at]?.[0] ?? 0n })
  return isPlain && /^0x(00)+$/.test(commands) ? maker_addresses.map((maker, at) => ({ maker, ...amountsOf(at) })) : null
}

const readAggregate = (order: AggregateOrder, filledTakerAmount: bigint): MakerOrder | null => {
  const legs = legsOf(order)
  const [given, got] = [legs && sumOf(legs.taker), legs && sumOf(legs.maker)]
  if (legs === null || given === null || got === null) return null
  const { isPlain, ...told } = readFlags(order.flags)
  const isOnly = (some: readonly Leg[], middle?: string) => some.every(({ command }) => [PLAIN, middle].includes(command))
  return {
    ...told,
    legs: makerLegsOf(order),
    isPaidInCoins: false,
    expiry: order.expiry,
    taker: order.taker_address,
    receiver: order.receiver,
    takerToken: given.token,
    makerToken: got.token,
    takerAmount: given.amount,
    makerAmount: got.amount,
    filledTakerAmount,
    unread: failing({ commands: isOnly(legs.maker, INTO) && isOnly(legs.taker, OUT_OF), flags: isPlain }),
  }
}

/** The makers' orders in a call of BebopSettlement; null for another call, or one not in canonical form. */
export const readMakerOrder = async (data: Hex): Promise<MakerOrder | null> => {
  const single = await readNamedCall(SINGLE_ABI, data)
  if (single !== null) return readSingle(single.order, single.filledTakerAmount)
  const aggregate = await readNamedCall(AGGREGATE_ABI, data)
  return aggregate && readAggregate(aggregate.order, aggregate.filledTakerAmount)
}
