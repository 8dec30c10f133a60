import type { TypedData } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SignatureSubmitter, SignedPayload } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { ZeroxClient } from './client.ts'
import { partsOf, permitToSubmit } from './typedData.ts'

/** https://docs.0x.org/evm/gasless/api-reference: by the signer's own key, or as his contract takes it. */
const signatureOf = (signature: SignedPayload['signature'], scheme: SignedPayload['scheme']): object =>
  scheme === 'ecdsa' && signature.length === 132
    ? { signatureType: 2, ...partsOf(signature) }
    : { signatureType: 5, signatureBytes: signature }

const toSubmission = ({ execution: { payload }, order }: ExecutedSwap, signed: SignedPayload): object => {
  if (payload.executionType !== 'SIGNATURE') throw new VenueError('badRequest', 'this swap is sent on chain, not signed')
  const { typedData, approvalData } = payload
  const { signature, approvalSignature, scheme } = signed
  const approvalOf = (eip712: TypedData) => {
    if (approvalSignature === null) throw new VenueError('badRequest', 'the permit is not signed', { party: 'signature' })
    return { approval: { type: 'permit', eip712: permitToSubmit(eip712), signature: signatureOf(approvalSignature, scheme) } }
  }
  return {
    chainId: order.input.chainId,
    trade: { type: 'settler_metatransaction', eip712: typedData, signature: signatureOf(signature, scheme) },
    ...(approvalData === null ? {} : approvalOf(approvalData)),
  }
}

/** Posts signed trades. Their hash is known beforehand, so one that is there already is the same success. */
export const createSubmitter = (client: ZeroxClient): SignatureSubmitter => {
  const isKnown = async (tradeHash: string, swap: ExecutedSwap, signal: AbortSignal): Promise<boolean> =>
    (await client.status(tradeHash, swap.order.input.chainId, signal)) !== null

  return {
    submit: async (swap, signed, signal) => {
      const tradeHash = swap.execution.venueRef ?? ''
      const submission = toSubmission(swap, signed)
      try {
        const told = await client.submit(submission, signal)
        if (told !== null && told.tradeHash.toLowerCase() !== tradeHash)
          throw new VenueError('badResponse', 'the trade was taken under another hash')
      } catch (error) {
        // Once it is filled the balance is gone, and the trade that an earlier post placed is refused for that.
        const isRefused = error instanceof VenueError && error.isDecline
        if (!isRefused || !(await isKnown(tradeHash, swap, signal))) throw error
      }
      return { statusRef: tradeHash }
    },
  }
}
