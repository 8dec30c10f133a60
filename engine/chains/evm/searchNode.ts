import type { EvmChainId } from '../../core/chain.ts'
import { type HttpClient, HttpError } from '../../net/httpClient.ts'
import { ChainError } from '../chains.ts'
import { aloneAt, EndpointError, type Endpoints, isRefusal } from '../endpoints/endpoints.ts'
import { createJsonRpc } from '../endpoints/jsonRpc.ts'
import { createEvmNode, type EvmNode } from './evmAnswers.ts'
import { type EvmBlock, type EvmProgress, readEvmBlock } from './evmProgress.ts'
import type { SearchCalls, Searcher } from './searchCalls.ts'

/** One endpoint, all of whose calls are counted as those of a search. */
export type SearchEndpoint = { readonly url: string; readonly node: EvmNode }

/** The endpoints of one chain as a search may use them: those that are well, or all where none is. */
export interface SearchNode {
  readonly chainId: EvmChainId
  /** Set where one endpoint is searched alone: reads of others do not count. */
  readonly witness: string | null
  endpoints(by: Searcher): Promise<readonly SearchEndpoint[]>
}

/** Whether a call was not made, since no budget or no connection was left for it: no trouble of the endpoint. */
export const isStarved = (error: unknown): boolean =>
  error instanceof ChainError && error.cause instanceof EndpointError && error.cause.failure === 'notAsked'

export const createSearchNode = (
  chainId: EvmChainId,
  { http, endpoints, calls }: { readonly http: HttpClient; readonly endpoints: Endpoints; readonly calls: SearchCalls },
  witness: string | null = null,
): SearchNode => ({
  chainId,
  witness,
  endpoints: async (by) => {
    const urls = await endpoints.urls()
    const { health } = endpoints
    const able = health.order(urls.length).filter((position) => calls.servesLogs(urls[position] ?? ''))
    const well = able.filter(health.isWell)
    return (well.length > 0 ? well : able).flatMap((position) => {
      const url = urls[position]
      if (url === undefined) return []
      const send: HttpClient['send'] = async (request) => {
        if (!calls.take(url, by)) throw new HttpError('starved', 'no search call is left for now')
        return http.send(request)
      }
      const rpc = createJsonRpc({ ...http, send }, aloneAt(endpoints, position, url))
      return [{ url, node: createEvmNode(chainId, rpc) }]
    })
  },
})

/** The endpoints that one call of a search may still read. */
export const createAsking = (endpoints: readonly SearchEndpoint[], { url, head }: EvmProgress, signal: AbortSignal) => {
  const closed = new Set<SearchEndpoint>()
  const shown = new Map([[url, Promise.resolve(head.height)]])
  let [trouble, failure, isShort]: [unknown, unknown, boolean] = [null, null, false]
  const open = (): readonly SearchEndpoint[] => endpoints.filter((endpoint) => !closed.has(endpoint))

  const failed = (endpoint: SearchEndpoint, error: unknown): void => {
    if (!(error instanceof ChainError)) throw error
    closed.add(endpoint)
    failure = error
    if (isStarved(error)) isShort = true
    else trouble ??= error
  }

  const readShown = async ({ node }: SearchEndpoint, least: number): Promise<number> => {
    const latest = await readEvmBlock(node, 'latest', signal).catch((error: unknown) => {
      if (isRefusal(error)) return null
      throw error
    })
    return latest === null || latest.height < least ? -1 : Math.min(latest.height, head.height)
  }

  return {
    endpoints,
    open,
    failed,
    /** The last block of an endpoint: its logs prove nothing about later ones. -1 below `least`, null where it fails. */
    shown: async (endpoint: SearchEndpoint, least: number): Promise<number | null> => {
      const height = shown.get(endpoint.url) ?? readShown(endpoint, least)
      shown.set(endpoint.url, height)
      return height.catch((error: unknown) => {
        failed(endpoint, error)
        return null
      })
    },
    /** Whether the budget ended it. */
    isShort: (): boolean => isShort,
    /** Null where the budget alone was at its end, or nothing failed. */
    trouble: (): unknown => (isShort ? null : trouble),
    /** Null where no endpoint has the block. Throws ChainError where none shows it and one failed in this call. */
    readBlock: async (height: number): Promise<EvmBlock | null> => {
      for (const endpoint of open()) {
        try {
          const block = await readEvmBlock(endpoint.node, height, signal)
          if (block !== null) return block
        } catch (error) {
          if (!isRefusal(error)) failed(endpoint, error)
        }
      }
      if (failure !== null) throw failure
      return null
    },
  }
}

export type Asking = ReturnType<typeof createAsking>
