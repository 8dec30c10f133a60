import type { ChainId } from '../../core/chain.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import type { VenueRefusal } from '../kit/callVenue.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { type Ask, toQuery } from './map.ts'
import { toWireChain } from './published.ts'
import { swapRefusals } from './refusals.ts'
import * as wire from './wire.ts'

/** The indexer's two answers about one origin transaction. */
export type DepositRecord = { readonly status: wire.DepositStatus; readonly details: wire.DepositDetails }

/** A 404 of a gateway proves nothing about the deposit. */
const isUnknownDeposit = ({ status, body }: VenueRefusal): boolean =>
  status === 404 && wire.indexerError.readOrNull(body)?.error === 'DepositNotFoundException'

/** The used calls of the Swap API and its indexer. All throw VenueError only, and have no side effect. */
export const createAcrossClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const keyHeader = (key: string) => ({ authorization: `Bearer ${key}` })
  const { get } = createVenueClient({ http, baseUrl, apiKey, keyHeader })
  return {
    swapApproval: (ask: Ask, signal: AbortSignal) =>
      get('/swap/approval', { query: toQuery(ask), shape: wire.swapApproval, refusals: swapRefusals(ask), signal }),
    tokens: (chainId: ChainId, signal: AbortSignal) =>
      get('/swap/tokens', {
        query: { chainId: String(toWireChain(chainId)) },
        shape: wire.listedTokens,
        isList: true,
        refusals: swapRefusals(null),
        signal,
      }),
    /** The nth deposit of a transaction, from 0. Null for an unknown transaction. */
    deposit: async (depositTxnRef: string, nth: number, signal: AbortSignal): Promise<DepositRecord | null> => {
      const query = nth === 0 ? { depositTxnRef } : { depositTxnRef, index: String(nth) }
      const asked = { query, absent: isUnknownDeposit, signal }
      const [status, details] = await Promise.all([
        get('/deposit/status', { ...asked, shape: wire.depositStatus }),
        get('/deposit', { ...asked, shape: wire.depositDetails }),
      ])
      return status && details && { status, details: details.deposit }
    },
  }
}

export type AcrossClient = ReturnType<typeof createAcrossClient>
