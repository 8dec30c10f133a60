import { createCipheriv, createSecretKey, type KeyObject, randomFillSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createKeccak } from 'hash-wasm'
import { createBenchSink } from '../product/benchSink.ts'
import { type QUOTE_BODY, TOKEN_KEY } from '../product/sample.ts'
import { type Answers, type Envelope, parseEnvelope } from './answers.ts'
import { readBody } from './body.ts'
import { serveParent, settingsOf } from './parent.ts'

/**
 * What a quote with one instant venue cannot do without, by hand and by the quickest means there are: the body parsed, its four
 * addresses held to their checksums, one AES-GCM seal, a line each for venue, quote and request, the product's own answer
 * written anew. No limits, no validation, no race, nothing that could be refused.
 */
const { quote } = settingsOf<Answers>()
const { data, meta } = parseEnvelope(quote) as Envelope & { readonly data: { readonly quoteToken: string } }
const { version } = meta
const log = createBenchSink()
const hasher = await createKeccak(256)
const key: KeyObject = createSecretKey(TOKEN_KEY, 'hex')

const IV_BYTES = 12
const LIFETIME_MS = 60_000
const ADDRESS_FIELDS = ['inputToken', 'outputToken', 'userAddress', 'destinationAddress'] as const
const TO_EIGHT = 8

const isChecksummed = (address: string): boolean => {
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  const hash = hasher.init().update(lower).digest('binary')
  for (let i = 0; i < 40; i += 1) {
    const letter = digits.charCodeAt(i)
    if (letter < 65) continue
    const nibble = i % 2 === 0 ? (hash[i >> 1] ?? 0) >> 4 : (hash[i >> 1] ?? 0) & 15
    if (letter < 97 !== nibble >= TO_EIGHT) return false
  }
  return true
}

const pool = Buffer.allocUnsafe(IV_BYTES * 1_024)
let used = pool.length
const nextIv = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += IV_BYTES
  return pool.subarray(used - IV_BYTES, used)
}

const HEADER = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: 'ideal1' })).toString('base64url')
const AAD = Buffer.from(HEADER)

const seal = (plaintext: string): string => {
  const iv = nextIv()
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(AAD)
  const sealed = cipher.update(plaintext, 'utf8', 'base64url') + cipher.final('base64url')
  return `${HEADER}..${iv.toString('base64url')}.${sealed}.${cipher.getAuthTag().toString('base64url')}`
}

/** What a token of the product holds, as long as that. */
const sealedOf = (body: typeof QUOTE_BODY, id: string, expiresAt: number): string =>
  JSON.stringify({
    v: 1,
    id,
    x: expiresAt,
    e: 1,
    p: null,
    o: [
      [body.inputChainId, body.inputToken],
      [body.outputChainId, body.outputToken],
      body.inputAmount,
      body.userAddress,
      0,
      0,
      [],
      body.slippageBps,
      0,
      0,
      0,
      0,
    ],
    f: ['bench-0', 'TRANSACTION', '24997500', 0, '0', [0, 1, '24872513'], '180000', body.userAddress, 4, null, [6, 6]],
    c: { v: 1, quoteId: '0f8a4c1e-6b0d-4a57-9d52-2f6f1f0c7a11', exclusivityDeadline: 0, relayer: body.userAddress },
    w: 1,
  })

const answer = (bytes: Buffer): string => {
  const startedAt = performance.now()
  const requestId = randomUUID()
  const body = JSON.parse(bytes.toString()) as typeof QUOTE_BODY
  if (!ADDRESS_FIELDS.every((field) => isChecksummed(body[field]))) throw new Error('the sample has a wrong checksum')
  const expiresAt = Date.now() + LIFETIME_MS
  const quoteId = nextIv().toString('base64url')
  const quoteToken = seal(sealedOf(body, quoteId, expiresAt))
  const ms = Math.round(performance.now() - startedAt)
  log({ level: 'info', event: 'venue.call', venue: 'bench-0', call: 'quote', elapsedMs: ms, outcome: 'offer', requestId })
  log({ level: 'info', event: 'quote.served', quoteId, venue: 'bench-0', executable: true, offers: 1, elapsedMs: ms, requestId })
  const json = JSON.stringify({ data: { ...data, quoteToken, expiresAt }, meta: { requestId, version } })
  log({
    level: 'info',
    event: 'request',
    requestId,
    method: 'POST',
    path: '/api/v1/quote',
    operationId: 'quote',
    status: 200,
    ms,
  })
  return json
}

serveParent(
  createServer((req, res) => {
    void readBody(req).then((bytes) => {
      const json = answer(bytes)
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length })
      res.end(json, 'latin1')
    })
  }),
)
