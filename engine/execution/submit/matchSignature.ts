import { ChainError, type Chains } from '../../chains/chains.ts'
import type { Hex } from '../../core/execution.ts'
import { invalidRequest, SwapError } from '../../errors.ts'
import { withDeadline } from '../../net/deadline.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { SignedPayload, VenueProfile } from '../../venues/venue.ts'
import { goesBySignerCode, hasCode, isAcceptedByWallet, isSignedByKey, type Signed } from './verifySignature.ts'

export type Signatures = { readonly signature: Hex; readonly approvalSignature: Hex | null }

const WALLET_DEADLINE_MS = 5_000

/** What decides about a signature. */
type Judge = { readonly chains: Chains; readonly profile: VenueProfile }

const askChain = async (chains: Chains, read: typeof hasCode, signed: Signed): Promise<boolean> => {
  try {
    return await withDeadline(WALLET_DEADLINE_MS, (signal) => read(chains, signed, signal))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const text =
      "The chain could not be reached to ask the code of the sender's account about the signature. Nothing was submitted; post it again."
    throw new SwapError('INTERNAL', text, { details: { retryable: true }, cause: error })
  }
}

type Candidate = Signed & { readonly record: SwapRecord }

/** A key's signature is not enough if the contract calls code of its account. The venue decides about orders that it has. */
const requireCode = async ({ chains, profile }: Judge, signed: Candidate, path: string): Promise<void> => {
  if (signed.record.submittedAt !== null || !goesBySignerCode(profile, signed)) return
  if (!(await askChain(chains, hasCode, signed)) || (await askChain(chains, isAcceptedByWallet, signed))) return
  const account = "is by the sender's key, and the code of the sender's account (EIP-7702) does not accept it"
  throw invalidRequest([{ path, reason: `${account} by isValidSignature, which the contract of the order asks` }])
}

const requireApproval = async (judge: Judge, candidate: Candidate, signature: Hex | null): Promise<void> => {
  const { approvalData: typedData } = candidate.payload
  const path = 'approvalSignature'
  if (typedData === null) {
    if (signature === null) return
    throw invalidRequest([{ path, reason: 'is not needed: /execute returned no approvalData' }])
  }
  if (signature === null) throw invalidRequest([{ path, reason: 'is required: /execute returned approvalData' }])
  const signed = { ...candidate, payload: { ...candidate.payload, typedData }, signature }
  if (await isSignedByKey(signed)) return requireCode(judge, signed, path)
  if (!(await askChain(judge.chains, isAcceptedByWallet, signed)))
    throw invalidRequest([{ path, reason: "is not the sender's signature over approvalData" }])
}

/** Checks keys first: a key identifies the signed execution without a chain read. */
const pickSigned = async (
  judge: Judge,
  candidates: readonly Candidate[],
): Promise<{ readonly candidate: Candidate; readonly scheme: SignedPayload['scheme'] } | null> => {
  for (const candidate of candidates) {
    if (!(await isSignedByKey(candidate))) continue
    await requireCode(judge, candidate, 'signature')
    return { candidate, scheme: 'ecdsa' }
  }
  for (const candidate of candidates)
    if (await askChain(judge.chains, isAcceptedByWallet, candidate)) return { candidate, scheme: 'eip1271' }
  return null
}

/**
 * Finds the signed execution of a quote, which may have been executed for several recipients. Throws INVALID_REQUEST if the
 * sender signed none of them.
 */
export const matchSignature = async (
  judge: Judge,
  records: readonly SwapRecord[],
  { signature, approvalSignature }: Signatures,
): Promise<{ readonly record: SwapRecord; readonly signed: SignedPayload }> => {
  if (records.length === 0)
    throw invalidRequest([{ path: 'quoteToken', reason: 'has not been executed: call /execute first and sign what it returns' }])
  const candidates = records.flatMap((record): readonly Candidate[] => {
    const { payload } = record.swap.execution
    return payload.executionType === 'SIGNATURE' ? [{ record, payload, signer: record.swap.order.sender, signature }] : []
  })
  const picked = await pickSigned(judge, candidates)
  if (!picked)
    throw invalidRequest([
      { path: 'signature', reason: "is not the sender's signature over the typedData that /execute returned" },
    ])
  const { candidate, scheme } = picked
  await requireApproval(judge, candidate, approvalSignature)
  return { record: candidate.record, signed: { signature, approvalSignature, scheme } }
}
