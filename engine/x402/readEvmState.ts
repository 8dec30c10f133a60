import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { EvmAuthorizations } from '../chains/evm/evmAuthorizations.ts'
import { parseTransactionId, type TransactionId } from '../core/transactionId.ts'
import type { AuthorizationState } from './authorizationReader.ts'
import type { EvmPayment } from './evmAuthorization.ts'
import { paidBy } from './paidBy.ts'

export type EvmStateParts = {
  readonly evidence: Pick<ChainEvidence, 'transaction'>
  readonly authorizations: EvmAuthorizations
}

const UNKNOWN: AuthorizationState = { state: 'unknown' }

/** What one transaction shows; null where it is in no block, or shows nothing of the payment. */
const readTransaction = async (
  { evidence }: EvmStateParts,
  payment: EvmPayment,
  hash: TransactionId,
  signal: AbortSignal,
): Promise<AuthorizationState | null> => {
  const seen = await evidence.transaction({ chainId: payment.authorization.chainId, hash }, signal)
  const paid = seen === null ? 'nothing' : paidBy(seen, payment)
  if (seen === null || paid === 'nothing') return null
  if (paid === 'paid') return { state: 'used', transaction: hash }
  // Until its block stands, another may come in its place, and the payment with it.
  return seen.standing === 'fresh' ? UNKNOWN : { state: 'spent' }
}

/** What an EVM chain shows now. Throws ChainError. */
export const readEvmState = async (
  parts: EvmStateParts,
  payment: EvmPayment,
  told: string | null,
  signal: AbortSignal,
): Promise<AuthorizationState> => {
  const { authorization } = payment
  const hash = told === null ? null : parseTransactionId(authorization.chainId, told)
  const shown = hash && (await readTransaction(parts, payment, hash, signal))
  if (shown) return shown
  const standing = await parts.authorizations.standing(authorization, signal)
  if (standing !== 'closed') return { state: standing === 'open' ? 'unused' : 'expired' }
  const closing = await parts.authorizations.closing(authorization, signal)
  return (closing && (await readTransaction(parts, payment, closing, signal))) ?? UNKNOWN
}
