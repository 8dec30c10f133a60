import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
/** The bit that tells a message with a version from the first kind. */
const VERSIONED = 0x80

/** Of one Solana payment. */
export type SolanaIdentity = { readonly payer: string; readonly nonce: string }

/**
 * Who pays by a Solana transaction, and what tells it from others: the message that is signed, without the signatures, of which
 * the fee payer's is not made yet. The fee payer, which is the facilitator, is the first account that signs; the payer is the second.
 * Null where it is no transaction. https://solana.com/docs/core/transactions
 */
export const solanaIdentity = (transaction: string): SolanaIdentity | null => {
  const bytes = Buffer.from(transaction, 'base64')
  // Of one byte: nobody has 128 signers.
  const signatures = bytes[0] ?? 0
  const message = bytes.subarray(1 + signatures * SIGNATURE_BYTES)
  const at = (message[0] ?? 0) & VERSIONED ? 1 : 0
  const signers = message[at] ?? 0
  // After three counts and the one-byte number of accounts.
  const payer = message.subarray(at + 4 + KEY_BYTES, at + 4 + 2 * KEY_BYTES)
  if (signatures >= VERSIONED || signers !== signatures || signers < 2 || payer.length < KEY_BYTES) return null
  return { payer: base58.encode(payer), nonce: createHash('sha256').update(message).digest('hex') }
}
