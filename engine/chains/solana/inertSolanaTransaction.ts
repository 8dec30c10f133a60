import type { Address } from '../../core/address.ts'

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/**
 * An unsigned Solana transaction that does nothing: the payer sends zero lamports to itself, with a memo. Its blockhash
 * belongs to no block, so it could not land even if it were signed and sent. Base64.
 */
export const inertSolanaTransaction = async (payer: Address, memo: string, blockhash: Address): Promise<string> => {
  const { PublicKey, SystemProgram, TransactionInstruction, TransactionMessage, VersionedTransaction } = await import(
    '@solana/web3.js'
  )
  const key = new PublicKey(payer)
  const message = new TransactionMessage({
    payerKey: key,
    recentBlockhash: blockhash,
    instructions: [
      SystemProgram.transfer({ fromPubkey: key, toPubkey: key, lamports: 0 }),
      new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from(memo, 'utf8') }),
    ],
  }).compileToV0Message()
  return Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
}
