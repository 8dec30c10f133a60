import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { integer, listOf, matching, readFields, record, text, type } from '../../kit/fields.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { AppData, Book } from './book.ts'
import { ADDRESS } from './fieldTypes.ts'

const BYTES_MAX = 8192
const PARTNER_FEE_BPS_MAX = 100

/** The forms that share in surplus, which our prices never have, are not taken. */
const VOLUME_FEE = record({ required: { recipient: ADDRESS, volumeBps: integer(1, 9_999) }, optional: {} })
const PARTNER_FEE = type('volume fees', (value) => listOf(VOLUME_FEE, 10).read(Array.isArray(value) ? value : [value]))

const TOLERANCE = type('an object with slippageBips', (value) => {
  const bips = typeof value === 'object' && value !== null && 'slippageBips' in value ? value.slippageBips : null
  return integer(0, Number.MAX_SAFE_INTEGER).read(bips)
})

/** What changes nothing of an order that is simulated. */
const IGNORED =
  'appCode bridging flashloan hooks orderClass referrer replacedOrder signer userConsents utm widget wrappers'.split(' ')
const ignored = Object.fromEntries(IGNORED.map((name) => [name, type('anything', (value) => value)]))

/** https://github.com/cowprotocol/app-data, as far as it matters to an order. */
const METADATA = { required: {}, optional: { ...ignored, partnerFee: PARTNER_FEE, quote: TOLERANCE } }
const DOCUMENT = {
  required: { version: matching('a version', /^[0-9]+\.[0-9]+\.[0-9]+$/), appCode: text(1, 50), metadata: record(METADATA) },
  optional: { environment: text(0, BYTES_MAX) },
}

const invalid = (reason: string): Refusal => new Refusal('InvalidAppData', `invalid app data: ${reason}`)

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid('not JSON')
  }
}

/** What stands for no document, and for one left out: crates/app-data in cowprotocol/services. */
const EMPTY = '{}'

/** Checks a full document against the published schema. */
export const readDocument = (json: string): AppData => {
  const hash = keccakText(json)
  if (json === EMPTY) return { hash, text: json, partnerFeeBps: 0n }
  if (Buffer.byteLength(json) > BYTES_MAX) throw invalid(`more than ${BYTES_MAX} bytes`)
  const { metadata } = readFields(parse(json), DOCUMENT, ({ kind, name, expects }) => invalid(`${kind} ${name}: ${expects}`))
  const feeBps = (metadata.partnerFee ?? []).reduce((sum, { volumeBps }) => sum + volumeBps, 0)
  return { hash, text: json, partnerFeeBps: BigInt(Math.min(feeBps, PARTNER_FEE_BPS_MAX)) }
}

/** Refuses a hash that is stated of another document. */
export const demandHash = (stated: string | null | undefined, { hash }: AppData): void => {
  const isOther = Boolean(stated) && stated?.toLowerCase() !== hash
  refuseIf(isOther, 'AppDataHashMismatch', `calculated app data hash ${hash} doesn't match ${stated}`)
}

/**
 * The two forms of the `appData` field: a full document, checked against `statedHash`, or the hash of one that was
 * registered before.
 */
export const resolveAppData = (book: Book, appData: string, statedHash: string | null | undefined): AppData => {
  if (/^0x[0-9a-fA-F]{64}$/.test(appData)) {
    if (statedHash) throw invalid('appDataHash goes with a full document only')
    const known = book.documents.get(appData.toLowerCase())
    if (!known) throw invalid('no document is registered under that hash')
    return known
  }
  const document = readDocument(appData)
  demandHash(statedHash, document)
  return document
}
