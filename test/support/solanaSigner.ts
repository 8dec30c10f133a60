import { Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'

export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

type Instructions = readonly TransactionInstruction[]

/** What a wallet, or whoever stands between, makes of a transaction before it is signed. */
export type Change = { readonly instructions: (handedOut: Instructions) => Instructions }

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
    signChanged: (serialized, change) => {
      const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(decode(serialized).message)
      const changed = new TransactionMessage({ payerKey, recentBlockhash, instructions: [...change.instructions(instructions)] })
      return signed(new VersionedTransaction(changed.compileToV0Message()))
    },
  }
}
