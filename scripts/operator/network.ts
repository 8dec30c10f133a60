import { randomUUID } from 'node:crypto'
import { type ChainEvidence, createChainEvidence } from '../../engine/chains/chainEvidence.ts'
import { createChains } from '../../engine/chains/createChains.ts'
import { createEndpointHealth } from '../../engine/chains/endpoints/endpointHealth.ts'
import { createSolanaTransactions } from '../../engine/chains/solana/solanaTransactions.ts'
import type { Config } from '../../engine/config/config.ts'
import type { Clock } from '../../engine/core/clock.ts'
import type { SwapStatus } from '../../engine/core/swapStatus.ts'
import { guardVenues } from '../../engine/engine.ts'
import { createTrackRecord } from '../../engine/execution/track/trackRecord.ts'
import type { HttpClient } from '../../engine/net/httpClient.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import type { CallContext } from '../../engine/observe/callContext.ts'
import type { Observe } from '../../engine/observe/observe.ts'
import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'

/** An event during the calls of chains and venues. */
export type Noticed = { readonly event: string; readonly [field: string]: unknown }

/** Chains and venues, for one command. */
export interface Network {
  readonly http: HttpClient
  readonly evidence: ChainEvidence
  /** Reads and records the status of a swap, as `/status` does. Throws SwapError if the status is unavailable. */
  track(record: SwapRecord, ref: string): Promise<{ readonly status: SwapStatus; readonly noticed: readonly Noticed[] }>
  close(): Promise<void>
}

/** The time limit of `/status`, and a margin for the writes, ms. */
const TRACK_MS = 10_000

const OPERATOR = { tier: 'enterprise', partnerId: null, feeBps: null, requestsPerMinute: 1 } as const

/** Chains and all venues, as the service reaches them, without its records. */
export const connect = (config: Config, { clock, observe }: { readonly clock: Clock; readonly observe: Observe }) => {
  const { rpcUrls, userAgent } = config
  const http = createHttpClient({ userAgent })
  const health = createEndpointHealth({ clock })
  const chains = createChains({ rpcUrls, clock, health, userAgent })
  const venues = guardVenues(config, { http, chains, clock, observe })
  const close = async (): Promise<void> => {
    await chains.close()
    await http.close()
  }
  return { http, health, chains, venues, close }
}

export const createNetwork = (config: Config, { store, clock }: { readonly store: Store; readonly clock: Clock }): Network => {
  const { rpcUrls, confirmations } = config
  const noticed: Noticed[] = []
  const observe = (event: Noticed): void => void noticed.push(event)
  const { http, health, venues, close } = connect(config, { clock, observe })
  const evidence = createChainEvidence({ rpcUrls, confirmations, http, health, clock })
  const solana = createSolanaTransactions({ rpcUrls, http, health })
  const trackRecord = createTrackRecord({ venues, store, solana, clock, evidence })
  return {
    http,
    evidence,
    track: async (record, ref) => {
      const context: CallContext = {
        requestId: `operator-${randomUUID()}`,
        caller: OPERATOR,
        client: 'operator',
        signal: AbortSignal.timeout(TRACK_MS),
        observe,
      }
      noticed.length = 0
      const status = await trackRecord(record, context, ref)
      return { status, noticed: [...noticed] }
    },
    close,
  }
}
