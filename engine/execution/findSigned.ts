import { ChainError, type Chains } from '../chains/chains.ts'
import type { Address } from '../core/address.ts'
import type { Hex, SignaturePayload, TypedData } from '../core/execution.ts'
import { invalidRequest, SwapError } from '../errors.ts'
import { withDeadline } from '../net/deadline.ts'
import type { SwapRecord } from '../store/swaps.ts'
import type { SignedPayload } from '../venues/venue.ts'
import { verifySignature } from './verifySignature.ts'

export type Signatures = { readonly signature: Hex; readonly approvalSignature: Hex | null }

const WALLET_DEADLINE_MS = 5_000

type Scheme = SignedPayload['scheme']

const schemeOf = async (
  chains: Chains,
  payload: SignaturePayload,
  signed: { typedData: TypedData; signer: Address; signature: Hex },
): Promise<Scheme | null> => {
  const { typedData, signer, signature } = signed
  try {
    return await withDeadline(WALLET_DEADLINE_MS, (signal) =>
      verifySignature(chains, { payload: { ...payload, typedData }, signer, signature }, signal),
    )
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
  if (typedData === null) return
  const path = 'approvalSignature'
  if (signature === null) throw invalidRequest([{ path, reason: 'is required: /execute returned approvalData' }])
  if ((await schemeOf(chains, payload, { typedData, signer, signature })) === null)
    throw invalidRequest([{ path, reason: "is not the sender's signature over approvalData" }])
}

/**
 * Which of a quote's executions was signed. One quote may have been executed for several recipients: the signature
 * itself says which one is meant. Throws INVALID_REQUEST when it is the sender's over none of them.
 */
export const findSigned = async (
  chains: Chains,
  records: readonly SwapRecord[],
  { signature, approvalSignature }: Signatures,
): Promise<{ readonly record: SwapRecord; readonly signed: SignedPayload }> => {
  if (records.length === 0)
    throw invalidRequest([{ path: 'quoteToken', reason: 'has not been executed: call /execute first and sign what it returns' }])
  for (const record of records) {
    const { payload } = record.swap.execution
    const { sender: signer } = record.swap.order
    if (payload.executionType !== 'SIGNATURE') continue
    const scheme = await schemeOf(chains, payload, { typedData: payload.typedData, signer, signature })
    if (scheme === null) continue
    await requireApproval(chains, payload, { signer, signature: approvalSignature })
    return { record, signed: { signature, approvalSignature, scheme } }
  }
  const reason = "is not the sender's signature over the typedData that /execute returned"
  throw invalidRequest([{ path: 'signature', reason }])
}
