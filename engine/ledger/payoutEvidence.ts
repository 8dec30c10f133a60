import type { ChainEvidence } from '../chains/chainEvidence.ts'
import { ChainError } from '../chains/chains.ts'
import { blockOf, COINS_BY_CALLS, paymentsTo, type SeenTransaction } from '../chains/seen.ts'
import { type Address, parseAddress } from '../core/address.ts'
import { type Asset, isNative, parseAsset } from '../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId } from '../core/chain.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import { parseTransactionId } from '../core/transactionId.ts'

/** A transfer to a partner, as the operator reports it. */
export type Transfer = {
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  readonly txHash: string
}

/** The received amount, and its place on the chain. For coins from a contract that is a block, with others' transfers too. */
export type Gain = { readonly amount: bigint; readonly place: string }

/**
 * The chain's evidence of a transfer. `missing`: the transaction does not exist, failed, or paid that address less. `notFinal`: a
 * reorganization may remove it. `unreadable`: the chain gives no evidence, as for all payments on THORChain.
 */
export type TransferSight =
  | { readonly kind: 'missing' | 'notFinal' | 'unreadable' }
  | {
      readonly kind: 'seen'
      /** By the time of its block, epoch ms; null for a chain without block times. */
      readonly at: number | null
      /** Null where the amount is unknown. */
      gainOf(payee: string): Promise<Gain | null>
    }

type Place = { readonly evidence: ChainEvidence; readonly seen: SeenTransaction; readonly asset: Asset }

const gained = async ({ evidence, seen, asset }: Place, recipient: Address, signal: AbortSignal): Promise<Gain | null> => {
  const amount = paymentsTo(seen, { asset, recipient }).reduce((sum, one) => sum + one.amount, 0n)
  if (amount > 0n || !isNative(asset) || !isEvmChainId(asset.chainId)) return { amount, place: seen.hash }
  // Coins from a contract change only the balance.
  const byCalls = await evidence.coinsByBalance(seen, recipient, signal)
  return byCalls === null ? null : { amount: byCalls, place: `${blockOf(seen)}${COINS_BY_CALLS}` }
}

const readOr = async <T, U>(other: U, read: () => Promise<T>): Promise<T | U> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChainError) return other
    throw error
  }
}

/** Reads the transaction of a reported transfer. */
export const lookAtTransfer = async (
  evidence: ChainEvidence,
  { ecosystem, chainId, token, txHash }: Transfer,
  signal: AbortSignal,
): Promise<TransferSight> => {
  if (ecosystem === 'thorchain') return { kind: 'unreadable' }
  const asset = parseAsset(chainId, token)
  const hash = parseTransactionId(chainId, txHash)
  if (hash === null) return { kind: 'missing' }
  if (asset === null) return { kind: 'unreadable' }
  const seen = await readOr('unreadable' as const, () => evidence.transaction({ chainId, hash }, signal))
  if (seen === 'unreadable') return { kind: 'unreadable' }
  if (seen === null || !seen.isSuccess) return { kind: 'missing' }
  // A booked payout is never reversed.
  if (seen.standing !== 'final') return { kind: 'notFinal' }
  return {
    kind: 'seen',
    at: seen.at,
    gainOf: async (payee) => {
      const recipient = parseAddress(ecosystemOf(chainId), payee)
      return recipient && readOr(null, () => gained({ evidence, seen, asset }, recipient, signal))
    },
  }
}
