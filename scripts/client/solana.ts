import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { NetworkControl } from './network.ts'
import { SOLANA } from './tokens.ts'
import { cannot, type Sent, type Wallet } from './wallet.ts'
import type { Deposit } from './wire.ts'

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const TRANSFER_CHECKED = 12
const CREATE_IDEMPOTENT = 1

/** A wallet of one key, by @solana/web3.js. */
export interface SolanaWallet extends Wallet {
  /** Signs a transaction in base64, for another sender. */
  signSerialized(serialized: string | undefined): string
}

const holding = (owner: PublicKey, mint: PublicKey): PublicKey => {
  const seeds = [owner.toBuffer(), TOKEN_PROGRAM.toBuffer(), mint.toBuffer()]
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0]
}

const meta = (pubkey: PublicKey, isWritable = false, isSigner = false) => ({ pubkey, isWritable, isSigner })

/**
 * A payment in coins, or the two instructions that every wallet pays a token with: the payee's account is created if it is missing.
 * https://www.solana-program.com/docs/token and https://www.solana-program.com/docs/associated-token-account
 */
const paymentOf = (payer: PublicKey, { address, amount, token }: Deposit): readonly TransactionInstruction[] => {
  const to = new PublicKey(address)
  if (token.isNative) return [SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports: BigInt(amount) })]
  const mint = new PublicKey(token.address)
  const data = Buffer.alloc(10)
  data.writeUInt8(TRANSFER_CHECKED)
  data.writeBigUInt64LE(BigInt(amount), 1)
  data.writeUInt8(token.decimals, 9)
  const created = [meta(payer, true, true), meta(holding(to, mint), true), meta(to), meta(mint)]
  const moved = [meta(holding(payer, mint), true), meta(mint), meta(holding(to, mint), true), meta(payer, false, true)]
  return [
    new TransactionInstruction({
      programId: ASSOCIATED_TOKEN_PROGRAM,
      keys: [...created, meta(SystemProgram.programId), meta(TOKEN_PROGRAM)],
      data: Buffer.of(CREATE_IDEMPOTENT),
    }),
    new TransactionInstruction({ programId: TOKEN_PROGRAM, keys: moved, data }),
  ]
}

/** The same seed, of 32 bytes or of a number repeated, gives the same wallet. */
export const solanaWallet = ({ rpcUrl }: Pick<NetworkControl, 'rpcUrl'>, seed: number | Uint8Array): SolanaWallet => {
  const keypair = Keypair.fromSeed(typeof seed === 'number' ? new Uint8Array(32).fill(seed) : seed)
  const connection = new Connection(rpcUrl(SOLANA), 'confirmed')
  const payer = keypair.publicKey

  /** Costs the fee of the network, and the rent of the token accounts that the transaction opened. */
  const send = async (transaction: VersionedTransaction): Promise<Sent> => {
    transaction.sign([keypair])
    const id = await connection.sendRawTransaction(transaction.serialize())
    const landed = await connection.getTransaction(id, { maxSupportedTransactionVersion: 0 })
    if (!landed?.meta || landed.meta.err !== null) throw new Error(`transaction ${id} did not land`)
    const { fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = landed.meta
    const held = new Set(preTokenBalances?.map(({ accountIndex }) => accountIndex))
    const opened = (postTokenBalances ?? []).filter(({ accountIndex: at }) => !held.has(at) && preBalances[at] === 0)
    return { id, cost: opened.reduce((sum, { accountIndex: at }) => sum + BigInt(postBalances[at] ?? 0), BigInt(fee)) }
  }
  const read = (serialized = ''): VersionedTransaction => {
    const transaction = VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
    if (!transaction.message.staticAccountKeys[0]?.equals(payer)) throw new Error('another wallet pays the fee')
    return transaction
  }
  return {
    address: payer.toBase58(),
    send: ({ serialized }) => send(read(serialized)),
    sign: cannot('a Solana wallet signs no typed data'),
    pay: async (deposit) => {
      const { blockhash } = await connection.getLatestBlockhash()
      const instructions = [...paymentOf(payer, deposit)]
      const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions })
      return send(new VersionedTransaction(message.compileToV0Message()))
    },
    signSerialized: (serialized) => {
      const transaction = read(serialized)
      transaction.sign([keypair])
      return Buffer.from(transaction.serialize()).toString('base64')
    },
  }
}
