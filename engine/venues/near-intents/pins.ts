import type { ChainNames } from '../kit/settings.ts'
import type { PinSource } from '../venue.ts'
import type { OneClickClient } from './client.ts'
import { OTHER_CODE } from './published.ts'
import { usableTokens } from './tokenList.ts'
import { listedRow } from './wire.ts'

/** The unreadable parts of the token list: codes of chains, and ids of assets. No list has the key that signs quotes. */
export const createPins = ({ tokens }: Pick<OneClickClient, 'tokens'>, known: ChainNames): readonly PinSource[] => [
  {
    name: 'GET /v0/tokens',
    claims: async (signal) => {
      const rows = await tokens(signal)
      const codeOf = (row: unknown): string => listedRow.readOrNull(row)?.blockchain ?? 'none'
      const codes = new Set(rows.map(codeOf))
      const ofChains = [...new Set(known.values())].flatMap((chainId) => {
        const own = [...known.keys()].filter((code) => known.get(code) === chainId)
        const unread = rows.filter((row) => own.includes(codeOf(row)) && usableTokens(row, known).length === 0)
        const published = unread.map((row) => String((row as { readonly assetId?: unknown }).assetId))
        return [
          { what: `code of chain ${chainId}`, pinned: own, published: own.filter((code) => codes.has(code)) },
          { what: `unreadable asset ids of chain ${chainId}`, pinned: [], published },
        ]
      })
      const unknown = [...codes].filter((code) => !known.has(code) && !OTHER_CODE.test(code))
      return [{ what: 'unknown chain codes', pinned: [], published: unknown }, ...ofChains]
    },
  },
]
