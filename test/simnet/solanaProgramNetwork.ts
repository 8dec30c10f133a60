import {
  Connection,
  Keypair,
  type PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect } from 'vitest'
import { NATIVE_SOL } from '../../engine/core/asset.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimTransaction, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import type { SimSolana, World } from '../../engine/simnet/kit/world.ts'
import { startSimnet } from '../../engine/simnet/simnet.ts'
import { PROGRAM, program, USDC } from './solanaProgramCalls.ts'

type Compile = TransactionMessage['compileToV0Message']

/** An offline Solana with one venue, whose program does what the data of a call says. */
export const openProgramNetwork = async () => {
  const told: SimTransaction[] = []
  let venueSolana: SimSolana | null = null
  let people = 0
  const venue = (world: World): SimVenue => {
    venueSolana = world.solana
    venueSolana.install(PROGRAM.toBase58(), program)
    venueSolana.onTransaction((transaction) => {
      told.push(transaction)
    })
    return {
      id: 'charger',
      settings: {},
      pricePaths: [],
      handle: () => ({ status: 200, body: {} }),
      onDeposit: () => false,
      onTransaction: () => false,
    }
  }
  const clock = createSimClock(() => Date.UTC(2026, 10, 20))
  const simnet = await startSimnet({ controlPort: 0, seed: 'programs', clock, venues: [{ id: 'charger', create: venue }] })
  const connection = new Connection(simnet.rpcUrls['-2'] ?? '', 'confirmed')
  const solana = venueSolana as SimSolana | null
  if (!solana) throw new Error('no venue was made')

  const faucet = async (token: string, address: PublicKey, amount: number): Promise<void> => {
    const body = JSON.stringify({ chainId: -2, token, address: address.toBase58(), amount: String(amount) })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect((await fetch(`${simnet.controlUrl}/faucet`, init)).status).toBe(200)
  }

  const someoneWith = async (lamports: number, tokens: readonly [PublicKey, number][] = []): Promise<Keypair> => {
    people += 1
    const person = Keypair.fromSeed(new Uint8Array(32).fill(100 + people))
    if (lamports > 0) await faucet(NATIVE_SOL, person.publicKey, lamports)
    for (const [mint, amount] of tokens) await faucet(mint.toBase58(), person.publicKey, amount)
    return person
  }

  const signed = async (payer: Keypair, instructions: TransactionInstruction[], tables: Parameters<Compile>[0] = []) => {
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message(tables))
    transaction.sign([payer])
    return transaction
  }

  const send = async (payer: Keypair, instructions: TransactionInstruction[]) => {
    const signature = await connection.sendTransaction(await signed(payer, instructions))
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    if (!landed?.meta) throw new Error('did not land')
    return { signature, ...landed.meta, keys: landed.transaction.message.staticAccountKeys }
  }

  /** What a wallet is told before it signs, and by the node it sends it to: the same. */
  const refusalOf = async (payer: Keypair, instructions: TransactionInstruction[]) => {
    const transaction = await signed(payer, instructions)
    const { value } = await connection.simulateTransaction(transaction)
    const wire = Buffer.from(transaction.serialize()).toString('base64')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [wire, { encoding: 'base64' }] })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const { error } = (await (await fetch(simnet.rpcUrls['-2'] ?? '', init)).json()) as { error?: { data: { err: unknown } } }
    expect(error?.data.err ?? null).toEqual(value.err)
    return { err: value.err, logs: value.logs ?? [] }
  }

  /** Sends it past the preflight; what became of it. */
  const force = async (payer: Keypair, instructions: TransactionInstruction[]) => {
    const signature = await connection.sendTransaction(await signed(payer, instructions), { skipPreflight: true })
    return connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  }

  const held = async (owner: PublicKey, mint = USDC): Promise<number> =>
    Number(await solana.balance(mint.toBase58(), owner.toBase58()))
  const lamportsOf = ({ publicKey }: Keypair): Promise<number> => connection.getBalance(publicKey)

  return { connection, solana, told, someoneWith, signed, send, refusalOf, force, held, lamportsOf, close: () => simnet.close() }
}
