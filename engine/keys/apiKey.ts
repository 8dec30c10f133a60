import { hash, randomBytes } from 'node:crypto'
import type { PartnerKind } from '../core/partner.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
const PARTNER_ID_LENGTH = 16

const PREFIXES: { readonly [K in PartnerKind]: string } = { selfServe: 'swk_', enterprise: 'swe_' }
/** A prefix, the random characters and the checksum. */
const FORM = /^sw[ke]_[0-9A-Za-z]{38}$/

const base62 = (value: bigint, length: number): string => {
  let [text, rest] = ['', value]
  for (; text.length < length; rest /= 62n) text = `${DIGITS[Number(rest % 62n)]}${text}`
  return text
}

const sha256 = (text: string): string => hash('sha256', text)

/** Over the whole text before it: a mistyped key is detected without a read of the store. */
const checkOf = (text: string): string => base62(BigInt(`0x${sha256(text).slice(0, 12)}`), CHECK_LENGTH)

const randomText = (length: number): string => base62(BigInt(`0x${randomBytes(32).toString('hex')}`), length)

/** A new key: 32 random characters of base62 and their checksum. At 190 bits of entropy a plain hash of it reveals nothing. */
export const newApiKey = (kind: PartnerKind): string => {
  const text = `${PREFIXES[kind]}${randomText(RANDOM_LENGTH)}`
  return `${text}${checkOf(text)}`
}

/** A partner's public id, in answers and webhooks too. */
export const newPartnerId = (): string => `ptn_${randomText(PARTNER_ID_LENGTH)}`

/** Whether a text has the form of our keys. */
export const isApiKey = (text: string): boolean =>
  FORM.test(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)

/** The store's id of a key. */
export const hashOf = (apiKey: string): string => sha256(apiKey)

/** Distinguishes a key from others of its partner, without revealing it. */
export const hintOf = (apiKey: string): string => `${apiKey.slice(0, 4)}…${apiKey.slice(-4)}`
