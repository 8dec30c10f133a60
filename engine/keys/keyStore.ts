import type { Caller } from '../core/caller.ts'

/** Who holds which API key. */
export interface KeyStore {
  /** Null when no such key was ever issued. */
  find(apiKey: string): Promise<Caller | null>
}

/** No keys issued: every x-api-key is unknown. */
export const emptyKeyStore: KeyStore = { find: async () => null }
