import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes, randomFillSync } from 'node:crypto'
import { quickenKeccak } from '../../engine/core/keccak.ts'
import type { Offer } from '../../engine/core/offer.ts'
import { Secret } from '../../engine/core/secret.ts'
import { createQuoteSeal, type SealedQuote } from '../../engine/quoting/seal.ts'
import type { Children } from './children.ts'
import { atLeast, type Figure, formatRate } from './figure.ts'
import type { Effort } from './options.ts'
import { createInstantVenues } from './product/benchVenues.ts'
import { sampleOrder, TOKEN_KEY } from './product/sample.ts'
import { interleave, median, medianOfRounds } from './samples.ts'

/** As it is given, and as it is quickest. */
const RAW_KEY = Buffer.from(TOKEN_KEY, 'hex')
const KEY = createSecretKey(TOKEN_KEY, 'hex')
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Quotes under way at once, as a busy service has them. */
const TOGETHER = 32

const sampleQuote = async (): Promise<SealedQuote> => {
  const order = sampleOrder()
  const [venue] = createInstantVenues(1)
  if (!venue) throw new Error('no venue')
  const offer: Offer = await venue.quote(order, new AbortController().signal)
  return {
    id: 'Jm8nZkqjW2rT5u0x',
    order,
    offer,
    isExecutable: true,
    partnerId: null,
    feeOf: 'operator',
    expiresAt: Date.now() + 60_000,
    swapId: null,
    race: null,
  }
}

/** What a compact JWE holds, by nothing but node:crypto. */
const openJwe = (token: string): Buffer => {
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
  const decipher = createDecipheriv(CIPHER, KEY, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()])
}

const pool = Buffer.alloc(IV_BYTES * 128)
let used = pool.length

const pooledIv = (): Buffer => {
  if (used === pool.length) used = randomFillSync(pool).length - pool.length
  used += IV_BYTES
  return pool.subarray(used - IV_BYTES, used)
}

/** The same bytes sealed and opened by node:crypto, through the same kind of text. */
const sealAndOpen = (plaintext: Buffer, key: Buffer | KeyObject, iv: Buffer): Buffer => {
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}

/** As one writes it, and by the quickest means there are. */
const sealPlainly = (plaintext: Buffer): Buffer => sealAndOpen(plaintext, RAW_KEY, randomBytes(IV_BYTES))
const sealQuickly = (plaintext: Buffer): Buffer => sealAndOpen(plaintext, KEY, pooledIv())

type TokenSlice = { readonly perSecond: number; readonly perCoreSecond: number }

const repeat = async (seconds: number, once: () => Promise<unknown>, weight: number): Promise<TokenSlice> => {
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  let count = 0
  while (performance.now() - startedAt < seconds * 1_000) {
    await once()
    count += weight
  }
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: (count * 1_000) / (performance.now() - startedAt), perCoreSecond: (count * 1_000_000) / (user + system) }
}

/** Minting and opening quote tokens, beside the bare cipher on the same bytes. */
export const measureToken = async (_children: Children, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  await quickenKeccak()
  const tokens = createQuoteSeal([new Secret(TOKEN_KEY)], 'simnet')
  const quote = await sampleQuote()
  const token = tokens.mint(quote)
  const plaintext = openJwe(token)
  if (![sealPlainly, sealQuickly].every((by) => by(plaintext).equals(plaintext)))
    throw new Error('the baseline does not give back what it sealed')

  const mintAndOpen = async () => tokens.open(tokens.mint(quote))
  const together = Array.from({ length: TOGETHER })
  const measured = await interleave(
    {
      product: () => repeat(sliceSeconds, () => Promise.all(together.map(mintAndOpen)), TOGETHER),
      mint: () => repeat(sliceSeconds, () => Promise.all(together.map(async () => tokens.mint(quote))), TOGETHER),
      cipher: () => repeat(sliceSeconds, async () => together.map(() => sealPlainly(plaintext)), TOGETHER),
      quickest: () => repeat(sliceSeconds, async () => together.map(() => sealQuickly(plaintext)), TOGETHER),
    },
    rounds,
  )
  const ratio = medianOfRounds(measured.product, measured.cipher, (a, b) => a.perCoreSecond / b.perCoreSecond)
  const byClock = medianOfRounds(measured.product, measured.cipher, (a, b) => a.perSecond / b.perSecond)
  const toQuickest = medianOfRounds(measured.product, measured.quickest, (a, b) => a.perCoreSecond / b.perCoreSecond)
  const rateOf = (slices: readonly TokenSlice[]) => formatRate(median(slices.map(({ perCoreSecond }) => perCoreSecond)))
  return [
    {
      name: '8   quote token: mint + open, to node:crypto AES-256-GCM',
      measured: ratio.toFixed(2),
      absolute: `${rateOf(measured.product)} to ${rateOf(measured.cipher)} per core second; by the clock ${byClock.toFixed(2)}; ${plaintext.length} bytes in, ${token.length} characters`,
      goal: atLeast(ratio, 0.8),
    },
    {
      name: '    the same, to AES-256-GCM with the key object made once and random bytes of a pool',
      measured: toQuickest.toFixed(2),
      absolute: `${rateOf(measured.product)} to ${rateOf(measured.quickest)} per core second`,
      goal: null,
    },
    {
      name: '    quote token: mint alone',
      measured: `${formatRate(1_000_000 / median(measured.mint.map(({ perCoreSecond }) => perCoreSecond)))} us`,
      absolute: 'processor time of one',
      goal: null,
    },
  ]
}
