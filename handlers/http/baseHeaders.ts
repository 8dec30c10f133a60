import { SERVICE_VERSION } from '../serviceVersion.ts'

/** What browsers may read of a response. */
const EXPOSED = ['x-request-id', 'service-version', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'service-network']

export type ExtraHeaders = { readonly [name: string]: string }

/** The headers of every response there is, beside its own x-request-id. A cacheable answer overrides cache-control. */
export const baseHeaders = (extra: ExtraHeaders = {}): readonly (readonly [name: string, value: string])[] => [
  ['service-version', SERVICE_VERSION],
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED.join(', ')],
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ...Object.entries(extra),
]
