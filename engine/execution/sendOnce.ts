import { ChainError, type Chains } from '../chains/chains.ts'
import type { SolanaBroadcast, SolanaRefusal } from '../chains/solanaBroadcast.ts'
import { withDeadline } from '../net/deadline.ts'
import type { Broadcast, BroadcastStore } from '../store/broadcasts.ts'

export type SendPorts = {
  readonly chains: Pick<Chains, 'latestBlockhash'>
  readonly solana: SolanaBroadcast
  readonly broadcasts: BroadcastStore
  /** Told when a node took the transaction and that could not be recorded. A repeated post finds it on the chain. */
  readonly reportUnrecorded: (error: unknown) => void
}

export type Sent =
  /** A node has it, or a block. */
  | { readonly result: 'sent' | 'landed' }
  /** It was not sent and will not be, or can no longer land: another transaction may be signed. */
  | { readonly result: 'rejected'; readonly refusal: SolanaRefusal }
  /** The chain could not be asked; the transaction may have been sent. */
  | { readonly result: 'uncertain'; readonly cause: ChainError | null }
  /** Another signed transaction of the same swap went out, or may have, and can still land. */
  | { readonly result: 'occupied'; readonly txHash: string }

const CALL_DEADLINE_MS = 5_000

const EXPIRED: SolanaRefusal = { reason: 'blockhashExpired', error: 'BlockhashNotFound' }

const call = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => withDeadline(CALL_DEADLINE_MS, work)

/** Whether a transaction that may have been sent is in a block, can never be in one, or neither is known yet. */
const lookUp = async (solana: SolanaBroadcast, { txHash, untilHeight }: Broadcast): Promise<'landed' | 'dead' | 'open'> => {
  // In this order: whatever is not found after the last block that could hold it is final is nowhere.
  const height = await call((signal) => solana.finalizedHeight(signal))
  const landing = await call((signal) => solana.landing(txHash, signal))
  if (landing !== null) return 'landed'
  return height > untilHeight ? 'dead' : 'open'
}

/**
 * Sends the one signed transaction a swap may have. It is reserved in the store before it is sent, so that neither a
 * second post nor a crash can send another one; repeating the call never pays twice, because the same signed transaction
 * lands at most once. Never throws ChainError.
 */
export const createSendOnce = ({ chains, solana, broadcasts, reportUnrecorded }: SendPorts) => {
  const accept = async (swapId: number, broadcast: Broadcast): Promise<void> => {
    if (broadcast.acceptedAt === null) await broadcasts.setAccepted(swapId, broadcast).catch(reportUnrecorded)
  }

  /** What is known of a transaction without sending it; null: it is still to be sent. */
  const settle = async (swapId: number, broadcast: Broadcast): Promise<Sent | null> => {
    const { txHash, acceptedAt } = broadcast
    try {
      const found = await lookUp(solana, broadcast)
      if (found === 'landed') {
        await accept(swapId, broadcast)
        return { result: 'landed' }
      }
      if (found === 'dead') {
        await broadcasts.release(swapId, txHash)
        return { result: 'rejected', refusal: EXPIRED }
      }
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      if (acceptedAt === null) return { result: 'uncertain', cause: error }
    }
    // The node that took it goes on handing it to leaders as long as it can land.
    return acceptedAt === null ? null : { result: 'sent' }
  }

  const send = async (swapId: number, broadcast: Broadcast, base64: string, isNew: boolean): Promise<Sent> => {
    const outcome = await call((signal) => solana.send(base64, signal))
    if (outcome.isAccepted || outcome.refusal.reason === 'alreadyProcessed') {
      await accept(swapId, broadcast)
      return { result: 'sent' }
    }
    if (isNew && !outcome.mayBeSent) {
      await broadcasts.release(swapId, broadcast.txHash)
      return { result: 'rejected', refusal: outcome.refusal }
    }
    // Refused now, but perhaps taken before: until it is certain that it did not land, nothing else may be signed.
    return (await settle(swapId, broadcast)) ?? { result: 'uncertain', cause: null }
  }

  const claim = async (swapId: number, txHash: string) => {
    const known = await broadcasts.find(swapId)
    if (known) return { broadcast: known, isNew: false }
    // Whatever was handed out before now was built on a blockhash that ends no later.
    const { lastValidBlockHeight: untilHeight } = await call((signal) => chains.latestBlockhash(signal))
    return broadcasts.claim(swapId, { txHash, untilHeight })
  }

  return async (swapId: number, txHash: string, base64: string): Promise<Sent> => {
    try {
      const { broadcast, isNew } = await claim(swapId, txHash)
      const known = isNew ? null : await settle(swapId, broadcast)
      if (broadcast.txHash === txHash) return known ?? (await send(swapId, broadcast, base64, isNew))
      // Built on the same blockhash: when the other one is dead, so is this one.
      return known?.result === 'rejected' ? known : { result: 'occupied', txHash: broadcast.txHash }
    } catch (error) {
      if (error instanceof ChainError) return { result: 'uncertain', cause: error }
      throw error
    }
  }
}
