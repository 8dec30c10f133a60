import { keccakText } from '../../chains/evm/evmCodec.ts'
import { type Address, parseEvmAddress } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import { closed, evmAddress, type Schema, shape } from '../kit/shapes.ts'

/** The content of our app data, which the order contains as a hash. */
export type AppDataTerms = {
  readonly appCode: string
  readonly slippageBps: number
  /** Null: without a fee. */
  readonly partnerFee: { readonly recipient: Address; readonly bps: number } | null
}

/** The exact string that is hashed, signed by its hash, and sent. */
export type AppDataDocument = { readonly text: string; readonly hash: Hex }

/** https://github.com/cowprotocol/app-data: the schema the document follows. */
const SCHEMA_VERSION = '1.15.0'

/** The order book takes at most 1 % in all, and clips a higher fee without an error. */
export const PARTNER_FEE_BPS_MAX = 100

const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

/** Writes the document: keys sorted, no white space, no fee key without a fee. */
export const writeAppData = ({ appCode, slippageBps, partnerFee }: AppDataTerms): AppDataDocument => {
  const text = canonical({
    appCode,
    metadata: {
      orderClass: { orderClass: 'market' },
      quote: { slippageBips: slippageBps },
      ...(partnerFee ? { partnerFee: { recipient: partnerFee.recipient, volumeBps: partnerFee.bps } } : {}),
    },
    version: SCHEMA_VERSION,
  })
  return { text, hash: keccakText(text) }
}

export type AppDataReading = {
  readonly partnerFee: { readonly recipient: string; readonly bps: number } | null
  /** Parts with an unknown effect on the order. */
  readonly unread: readonly string[]
}

type JsonObject = { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const strangers = (object: JsonObject, known: readonly string[], where: string): string[] =>
  Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => `app data ${where}${key.slice(0, 40)}`)

const bps: Schema<number> = { type: 'integer', minimum: 1, maximum: PARTNER_FEE_BPS_MAX }
const partnerFeeShape = shape('partner fee', closed({ recipient: evmAddress, volumeBps: bps }))

const readPartnerFee = (value: Json | undefined): AppDataReading => {
  if (value === undefined) return { partnerFee: null, unread: [] }
  const fee = partnerFeeShape.readOrNull(value)
  const recipient = fee && parseEvmAddress(fee.recipient)
  if (!recipient) return { partnerFee: null, unread: ['app data metadata.partnerFee'] }
  return { partnerFee: { recipient, bps: fee.volumeBps }, unread: [] }
}

const parseJson = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/**
 * Reads a document back. Hooks, permits, replaced orders and other entries of `metadata` can change the effect of an order. Every
 * entry that is not known to be harmless is reported. A text with a repeated key is not read.
 */
export const readAppData = (text: string): AppDataReading => {
  const document = parseJson(text)
  if (!isObject(document) || !isObject(document['metadata']) || canonical(document) !== text)
    return { partnerFee: null, unread: ['app data'] }
  const { metadata } = document
  const { partnerFee, unread } = readPartnerFee(metadata['partnerFee'])
  return {
    partnerFee,
    unread: [
      ...strangers(document, ['appCode', 'metadata', 'version'], ''),
      ...strangers(metadata, ['orderClass', 'partnerFee', 'quote'], 'metadata.'),
      ...unread,
    ],
  }
}
