import type { PaymentReason } from '../core/paidCall.ts'
import { SwapError } from '../errors.ts'

const WORDS: Record<PaymentReason, string> = {
  noPayment: 'This call is paid for. Sign what the header PAYMENT-REQUIRED asks for, and repeat it with PAYMENT-SIGNATURE.',
  malformed: 'The payment cannot be read. PAYMENT-SIGNATURE is a payment of x402 version 2, as JSON in base64.',
  notAccepted: 'The payment is not what the header PAYMENT-REQUIRED asks for. Nothing was charged.',
  notValidNow: 'The payment is not valid at this time. Nothing was charged: sign another.',
  badSignature: 'The payment is not signed by its payer. Nothing was charged.',
  noFunds: 'The payer has too little to pay with. Nothing was charged.',
  spent: 'The payment was used up, or is bound to another request. This call charged nothing: sign another.',
  refused: 'The payment was refused. Nothing was charged: sign another.',
}

/** Reasons of the official facilitators, by the packages @x402/evm and @x402/svm. Every other one is `refused`. */
const REASONS: { readonly [reason: string]: PaymentReason } = {
  invalid_exact_evm_scheme: 'notAccepted',
  invalid_exact_evm_network_mismatch: 'notAccepted',
  invalid_exact_evm_recipient_mismatch: 'notAccepted',
  invalid_exact_evm_authorization_value: 'notAccepted',
  invalid_exact_evm_payload_authorization_value_mismatch: 'notAccepted',
  invalid_exact_evm_payload_authorization_valid_before: 'notValidNow',
  invalid_exact_evm_payload_authorization_valid_after: 'notValidNow',
  invalid_exact_evm_signature: 'badSignature',
  invalid_exact_evm_failed_to_parse_signature: 'badSignature',
  invalid_exact_evm_insufficient_balance: 'noFunds',
  insufficient_funds: 'noFunds',
  invalid_exact_evm_nonce_already_used: 'spent',
  duplicate_settlement: 'spent',
  invalid_exact_evm_transaction_simulation_failed: 'refused',
  invalid_exact_svm_transaction_simulation_failed: 'refused',
  invalid_exact_svm_payload_recipient_mismatch: 'notAccepted',
  invalid_exact_svm_payload_mint_mismatch: 'notAccepted',
  invalid_exact_svm_payload_amount_mismatch: 'notAccepted',
}

/** Our reason for a facilitator's one, which may be any text and goes no further. */
export const reasonFrom = (official: unknown): PaymentReason =>
  typeof official === 'string' && Object.hasOwn(REASONS, official) ? (REASONS[official] ?? 'refused') : 'refused'

/** A failure before any chain transaction. A used authorization may be our own settlement, which the chain shows. */
export const isDefinite = (official: unknown): boolean =>
  typeof official === 'string' && Object.hasOwn(REASONS, official) && REASONS[official] !== 'spent'

export const paymentRefused = (reason: PaymentReason, cause?: unknown): SwapError =>
  new SwapError('PAYMENT_REQUIRED', WORDS[reason], { details: { reason }, cause })

/** The wait before the same call is worth repeating. */
const RETRY_SEC = 2

/** The state of the payment is unknown. Repeating the same call resolves it, and charges once at most. */
export const paymentPending = (cause?: unknown, retryAfterSec = RETRY_SEC): SwapError =>
  new SwapError(
    'PAYMENT_PENDING',
    'What became of the payment is not known yet. Repeat the same call with the same payment: it is charged once at most.',
    { details: { retryAfterSec, retryable: true }, cause },
  )

/** The service has passed the payment to no facilitator. */
export const paymentsUnavailable = (cause?: unknown): SwapError =>
  new SwapError('PAYMENT_PENDING', 'Payments cannot be taken now. Nothing was charged: repeat the same call.', {
    details: { retryAfterSec: RETRY_SEC, retryable: true },
    cause,
  })
