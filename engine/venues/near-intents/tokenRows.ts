import { jsonShape } from '../kit/jsonShape.ts'
import { CHAIN_CODES } from './chainCodes.ts'

/** One row of `GET /v0/tokens`, on a chain of ours. On other chains only `blockchain` is sure. */
export type TokenRow = {
  readonly assetId: string
  readonly decimals: number
  readonly blockchain: string
  readonly symbol: string
  readonly price?: number | null
  readonly contractAddress?: string | null
}

/** Rows of chains that are not ours may look as they like: the venue adds chains, and none of them may hurt us. */
export const tokenRows = jsonShape<readonly TokenRow[]>('tokens', {
  type: 'array',
  minItems: 1,
  maxItems: 50_000,
  items: {
    type: 'object',
    required: ['blockchain'],
    properties: { blockchain: { type: 'string' } },
    if: { properties: { blockchain: { enum: Object.values(CHAIN_CODES) } } },
    // biome-ignore lint/suspicious/noThenProperty: a JSON schema keyword
    then: {
      required: ['assetId', 'decimals', 'symbol'],
      properties: {
        assetId: { type: 'string', minLength: 1, maxLength: 256 },
        decimals: { type: 'integer', minimum: 0, maximum: 77 },
        symbol: { type: 'string', maxLength: 128 },
        price: { type: ['number', 'null'] },
        contractAddress: { type: ['string', 'null'], maxLength: 512 },
      },
    },
  },
})
