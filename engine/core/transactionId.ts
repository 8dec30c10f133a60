import { base58 } from '@scure/base'
import { BITCOIN, type ChainId, SOLANA } from './chain.ts'

declare const transactionIdBrand: unique symbol

/** A chain's id of a transaction, in its canonical spelling, so `===` compares it. */
export type TransactionId = string & { readonly [transactionIdBrand]: 'TransactionId' }

const EVM = /^0x[0-9a-f]{64}$/
const BITCOIN_TXID = /^[0-9a-f]{64}$/
const SIGNATURE_BYTES = 64
const SIGNATURE_LENGTH_MAX = 88

const isSignature = (text: string): boolean => {
  if (text.length > SIGNATURE_LENGTH_MAX) return false
  try {
    return base58.decode(text).length === SIGNATURE_BYTES
  } catch {
    return false
  }
}

/** Null for a text that is no transaction id of that chain. */
export const parseTransactionId = (chainId: ChainId, text: string): TransactionId | null => {
  if (chainId === SOLANA) return isSignature(text) ? (text as TransactionId) : null
  const lower = text.toLowerCase()
  return (chainId === BITCOIN ? BITCOIN_TXID : EVM).test(lower) ? (lower as TransactionId) : null
}
