import type { Chains } from '../../chains/chains.ts'
import { hashTypedData, recoverTypedData } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Hex, SignaturePayload } from '../../core/execution.ts'
import type { VenueProfile } from '../../venues/venue.ts'

/** A claimed signature of `signer` over the typed data of the payload. */
export type Signed = { readonly payload: SignaturePayload; readonly signer: Address; readonly signature: Hex }

/** True if the signer's key made it. Reads no chain. */
export const isSignedByKey = async ({ payload, signer, signature }: Signed): Promise<boolean> =>
  (await recoverTypedData(payload.typedData, signature)) === signer

/** True if the contract calls the signer's code if there is any, by the venue's table. */
export const goesBySignerCode = ({ signatureChecks = [] }: VenueProfile, { payload }: Signed): boolean => {
  const signedFor = payload.typedData.domain.verifyingContract?.toLowerCase()
  return signatureChecks.find(({ contract }) => contract.toLowerCase() === signedFor)?.by !== 'scheme'
}

/** True if the signer's address has code, of a contract or by delegation. Throws ChainError. */
export const hasCode = async (chains: Chains, { payload, signer }: Signed, signal: AbortSignal): Promise<boolean> => {
  const { chainId } = payload
  return isEvmChainId(chainId) && (await chains.code({ chainId, address: signer }, signal)) !== '0x'
}

/** True if the contract wallet accepts the signature (EIP-1271). Throws ChainError if it cannot be read. */
export const isAcceptedByWallet = async (
  chains: Chains,
  { payload, signer, signature }: Signed,
  signal: AbortSignal,
): Promise<boolean> => {
  const { chainId } = payload
  if (!isEvmChainId(chainId)) return false
  const digest = await hashTypedData(payload.typedData)
  return chains.isValidContractSignature({ chainId, signer, digest, signature }, signal)
}
