import { ChainError, type Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import type { Hex, SignaturePayload } from '../../core/execution.ts'
import { invalidRequest, SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { SignedPayload } from '../../venues/venue.ts'
import { isAcceptedByWallet, isSignedByKey, type Signed } from './verifySignature.ts'

export type Signatures = { readonly signature: Hex; readonly approvalSignature: Hex | null }

const WALLET_DEADLINE_MS = 5_000

const askWallet = async (chains: Chains, signed: Signed): Promise<boolean> => {
  try {
    return await withDeadline(WALLET_DEADLINE_MS, (signal) => isAcceptedByWallet(chains, signed, signal))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const text =
      'The chain could not be reached to ask the wallet contract about the signature. Nothing was submitted; post it again.'
    throw new SwapError('INTERNAL', text, { details: { retryable: true }, cause: error })
  }
}

const requireApproval = async (
  chains: Chains,
  payload: SignaturePayload,
  { signer, signature }: { signer: Address; signature: Hex | null },
): Promise<void> => {
  const { approvalData: typedData } = payload
  const path = 'approvalSignature'
  if (typedData === null) {
    if (signature === null) return
    throw invalidRequest([{ path, reason: 'is not needed: /execute returned no approvalData' }])
  }
  if (signature === null) throw invalidRequest([{ path, reason: 'is required: /execute returned approvalData' }])
  const signed = { payload: { ...payload, typedData }, signer, signature }
  if (!(await isSignedByKey(signed)) && !(await askWallet(chains, signed)))
    throw invalidRequest([{ path, reason: "is not the sender's signature over approvalData" }])
}

type Candidate = Signed & { readonly record: SwapRecord }

/** Keys first for all: a wallet with a key needs no chain, whichever of the executions it signed. */
const pickSigned = async (
  chains: Chains,
  candidates: readonly Candidate[],
): Promise<{ readonly candidate: Candidate; readonly scheme: SignedPayload['scheme'] } | null> => {
  for (const candidate of candidates) if (await isSignedByKey(candidate)) return { candidate, scheme: 'ecdsa' }
  for (const candidate of candidates) if (await askWallet(chains, candidate)) return { candidate, scheme: 'eip1271' }
  return null
}

/**
 * Which of a quote's executions was signed. One quote may have been executed for several recipients: the signature
 * itself says which one is meant. Throws INVALID_REQUEST when it is the sender's over none of them.
 */
export const matchSignature = async (
  chains: Chains,
  records: readonly SwapRecord[],
  { signature, approvalSignature }: Signatures,
): Promise<{ readonly record: SwapRecord; readonly signed: SignedPayload }> => {
  if (records.length === 0)
    throw invalidRequest([{ path: 'quoteToken', reason: 'has not been executed: call /execute first and sign what it returns' }])
  const candidates = records.flatMap((record): readonly Candidate[] => {
    const { payload } = record.swap.execution
    return payload.executionType === 'SIGNATURE' ? [{ record, payload, signer: record.swap.order.sender, signature }] : []
  })
  const picked = await pickSigned(chains, candidates)
  if (!picked)
    throw invalidRequest([
      { path: 'signature', reason: "is not the sender's signature over the typedData that /execute returned" },
    ])
  const { candidate, scheme } = picked
  await requireApproval(chains, candidate.payload, { signer: candidate.signer, signature: approvalSignature })
  return { record: candidate.record, signed: { signature, approvalSignature, scheme } }
}
