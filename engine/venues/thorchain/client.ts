import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { type AskedWith, quoteRefusals, registerRefusals } from './refusals.ts'
import type { ThorchainSettings } from './settings.ts'
import * as wire from './wire.ts'

const keyHeader = (key: string) => ({ 'x-api-key': key })

type Query = { readonly [name: string]: string }

/** The reads of one node. All throw VenueError only. */
export const createNode = (baseUrl: string, { clientId }: ThorchainSettings, http: HttpClient) => {
  const headers = clientId === null ? {} : { 'x-client-id': clientId }
  const { get } = createVenueClient({ http, baseUrl, apiKey: null, keyHeader, headers })
  const at = (path: string) => `/thorchain/${path}`
  return {
    host: new URL(baseUrl).host,
    inboundAddresses: (signal: AbortSignal) =>
      get(at('inbound_addresses'), { shape: wire.inboundAddresses, isList: true, signal }),
    vaults: (signal: AbortSignal) => get(at('vaults/asgard'), { shape: wire.vaults, isList: true, signal }),
    pools: (signal: AbortSignal) => get(at('pools'), { shape: wire.pools, isList: true, signal }),
    quote: (query: Query, asked: AskedWith, signal: AbortSignal) =>
      get(at('quote/swap'), { query, shape: wire.quote, refusals: quoteRefusals(asked), signal }),
    /** `hash` in capitals, without 0x. An unknown hash has the same answer as one that is not observed yet. */
    status: (hash: string, signal: AbortSignal) => get(at(`tx/status/${hash}`), { shape: wire.txStatus, signal }),
    mimir: (signal: AbortSignal) => get(at('mimir'), { shape: wire.mimir, isList: true, signal }),
    lastBlocks: (signal: AbortSignal) => get(at('lastblock'), { shape: wire.lastBlocks, signal }),
    /** Null for an unknown or expired registration. */
    registration: (hash: string, signal: AbortSignal) =>
      get(at(`memo/${hash}`), {
        shape: wire.registration,
        absent: ({ status }) => status === 404 || status === 400,
        signal,
      }),
    memoCheck: (sats: bigint, signal: AbortSignal) => get(at(`memo/check/BTC.BTC/${sats}`), { shape: wire.memoCheck, signal }),
  }
}

export type ThorNode = ReturnType<typeof createNode>

/** The registration service: it pays for the network's storage of the memo. */
export const createRegistrar = ({ apiKey }: VenueConfig, baseUrl: string, http: HttpClient) => {
  const { post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals: registerRefusals })
  return (memo: string, inBitcoin: string, signal: AbortSignal) =>
    post('/register', {
      json: { asset: 'BTC.BTC', memo, requested_in_asset_amount: inBitcoin },
      shape: wire.registered,
      signal,
    })
}

export type Registrar = ReturnType<typeof createRegistrar>
