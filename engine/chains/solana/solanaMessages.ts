import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { chainEndpoints, type RpcUrls } from '../endpoints/chainEndpoints.ts'
import type { EndpointHealth } from '../endpoints/endpointHealth.ts'
import { createJsonRpc } from '../endpoints/jsonRpc.ts'
import { askSolana, solanaAnswer } from './solanaAnswers.ts'
import { solanaMessageOf } from './solanaCodec.ts'

/** A message that another party may sign last, so that the id of its transaction is unknown beforehand. */
export type SolanaMessage = {
  /** The bytes that the signatures cover. */
  readonly bytes: Uint8Array
  readonly blockhash: string
  /** An account that it writes to: its transactions are searched. */
  readonly account: Address
}

/**
 * `open`: no block has it, and one still may. `expired`: no block has it, nor ever will. `unclear`: no block was found to have
 * it, and not all that could were looked through.
 */
export type SolanaMessageStanding =
  | { readonly state: 'landed'; readonly hash: TransactionId }
  | { readonly state: 'open' | 'expired' | 'unclear' }

/** The fate of a message on Solana. Every call throws ChainError only and honours its signal. */
export interface SolanaMessages {
  /** Whether the transaction of that name carries the message; null where it is in no block. */
  carries(hash: TransactionId, message: SolanaMessage, signal: AbortSignal): Promise<boolean | null>
  standing(message: SolanaMessage, signal: AbortSignal): Promise<SolanaMessageStanding>
}

export type SolanaMessagesOptions = {
  readonly rpcUrls: RpcUrls
  readonly http: HttpClient
  readonly health: EndpointHealth
  /** For one read, all its endpoints together. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 3_000
/** The latest of an account. A message lives for some hundred seconds, so that what became of it is mostly among the first. */
const LISTED_MAX = 100
const TOGETHER = 5

/**
 * A node that is behind rejects the newest blockhashes as it rejects the oldest. A rejection this many slots later has another
 * cause: twice the life of a blockhash, https://solana.com/docs/core/transactions
 */
const SURE_AFTER_SLOTS = 300
const REMEMBERED = 10_000

export const createSolanaMessages = ({
  rpcUrls,
  http,
  health,
  deadlineMs = DEADLINE_MS,
}: SolanaMessagesOptions): SolanaMessages => {
  const rpc = createJsonRpc(http, chainEndpoints(rpcUrls, health, deadlineMs)(SOLANA))

  const carries: SolanaMessages['carries'] = async (hash, { bytes }, signal) => {
    const method = 'getTransaction'
    const answer = solanaAnswer(method)
    const options = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
    const found = await askSolana(rpc, method, [hash, options], signal)
    if (found === null) return null
    const [base64] = answer.list(answer.fields(found)['transaction'])
    if (typeof base64 !== 'string') throw answer.malformed()
    const message = await solanaMessageOf(base64)
    return message !== null && Buffer.from(message).equals(bytes)
  }

  /** The slots at which blockhashes were first rejected. */
  const refusedAt = new Map<string, number>()

  const isOpen = async (blockhash: string, signal: AbortSignal): Promise<boolean> => {
    const method = 'isBlockhashValid'
    const answer = solanaAnswer(method)
    const found = answer.fields(await askSolana(rpc, method, [blockhash, { commitment: 'confirmed' }], signal))
    const slot = answer.whole(answer.fields(found['context'])['slot'])
    if (typeof found['value'] !== 'boolean') throw answer.malformed()
    if (found['value']) return true
    const first = refusedAt.get(blockhash) ?? slot
    refusedAt.set(blockhash, first)
    if (refusedAt.size > REMEMBERED) refusedAt.delete(refusedAt.keys().next().value ?? blockhash)
    return slot - first < SURE_AFTER_SLOTS
  }

  /** Latest first. */
  const namesOf = async (account: Address, signal: AbortSignal): Promise<readonly TransactionId[]> => {
    const method = 'getSignaturesForAddress'
    const answer = solanaAnswer(method)
    const found = await askSolana(rpc, method, [account, { limit: LISTED_MAX, commitment: 'confirmed' }], signal)
    return answer.list(found).map((entry) => {
      const { signature } = answer.fields(entry)
      const hash = typeof signature === 'string' ? parseTransactionId(SOLANA, signature) : null
      if (hash === null) throw answer.malformed()
      return hash
    })
  }

  return {
    carries,
    standing: async (message, signal) => {
      // Before the list is read: what lands in between is in the list.
      const open = await isOpen(message.blockhash, signal)
      const names = await namesOf(message.account, signal)
      for (let at = 0; at < names.length; at += TOGETHER) {
        const some = names.slice(at, at + TOGETHER)
        const found = await Promise.all(some.map((hash) => carries(hash, message, signal)))
        const hash = some[found.indexOf(true)]
        if (hash !== undefined) return { state: 'landed', hash }
      }
      if (open) return { state: 'open' }
      return { state: names.length < LISTED_MAX ? 'expired' : 'unclear' }
    },
  }
}
