import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { hasModestFee, isHarmless } from '../../../engine/chains/solana/harmlessInstructions.ts'
import {
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  lookupTablesOf,
  MEMO_PROGRAM,
  packSolanaTransaction,
  type SolanaInstruction,
  SYSTEM_PROGRAM,
  solanaMessageOf,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { readSolanaSignatures } from '../../../engine/chains/solana/solanaSignatures.ts'
import type { Address } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'

const SECRET = new Uint8Array(32).fill(7)
const payer = Keypair.fromSeed(SECRET)
const [feePayer, friend] = [payer.publicKey.toBase58(), Keypair.fromSeed(new Uint8Array(32).fill(8)).publicKey]
const recentBlockhash = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'
const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: friend, lamports: 5 })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions: [transfer] })
const v0 = () => new VersionedTransaction(message.compileToV0Message())

type Accounts = Parameters<typeof encodeSolanaTransaction>[0]['instructions'][number]['accounts']
const planOf = (accounts: Accounts, data: Uint8Array) => ({
  feePayer,
  recentBlockhash,
  instructions: [{ programId: SYSTEM_PROGRAM as string, accounts, data }],
})

describe('Solana transaction: its bytes', () => {
  const wire = v0().serialize()
  it.each([
    ['no text', ''],
    ['a byte more', base64(Uint8Array.from([...wire, 0]))],
    ['a byte less', base64(wire.slice(0, -1))],
    ['more than a packet', base64(new Uint8Array(1_233))],
    ['base64 that nodes reject', `${base64(wire)}\n`],
  ])('are no transaction with %s', async (_what, text) => {
    expect(await decodeSolanaTransaction(base64(wire))).toMatchObject({ feePayer, signers: [feePayer], recentBlockhash })
    expect(await decodeSolanaTransaction(text)).toBeNull()
  })

  it('derive the associated token account as the SDK does', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const seeds = [feePayer, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', mint].map((key) => new PublicKey(key).toBytes())
    const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
    const [expected] = PublicKey.findProgramAddressSync(seeds, program)
    expect(associatedTokenAddress(feePayer, mint)).toBe(expected.toBase58())
  })
})

describe('Solana transaction: lookup tables', () => {
  const TABLE = 'SysvarRent111111111111111111111111111111111'
  const keyOf = (index: number) => new PublicKey(Buffer.from([index >> 8, index, ...Buffer.alloc(30, 9)])).toBase58() as Address
  const keys = (count: number) => Array.from({ length: count }, (_none, index) => keyOf(index))
  const plan = (accounts: readonly string[], bytes = 4) =>
    planOf(
      accounts.map((address, index) => ({ address, isWritable: index % 2 === 0 })),
      new Uint8Array(bytes),
    )
  const [strangers, none] = [keys(40), new Map()]
  const tables = new Map([[TABLE, strangers]])

  it('names its tables, and its accounts once the tables are given', async () => {
    const packed = (await packSolanaTransaction(plan(strangers), tables)) ?? ''
    expect(await lookupTablesOf(packed)).toEqual([TABLE])
    const accountsBy = async (known?: typeof tables) => (await decodeSolanaTransaction(packed, known))?.instructions[0]?.accounts
    expect(await accountsBy()).toEqual(strangers.map(() => null))
    expect(await accountsBy(tables)).toEqual(strangers)
    expect(await decodeSolanaTransaction(packed)).toMatchObject({ usesLookupTables: true, signers: [feePayer] })
  })

  it('is null beyond 1,232 bytes or 256 accounts', async () => {
    const lengthOf = async (bytes: number) =>
      Buffer.from((await packSolanaTransaction(plan([], bytes), none)) ?? '', 'base64').length
    const most = 1_232 - ((await lengthOf(200)) - 200)
    expect(await lengthOf(most)).toBe(1_232)
    expect(await packSolanaTransaction(plan([], most + 1), none)).toBeNull()
    // With the payer and the program: as many as a byte can number, and one more.
    for (const count of [254, 255]) expect(await packSolanaTransaction(plan(keys(count)), none)).toBeNull()
  })
})

/** Validators verify strictly: https://docs.rs/ed25519-dalek/latest/ed25519_dalek/struct.VerifyingKey.html#method.verify_strict */
describe('Solana transaction: its signatures', () => {
  const { Point } = ed25519
  type Sign = (message: Uint8Array) => Uint8Array
  /** A point of order eight, which vanishes for a verifier that multiplies by the cofactor. */
  const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const numberIn = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
  const bytesOf = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
  const plain: Sign = (signed) => ed25519.sign(signed, SECRET)
  /** Signs with a nonce of its own, to which a point is added. */
  const beside =
    (point: typeof TORSION): Sign =>
    (signed) => {
      const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(SECRET)
      const r = Point.BASE.multiply(12_345n).add(point).toBytes()
      const challenge = numberIn(sha512(concatBytes(r, pointBytes, signed))) % Point.Fn.ORDER
      return concatBytes(r, bytesOf((12_345n + challenge * scalar) % Point.Fn.ORDER))
    }
  it.each<[string, boolean, Sign]>([
    ['of a wallet', true, plain],
    ['that only a lenient verifier accepts', false, beside(TORSION)],
  ])('one %s counts: %j', async (_what, isFullySigned, sign) => {
    const unsigned = await encodeSolanaTransaction(planOf([], Uint8Array.of(1)))
    const signed = (await solanaMessageOf(unsigned)) ?? new Uint8Array()
    const wire = Buffer.from(unsigned, 'base64')
    wire.set(sign(signed), 1)
    expect(await readSolanaSignatures(wire.toString('base64'))).toMatchObject({ isFullySigned })
    expect(ed25519.verify(sign(signed), signed, ed25519.getPublicKey(SECRET), { zip215: false })).toBe(true)
  })
})

describe('Solana instructions beside a payment', () => {
  type Made = SolanaInstruction['accounts']
  const made = (programId: Address, data: readonly number[], accounts: Made = []): SolanaInstruction => ({
    ...{ programId, accounts, data: Uint8Array.from(data) },
  })
  const budget = (data: readonly number[], accounts: Made = []) => made(COMPUTE_BUDGET_PROGRAM, data, accounts)
  /** SetComputeUnitPrice, micro-lamports in little-endian order. */
  const price = (microLamports: number) => budget([3, ...Buffer.from(new BigUint64Array([BigInt(microLamports)]).buffer)])

  it.each<[string, isHarmless: boolean, isModest: boolean, SolanaInstruction]>([
    ['a limit of compute units', true, true, budget([2, 1, 2, 3, 4])],
    ['the highest modest price', true, true, price(5_000_000)],
    ['a memo of the payer', true, true, made(MEMO_PROGRAM, [97], [WALLETS.solana])],
    ['a memo signed by another', false, true, made(MEMO_PROGRAM, [97], [WALLETS.evm as Address])],
    ['a price above 0.01 SOL in all', false, false, price(5_000_001)],
    ['an unknown call of the budget program', false, false, budget([4, 0, 0, 0, 0])],
    ['a limit with an account', false, false, budget([2, 1, 2, 3, 4], [WALLETS.solana])],
  ])('%s is harmless: %j, and of a modest fee: %j', (_what, harmless, modest, instruction) => {
    expect([isHarmless(instruction, WALLETS.solana), hasModestFee([made(MEMO_PROGRAM, [97]), instruction])]).toEqual([
      harmless,
      modest,
    ])
  })
})
