import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { quickenKeccak } from '../../engine/core/keccak.ts'
import { Secret } from '../../engine/core/secret.ts'
import { createQuoteSeal, type SealedQuote } from '../../engine/quoting/seal.ts'
import type { Children } from './children.ts'
import { atLeast, type Effort, type Figure, formatRate, interleave, median, medianOfRounds } from './measure.ts'
import { sampleOrder, TOKEN_KEY } from './sample.ts'
import { createInstantVenues } from './venues.ts'

const KEY = Buffer.from(TOKEN_KEY, 'hex')
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const GOAL = 0.8
/** Tokens between two looks at the clock. */
const BATCH = 32

const sampleQuote = async (): Promise<SealedQuote> => {
  const order = sampleOrder()
  const [venue] = createInstantVenues(1)
  if (!venue) throw new Error('no venue')
  return {
    id: 'Jm8nZkqjW2rT5u0x',
    order,
    offer: await venue.quote(order, new AbortController().signal),
    expiresAt: Date.now() + 60_000,
    ...{ isExecutable: true, partnerId: null, feeOf: 'operator', swapId: null, race: null },
  }
}

/** The content of a compact JWE. */
const openJwe = (token: string): Buffer => {
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
  const decipher = createDecipheriv(CIPHER, KEY, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()])
}

/** The same bytes, sealed and opened by node:crypto through the same kind of text. */
const sealAndOpen = (plaintext: Buffer): Buffer => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, KEY, iv)
  const sealed = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, KEY, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}

/** Repetitions per second of processor time. */
const repeat = async (seconds: number, once: () => unknown): Promise<number> => {
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  let count = 0
  for (; performance.now() - startedAt < seconds * 1_000; count += BATCH) for (let i = 0; i < BATCH; i += 1) once()
  const { user, system } = process.cpuUsage(cpu)
  return (count * 1_000_000) / (user + system)
}

/** Minting and opening quote tokens, beside the bare cipher on the same bytes. */
export const measureToken = async (_children: Children, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  await quickenKeccak()
  const tokens = createQuoteSeal([new Secret(TOKEN_KEY)], 'simnet')
  const quote = await sampleQuote()
  const token = tokens.mint(quote)
  const plaintext = openJwe(token)
  if (!sealAndOpen(plaintext).equals(plaintext)) throw new Error('the baseline does not return what it sealed')
  const contenders = {
    product: () => repeat(sliceSeconds, () => tokens.open(tokens.mint(quote))),
    cipher: () => repeat(sliceSeconds, () => sealAndOpen(plaintext)),
  }
  const { product, cipher } = await interleave(contenders, rounds)
  const ratio = medianOfRounds(product, cipher, (a, b) => a / b)
  return [
    {
      name: 'quote token: mint and open, to node:crypto AES-256-GCM',
      measured: ratio.toFixed(2),
      absolute: `${formatRate(median(product))} to ${formatRate(median(cipher))} per core second; ${plaintext.length} bytes, ${token.length} characters`,
      goal: atLeast(ratio, GOAL),
    },
  ]
}
