import type { PinSource } from '../venue.ts'
import { CHAINS_BY_CODE } from './assetId.ts'
import type { OneClickClient } from './client.ts'
import { OTHER_CODE } from './published.ts'
import { usableTokens } from './tokenList.ts'
import { listedRow } from './wire.ts'

/** What the token list has that the adapter cannot read: codes of chains, and ids of assets. The key that signs quotes is in no list. */
export const createPins = ({ tokens }: Pick<OneClickClient, 'tokens'>): readonly PinSource[] => [
  {
    name: 'GET /v0/tokens',
    claims: async (signal) => {
      const rows = await tokens(signal)
      const codeOf = (row: unknown): string => listedRow.readOrNull(row)?.blockchain ?? 'none'
      const codes = new Set(rows.map(codeOf))
      const ofChains = [...CHAINS_BY_CODE].flatMap(([code, chainId]) => {
        const unread = rows.filter((row) => codeOf(row) === code && usableTokens(row).length === 0)
        const published = unread.map((row) => String((row as { readonly assetId?: unknown }).assetId))
        return [
          { what: `code of chain ${chainId}`, pinned: [code], published: codes.has(code) ? [code] : [] },
          { what: `unreadable asset ids of chain ${chainId}`, pinned: [], published },
        ]
      })
      const unknown = [...codes].filter((code) => !CHAINS_BY_CODE.has(code) && !OTHER_CODE.test(code))
      return [{ what: 'unknown chain codes', pinned: [], published: unknown }, ...ofChains]
    },
  },
]
