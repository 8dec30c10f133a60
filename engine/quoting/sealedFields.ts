import type { Address } from '../core/address.ts'
import { type Amount, parseAmount, toAmount } from '../core/amount.ts'
import { type Asset, parseAsset } from '../core/asset.ts'
import { isChainId } from '../core/chain.ts'
import type { Json } from '../core/json.ts'
import type { ExecutionType, Offer } from '../core/offer.ts'
import type { Party, VenueOrder } from '../core/order.ts'
import type { Sum } from '../core/peg.ts'

/** A token that opened but does not hold what this version writes: a key shared with something else, or an old shape. */
export class UnreadableToken extends Error {}

/** How a token stores one field. Unpacking may use the fields before it. */
type Codec<Value, Whole> = {
  pack(value: Value, whole: Whole): Json
  unpack(packed: Json, before: Partial<Whole>): Value
}

/** Every field at its place: the order of the lines is the order in the token. New ones come last. */
type Fields<Whole> = { readonly [Field in keyof Whole]: Codec<Whole[Field], Whole> }

/** The fields in their order; empty ones at the end are left out. */
const packFields = <Whole>(fields: Fields<Whole>, whole: Whole): readonly Json[] => {
  const packed = (Object.keys(fields) as (keyof Whole)[]).map((field) => fields[field].pack(whole[field], whole))
  return packed.slice(0, packed.findLastIndex((value) => value !== null) + 1)
}

/** What `packFields` packed. Throws UnreadableToken. */
const unpackFields = <Whole>(fields: Fields<Whole>, packed: readonly Json[]): Whole => {
  const whole: Partial<Whole> = {}
  for (const [place, field] of (Object.keys(fields) as (keyof Whole)[]).entries())
    whole[field] = fields[field].unpack(packed[place] ?? null, whole)
  // Every field of the table was read.
  return whole as Whole
}

const codec = <Value>(
  what: string,
  pack: (value: Value) => Json,
  unpack: (packed: Json) => Value | null,
): Codec<Value, unknown> => ({
  pack,
  unpack: (packed) => {
    const value = unpack(packed)
    if (value === null) throw new UnreadableToken(what)
    return value
  },
})

/** As another codec, with null for null. */
const orNull = <Value>({ pack, unpack }: Codec<Value, unknown>): Codec<Value | null, unknown> => ({
  pack: (value, whole) => (value === null ? null : pack(value, whole)),
  unpack: (packed, before) => (packed === null ? null : unpack(packed, before)),
})

const listIn = (packed: Json): readonly Json[] => {
  if (!Array.isArray(packed)) throw new UnreadableToken('list')
  return packed as readonly Json[]
}

const same = <Value extends Json>(what: string, isOne: (packed: Json) => boolean): Codec<Value, unknown> =>
  codec<Value>(
    what,
    (value) => value,
    (packed) => (isOne(packed) ? (packed as Value) : null),
  )

const TEXT = same<string>('text', (packed) => typeof packed === 'string')
// Addresses are canonical already: nothing but this service writes a token.
const ADDRESS = same<Address>('address', (packed) => typeof packed === 'string')
const NUMBER = same<number>('number', (packed) => typeof packed === 'number')
const KINDS: readonly Json[] = ['TRANSACTION', 'SIGNATURE', 'DEPOSIT'] satisfies ExecutionType[]
const KIND = same<ExecutionType>('execution type', (packed) => KINDS.includes(packed))
const PARTIES = same<readonly Party[]>('parties', (packed) => Array.isArray(packed))
const AMOUNT = codec<Amount>('amount', (value) => value.toString(), parseAmount)
const FLAG: Codec<boolean, unknown> = { pack: (value) => (value ? 1 : 0), unpack: (packed) => packed === 1 }

const ASSET = codec<Asset>(
  'asset',
  ({ chainId, address }) => [chainId, address],
  (packed) => {
    const [chainId, address] = listIn(packed)
    const isPacked = typeof chainId === 'number' && isChainId(chainId) && typeof address === 'string'
    return isPacked ? parseAsset(chainId, address) : null
  },
)

