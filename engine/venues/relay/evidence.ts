import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import { jsonShape } from '../kit/jsonShape.ts'
import { readShape } from './map.ts'
import { RELAY_ORDER, type RelayOrder } from './order.ts'

/** The venue's own words about a payload. The order is bound by its hash; the others are its word alone. */
export type Evidence = {
  readonly v: 1
  readonly order: RelayOrder
  /** The wallet the venue built the payload for. */
  readonly user: string
  /** Taken from the input for the integrator, smallest units of the input; null when nothing is. */
  readonly appFee: string | null
  /** Null where the wallet calls the depository itself. */
  readonly depositAddress: string | null
}

const ADDRESS = { type: 'string', pattern: '^[0-9a-zA-Z]{25,90}$' }

const evidenceShape = jsonShape<Evidence>('relay evidence', {
  type: 'object',
  required: ['v', 'order', 'user', 'appFee', 'depositAddress'],
  additionalProperties: false,
  properties: {
    v: { const: 1 },
    order: RELAY_ORDER,
    user: ADDRESS,
    appFee: { type: ['string', 'null'], pattern: '^[1-9][0-9]{0,77}$' },
    depositAddress: { ...ADDRESS, type: ['string', 'null'] },
  },
})

export const readEvidence = (value: Json): Evidence => readShape(evidenceShape, value)

export const toEvidence = ({
  order,
  user,
  appFee,
  depositAddress,
}: {
  readonly order: RelayOrder
  readonly user: Address
  readonly appFee: bigint
  readonly depositAddress: Address | null
}): Json => ({ v: 1, order, user, appFee: appFee > 0n ? appFee.toString() : null, depositAddress })

/** What the tracker needs to see again. */
export type TrackingCarry = { readonly v: 1; readonly requestId: Hex; readonly expiresAt: number }

const trackingShape = jsonShape<TrackingCarry>('relay carry', {
  type: 'object',
  required: ['v', 'requestId', 'expiresAt'],
  additionalProperties: false,
  properties: {
    v: { const: 1 },
    requestId: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
    expiresAt: { type: 'integer', minimum: 0 },
  },
})

export const readTrackingCarry = (carry: Json): TrackingCarry => readShape(trackingShape, carry)
