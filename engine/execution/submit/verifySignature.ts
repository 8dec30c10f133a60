import type { Chains } from '../../chains/chains.ts'
import { hashTypedData, recoverTypedData } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Hex, SignaturePayload } from '../../core/execution.ts'
import type { VenueProfile } from '../../venues/venue.ts'

/** A signature said to be `signer`'s over the payload's typed data. */
export type Signed = { readonly payload: SignaturePayload; readonly signer: Address; readonly signature: Hex }

/** True when the signer's own key made it. Asks no chain. */
export const isSignedByKey = async ({ payload, signer, signature }: Signed): Promise<boolean> =>
  (await recoverTypedData(payload.typedData, signature)) === signer

/** Whether the contract that is signed for asks the signer's code where there is any, by the table of the venue. */
export const goesBySignerCode = ({ signatureChecks = [] }: VenueProfile, { payload }: Signed): boolean => {
  const signedFor = payload.typedData.domain.verifyingContract?.toLowerCase()
  return signatureChecks.find(({ contract }) => contract.toLowerCase() === signedFor)?.by !== 'scheme'
}

/** True when code runs at the signer's address: that of a contract, or one it delegates to. Throws ChainError. */
export const hasCode = async (chains: Chains, { payload, signer }: Signed, signal: AbortSignal): Promise<boolean> => {
  const { chainId } = payload
  return isEvmChainId(chainId) && (await chains.code({ chainId, address: signer }, signal)) !== '0x'
}

/**
 * True when the signer is a contract wallet whose code accepts it (EIP-1271). Throws ChainError when it cannot be asked.
 */
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
