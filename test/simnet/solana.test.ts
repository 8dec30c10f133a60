import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { NATIVE_SOL, USDC } from '../../scripts/client/tokens.ts'

const SOL = 1_000_000_000
const FEE = 5_000
const [alice, bob] = [1, 2].map((seed) => Keypair.fromSeed(new Uint8Array(32).fill(seed))) as [Keypair, Keypair]
const MINT = new PublicKey(USDC.solana)

let simnet: Simnet
let connection: Connection

const faucet = async (token: string, amount: string): Promise<void> => {
  const body = JSON.stringify({ chainId: -2, token, address: alice.publicKey.toBase58(), amount })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${simnet.controlUrl}/faucet`, { method: 'POST', headers, body })).status).toBe(200)
}

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: 'sol', clock: createSimClock(() => Date.UTC(2026, 10, 20)), venues: [] })
  connection = new Connection(simnet.rpcUrls['-2'] ?? '', 'confirmed')
  await faucet(NATIVE_SOL, String(10 * SOL))
  await faucet(USDC.solana, '70')
})
afterAll(() => simnet.close())

const paying = async (lamports: number): Promise<VersionedTransaction> => {
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash()
  const instructions = [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports })]
  const message = new TransactionMessage({ payerKey: alice.publicKey, recentBlockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([alice])
  return transaction
}

it('the offline Solana confirms a payment of SOL signed by @solana/web3.js', async () => {
  const before = await connection.getBalance(alice.publicKey)
  const transaction = await paying(SOL)
  expect((await connection.simulateTransaction(transaction)).value).toMatchObject({ err: null, unitsConsumed: 150 })
  const signature = await connection.sendRawTransaction(transaction.serialize())
  expect((await connection.getSignatureStatus(signature)).value).toMatchObject({ confirmationStatus: 'confirmed', err: null })
  expect(await connection.getBalance(bob.publicKey)).toBe(SOL)
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(landed?.meta).toMatchObject({ err: null, fee: FEE, postBalances: [before - SOL - FEE, SOL, 1] })
  expect((await connection.getSignaturesForAddress(bob.publicKey))[0]?.signature).toBe(signature)
})

it('the offline Solana returns token accounts and mints in the jsonParsed form', async () => {
  const { value } = await connection.getParsedTokenAccountsByOwner(alice.publicKey, { mint: MINT })
  expect(value.map(({ account }) => account.data.parsed.info.tokenAmount.amount)).toEqual(['70'])
  const mint = (await connection.getParsedAccountInfo(MINT)).value
  expect(mint?.data).toMatchObject({ program: 'spl-token', parsed: { type: 'mint', info: { decimals: 6 } } })
})

it('the offline Solana rejects a payment beyond the balance, a wrong signature, an old blockhash and an unknown method', async () => {
  const failureOf = (transaction: VersionedTransaction) => connection.sendRawTransaction(transaction.serialize())
  await expect(failureOf(await paying(50 * SOL))).rejects.toThrow(/Custom program error: #1[\s\S]*insufficient lamports/)
  const forged = await paying(SOL)
  forged.signatures[0]?.set([1, 2, 3], 10)
  await expect(failureOf(forged)).rejects.toThrow('signature verification failure')
  const late = await paying(SOL)
  simnet.clock.advance(61_000)
  await expect(failureOf(late)).rejects.toThrow('Blockhash not found')
  await expect(connection.getSupply()).rejects.toThrow('Method not found')
  expect(await connection.getBalance(bob.publicKey)).toBe(SOL)
})

// Its program of no venue makes the network run the instructions itself, one by one.
it('a failed transaction of the offline Solana pays its fee, and moves nothing, with and without a program of the network', async () => {
  const balances = () => Promise.all([alice, bob].map(({ publicKey }) => connection.getBalance(publicKey)))
  for (const programs of [[], ['L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95']]) {
    const before = await balances()
    const { blockhash: recentBlockhash } = await connection.getLatestBlockhash()
    const pay = (lamports: number) => SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports })
    const calls = programs.map((id) => new TransactionInstruction({ programId: new PublicKey(id), keys: [] }))
    const instructions = [pay(SOL), ...calls, pay(50 * SOL)]
    const message = new TransactionMessage({ payerKey: alice.publicKey, recentBlockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([alice])
    const { err } = (await connection.simulateTransaction(transaction)).value
    expect([err, await balances()]).toEqual([{ InstructionError: [instructions.length - 1, { Custom: 1 }] }, before])
    const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
    expect((await connection.getSignatureStatus(signature)).value?.err).toEqual(err)
    expect(await balances()).toEqual([(before[0] ?? 0) - FEE, before[1]])
  }
})
