import type { Asset, Token } from '../../core/asset.ts'
import { BITCOIN, type ChainId, type EvmChainId, SOLANA } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { ChainError } from '../chains.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import { createJsonRpc, type JsonRpc } from '../endpoints/jsonRpc.ts'
import { createBatchedEvmCall } from '../evm/batchedEvmCall.ts'
import { createEvmCall, type EvmCall } from '../evm/evmReads.ts'
import { readEvmToken } from '../evm/evmToken.ts'
import { readSolanaToken } from '../solana/solanaToken.ts'
import type { TokenSources } from './judgeToken.ts'

/** The reports of up to two endpoints about a token. Throws ChainError when none answers. */
export type ReadTokenSources = (asset: Asset) => Promise<Pick<TokenSources, 'readings' | 'asked'>>

type Reader = { readonly evm: EvmCall; readonly rpcOf: (chainId: EvmChainId | typeof SOLANA) => JsonRpc }

type Parts = {
  readonly endpointsOf: (chainId: ChainId) => Endpoints
  readonly http: HttpClient
  readonly clock: Clock
  readonly deadlineMs: number
  /** Whatever endpoint answers. */
  readonly any: Reader
}

/** Never aborts: callers share the read, which ends by its own deadline. */
const sharedSignal = (): AbortSignal => new AbortController().signal

const readOne = async ({ evm, rpcOf }: Reader, { chainId, address }: Asset): Promise<Token | null> => {
  try {
    if (chainId === SOLANA) return await readSolanaToken(rpcOf(SOLANA), { chainId, address }, sharedSignal())
    return await readEvmToken(evm, { chainId, address }, sharedSignal())
  } catch (error) {
    if (error instanceof ChainError && error.failure === 'notAToken') return null
    throw error
  }
}

/** One of the endpoints, with its own health. */
const onlyAt = ({ urls, health, ...rest }: Endpoints, position: number, deadlineMs: number): Endpoints => ({
  ...rest,
  deadlineMs,
  urls: async () => (await urls()).slice(position, position + 1),
  health: { ...health, order: (count) => [...Array(count).keys()], begin: () => health.begin(position) },
})

/** Reads tokens from two endpoints at once where a chain has two; the next ones take the place of those that fail. */
export const createTokenSources = ({ endpointsOf, http, clock, deadlineMs, any }: Parts): ReadTokenSources => {
  const readers = new Map<number, Reader>()
  // Both endpoints, one after the other, take no longer than any read.
  const eachMs = Math.ceil(deadlineMs / 2)
  const readerOf = (position: number): Reader => {
    const known = readers.get(position)
    if (known) return known
    const rpcOf: Reader['rpcOf'] = (chainId) => createJsonRpc(http, onlyAt(endpointsOf(chainId), position, eachMs))
    // A batch ends before its calls are sent one by one: an endpoint that hangs is asked once.
    const evm = createBatchedEvmCall({ alone: createEvmCall(rpcOf), rpc: rpcOf, clock, deadlineMs })
    readers.set(position, { evm, rpcOf })
    return { evm, rpcOf }
  }

  return async (asset) => {
    const { chainId } = asset
    if (chainId === BITCOIN) return { readings: [null], asked: 1 }
    const { urls, health } = endpointsOf(chainId)
    const { length } = await urls()
    if (length < 2) return { readings: [await readOne(any, asset)], asked: 1 }
    const left = [...health.order(length)]
    const readNext = async (failed?: unknown): Promise<Token | null> => {
      const position = left.shift()
      if (position === undefined) throw failed
      return readOne(readerOf(position), asset).catch(readNext)
    }
    const [first, second] = await Promise.allSettled([readNext(), readNext()])
    const readings = [first, second].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    if (readings.length === 0 && first.status === 'rejected') throw first.reason
    return { readings, asked: 2 }
  }
}
