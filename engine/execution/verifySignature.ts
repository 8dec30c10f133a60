import type { Chains } from '../chains/chains.ts'
import { hashTypedData, recoverTypedData } from '../chains/evmCodec.ts'
import type { Address } from '../core/address.ts'
import { isEvmChainId } from '../core/chain.ts'
import type { Hex, SignaturePayload } from '../core/execution.ts'
import type { SignedPayload } from '../venues/venue.ts'

/**
 * How `signer` signed the payload: with its key, or as a contract wallet whose code accepts the signature (EIP-1271).
 * Null when it did not sign it. Throws ChainError when a contract wallet cannot be asked.
 */
export const verifySignature = async (
  chains: Chains,
  { payload, signer, signature }: { readonly payload: SignaturePayload; readonly signer: Address; readonly signature: Hex },
  signal: AbortSignal,
): Promise<SignedPayload['scheme'] | null> => {
  if ((await recoverTypedData(payload.typedData, signature)) === signer) return 'ecdsa'
  const { chainId } = payload
  if (!isEvmChainId(chainId)) return null
  const digest = await hashTypedData(payload.typedData)
  return (await chains.isValidContractSignature({ chainId, signer, digest, signature }, signal)) ? 'eip1271' : null
}
