import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { SolanaMessages } from '../chains/solana/solanaMessages.ts'
import { SOLANA } from '../core/chain.ts'
import { parseTransactionId, type TransactionId } from '../core/transactionId.ts'
import type { AuthorizationState } from './authorizationReader.ts'
import type { Look } from './look.ts'
import type { SolanaPayment } from './solanaPayment.ts'

export type SolanaStateParts = {
  readonly evidence: Pick<ChainEvidence, 'transaction'>
  readonly messages: SolanaMessages
}

/** The effect of the message's transaction: a failed one does not run again. */
const readLanded = async (
  { evidence }: SolanaStateParts,
  { token, payTo, amount }: SolanaPayment,
  hash: TransactionId,
  signal: AbortSignal,
): Promise<AuthorizationState> => {
  const seen = await evidence.transaction({ chainId: SOLANA, hash }, signal)
  if (seen === null) return { state: 'unknown' }
  const paid = seen.movements.filter((movement) => movement.token === token && movement.to === payTo)
  return paid.some((movement) => movement.amount === amount) ? { state: 'used', transaction: hash } : { state: 'spent' }
}

const readStanding = async (
  parts: SolanaStateParts,
  payment: SolanaPayment,
  signal: AbortSignal,
): Promise<AuthorizationState> => {
  const standing = await parts.messages.standing(payment.message, signal)
  switch (standing.state) {
    case 'landed':
      return readLanded(parts, payment, standing.hash, signal)
    case 'open':
      return { state: 'unused' }
    case 'expired':
      return { state: 'expired' }
    case 'unclear':
      return { state: 'unknown' }
  }
}

/** The current state on Solana. Throws ChainError. */
export const readSolanaState = async (
  parts: SolanaStateParts,
  payment: SolanaPayment,
  told: string | null,
  signal: AbortSignal,
): Promise<Look> => {
  const hash = told === null ? null : parseTransactionId(SOLANA, told)
  const carries = hash && (await parts.messages.carries(hash, payment.message, signal))
  if (hash && carries === true) return { seen: await readLanded(parts, payment, hash, signal), isBehind: false }
  return { seen: await readStanding(parts, payment, signal), isBehind: hash !== null && carries === null }
}
