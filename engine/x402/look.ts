import type { AuthorizationState } from './authorizationReader.ts'

/** What was seen, and whether the transaction that was told of could not be, since our node is behind or there is none. */
export type Look = { readonly seen: AuthorizationState; readonly isBehind: boolean }
