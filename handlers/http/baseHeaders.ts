import { SERVICE_VERSION } from '../../engine/core/serviceVersion.ts'

/** Response headers that browsers may read. */
const EXPOSED = [
  'x-request-id',
  'service-version',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Date',
  'service-network',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
]

export type ExtraHeaders = { readonly [name: string]: string }

/** The headers of every response, besides x-request-id and cache-control: names and values in turn. */
export const baseHeaders = (extra: ExtraHeaders = {}): readonly string[] => [
  'service-version',
  SERVICE_VERSION,
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED.join(', '),
  'x-content-type-options',
  'nosniff',
  ...Object.entries(extra).flat(),
]
