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
import { cannot, type Wallet } from './wallet.ts'

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const TRANSFER_CHECKED = 12
const CREATE_IDEMPOTENT = 1

/** A transaction that landed, and what it cost in lamports: the fee of the network, and the rent of accounts it opened. */
export type SolanaSent = { readonly signature: string; readonly fee: bigint; readonly rent: bigint }

type TokenPayment = { readonly mint: string; readonly to: string; readonly amount: bigint; readonly decimals: number }

/** A wallet of one key, by @solana/web3.js. */
export interface SolanaWallet extends Wallet {
  /** Signs a transaction handed out in base64, for somebody else to send. */
  signSerialized(serialized: string | undefined): string
  /** Signs a transaction handed out in base64 and sends it. Rejects with what the node refuses it for. */
  sendSerialized(serialized: string | undefined): Promise<SolanaSent>
  payCoins(payment: { readonly to: string; readonly lamports: bigint }): Promise<SolanaSent>
  payToken(payment: TokenPayment): Promise<SolanaSent>
}

const holding = (owner: PublicKey, mint: PublicKey): PublicKey => {
  const seeds = [owner.toBuffer(), TOKEN_PROGRAM.toBuffer(), mint.toBuffer()]
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0]
}

const meta = (pubkey: PublicKey, isWritable = false, isSigner = false) => ({ pubkey, isWritable, isSigner })

/**
 * The two instructions that every wallet pays a token with: the payee's account is made where it lacks one.
 * https://www.solana-program.com/docs/token and https://www.solana-program.com/docs/associated-token-account
 */
const tokenPayment = (payer: PublicKey, payment: TokenPayment): readonly TransactionInstruction[] => {
  const [mint, to] = [new PublicKey(payment.mint), new PublicKey(payment.to)]
  const data = Buffer.alloc(10)
  data.writeUInt8(TRANSFER_CHECKED)
  data.writeBigUInt64LE(payment.amount, 1)
  data.writeUInt8(payment.decimals, 9)
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

  const land = async (transaction: VersionedTransaction): Promise<SolanaSent> => {
    transaction.sign([keypair])
    const signature = await connection.sendRawTransaction(transaction.serialize())
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    if (!landed?.meta || landed.meta.err !== null) throw new Error(`transaction ${signature} did not land`)
    const { fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = landed.meta
    const held = new Set(preTokenBalances?.map(({ accountIndex }) => accountIndex))
    const opened = (postTokenBalances ?? []).filter(({ accountIndex: at }) => !held.has(at) && preBalances[at] === 0)
    const rent = opened.reduce((sum, { accountIndex: at }) => sum + BigInt(postBalances[at] ?? 0), 0n)
    return { signature, fee: BigInt(fee), rent }
  }
  const landAll = async (instructions: readonly TransactionInstruction[]): Promise<SolanaSent> => {
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions: [...instructions] })
    return land(new VersionedTransaction(message.compileToV0Message()))
  }
  const read = (serialized = ''): VersionedTransaction => {
    const transaction = VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
    if (!transaction.message.staticAccountKeys[0]?.equals(payer)) throw new Error('another wallet pays the fee')
    return transaction
  }
  const sent = ({ signature, fee, rent }: SolanaSent) => ({ id: signature, cost: fee + rent })

  const payCoins: SolanaWallet['payCoins'] = ({ to, lamports }) =>
    landAll([SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(to), lamports })])
  const payToken: SolanaWallet['payToken'] = (payment) => landAll(tokenPayment(payer, payment))
  return {
    address: payer.toBase58(),
    send: async ({ serialized }) => sent(await land(read(serialized))),
    sign: cannot('a Solana wallet signs no typed data'),
    pay: async ({ address: to, amount, token: { address: mint, decimals, isNative } }) =>
      sent(
        isNative
          ? await payCoins({ to, lamports: BigInt(amount) })
          : await payToken({ mint, to, amount: BigInt(amount), decimals }),
      ),
    signSerialized: (serialized) => {
      const transaction = read(serialized)
      transaction.sign([keypair])
      return Buffer.from(transaction.serialize()).toString('base64')
    },
    sendSerialized: async (serialized) => land(read(serialized)),
    payCoins,
    payToken,
  }
}
