import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { encodeSolanaTransaction, SYSTEM_PROGRAM, solanaMessageOf } from '../../../engine/chains/solana/solanaCodec.ts'
import { readSolanaSignatures } from '../../../engine/chains/solana/solanaSignatures.ts'

/** Validators verify strictly: https://docs.rs/ed25519-dalek/latest/ed25519_dalek/struct.VerifyingKey.html#method.verify_strict */

const { Point } = ed25519
const { ORDER } = Point.Fn
const SECRET = new Uint8Array(32).fill(7)
/** A point of order eight: added to a signature's own, it vanishes for whoever multiplies by the cofactor. */
const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const bytesOf = (value: bigint): Uint8Array => new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse())

const unsigned = () =>
  encodeSolanaTransaction({
    feePayer: base58.encode(ed25519.getPublicKey(SECRET)),
    recentBlockhash: 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k',
    instructions: [{ programId: SYSTEM_PROGRAM, accounts: [], data: Uint8Array.of(1) }],
  })

const signedWith = async (sign: (message: Uint8Array) => Uint8Array): Promise<string> => {
  const serialized = await unsigned()
  const message = await solanaMessageOf(serialized)
  if (!message) throw new Error('no message')
  const wire = Buffer.from(serialized, 'base64')
  wire.set(sign(message), 1)
  return wire.toString('base64')
}

/** Signs with a nonce of its own, to which a point is added. */
const signBeside =
  (beside: typeof TORSION) =>
  (message: Uint8Array): Uint8Array => {
    const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(SECRET)
    const nonce = 12_345n
    const r = Point.BASE.multiply(nonce).add(beside).toBytes()
    const challenge = littleEndian(sha512(concatBytes(r, pointBytes, message))) % ORDER
    return concatBytes(r, bytesOf((nonce + challenge * scalar) % ORDER))
  }

test('a signature is taken as the wallet made it, whatever its nonce', async () => {
  for (const sign of [(message: Uint8Array) => ed25519.sign(message, SECRET), signBeside(Point.ZERO)])
    expect(await readSolanaSignatures(await signedWith(sign))).toMatchObject({ isFullySigned: true })
})

test('a signature that only a lenient verifier takes is none', async () => {
  const sign = signBeside(TORSION)
  const message = (await solanaMessageOf(await unsigned())) ?? new Uint8Array()
  expect(ed25519.verify(sign(message), message, ed25519.getPublicKey(SECRET), { zip215: false })).toBe(true)
  expect(await readSolanaSignatures(await signedWith(sign))).toMatchObject({ isFullySigned: false })
})

test('a signature whose scalar was raised by the order of the group is none', async () => {
  const raised = (message: Uint8Array): Uint8Array => {
    const signature = ed25519.sign(message, SECRET)
    return concatBytes(signature.subarray(0, 32), bytesOf(littleEndian(signature.subarray(32)) + ORDER))
  }
  expect(await readSolanaSignatures(await signedWith(raised))).toMatchObject({ isFullySigned: false })
})
