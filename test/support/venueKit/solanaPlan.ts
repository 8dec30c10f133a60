import { decodeSolanaTransaction, type SolanaTransactionPlan } from '../../../engine/chains/solana/solanaCodec.ts'

/** A transaction taken apart, to be changed and put together again. Only the fee payer signs, and no account need be written. */
export const solanaPlanOf = async (data: string): Promise<SolanaTransactionPlan> => {
  const transaction = await decodeSolanaTransaction(data)
  if (!transaction) throw new TypeError('not a transaction')
  const { feePayer, recentBlockhash, instructions } = transaction
  const meta = (address: string | null) => ({ address: address ?? '', isSigner: address === feePayer })
  return {
    feePayer,
    recentBlockhash,
    instructions: instructions.map(({ accounts, ...instruction }) => ({ ...instruction, accounts: accounts.map(meta) })),
  }
}