/** The sender's address again costs 40 bytes and more; 0 replaces it. */
const OR_SENDER: Codec<Address, { readonly sender: Address }> = {
  pack: (address, { sender }) => (address === sender ? 0 : address),
  unpack: (packed, before) => (packed === 0 && before.sender !== undefined ? before.sender : ADDRESS.unpack(packed, before)),
}

/** The order but for what the race alone needs. */
const ORDER_FIELDS: Fields<Omit<VenueOrder, 'excludeVenues'>> = {
  input: ASSET,
  output: ASSET,
  inputAmount: AMOUNT,
  sender: ADDRESS,
  recipient: OR_SENDER,
  refundTo: OR_SENDER,
  unnamed: PARTIES,
  slippageBps: NUMBER,
  feeBps: NUMBER,
  rankingMode: { pack: (mode) => (mode === 'fastest' ? 1 : 0), unpack: (packed) => (packed === 1 ? 'fastest' : 'best_output') },
  sandbox: FLAG,
  broadcastViaService: FLAG,
}

/** The offer but for its carry. `fee` takes two places, as one list would cost two bytes. */
type FlatOffer = Omit<Offer, 'carry' | 'fee' | 'bridges' | 'bridgesLeast' | 'isApprovedBySignature'> & {
  readonly bridgesLeast: Sum | null
  readonly feeBps: number
  readonly feeAmount: Amount
}

const OFFER_FIELDS: Fields<FlatOffer> = {
  venue: TEXT,
  executionType: KIND,
  outputAmount: AMOUNT,
  feeBps: NUMBER,
  feeAmount: AMOUNT,
  slippage: orNull(
    codec(
      'slippage',
      ({ isFirm, guaranteedMin }) => [isFirm ? 1 : 0, guaranteedMin.toString()],
      (packed) => {
        const [isFirm, minimum] = listIn(packed)
        const guaranteedMin = parseAmount(minimum)
        return guaranteedMin === null ? null : { isFirm: isFirm === 1, guaranteedMin }
      },
    ),
  ),
  gasUnits: orNull(AMOUNT),
  spender: orNull(ADDRESS),
  estimatedTimeSeconds: orNull(NUMBER),
  expiresAt: orNull(NUMBER),
  decimals: codec(
    'decimals',
    ({ input, output }) => [input, output],
    (packed) => {
      const [input = null, output = null] = listIn(packed)
      return { input: input as number | null, output: output as number | null }
    },
  ),
  nativeFee: {
    pack: (fee) => (fee === 0n ? null : fee.toString()),
    unpack: (packed) => (packed === null ? toAmount(0n) : AMOUNT.unpack(packed, {})),
  },
  bridgesLeast: orNull(
    codec<Sum>(
      'bridgesLeast',
      ({ asset: { chainId, address }, amount }) => [[chainId, address], amount.toString()],
      (packed) => {
        const [asset = null, least] = listIn(packed)
        const amount = parseAmount(least)
        return amount === null ? null : { asset: ASSET.unpack(asset, {}), amount }
      },
    ),
  ),
}

export const packOffer = ({ fee, carry: _carry, bridgesLeast, ...offer }: Offer): readonly Json[] =>
  packFields(OFFER_FIELDS, { ...offer, feeBps: fee.bps, feeAmount: fee.amount, bridgesLeast: bridgesLeast ?? null })

export const unpackOffer = (packed: readonly Json[], carry: Json): Offer => {
  const { feeBps, feeAmount, bridgesLeast, ...offer } = unpackFields(OFFER_FIELDS, packed)
  return { ...offer, fee: { bps: feeBps, amount: feeAmount }, carry, ...(bridgesLeast && { bridgesLeast }) }
}

export const packOrder = (order: VenueOrder): readonly Json[] => packFields(ORDER_FIELDS, order)

export const unpackOrder = (packed: readonly Json[]): VenueOrder => ({ ...unpackFields(ORDER_FIELDS, packed), excludeVenues: [] })
