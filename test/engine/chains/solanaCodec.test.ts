import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import {
  associatedTokenAddress,
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  SYSTEM_PROGRAM,
} from '../../../engine/chains/solana/solanaCodec.ts'

const payer = Keypair.fromSeed(new Uint8Array(32).fill(7))
const friend = Keypair.fromSeed(new Uint8Array(32).fill(8)).publicKey
const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'
const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: friend, lamports: 5 })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const EXPECTED = {
  feePayer: payer.publicKey.toBase58(),
  signers: [payer.publicKey.toBase58()],
  recentBlockhash: BLOCKHASH,
  usesLookupTables: false,
  instructions: [
    {
      programId: SYSTEM_PROGRAM,
      accounts: [payer.publicKey.toBase58(), friend.toBase58()],
      data: Uint8Array.from(transfer.data),
    },
  ],
}

test('reads legacy and v0 transactions, signed or not, alike', async () => {
  const legacy = new Transaction({ feePayer: payer.publicKey, recentBlockhash: BLOCKHASH }).add(transfer)
  expect(await decodeSolanaTransaction(base64(legacy.serialize({ verifySignatures: false })))).toEqual(EXPECTED)
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: BLOCKHASH, instructions: [transfer] })
  const v0 = new VersionedTransaction(message.compileToV0Message())
  expect(await decodeSolanaTransaction(base64(v0.serialize()))).toEqual(EXPECTED)
  v0.sign([payer])
  expect(await decodeSolanaTransaction(base64(v0.serialize()))).toEqual(EXPECTED)
})

test('reads back what it writes', async () => {
  const written = await encodeSolanaTransaction({
    feePayer: payer.publicKey.toBase58(),
    recentBlockhash: BLOCKHASH,
    instructions: [
      {
        programId: SYSTEM_PROGRAM,
        accounts: [
          { address: payer.publicKey.toBase58(), isSigner: true, isWritable: true },
          { address: friend.toBase58(), isWritable: true },
        ],
        data: Uint8Array.from(transfer.data),
      },
    ],
  })
  expect(await decodeSolanaTransaction(written)).toEqual(EXPECTED)
})

test('says when addresses come from a lookup table, and does not guess them', async () => {
  const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [friend] }
  const table = new AddressLookupTableAccount({ key: new PublicKey(BLOCKHASH), state })
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: BLOCKHASH, instructions: [transfer] })
  const looked = await decodeSolanaTransaction(base64(new VersionedTransaction(message.compileToV0Message([table])).serialize()))
  expect(looked).toMatchObject({ usesLookupTables: true, instructions: [{ accounts: [payer.publicKey.toBase58(), null] }] })
})

test('is null for what is no transaction, and for one with bytes left over', async () => {
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: BLOCKHASH, instructions: [transfer] })
  const wire = new VersionedTransaction(message.compileToV0Message()).serialize()
  const longer = base64(Uint8Array.from([...wire, 0]))
  for (const text of [
    '',
    'AQ==',
    'not base64',
    `${base64(wire)}\n`,
    longer,
    base64(wire.slice(0, -1)),
    base64(new Uint8Array(2_000)),
  ])
    expect(await decodeSolanaTransaction(text)).toBeNull()
})

test('derives the token account everyone derives', () => {
  const owner = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const [expected] = PublicKey.findProgramAddressSync(
    [owner, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', mint].map((key) => new PublicKey(key).toBytes()),
    new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  )
  expect(associatedTokenAddress(owner, mint)).toBe(expected.toBase58())
})

test('reads base64 as strictly as nodes do: padded, and no bits left over', async () => {
  const strict = await Promise.all(
    ['', 'a', 'ab'].map((text) =>
      encodeSolanaTransaction({
        feePayer: payer.publicKey.toBase58(),
        recentBlockhash: BLOCKHASH,
        instructions: [{ programId: SYSTEM_PROGRAM, accounts: [], data: Buffer.from(text) }],
      }),
    ),
  )
  const loose = strict.flatMap((text) => {
    const end = text.replace(/=+$/, '')
    // The last character before the padding holds bits of no byte.
    const next = String.fromCharCode(end.charCodeAt(end.length - 1) + 1)
    return end === text ? [] : [end, `${end}=`.slice(0, text.length - 1), `${end.slice(0, -1)}${next}${text.slice(end.length)}`]
  })
  expect(loose).toHaveLength(6)
  for (const text of strict) expect(await decodeSolanaTransaction(text)).not.toBeNull()
  for (const text of [...loose, ...strict.map((text) => `${text}\n`)]) expect(await decodeSolanaTransaction(text)).toBeNull()
})
