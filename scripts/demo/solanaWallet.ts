import { setTimeout as sleep } from 'node:timers/promises'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { Client, Token } from './connect.ts'
import type { Wallet } from './wallet.ts'

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

const POLL_MS = 100
const POLLS_MAX = 100

const tokenAccount = (owner: PublicKey, mint: PublicKey): PublicKey => {
  const seeds = [owner.toBuffer(), TOKEN_PROGRAM.toBuffer(), mint.toBuffer()]
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0]
}

/** The two instructions that every wallet pays a token with: the payee's account is made where it lacks one. */
const tokenPayment = (from: PublicKey, to: PublicKey, token: Token, amount: bigint): TransactionInstruction[] => {
  const mint = new PublicKey(token.address)
  const [source, target] = [tokenAccount(from, mint), tokenAccount(to, mint)]
  const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true })
  const readable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false })
  const payer = { pubkey: from, isSigner: true, isWritable: true }
  const createIdempotent = Buffer.from([1])
  const transferChecked = Buffer.alloc(10)
  transferChecked.writeUInt8(12, 0)
  transferChecked.writeBigUInt64LE(amount, 1)
  transferChecked.writeUInt8(token.decimals, 9)
  return [
    new TransactionInstruction({
      programId: ASSOCIATED_TOKEN_PROGRAM,
      keys: [payer, writable(target), readable(to), readable(mint), readable(SystemProgram.programId), readable(TOKEN_PROGRAM)],
      data: createIdempotent,
    }),
    new TransactionInstruction({
      programId: TOKEN_PROGRAM,
      keys: [writable(source), readable(mint), writable(target), payer],
      data: transferChecked,
    }),
  ]
}

type Parsed = { readonly info: { readonly tokenAmount: { readonly amount: string } } }

/** A keypair, by @solana/web3.js. */
export const solanaWallet = ({ rpcUrl }: Pick<Client, 'rpcUrl'>, seed: Uint8Array): Wallet => {
  const keypair = Keypair.fromSeed(seed)
  const owner = keypair.publicKey
  const connection = new Connection(rpcUrl(-2), 'confirmed')

  const landed = async (signature: string): Promise<void> => {
    for (let poll = 0; poll < POLLS_MAX; poll += 1) {
      const { value } = await connection.getSignatureStatus(signature)
      if (value?.err) throw new Error(`transaction ${signature} failed: ${JSON.stringify(value.err)}`)
      if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return
      await sleep(POLL_MS)
    }
    throw new Error(`transaction ${signature} did not land`)
  }

  const signAndSend = async (transaction: VersionedTransaction): Promise<string> => {
    transaction.sign([keypair])
    const signature = await connection.sendRawTransaction(transaction.serialize())
    await landed(signature)
    return signature
  }

  return {
    address: owner.toBase58(),
    balance: async ({ address, isNative }) => {
      if (isNative) return BigInt(await connection.getBalance(owner))
      const { value } = await connection.getParsedTokenAccountsByOwner(owner, { mint: new PublicKey(address) })
      return value.reduce((held, { account }) => held + BigInt((account.data.parsed as Parsed).info.tokenAmount.amount), 0n)
    },
    send: ({ serialized = '' }) => signAndSend(VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))),
    sign: async () => {
      throw new Error('a Solana wallet signs no typed data')
    },
    pay: async ({ address, amount }, token) => {
      const to = new PublicKey(address)
      const instructions = token.isNative
        ? [SystemProgram.transfer({ fromPubkey: owner, toPubkey: to, lamports: BigInt(amount) })]
        : tokenPayment(owner, to, token, BigInt(amount))
      const { blockhash: recentBlockhash } = await connection.getLatestBlockhash()
      const message = new TransactionMessage({ payerKey: owner, recentBlockhash, instructions }).compileToV0Message()
      return signAndSend(new VersionedTransaction(message))
    },
  }
}
