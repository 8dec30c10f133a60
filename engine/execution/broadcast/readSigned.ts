import { bytesToHex } from '@noble/hashes/utils.js'
import type { Chains } from '../../chains/chains.ts'
import { decodeWithTables, type SolanaTransaction, solanaMessageOf } from '../../chains/solana/solanaCodec.ts'
import { readSolanaSignatures } from '../../chains/solana/solanaSignatures.ts'
import { invalidRequest, type SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import { compareTransactions } from './compareTransactions.ts'

const TABLES_DEADLINE_MS = 4_000

const refused = (reasons: readonly string[]): SwapError =>
  invalidRequest(reasons.map((reason) => ({ path: 'signedTransaction', reason })))

/** The hash of a signed transaction. Throws INVALID_REQUEST if it is malformed, or a required signature is missing or wrong. */
export const readSignedHash = async (signedTransaction: string): Promise<string> => {
  const signatures = await readSolanaSignatures(signedTransaction)
  if (!signatures) throw refused(['is not a Solana transaction in base64'])
  if (!signatures.isFullySigned) throw refused(['is not signed: its fee payer must sign it, over exactly this message'])
  return signatures.txHash
}

/** A missing table leaves its accounts unnamed, which equal nothing. */
const decode = (base64: string, chains: Pick<Chains, 'lookupTable'>): Promise<SolanaTransaction | null> =>
  withDeadline(TABLES_DEADLINE_MS, (signal) => decodeWithTables(base64, (address) => chains.lookupTable(address, signal)))

const isSameMessage = async (a: string, b: string): Promise<boolean> => {
  const [one, other] = await Promise.all([solanaMessageOf(a), solanaMessageOf(b)])
  return one !== null && other !== null && bytesToHex(one) === bytesToHex(other)
}

/**
 * Compares a signed transaction with the returned one. Throws INVALID_REQUEST with all differences, ChainError if a lookup table
 * cannot be read.
 */
export const requireSamePayment = async (
  signedTransaction: string,
  handedOut: string,
  chains: Pick<Chains, 'lookupTable'>,
): Promise<void> => {
  if (await isSameMessage(signedTransaction, handedOut)) return
  const [signed, ours] = await Promise.all([decode(signedTransaction, chains), decode(handedOut, chains)])
  if (!ours) throw new TypeError('a stored transaction cannot be read')
  const differences = signed ? compareTransactions(signed, ours) : ['cannot be decoded']
  if (differences.length > 0) throw refused(differences)
}
