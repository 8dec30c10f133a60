import { Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'

export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

type Instructions = readonly TransactionInstruction[]

/** What a wallet, or whoever stands between, makes of a transaction before it is signed. */
export type Change = {
  readonly instructions?: (handedOut: Instructions) => Instructions
  readonly payer?: string
  readonly blockhash?: string
}

/** A wallet of one key that signs what it is handed, in base64, and sends nothing. */
export type SolanaSigner = {
  readonly address: string
  sign(serialized: string): string
  /** Compiles it anew with the change, and signs that. */
  signChanged(serialized: string, change: Change): string
}

const decode = (serialized: string): VersionedTransaction => VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
const encode = (transaction: VersionedTransaction): string => Buffer.from(transaction.serialize()).toString('base64')

export const instruction = (program: string, data: Uint8Array, accounts: readonly string[] = []): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map((account) => ({ pubkey: new PublicKey(account), isSigner: false, isWritable: false })),
    data: Buffer.from(data),
  })

/** The same call by another program, as a contract wallet makes it. */
export const wrappedBy =
  (program: string) =>
  (instructions: Instructions): Instructions =>
    instructions.map(
      ({ programId, keys, data }) =>
        new TransactionInstruction({
          programId: new PublicKey(program),
          keys: [...keys, { pubkey: programId, isSigner: false, isWritable: false }],
          data,
        }),
    )

/** Sets one byte of the data of every instruction that is long enough. */
export const withByte =
  (at: number, byte: number) =>
  (instructions: Instructions): Instructions =>
    instructions.map(({ programId, keys, data }) => {
      const changed = Buffer.from(data)
      if (at < changed.length) changed[at] = byte
      return new TransactionInstruction({ programId, keys, data: changed })
    })

/** The same number gives the same wallet. */
export const solanaSigner = (seed: number): SolanaSigner => {
  const keypair = Keypair.fromSeed(new Uint8Array(32).fill(seed))
  const signed = (transaction: VersionedTransaction): string => {
    transaction.sign([keypair])
    return encode(transaction)
  }
  return {
    address: keypair.publicKey.toBase58(),
    sign: (serialized) => signed(decode(serialized)),
    signChanged: (serialized, { instructions = (same) => same, payer, blockhash }) => {
      const { message } = decode(serialized)
      const { payerKey, recentBlockhash, instructions: handedOut } = TransactionMessage.decompile(message)
      const changed = new TransactionMessage({
        payerKey: payer === undefined ? payerKey : new PublicKey(payer),
        recentBlockhash: blockhash ?? recentBlockhash,
        instructions: [...instructions(handedOut)],
      })
      return signed(new VersionedTransaction(changed.compileToV0Message()))
    },
  }
}
