import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import type { ChannelRequest, QuoteQuery, VaultSwapRequest } from './map.ts'
import { PUBLIC_RPC_URL } from './published.ts'
import { type Parties, refusalsOf } from './refusals.ts'
import { bitcoinVault, networkInfo, openedChannel, quotes, swapStatus, vaultAddresses, vaultSwap } from './wire.ts'

const partiesOf = ({ destAddress, fillOrKillParams }: ChannelRequest): Parties => ({
  recipient: destAddress,
  refundTo: fillOrKillParams.refundAddress,
})

/** A path belongs to the base URL's own host. */
const rpcUrlOf = ({ baseUrl, settings }: VenueConfig): string => {
  const url = settings['RPC_URL'] ?? PUBLIC_RPC_URL
  return url.startsWith('/') ? `${baseUrl}${url}` : url
}

const VAULTS = { json: { jsonrpc: '2.0', id: 1, method: 'cf_get_vault_addresses', params: [] } }

/** The used calls of the public backend and of a State Chain node. All throw VenueError only. */
export const createChainflipClient = (config: VenueConfig, http: HttpClient) => {
  const backend = { http, baseUrl: config.baseUrl, apiKey: null, keyHeader: () => ({}) }
  const { get, post } = createVenueClient(backend)
  const node = createVenueClient({ ...backend, baseUrl: rpcUrlOf(config) })
  return {
    networkInfo: async (signal: AbortSignal) =>
      (await get('/api/networkInfo', { shape: networkInfo, isList: true, signal })).assets,
    /** Without side effects. */
    quote: (query: QuoteQuery, signal: AbortSignal) =>
      get('/v2/quote', { query, shape: quotes, refusals: refusalsOf(BigInt(query.amount), null), signal }),
    /** Opens a deposit channel: every call opens one more. */
    openChannel: (json: ChannelRequest, signal: AbortSignal) =>
      post('/api/openSwapDepositChannel', {
        ...{ json, shape: openedChannel, signal },
        refusals: refusalsOf(BigInt(json.amount), partiesOf(json)),
      }),
    /** Without side effects: it encodes a wallet's call. */
    encodeVaultSwap: (json: VaultSwapRequest, signal: AbortSignal) =>
      post('/api/encodeVaultSwapData', {
        ...{ json, shape: vaultSwap, signal },
        refusals: refusalsOf(BigInt(json.amount), partiesOf(json)),
      }),
    /** Null when the venue does not recognise the id. */
    swap: (id: string, signal: AbortSignal) =>
      get(`/v2/swaps/${encodeURIComponent(id)}`, { shape: swapStatus, absent: ({ status }) => status === 404, signal }),
    bitcoinVault: async (signal: AbortSignal) => (await node.post('', { ...VAULTS, shape: bitcoinVault, signal })).result,
    /** For pins only. */
    vaultAddresses: async (signal: AbortSignal) => (await node.post('', { ...VAULTS, shape: vaultAddresses, signal })).result,
  }
}

export type ChainflipClient = ReturnType<typeof createChainflipClient>
