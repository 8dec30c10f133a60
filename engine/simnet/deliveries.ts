import { BITCOIN, SOLANA } from '../core/chain.ts'
import { readLanded } from './evm/evmLanded.ts'
import { BoundedMap } from './kit/boundedMap.ts'
import type { SimDeposit, SimTransaction, SimVenue } from './kit/simVenue.ts'
import type { SimTokens } from './kit/tokens.ts'
import type { SimEvm } from './kit/world.ts'
import type { Notice } from './watch/watched.ts'

/** The venue that a transaction concerned; null for none. */
export type Delivery = { readonly txHash: string; readonly venue: string | null }

/** Reports transactions of the chains to the simulated venues, each once. */
export interface Deliveries {
  /** Reports a transaction by its hash; null when there is none, or it failed. Throws what a venue refuses. */
  mined(chainId: number, txHash: string): Promise<Delivery | null>
  /** As `mined`, where no caller waits: a refusal is noted. */
  observe(chainId: number, txHash: string): Promise<void>
  /** Reports a transaction of Solana or Bitcoin when it arrives, with its payments; a refusal is noted. */
  arrived(chainId: number, txHash: string, payments: readonly SimDeposit[], transaction?: SimTransaction): Promise<void>
  /** Records an error that no caller waits for. */
  note(chainId: number | null, txHash: string | null, error: unknown): void
  readonly notices: readonly Notice[]
}

/** The answers of the venues. Refusals are kept, so that a repeated call reports nothing twice. */
type Reported = { readonly delivery: Delivery; readonly refusals: readonly unknown[] }

const NOTICES_KEPT = 50

const keyOf = (chainId: number, txHash: string): string => `${chainId}:${chainId === SOLANA ? txHash : txHash.toLowerCase()}`

export const createDeliveries = ({
  venues,
  tokens,
  evm,
}: {
  readonly venues: readonly SimVenue[]
  readonly tokens: SimTokens
  readonly evm: Pick<SimEvm, 'rpc' | 'receipt'>
}): Deliveries => {
  const reported = new BoundedMap<string, Promise<Reported | null>>()
  const notices: Notice[] = []

  const note: Deliveries['note'] = (chainId, txHash, error) => {
    notices.push({ chainId, txHash, reason: error instanceof Error ? error.message : String(error) })
    if (notices.length > NOTICES_KEPT) notices.shift()
  }

  /** Every venue receives the transaction and then its payments, whatever the others answer. */
  const report = (txHash: string, payments: readonly SimDeposit[], transaction?: SimTransaction): Reported => {
    const refusals: unknown[] = []
    const concerned: string[] = []
    const ask = (isConcerned: (venue: SimVenue) => boolean): void => {
      for (const venue of venues)
        try {
          if (isConcerned(venue)) concerned.push(venue.id)
        } catch (error) {
          refusals.push(error)
        }
    }
    if (transaction) ask((venue) => venue.onTransaction(transaction))
    for (const payment of payments) ask((venue) => venue.onDeposit(payment))
    return { delivery: { txHash, venue: concerned[0] ?? null }, refusals }
  }

  const readAndReport = async (chainId: number, txHash: string): Promise<Reported | null> => {
    const landed = await readLanded(evm, tokens, { chainId, txHash })
    return landed && report(txHash, landed.payments, landed.transaction)
  }

  const remember = (key: string, reporting: Promise<Reported | null>): Promise<Reported | null> => {
    reported.set(key, reporting)
    // A transaction that is missing or unreadable is read again.
    reporting.then(
      (answer) => answer ?? reported.delete(key),
      () => reported.delete(key),
    )
    return reporting
  }

  const mined: Deliveries['mined'] = async (chainId, txHash) => {
    const key = keyOf(chainId, txHash)
    // Transactions of Solana and Bitcoin are reported when they arrive.
    const isReadable = chainId !== SOLANA && chainId !== BITCOIN
    const answer = await (reported.get(key) ?? (isReadable ? remember(key, readAndReport(chainId, txHash)) : null))
    if (answer && answer.refusals.length > 0) throw answer.refusals[0]
    return answer?.delivery ?? null
  }

  const observe: Deliveries['observe'] = async (chainId, txHash) => {
    await mined(chainId, txHash).catch((error: unknown) => note(chainId, txHash, error))
  }

  return {
    mined,
    observe,
    arrived: async (chainId, txHash, payments, transaction) => {
      const key = keyOf(chainId, txHash)
      if (!reported.has(key)) await remember(key, Promise.resolve(report(txHash, payments, transaction)))
      await observe(chainId, txHash)
    },
    note,
    notices,
  }
}
