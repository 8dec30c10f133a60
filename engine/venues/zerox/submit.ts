import type { Hex, TypedData } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import { permitToSubmit } from '../kit/permit.ts'
import { postOnce } from '../kit/submit.ts'
import type { SignatureSubmitter, SignedPayload } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { ZeroxClient } from './client.ts'

/** https://docs.0x.org/evm/gasless/api-reference: by the signer's own key, or in the form of its contract. */
const signatureOf = (signature: Hex, scheme: SignedPayload['scheme']): object => {
  if (scheme !== 'ecdsa' || signature.length !== 132) return { signatureType: 5, signatureBytes: signature }
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  return { signatureType: 2, r: `0x${r}`, s: `0x${s}`, v: Number.parseInt(v, 16) }
}

const toSubmission = ({ execution: { payload }, order }: ExecutedSwap, signed: SignedPayload): object => {
  if (payload.executionType !== 'SIGNATURE') throw new VenueError('badRequest', 'this swap is sent on chain, not signed')
  const { typedData, approvalData } = payload
  const { signature, approvalSignature, scheme } = signed
  const approvalOf = (permit: TypedData) => {
    if (approvalSignature === null) throw new VenueError('badRequest', 'the permit is not signed', { party: 'signature' })
    return { approval: { type: 'permit', eip712: permitToSubmit(permit), signature: signatureOf(approvalSignature, scheme) } }
  }
  return {
    chainId: order.input.chainId,
    trade: { type: 'settler_metatransaction', eip712: typedData, signature: signatureOf(signature, scheme) },
    ...(approvalData === null ? {} : approvalOf(approvalData)),
  }
}

/** Posts signed trades. Their hash is known beforehand, so a trade that is already there is the same success. */
export const createSubmitter = (client: ZeroxClient): SignatureSubmitter => ({
  submit: async (swap, signed, signal) => {
    const tradeHash = swap.execution.venueRef ?? ''
    const submission = toSubmission(swap, signed)
    const post = async () => {
      const told = await client.submit(submission, signal)
      if (told !== null && told.tradeHash.toLowerCase() !== tradeHash)
        throw rejected('tradeHash', 'the trade was taken under another hash', told.tradeHash)
    }
    await postOnce(post, async () => (await client.status(tradeHash, swap.order.input.chainId, signal)) !== null)
    return { statusRef: tradeHash }
  },
})
