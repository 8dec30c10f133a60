import { type ChainId, isChainId, SOLANA } from '../core/chain.ts'
import type { LedgerEntry } from '../store/ledger.ts'

/** A paid call, by its ledger entry. */
export type AccessPayment = {
  /** The id of the entry. */
  readonly id: number
  readonly bookedAt: number
  readonly operation: string
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  /** Smallest units. */
  readonly amount: bigint
  readonly transaction: string
  readonly payTo: string
  readonly payer: string
  readonly requestId: string
}

const wordOf = ({ document, id }: LedgerEntry, field: string): string => {
  const value = document[field]
  if (typeof value !== 'string') throw new Error(`entry ${id} of a paid call has no ${field}`)
  return value
}

/** Throws for an entry of another kind. */
export const accessPaymentOf = (entry: LedgerEntry): AccessPayment => {
  const line = entry.lines.find(({ account }) => account === 'access')
  if (entry.kind !== 'access' || !line) throw new Error(`entry ${entry.id} is of no paid call`)
  return {
    id: entry.id,
    bookedAt: entry.createdAt,
    operation: wordOf(entry, 'operation'),
    network: wordOf(entry, 'network'),
    asset: line.token,
    amount: line.amount,
    transaction: wordOf(entry, 'transaction'),
    payTo: wordOf(entry, 'payTo'),
    payer: wordOf(entry, 'payer'),
    requestId: wordOf(entry, 'requestId'),
  }
}

/** The chain of a CAIP-2 id. Throws for an unsupported chain. */
export const chainOfNetwork = (network: string): ChainId => {
  const chainId = network.startsWith('solana:') ? SOLANA : Number(network.slice('eip155:'.length))
  if (!isChainId(chainId)) throw new Error(`paid on a chain that is none of ours: ${network}`)
  return chainId
}
