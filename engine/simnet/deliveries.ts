import { BITCOIN, SOLANA } from '../core/chain.ts'
import { bitcoinPayments } from './bitcoin/bitcoinChain.ts'
import { readLanded } from './evm/evmLanded.ts'
import type { SimDeposit, SimTransaction, SimVenue } from './kit/simVenue.ts'
import type { SimTokens } from './kit/tokens.ts'
import type { SimBitcoinTransaction, SimEvm } from './kit/world.ts'
import type { Notice } from './watch/watched.ts'

/** What became of something that happened on a chain. `venue` is null when it concerned none of them. */
export type Delivery = { readonly txHash: string; readonly venue: string | null }

/** Tells the simulated venues what happened on the chains. */
export interface Deliveries {
  /** A transaction that is on an EVM chain, on Solana or on Bitcoin; null when there is none by that hash, or it failed there. Told once. */
  mined(chainId: number, txHash: string): Promise<Delivery | null>
  /** As `mined`, for what nobody waits for: a venue that refuses is noted. */
  observe(chainId: number, txHash: string): Promise<void>
  /** A transaction that just landed on Solana, and the payments it made: told once, a venue that refuses is noted. */
  landed(transaction: SimTransaction): Promise<void>
  /** A transaction that just entered the mempool of Bitcoin: its payments are told, likewise. */
  seen(transaction: SimBitcoinTransaction): Promise<void>
  /** Keeps what went wrong where nobody waits to hear of it. */
  note(chainId: number | null, txHash: string | null, error: unknown): void
  readonly notices: readonly Notice[]
}

/** What the venues made of it. One that refused is kept, so that asking again tells nobody twice. */
type Told = { readonly delivery: Delivery; readonly refusals: readonly unknown[] }

const REMEMBERED = 10_000
const NOTICES_KEPT = 50

const keyOf = (chainId: number, txHash: string): string => `${chainId}:${chainId === SOLANA ? txHash : txHash.toLowerCase()}`

/** Tells every venue, whatever the others say. */
const tellAll = (
  venues: readonly SimVenue[],
  tell: (venue: SimVenue) => boolean,
): { venue: string | null; refusals: unknown[] } => {
  const refusals: unknown[] = []
  const concerned = venues.filter((venue) => {
    try {
      return tell(venue)
    } catch (error) {
      refusals.push(error)
      return false
    }
  })
  return { venue: concerned[0]?.id ?? null, refusals }
}

export const createDeliveries = ({
  venues,
  tokens,
  evm,
}: {
  readonly venues: readonly SimVenue[]
  readonly tokens: SimTokens
  readonly evm: Pick<SimEvm, 'rpc' | 'receipt'>
}): Deliveries => {
  const told = new Map<string, Promise<Told | null>>()
  const notices: Notice[] = []

  const note = (chainId: number | null, txHash: string | null, error: unknown): void => {
    notices.push({ chainId, txHash, reason: error instanceof Error ? error.message : String(error) })
    if (notices.length > NOTICES_KEPT) notices.shift()
  }

  const tell = (txHash: string, transaction: SimTransaction | null, payments: readonly SimDeposit[]): Told => {
    const called = transaction ? [tellAll(venues, (venue) => venue.onTransaction(transaction))] : []
    const paid = payments.map((payment) => tellAll(venues, (venue) => venue.onDeposit(payment)))
    const answers = [...called, ...paid]
    const venue = answers.find((answer) => answer.venue !== null)?.venue ?? null
    return { delivery: { txHash, venue }, refusals: answers.flatMap(({ refusals }) => refusals) }
  }

  const accepted = ({ delivery, refusals }: Told): Delivery => {
    if (refusals.length > 0) throw refusals[0]
    return delivery
  }

  const tellMined = async (chainId: number, txHash: string): Promise<Told | null> => {
    const landed = await readLanded(evm, tokens, { chainId, txHash })
    return landed && tell(txHash, landed.transaction, landed.payments)
  }

  const remember = (key: string, telling: Promise<Told | null>): Promise<Told | null> => {
    told.set(key, telling)
    if (told.size > REMEMBERED) told.delete(told.keys().next().value ?? key)
    // Not there yet, or not readable: worth asking again.
    telling.then(
      (answer) => answer ?? told.delete(key),
      () => told.delete(key),
    )
    return telling
  }

  const mined = async (chainId: number, txHash: string): Promise<Delivery | null> => {
    const key = keyOf(chainId, txHash)
    // Whatever happens on Solana and Bitcoin is told of at once.
    const telling =
      told.get(key) ?? (chainId === SOLANA || chainId === BITCOIN ? null : remember(key, tellMined(chainId, txHash)))
    const answer = await telling
    return answer && accepted(answer)
  }

  const observe = async (chainId: number, txHash: string): Promise<void> => {
    try {
      await mined(chainId, txHash)
    } catch (error) {
      note(chainId, txHash, error)
    }
  }

  const landed = async (transaction: SimTransaction): Promise<void> => {
    const { chainId, txHash, solana } = transaction
    const key = keyOf(chainId, txHash)
    if (!told.has(key)) await remember(key, Promise.resolve(tell(txHash, transaction, solana?.payments ?? [])))
    await observe(chainId, txHash)
  }

  const seen = async (transaction: SimBitcoinTransaction): Promise<void> => {
    const key = keyOf(BITCOIN, transaction.txid)
    if (!told.has(key)) await remember(key, Promise.resolve(tell(transaction.txid, null, bitcoinPayments(transaction))))
    await observe(BITCOIN, transaction.txid)
  }

  return {
    mined,
    observe,
    landed,
    seen,
    note,
    notices,
  }
}
