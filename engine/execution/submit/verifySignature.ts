import type { Chains } from '../../chains/chains.ts'
import { hashTypedData, recoverTypedData } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Hex, SignaturePayload } from '../../core/execution.ts'

/** A signature said to be `signer`'s over the payload's typed data. */
export type Signed = { readonly payload: SignaturePayload; readonly signer: Address; readonly signature: Hex }

/** True when the signer's own key made it. Asks no chain. */
export const isSignedByKey = async ({ payload, signer, signature }: Signed): Promise<boolean> =>
  (await recoverTypedData(payload.typedData, signature)) === signer

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
