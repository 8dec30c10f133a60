import { postOnce } from '../kit/submit.ts'
import type { SignatureSubmitter } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { BebopClient } from './client.ts'
import { pathOf } from './published.ts'

/** Posts signed orders with their quote id. A quote is valid for one order, so a repetition is safe. */
export const createSubmitter = (client: BebopClient): SignatureSubmitter => ({
  submit: async ({ order, execution: { payload, venueRef } }, { signature, scheme }, signal) => {
    const path = pathOf(order.input.chainId)
    if (payload.executionType !== 'SIGNATURE' || venueRef === null || path === null)
      throw new VenueError('badRequest', 'this swap is sent on chain, not signed')
    const body = { quote_id: venueRef, signature, sign_scheme: scheme === 'eip1271' ? 'EIP1271' : 'EIP712' }
    const post = async () => {
      const placed = await client.postOrder(path, body, signal)
      if (placed === null) throw new VenueError('noLiquidity', 'the quote is not known any more')
    }
    await postOnce(post, async () => (await client.orderStatus(path, venueRef, signal)) !== null)
    return { statusRef: venueRef }
  },
})
