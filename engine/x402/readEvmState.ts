import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { EvmAuthorizations } from '../chains/evm/evmAuthorizations.ts'
import { parseTransactionId, type TransactionId } from '../core/transactionId.ts'
import type { AuthorizationState } from './authorizationReader.ts'
import type { EvmPayment } from './evmAuthorization.ts'
import type { Look } from './look.ts'
import { paidBy } from './paidBy.ts'

export type EvmStateParts = {
  readonly evidence: Pick<ChainEvidence, 'transaction'>
  readonly authorizations: EvmAuthorizations
}

const UNKNOWN: AuthorizationState = { state: 'unknown' }

/** Null without a block; `nothing` where it does not show the payment. */
const readTransaction = async (
  { evidence }: EvmStateParts,
  payment: EvmPayment,
  hash: TransactionId,
  signal: AbortSignal,
): Promise<AuthorizationState | 'nothing' | null> => {
  const seen = await evidence.transaction({ chainId: payment.authorization.chainId, hash }, signal)
  if (seen === null) return null
  const paid = paidBy(seen, payment)
  if (paid === 'nothing') return paid
  if (paid === 'paid') return { state: 'used', transaction: hash }
  // Until its block is final, another block may replace it together with the payment.
  return seen.standing === 'fresh' ? UNKNOWN : { state: 'spent' }
}

const readStanding = async (parts: EvmStateParts, payment: EvmPayment, signal: AbortSignal): Promise<AuthorizationState> => {
  const { authorization } = payment
  const standing = await parts.authorizations.standing(authorization, signal)
  if (standing !== 'closed') return { state: standing === 'open' ? 'unused' : 'expired' }
  const closing = await parts.authorizations.closing(authorization, signal)
  const shown = closing && (await readTransaction(parts, payment, closing, signal))
  return shown === null || shown === 'nothing' ? UNKNOWN : shown
}

/** The current state on an EVM chain. Throws ChainError. */
export const readEvmState = async (
  parts: EvmStateParts,
  payment: EvmPayment,
  told: string | null,
  signal: AbortSignal,
): Promise<Look> => {
  const hash = told === null ? null : parseTransactionId(payment.authorization.chainId, told)
  const shown = hash && (await readTransaction(parts, payment, hash, signal))
  if (shown !== null && shown !== 'nothing') return { seen: shown, isBehind: false }
  return { seen: await readStanding(parts, payment, signal), isBehind: hash !== null && shown === null }
}
