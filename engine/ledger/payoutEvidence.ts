import type { ChainEvidence } from '../chains/chainEvidence.ts'
import { ChainError } from '../chains/chains.ts'
import { paymentsTo, type SeenTransaction } from '../chains/seen.ts'
import { type Address, parseAddress } from '../core/address.ts'
import { type Asset, isNative, parseAsset } from '../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId } from '../core/chain.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import { parseTransactionId } from '../core/transactionId.ts'

/** A transfer to a partner, as the operator tells it. */
export type Transfer = {
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  /** Smallest units. */
  readonly amount: bigint
  readonly txHash: string
  readonly payee: string
}

/**
 * What the chain shows of a transfer. `missing`: there is no such transaction, it failed, or it paid that address less.
 * `unconfirmed`: it may still vanish. `unreadable`: nobody can tell, as of all that is paid on THORChain.
 */
export type TransferSight = 'seen' | 'missing' | 'unconfirmed' | 'unreadable'

const gained = async (
  evidence: ChainEvidence,
  seen: SeenTransaction,
  { asset, recipient }: { readonly asset: Asset; readonly recipient: Address },
  signal: AbortSignal,
): Promise<bigint | null> => {
  const moved = paymentsTo(seen, { asset, recipient }).reduce((sum, { amount }) => sum + amount, 0n)
  if (moved > 0n || !isNative(asset) || !isEvmChainId(asset.chainId)) return moved
  // Coins that a contract sends leave no trace but the balance.
  return evidence.coinsByBalance(seen, recipient, signal)
}

/** Looks for a transfer in the transaction that is said to be it. */
export const lookForTransfer = async (
  evidence: ChainEvidence,
  { ecosystem, chainId, token, amount, txHash, payee }: Transfer,
  signal: AbortSignal,
): Promise<TransferSight> => {
  if (ecosystem === 'thorchain') return 'unreadable'
  const asset = parseAsset(chainId, token)
  const recipient = parseAddress(ecosystemOf(chainId), payee)
  const hash = parseTransactionId(chainId, txHash)
  if (hash === null) return 'missing'
  if (asset === null || recipient === null) return 'unreadable'
  try {
    const seen = await evidence.transaction({ chainId, hash }, signal)
    if (seen === null || !seen.isSuccess) return 'missing'
    const paid = await gained(evidence, seen, { asset, recipient }, signal)
    if (paid === null) return 'unreadable'
    if (paid < amount) return 'missing'
    return seen.standing === 'fresh' ? 'unconfirmed' : 'seen'
  } catch (error) {
    if (error instanceof ChainError) return 'unreadable'
    throw error
  }
}
