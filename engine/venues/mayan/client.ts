import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { PUBLIC_HOSTS } from './published.ts'
import { type AskedAmount, refusalsOf } from './refusals.ts'
import { chainSwitches, quotesAnswer, swapAnswer, swapStatus } from './wire.ts'

/** The public parts have separate hosts. With a custom base URL all use it, unless they have their own settings. */
const hostOf = ({ baseUrl, settings }: VenueConfig, setting: string, published: string): string =>
  settings[setting] ?? (baseUrl === PUBLIC_HOSTS.price ? published : baseUrl)

/** Calls of its hosts. A key goes into the query. Throws VenueError only. */
export const createMayanClient = (config: VenueConfig, http: HttpClient) => {
  const { baseUrl, apiKey } = config
  const at = (url: string) => createVenueClient({ http, baseUrl: url, apiKey, keyHeader: () => ({}), refusals: refusalsOf(null) })
  const price = at(baseUrl)
  const explorer = at(hostOf(config, 'EXPLORER_URL', PUBLIC_HOSTS.explorer))
  const init = at(hostOf(config, 'INIT_URL', PUBLIC_HOSTS.init))
  const key = apiKey === null ? {} : { apiKey: apiKey.reveal() }
  return {
    /** Also returns the text of the answer, which the signature of a quote covers. */
    quotes: async (json: object, asked: AskedAmount, signal: AbortSignal) => {
      let told = ''
      const heard = (text: string) => {
        told = text
      }
      const call = { query: key, json, heard, shape: quotesAnswer, refusals: refusalsOf(asked), signal }
      return { answer: await price.post('/quote', call), text: told }
    },
    swap: (query: { readonly [name: string]: string }, signal: AbortSignal) =>
      price.get('/get-swap/evm', { query: { ...query, ...key }, shape: swapAnswer, signal }),
    /** By the transaction that placed an order, or by the order's own id. Null: unknown to the explorer. */
    status: (by: 'trx' | 'order-id', ref: string, signal: AbortSignal) =>
      explorer.get(`/swap/${by}/${ref}`, { query: key, shape: swapStatus, absent: ({ status }) => status === 404, signal }),
    switches: async (signal: AbortSignal) =>
      (await init.get('/init', { query: key, shape: chainSwitches, isList: true, signal })).chains,
  }
}

export type MayanClient = ReturnType<typeof createMayanClient>
