import { ChainError, type Chains } from '../../chains/chains.ts'
import type { SolanaRefusal, SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { ObserveRequest } from '../../observe/observe.ts'
import type { Broadcast, BroadcastStore } from '../../store/broadcasts.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import { createReadFate } from './readFate.ts'

export type SendPorts = {
  readonly chains: Pick<Chains, 'latestBlockhash'>
  readonly solana: SolanaTransactions
  readonly broadcasts: BroadcastStore
  readonly observe: ObserveRequest
}

export type SendRequest = {
  readonly swapId: number
  readonly txHash: string
  readonly base64: string
  /** Other executions of the quote with the same addresses: only one of all may be paid. */
  readonly rivals: readonly number[]
}

export type Sent =
  /** A node or a block has the transaction. */
  | { readonly result: 'sent' | 'landed' }
  /** Not sent, or can no longer land: the caller may sign another one. */
  | { readonly result: 'rejected'; readonly refusal: SolanaRefusal }
  /** The chain was unreachable; the transaction may have been sent. */
  | { readonly result: 'uncertain'; readonly cause: ChainError | null }
  /** Another signed transaction of the swap was sent, or may have been, and has landed or can still land. */
  | { readonly result: 'occupied'; readonly txHash: string; readonly hasLanded: boolean }

const CALL_DEADLINE_MS = 5_000

/**
 * The node may be behind the one that gave the blockhash. Beyond 128 slots a node reports itself as unhealthy:
 * https://solana.com/docs/rpc/http/gethealth.
 */
const LAG_BLOCKS_MAX = 150

const EXPIRED: SolanaRefusal = { reason: 'blockhashExpired', error: 'BlockhashNotFound' }

const call = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => withDeadline(CALL_DEADLINE_MS, work)

/**
 * Sends the one signed transaction that a swap may have. The reservation precedes the broadcast, so neither a second post nor a
 * crash can send another one. Repeating never pays twice: the same signed transaction lands at most once. Never throws
 * ChainError.
 */
export const createSendOnce = ({ chains, solana, broadcasts, observe }: SendPorts) => {
  const readFate = createReadFate({ solana, broadcasts, observe, signal: null })

  const accept = async (swapId: number, broadcast: Broadcast): Promise<void> => {
    // If this write fails, a repeated post finds the transaction on the chain.
    if (broadcast.acceptedAt === null) await recordedOr(observe, undefined, () => broadcasts.setAccepted(swapId, broadcast))
  }

  /** The result that is known without sending; null if it is still to be sent. */
  const settle = async (swapId: number, broadcast: Broadcast): Promise<Sent | null> => {
    const { acceptedAt } = broadcast
    try {
      const fate = await readFate(swapId, broadcast)
      if (fate === 'lapsed') return { result: 'rejected', refusal: EXPIRED }
      if (fate !== 'open') {
        await accept(swapId, broadcast)
        return { result: 'landed' }
      }
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      if (acceptedAt === null) return { result: 'uncertain', cause: error }
    }
    // The node that accepted it forwards it to leaders while it can land.
    return acceptedAt === null ? null : { result: 'sent' }
  }

  /** The result of a refused first post; null if another post joined meanwhile and may send it. */
  const giveUp = async (swapId: number, broadcast: Broadcast, refusal: SolanaRefusal): Promise<Sent | null> => {
    // The wallet may have sent it itself. The preflight reports that while the blockhash is valid.
    const isLanded =
      refusal.reason === 'blockhashExpired' && (await call((signal) => solana.landing(broadcast.txHash, signal))).outcome !== null
    if (isLanded) {
      await accept(swapId, broadcast)
      return { result: 'landed' }
    }
    return (await broadcasts.release(swapId, broadcast.txHash)) ? { result: 'rejected', refusal } : null
  }

  const send = async (swapId: number, broadcast: Broadcast, base64: string, isNew: boolean): Promise<Sent> => {
    const outcome = await call((signal) => solana.send(base64, signal))
    if (outcome.isAccepted || outcome.refusal.reason === 'alreadyProcessed') {
      await accept(swapId, broadcast)
      return { result: 'sent' }
    }
    const given = isNew && !outcome.mayBeSent ? await giveUp(swapId, broadcast, outcome.refusal) : null
    if (given) return given
    // Refused now but perhaps accepted before: no other transaction until this one is certain not to land.
    const latest = (await broadcasts.find(swapId)) ?? broadcast
    return (await settle(swapId, latest)) ?? { result: 'uncertain', cause: null }
  }

  const claim = async (swapId: number, txHash: string) => {
    const known = await broadcasts.find(swapId)
    // Nothing more is sent, so nothing is written: the disk may be full.
    if (known && (known.txHash !== txHash || known.acceptedAt !== null || known.fate !== null))
      return { broadcast: known, isNew: false }
    if (known) return broadcasts.claim(swapId, known)
    // Every payload returned before now has a blockhash that expires no later.
    const { lastValidBlockHeight } = await call((signal) => chains.latestBlockhash(signal))
    return broadcasts.claim(swapId, { txHash, untilHeight: lastValidBlockHeight + LAG_BLOCKS_MAX })
  }

  const findRival = async (rivals: readonly number[]): Promise<Sent | null> => {
    for (const swapId of rivals) {
      const rival = await broadcasts.find(swapId)
      const fate = rival && (await readFate(swapId, rival))
      if (rival && fate !== 'failed' && fate !== 'lapsed')
        return { result: 'occupied', txHash: rival.txHash, hasLanded: fate !== 'open' }
    }
    return null
  }

  const attempt = async ({ swapId, txHash, base64, rivals }: SendRequest): Promise<Sent> => {
    const { broadcast, isNew } = await claim(swapId, txHash)
    const known = isNew ? null : await settle(swapId, broadcast)
    // Both have the same blockhash: when one expires, so does the other.
    if (broadcast.txHash !== txHash && known?.result !== 'rejected')
      return { result: 'occupied', txHash: broadcast.txHash, hasLanded: known?.result === 'landed' }
    if (known) return known
    // After the reservation: of two concurrent posts at least one sees the other.
    const rival = await findRival(rivals)
    if (rival && isNew) await broadcasts.release(swapId, txHash)
    return rival ?? send(swapId, broadcast, base64, isNew)
  }

  return async (request: SendRequest): Promise<Sent> => {
    try {
      return await attempt(request)
    } catch (error) {
      if (error instanceof ChainError) return { result: 'uncertain', cause: error }
      throw error
    }
  }
}
