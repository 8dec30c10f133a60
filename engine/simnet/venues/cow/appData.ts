import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { refused } from './refusal.ts'

/** An order's app data as the order book understands it. */
export type AppData = {
  readonly hash: string
  readonly text: string
  /** All partner fees together, clipped to what the protocol takes at most. */
  readonly partnerFeeBps: bigint
}

const BYTES_MAX = 8192
const PARTNER_FEE_BPS_MAX = 100n
const KNOWN_METADATA = new Set([
  'appCode',
  'bridging',
  'flashloan',
  'hooks',
  'orderClass',
  'partnerFee',
  'quote',
  'referrer',
  'replacedOrder',
  'signer',
  'userConsents',
  'utm',
  'widget',
  'wrappers',
])

type JsonObject = { readonly [key: string]: unknown }

const invalid = (reason: string) => refused(400, 'InvalidAppData', `invalid app data: ${reason}`)

const objectOf = (value: unknown, where: string): JsonObject => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${where} is no object`)
  return value as JsonObject
}

const isBps = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 10_000

/** `{ volumeBps, recipient }`, or one of the forms that share in surplus, which our prices never have. */
const volumeBpsOf = (value: unknown): bigint => {
  const { recipient, volumeBps, ...rest } = objectOf(value, 'metadata.partnerFee')
  if (typeof recipient !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(recipient)) throw invalid('metadata.partnerFee.recipient')
  if (Object.keys(rest).length > 0) throw invalid(`metadata.partnerFee.${Object.keys(rest)[0]}`)
  if (!isBps(volumeBps)) throw invalid('metadata.partnerFee.volumeBps')
  return BigInt(volumeBps)
}

const partnerFeeBpsOf = (partnerFee: unknown): bigint => {
  if (partnerFee === undefined) return 0n
  const fees = Array.isArray(partnerFee) ? partnerFee : [partnerFee]
  const total = fees.reduce((sum: bigint, fee: unknown) => sum + volumeBpsOf(fee), 0n)
  return total > PARTNER_FEE_BPS_MAX ? PARTNER_FEE_BPS_MAX : total
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('not JSON')
  }
}

export const appDataHash = (text: string): string => `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`

/** What stands for no document, and for one left out: crates/app-data in cowprotocol/services. */
const EMPTY = '{}'

/** Checks a full document against the published schema, as far as it matters to an order. */
export const readDocument = (text: string): AppData => {
  if (text === EMPTY) return { hash: appDataHash(text), text, partnerFeeBps: 0n }
  if (utf8ToBytes(text).length > BYTES_MAX) throw invalid(`more than ${BYTES_MAX} bytes`)
  const { version, appCode, environment, metadata, ...rest } = objectOf(parse(text), 'the document')
  if (typeof version !== 'string' || !/^[0-9]+\.[0-9]+\.[0-9]+$/.test(version)) throw invalid('version')
  if (typeof appCode !== 'string' || appCode === '' || appCode.length > 50) throw invalid('appCode')
  if (environment !== undefined && typeof environment !== 'string') throw invalid('environment')
  if (Object.keys(rest).length > 0) throw invalid(`unknown key ${Object.keys(rest)[0]}`)
  const facts = objectOf(metadata, 'metadata')
  const stranger = Object.keys(facts).find((key) => !KNOWN_METADATA.has(key))
  if (stranger !== undefined) throw invalid(`unknown key metadata.${stranger}`)
  if (facts['quote'] !== undefined) {
    const { slippageBips } = objectOf(facts['quote'], 'metadata.quote')
    if (typeof slippageBips !== 'number' || !Number.isInteger(slippageBips) || slippageBips < 0)
      throw invalid('metadata.quote.slippageBips')
  }
  return { hash: appDataHash(text), text, partnerFeeBps: partnerFeeBpsOf(facts['partnerFee']) }
}

const HASH = /^0x[0-9a-fA-F]{64}$/

/**
 * The two forms of the `appData` field: a full document, checked against `statedHash`, or the hash of one that was
 * registered before.
 */
export const resolveAppData = (
  appData: string,
  statedHash: string | null | undefined,
  registered: ReadonlyMap<string, AppData>,
): AppData => {
  if (HASH.test(appData)) {
    if (statedHash) throw refused(400, 'InvalidAppData', 'appDataHash goes with a full document only')
    const known = registered.get(appData.toLowerCase())
    if (!known) throw invalid('no document is registered under that hash')
    return known
  }
  const document = readDocument(appData)
  if (statedHash && statedHash !== document.hash)
    throw refused(400, 'AppDataHashMismatch', `calculated app data hash ${document.hash} doesn't match ${statedHash}`)
  return document
}
