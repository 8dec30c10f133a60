import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Offer } from '../../engine/core/offer.ts'
import { Secret } from '../../engine/core/secret.ts'
import { createQuoteSeal, type SealedQuote } from '../../engine/quoting/seal.ts'
import type { Children } from './children.ts'
import { atLeast, type Figure, formatRate } from './figure.ts'
import type { Effort } from './options.ts'
import { TOKEN_KEY } from './product/benchEngine.ts'
import { createInstantVenues } from './product/benchVenues.ts'
import { sampleOrder } from './product/sample.ts'
import { interleave, median, medianOfRounds } from './samples.ts'

const KEY = Buffer.from(TOKEN_KEY, 'hex')
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
  }
}

/** What a compact JWE holds, by nothing but node:crypto. */
const openJwe = (token: string): Buffer => {
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
  const decipher = createDecipheriv(CIPHER, KEY, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()])
}

/** The limit: the same bytes sealed and opened by node:crypto, through the same kind of text. */
const sealAndOpen = (plaintext: Buffer): Buffer => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, KEY, iv)
  const sealed = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, KEY, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}

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
  const tokens = await createQuoteSeal([new Secret(TOKEN_KEY)])
  const quote = await sampleQuote()
  const token = await tokens.mint(quote)
  const plaintext = openJwe(token)
  if (!sealAndOpen(plaintext).equals(plaintext)) throw new Error('the baseline does not give back what it sealed')

  const mintAndOpen = async () => tokens.open(await tokens.mint(quote))
  const together = Array.from({ length: TOGETHER })
  const measured = await interleave(
    {
      product: () => repeat(sliceSeconds, () => Promise.all(together.map(mintAndOpen)), TOGETHER),
      mint: () => repeat(sliceSeconds, () => Promise.all(together.map(() => tokens.mint(quote))), TOGETHER),
      cipher: () => repeat(sliceSeconds, async () => together.map(() => sealAndOpen(plaintext)), TOGETHER),
    },
    rounds,
  )
  const ratio = medianOfRounds(measured.product, measured.cipher, (a, b) => a.perCoreSecond / b.perCoreSecond)
  const byClock = medianOfRounds(measured.product, measured.cipher, (a, b) => a.perSecond / b.perSecond)
  const rateOf = (slices: readonly TokenSlice[]) => formatRate(median(slices.map(({ perCoreSecond }) => perCoreSecond)))
  return [
    {
      name: '8   quote token: mint + open, to node:crypto AES-256-GCM',
      measured: ratio.toFixed(2),
      absolute: `${rateOf(measured.product)} to ${rateOf(measured.cipher)} per core second; by the clock ${byClock.toFixed(2)}; ${plaintext.length} bytes in, ${token.length} characters`,
      goal: atLeast(ratio, 0.5),
    },
    {
      name: '    quote token: mint alone',
      measured: `${formatRate(1_000_000 / median(measured.mint.map(({ perCoreSecond }) => perCoreSecond)))} us`,
      absolute: 'processor time of one',
      goal: null,
    },
  ]
}
