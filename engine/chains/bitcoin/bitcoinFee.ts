import { BITCOIN } from '../../core/chain.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { ChainError } from '../chains.ts'
import { EndpointError, type Endpoints } from '../endpoints/endpoints.ts'
import { createEsplora } from './esplora.ts'

/** About half an hour: soon enough for a quote, and never below it for lack of a closer estimate. */
const TARGET_BLOCKS = '3'
const RATE_MAX = 1_000_000

/** Rates come as JSON numbers with fractions; a whole satoshi per virtual byte is all we promise, so they go up. */
const readRate = (body: unknown): bigint => {
  const rate =
    typeof body === 'object' && body !== null ? (body as { readonly [target: string]: unknown })[TARGET_BLOCKS] : undefined
  if (typeof rate === 'number' && rate > 0 && rate <= RATE_MAX) return BigInt(Math.ceil(rate))
  throw new EndpointError('refused', 'no usable fee estimate')
}

/** Satoshi per virtual byte, rounded up. https://github.com/Blockstream/esplora/blob/master/API.md#get-fee-estimates */
export const readBitcoinFee = async (
  http: HttpClient,
  endpoints: Omit<Endpoints, 'chainId'>,
  signal: AbortSignal,
): Promise<bigint> => {
  const rate = await createEsplora(http, { ...endpoints, chainId: BITCOIN }).get('/fee-estimates', readRate, signal)
  if (rate === null) throw new ChainError('unreachable', BITCOIN, 'Bitcoin: no fee estimates there')
  return rate
}
