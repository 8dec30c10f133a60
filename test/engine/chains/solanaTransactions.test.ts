import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { hasModestFee, isHarmless } from '../../../engine/chains/solana/harmlessInstructions.ts'
import {
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
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import {
  benchOver,
  DEADLINE_MS,
  type Endpoint,
  type Nodes,
  never,
  outcomeAfter,
  resets,
  says,
  stopTimers,
} from './evidenceBench.ts'
import cases from './solanaTransactions.json' with { type: 'json' }

const SECRET = new Uint8Array(32).fill(7)
const payer = Keypair.fromSeed(SECRET)
const [feePayer, friend] = [payer.publicKey.toBase58(), Keypair.fromSeed(new Uint8Array(32).fill(8)).publicKey]
const recentBlockhash = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'
const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
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

stopTimers()

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
})

describe('Solana transaction: lookup tables', () => {
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

const TX_HASH = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

type Bench = ReturnType<typeof benchOver>
/** A call to its end, and what was sent. */
const over = async <T>(nodes: Nodes | Endpoint, call: (bench: Bench) => Promise<T>) => {
  const bench = benchOver(typeof nodes === 'function' ? { a: nodes } : nodes)
  const answer = await outcomeAfter(DEADLINE_MS, call(bench))
  const sent = bench.asked.map(({ method, params }) => [method, ...params])
  return { answer, sent, hosts: bench.hosts().join('') }
}
const value = (content: unknown, slot: unknown = 312): Endpoint => says({ result: { context: { slot }, value: content } })
const error = (code: number, message: string, data?: object): Endpoint => says({ error: { code, message, data } })

describe('Solana: sending a transaction', () => {
  const preflight = (err: unknown) => error(-32_002, 'Transaction simulation failed', { err, logs: [] })
  const takes = says({ result: TX_HASH })
  const send = (nodes: Nodes | Endpoint) => over(nodes, ({ solana }) => solana.send('AAAA', never()))

  it('asks for a preflight, and is accepted when a node returns the signature', async () => {
    const { answer, sent } = await send(takes)
    expect(answer).toEqual({ isAccepted: true })
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false }
    expect(sent).toEqual([['sendTransaction', 'AAAA', options]])
  })

  it.each(cases.refusals as [unknown, string][])('the preflight error %j is a refusal: %s', async (err, reason) => {
    const { answer, hosts } = await send({ a: preflight(err), b: takes })
    expect(answer).toEqual({ isAccepted: false, refusal: { reason, error: err }, mayBeSent: false })
    expect(hosts).toBe('a')
  })

  it('hides a preflight error that is not of the chain', async () => {
    const refusal = { reason: 'failed', error: null }
    const { answer } = await send(preflight('a list that is long'.repeat(40)))
    expect(answer).toEqual({ isAccepted: false, refusal, mayBeSent: false })
  })

  it.each<[string, Endpoint]>([
    ['resets', resets],
    ['answers 503', says('', 503)],
    ['uses the code of a preflight for something else', error(-32_002, 'Resource unavailable')],
    ['gives no reason with the code of a preflight', preflight(null)],
    ['is behind', error(-32_005, 'Node is behind by 42 slots')],
  ])('goes to the next node after one that %s, whose refusal leaves open whether it was sent', async (_what, first) => {
    const { answer, hosts } = await send({ a: first, b: preflight('BlockhashNotFound') })
    expect(answer).toMatchObject({ isAccepted: false, refusal: { reason: 'blockhashExpired' }, mayBeSent: true })
    expect(hosts).toBe('ab')
  })
})

describe('Solana: the landing of a transaction', () => {
  const landing = (node: Endpoint) => over(node, ({ solana }) => solana.landing(TX_HASH, never()))

  it.each(cases.landings as [string | null, boolean, unknown][])('is %s, final %s, for %j', async (end, isFinal, status) => {
    const { answer, sent } = await landing(value([status]))
    expect(answer).toEqual({ outcome: end, isFinal, seenSlot: 312 })
    expect(sent).toEqual([['getSignatureStatuses', [TX_HASH], { searchTransactionHistory: true }]])
  })

  it.each<[string, Endpoint]>([
    ['no list', value('nonsense')],
    ['a status without its result', value([{ slot: 1 }])],
    ['no slot', value([null], '312')],
  ])('is unreadable from %s', async (_what, node) => {
    expect((await landing(node)).answer).toBe('unreachable')
  })
})

const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const ADDRESSES = [WALLETS.solana, TABLE, 'SysvarC1ock11111111111111111111111111111111'] as Address[]

const tableOf = (addresses: readonly string[], kind = 1, deactivation = 2n ** 64n - 1n): Buffer => {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(kind, 0)
  head.writeBigUInt64LE(deactivation, 4)
  return Buffer.concat([head, ...addresses.map((address) => new PublicKey(address).toBuffer())])
}
const account = (data: Buffer, owner = TABLE_PROGRAM) => value({ owner, data: [data.toString('base64'), 'base64'], lamports: 1 })

describe('Solana: reads', () => {
  const CONFIRMED = { commitment: 'confirmed' }
  const simulation = { encoding: 'base64', ...CONFIRMED, sigVerify: false, replaceRecentBlockhash: true }
  const simulated = ['simulateTransaction', 'AAAA', simulation]
  const noFunds = { reason: 'insufficientFunds', error: 'AccountNotFound' }
  const hash = { blockhash: recentBlockhash, lastValidBlockHeight: 300 }
  const epoch = { absoluteSlot: 412, blockHeight: 312, epoch: 0 }
  const READS = {
    simulate: ({ solana }: Bench) => solana.simulate('AAAA', never()),
    isBlockhashValid: ({ solana }: Bench) => solana.isBlockhashValid('hash', never()),
    finality: ({ solana }: Bench) => solana.finality(never()),
    firstSlot: ({ solana }: Bench) => solana.firstSlot(never()),
    latestBlockhash: ({ chains }: Bench) => chains.latestBlockhash(never()),
    lookupTable: ({ chains }: Bench) => chains.lookupTable(TABLE, never()),
  }
  const read = (what: string, node: Endpoint) => over<unknown>(node, READS[what as keyof typeof READS])

  it.each<[string, Endpoint, unknown, unknown[]]>([
    ['simulate', value({ err: null, logs: [] }), null, simulated],
    ['simulate', value({ err: noFunds.error }), noFunds, simulated],
    ['isBlockhashValid', value(true), true, ['isBlockhashValid', 'hash', CONFIRMED]],
    ['finality', says({ result: epoch }), { slot: 412, height: 312 }, ['getEpochInfo', { commitment: 'finalized' }]],
    ['firstSlot', says({ result: 250 }), 250, ['getFirstAvailableBlock']],
    ['latestBlockhash', value(hash), hash, ['getLatestBlockhash', CONFIRMED]],
    ['lookupTable', account(tableOf(ADDRESSES)), ADDRESSES, ['getAccountInfo', TABLE, { encoding: 'base64', ...CONFIRMED }]],
  ])('%s makes one call, and returns its result', async (what, node, expected, sent) => {
    expect(await read(what, node)).toMatchObject({ answer: expected, sent: [sent] })
  })

  it.each<readonly [string, Endpoint]>([
    ...Object.keys(READS).map((what) => [what, value('yes')] as const),
    ...Object.keys(READS).map((what) => [what, error(3, 'execution reverted')] as const),
    ['latestBlockhash', value({ ...hash, blockhash: '1'.repeat(33) })],
    ['latestBlockhash', value({ ...hash, lastValidBlockHeight: '300' })],
    ['lookupTable', value({ owner: TABLE_PROGRAM, data: ['', 'base58'] })],
  ])('%s is unreadable from a malformed answer: %#', async (what, node) => {
    expect((await read(what, node)).answer).toBe('unreachable')
  })

  it('latestBlockhash: is read each time', async () => {
    const bench = benchOver({ a: value(hash) })
    for (const _time of [1, 2]) await READS.latestBlockhash(bench)
    expect(bench.asked).toHaveLength(2)
  })

  it('lookupTable: has the addresses that the SDK reads', () => {
    const { addresses } = AddressLookupTableAccount.deserialize(new Uint8Array(tableOf(ADDRESSES)))
    expect(addresses.map((key) => key.toBase58())).toEqual(ADDRESSES)
  })

  it.each<[string, Endpoint]>([
    ['another program owns it', account(tableOf(ADDRESSES), '11111111111111111111111111111111')],
    ['it is being closed', account(tableOf(ADDRESSES, 1, 5n))],
    ['it is cut', account(tableOf(ADDRESSES).subarray(0, 60))],
    ['it has 257 addresses', account(tableOf(Array<string>(257).fill(TABLE)))],
  ])('lookupTable: is null where %s', async (_what, node) => {
    expect((await read('lookupTable', node)).answer).toBeNull()
  })
})
