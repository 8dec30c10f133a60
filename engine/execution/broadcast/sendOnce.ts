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
  /** The other executions of the same quote for the same addresses: only one of them all is ever to be paid. */
  readonly rivals: readonly number[]
}

export type Sent =
  /** A node has it, or a block. */
  | { readonly result: 'sent' | 'landed' }
  /** It was not sent and will not be, or can no longer land: another transaction may be signed. */
  | { readonly result: 'rejected'; readonly refusal: SolanaRefusal }
  /** The chain could not be asked; the transaction may have been sent. */
  | { readonly result: 'uncertain'; readonly cause: ChainError | null }
  /** Another signed transaction of the same swap went out, or may have, and has landed or can still land. */
  | { readonly result: 'occupied'; readonly txHash: string; readonly hasLanded: boolean }

const CALL_DEADLINE_MS = 5_000

/**
 * The node that is asked may be behind the one the blockhash came from. A node that is behind by more than 128 slots
 * calls itself ill: https://solana.com/docs/rpc/http/gethealth.
 */
const LAG_BLOCKS_MAX = 150

const EXPIRED: SolanaRefusal = { reason: 'blockhashExpired', error: 'BlockhashNotFound' }

const call = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => withDeadline(CALL_DEADLINE_MS, work)

/**
 * Sends the one signed transaction a swap may have. It is reserved in the store before it is sent, so that neither a
 * second post nor a crash can send another one; repeating the call never pays twice, because the same signed transaction
 * lands at most once. Never throws ChainError.
 */
export const createSendOnce = ({ chains, solana, broadcasts, observe }: SendPorts) => {
  const readFate = createReadFate({ solana, broadcasts, observe, signal: null })

  const accept = async (swapId: number, broadcast: Broadcast): Promise<void> => {
    // Unrecorded, a repeated post finds it on the chain.
    if (broadcast.acceptedAt === null) await recordedOr(observe, undefined, () => broadcasts.setAccepted(swapId, broadcast))
  }

  /** What is known of a transaction without sending it; null: it is still to be sent. */
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
    // The node that took it goes on handing it to leaders as long as it can land.
    return acceptedAt === null ? null : { result: 'sent' }
  }

  /** What the refusal of the first post comes to; null when another post of it came in the meantime, and may send it. */
  const giveUp = async (swapId: number, broadcast: Broadcast, refusal: SolanaRefusal): Promise<Sent | null> => {
    // The wallet may have sent it by itself, which a preflight tells as long as the blockhash serves.
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
    // Refused now, but perhaps taken before: until it is certain that it did not land, nothing else may be signed.
    const latest = (await broadcasts.find(swapId)) ?? broadcast
    return (await settle(swapId, latest)) ?? { result: 'uncertain', cause: null }
  }

  const claim = async (swapId: number, txHash: string) => {
    const known = await broadcasts.find(swapId)
    // Nothing is sent any more: no need to write, and the disk may be full.
    if (known && (known.txHash !== txHash || known.acceptedAt !== null || known.fate !== null))
      return { broadcast: known, isNew: false }
    if (known) return broadcasts.claim(swapId, known)
    // Whatever was handed out before now was built on a blockhash that ends no later.
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
    // Built on the same blockhash: when the other one is over, so is this one.
    if (broadcast.txHash !== txHash && known?.result !== 'rejected')
      return { result: 'occupied', txHash: broadcast.txHash, hasLanded: known?.result === 'landed' }
    if (known) return known
    // After the reservation: of two that are posted at once, at least one sees the other.
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
