import type { webcrypto } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, errors } from 'jose'
import type { Json } from '../core/json.ts'
import type { Offer } from '../core/offer.ts'
import type { VenueOrder } from '../core/order.ts'
import type { FeeOwner } from '../core/partner.ts'
import type { Secret } from '../core/secret.ts'
import { SwapError } from '../errors.ts'
import { packOffer, packOrder, UnreadableToken, unpackOffer, unpackOrder } from './sealedFields.ts'
import { tokenKeyId } from './tokenKeyId.ts'

/** What a quote token holds: the order, the winning offer, and what a later call must know of the quote. */
export type SealedQuote = {
  /** Names the quote in the store and the log. */
  readonly id: string
  readonly order: VenueOrder
  readonly offer: Offer
  readonly isExecutable: boolean
  /** Whose key the quote was asked with: its fee, where it is a partner's, is that partner's. */
  readonly partnerId: string | null
  readonly feeOf: FeeOwner
  /** Epoch ms. Only execute cares. */
  readonly expiresAt: number
  /** The execution this token was handed out with, for the service to broadcast; null in a token of a quote. */
  readonly swapId: number | null
}

/** The longest token we mint or open: it travels in a query string. */
export const QUOTE_TOKEN_LENGTH_MAX = 4_096

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
}

const pack = ({ id, order, offer, isExecutable, partnerId, feeOf, expiresAt, swapId }: SealedQuote): Packed => ({
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
})

const isPacked = (value: Partial<Packed> | null): value is Packed =>
  value?.v === VERSION && Array.isArray(value.o) && Array.isArray(value.f)

const unpack = (packed: Partial<Packed> | null): SealedQuote => {
  if (!isPacked(packed)) throw new UnreadableToken('version')
  const { id, x, e, p, o, f, c, s = null, w } = packed
  const attribution = { partnerId: p, feeOf: w === 1 ? 'operator' : 'partner' } as const
  return {
    id,
    order: unpackOrder(o, f),
    offer: unpackOffer(f, c),
    isExecutable: e === 1,
    ...attribution,
    expiresAt: x,
    swapId: s,
  }
}

const invalid = (cause?: unknown): SwapError =>
  new SwapError('QUOTE_INVALID', 'The quoteToken is malformed or was altered. Request a fresh quote.', { cause })

type Key = { readonly id: string; readonly key: webcrypto.CryptoKey }

const keyOf = async (secret: Secret): Promise<Key> => {
  const bytes = new Uint8Array(Buffer.from(secret.reveal(), 'hex'))
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { id: tokenKeyId(secret), key }
}

/**
 * The last character of a base64url part has bits that decode to nothing: without this check one character could be
 * changed and the token would still open.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)

/** Seals quotes into opaque, encrypted, tamper-evident tokens (JWE, dir + A256GCM) and opens them again. */
export interface QuoteSeal {
  /** Throws RangeError when the sealed quote is over the length a query string carries. */
  mint(quote: SealedQuote): Promise<string>
  /** QUOTE_INVALID for anything we did not mint, or minted under a key no longer listed. Does not look at the expiry. */
  open(token: string): Promise<SealedQuote>
}

/** The first secret mints; all open, so that keys can be rotated without a moment of invalid quotes. */
export const createQuoteSeal = async (secrets: readonly Secret[]): Promise<QuoteSeal> => {
  const keys = await Promise.all(secrets.map(keyOf))
  const [current] = keys
  if (!current) throw new TypeError('at least one token key is needed')
  const byId = new Map(keys.map((key) => [key.id, key]))

  const mint = async (quote: SealedQuote): Promise<string> => {
    const token = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(pack(quote))))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.id })
      .encrypt(current.key)
    if (token.length > QUOTE_TOKEN_LENGTH_MAX) throw new RangeError(`a quote token of ${token.length} characters`)
    return token
  }

  const open = async (token: string): Promise<SealedQuote> => {
    if (token.length > QUOTE_TOKEN_LENGTH_MAX || !isCanonical(token)) throw invalid()
    try {
      const keyFor = ({ kid }: { kid?: string }) => {
        const key = byId.get(kid ?? '')
        if (!key) throw new UnreadableToken('key')
        return key.key
      }
      const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
      const { plaintext } = await compactDecrypt(token, keyFor, options)
      return unpack(JSON.parse(new TextDecoder().decode(plaintext)) as Partial<Packed> | null)
    } catch (error) {
      // Only what a token can do wrong is the caller's fault; anything else must surface as ours.
      if (error instanceof errors.JOSEError || error instanceof UnreadableToken || error instanceof SyntaxError)
        throw invalid(error)
      throw error
    }
  }

  return { mint, open }
}
