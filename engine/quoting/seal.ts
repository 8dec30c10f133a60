import { createCompactJwe } from '../core/compactJwe.ts'
import type { Json } from '../core/json.ts'
import type { NetworkName } from '../core/networkName.ts'
import type { Offer } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { FeeOwner } from '../core/partner.ts'
import type { Secret } from '../core/secret.ts'
import { SwapError } from '../errors.ts'
import { packOffer, packOrder, UnreadableToken, unpackOffer, unpackOrder } from './sealedFields.ts'
import { tokenKeyId } from './tokenKeyId.ts'

/** The content of a quote token: the order, the winning offer, and the facts that a later call needs. */
export type SealedQuote = {
  /** Names the quote in the store and the log. */
  readonly id: string
  readonly order: VenueOrder
  readonly offer: Offer
  readonly isExecutable: boolean
  /** The partner whose key requested the quote: a fee of `feeOf` partner belongs to it. */
  readonly partnerId: string | null
  readonly feeOf: FeeOwner
  /** Epoch ms. Only execute checks it. */
  readonly expiresAt: number
  /** Epoch ms, by the clock of the instance that made the quote. Left out in a token of an earlier build. */
  readonly mintedAt?: number
  /** The execution this token was handed out with, for the service to broadcast; null in a token of a quote. */
  readonly swapId: number | null
  /** The race that it won, packed, for later readers; null in a token without room for it, or of an execution. */
  readonly race: string | null
}

/** The longest token we mint or open: it travels in a query string. */
export const QUOTE_TOKEN_LENGTH_MAX = 4_096
/** What a token may hold of JSON for the race to ride along: the token is then below 2 KB. */
const BYTES_WITH_RACE_MAX = 1_440

/**
 * Tokens of the build 9afc73ab (2026-11-24, replaced after 11 minutes and never released) have this number and another shape: they
 * are refused with QUOTE_INVALID.
 */
const VERSION = 1

/** Short keys and arrays: every byte of this is paid three times, in a URL. Change the shape and VERSION changes. */
type Packed = {
  readonly v: typeof VERSION
  readonly id: string
  readonly x: number
  readonly e: 0 | 1
  readonly p: string | null
  readonly o: readonly Json[]
  readonly f: readonly Json[]
  readonly c: Json
  readonly s?: number
  /** The fee is the operator's; left out: the partner's. */
  readonly w?: 1
  /** From the minting to `x`, ms. */
  readonly m?: number
  /** The race. */
  readonly r?: string
}

const pack = ({ id, order, offer, isExecutable, partnerId, feeOf, expiresAt, mintedAt, swapId, race }: SealedQuote): Packed => ({
  v: VERSION,
  id,
  x: expiresAt,
  e: isExecutable ? 1 : 0,
  p: partnerId,
  o: packOrder(order),
  f: packOffer(offer),
  c: offer.carry,
  ...(swapId !== null && { s: swapId }),
  ...(feeOf === 'operator' && { w: 1 }),
  ...(mintedAt !== undefined && { m: expiresAt - mintedAt }),
  ...(race !== null && { r: race }),
})

/** The quote matters more than the record of its race. */
const written = (quote: SealedQuote): Buffer => {
  const whole = Buffer.from(JSON.stringify(pack(quote)))
  const isTooMuch = quote.race !== null && whole.length > BYTES_WITH_RACE_MAX
  return isTooMuch ? Buffer.from(JSON.stringify(pack({ ...quote, race: null }))) : whole
}

const isPacked = (value: Partial<Packed> | null): value is Packed =>
  value?.v === VERSION && Array.isArray(value.o) && Array.isArray(value.f)

const unpack = (packed: Partial<Packed> | null): SealedQuote => {
  if (!isPacked(packed)) throw new UnreadableToken('version')
  const { id, x, e, p, o, f, c, s = null, w, m, r = null } = packed
  const attribution = { partnerId: p, feeOf: w === 1 ? 'operator' : 'partner' } as const
  return {
    id,
    order: unpackOrder(o),
    offer: unpackOffer(f, c),
    isExecutable: e === 1,
    ...attribution,
    expiresAt: x,
    ...(m !== undefined && { mintedAt: x - m }),
    swapId: s,
    race: r,
  }
}

const invalid = (cause?: unknown): SwapError =>
  new SwapError('QUOTE_INVALID', 'The quoteToken is malformed or was altered. Request a fresh quote.', { cause })

/** Seals quotes into opaque, encrypted, tamper-evident tokens (JWE, dir + A256GCM) and opens them again. */
export interface QuoteSeal {
  /** Throws RangeError when the sealed quote is over the length a query string carries. */
  mint(quote: SealedQuote): string
  /** QUOTE_INVALID for a token not minted by us on this network, or minted under a key no longer listed. Ignores the expiry. */
  open(token: string): SealedQuote
}

/**
 * The first secret mints; all open, so that keys can be rotated without a moment of invalid quotes. A token of another network
 * does not open, whatever its key.
 */
export const createQuoteSeal = (secrets: readonly Secret[], network: NetworkName): QuoteSeal => {
  const keys = secrets.map((secret) => createCompactJwe(secret, tokenKeyId(secret), network))
  const [current] = keys
  if (!current) throw new TypeError('at least one token key is needed')
  const byHeader = new Map(keys.map((key) => [key.header, key]))

  const mint = (quote: SealedQuote): string => {
    const token = current.seal(written(quote))
    if (token.length > QUOTE_TOKEN_LENGTH_MAX) throw new RangeError(`a quote token of ${token.length} characters`)
    return token
  }

  const open = (token: string): SealedQuote => {
    if (token.length > QUOTE_TOKEN_LENGTH_MAX) throw invalid()
    const text = byHeader.get(token.slice(0, token.indexOf('.')))?.open(token) ?? null
    if (text === null) throw invalid()
    try {
      return unpack(JSON.parse(text) as Partial<Packed> | null)
    } catch (error) {
      // Only what a token can do wrong is the caller's fault; anything else must surface as ours.
      if (error instanceof UnreadableToken || error instanceof SyntaxError) throw invalid(error)
      throw error
    }
  }

  return { mint, open }
}
