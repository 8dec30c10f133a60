import type { AuthorizationState } from './authorizationReader.ts'

/** The state of a payment. `isBehind`: a reported transaction is missing, because our node is behind or it does not exist. */
export type Look = { readonly seen: AuthorizationState; readonly isBehind: boolean }
