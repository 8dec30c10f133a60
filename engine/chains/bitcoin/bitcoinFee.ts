import { BITCOIN } from '../../core/chain.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { askInOrder, EndpointError, type Endpoints, endpointErrorOf } from '../endpoints/endpoints.ts'

/** About half an hour: soon enough for a quote, and never below it for lack of a closer estimate. */
const TARGET_BLOCKS = '3'
const RATE_MAX = 1_000_000

/** Rates come as JSON numbers with fractions; a whole satoshi per virtual byte is all we promise, so they go up. */
const readRate = (text: string): bigint => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new EndpointError('unreachable', 'fee estimates that are not JSON')
  }
  const rate =
    typeof body === 'object' && body !== null ? (body as { readonly [target: string]: unknown })[TARGET_BLOCKS] : undefined
  if (typeof rate === 'number' && rate > 0 && rate <= RATE_MAX) return BigInt(Math.ceil(rate))
  throw new EndpointError('refused', 'no usable fee estimate')
}

/** Satoshi per virtual byte, rounded up. https://github.com/Blockstream/esplora/blob/master/API.md#get-fee-estimates */
export const readBitcoinFee = (http: HttpClient, endpoints: Omit<Endpoints, 'chainId'>, signal: AbortSignal): Promise<bigint> =>
  askInOrder({ ...endpoints, chainId: BITCOIN }, signal, async (url, attemptSignal) => {
    const request = { method: 'GET', url: `${url.replace(/(?<!\/)\/+$/, '')}/fee-estimates`, signal: attemptSignal } as const
    const { status, text } = await http.send(request).catch((error: unknown) => {
      throw endpointErrorOf(error)
    })
    if (status !== 200) throw new EndpointError('unreachable', `HTTP ${status}`)
    return readRate(text)
  })
