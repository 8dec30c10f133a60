import { createPublicClient, type Hex, http, type TransactionReceipt } from 'viem'

export const receiptOf = (rpcUrl: string, hash: string | undefined): Promise<TransactionReceipt> =>
  createPublicClient({ transport: http(rpcUrl) }).getTransactionReceipt({ hash: hash as Hex })

/** What the senders of these transactions paid for gas, in wei. */
export const gasPaid = async (rpcUrl: string, hashes: readonly string[]): Promise<bigint> => {
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(rpcUrl, hash)))
  return receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n)
}
