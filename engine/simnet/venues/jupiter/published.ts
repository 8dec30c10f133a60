/** The swap program, version 6, and the account that signs its events. Its authorities are derived from a word and a number. */
export const PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
export const EVENT_AUTHORITY = 'D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf'
export const AUTHORITY = 'authority'
/** Of sixteen; here always the same. */
export const AUTHORITY_ID = 7

/** `route_v2` and `shared_accounts_route_v2` of the program's IDL, with how many accounts stand before the pools'. */
export const CALLS = {
  route: { discriminator: 'bb64facc31c4af14', accounts: 10, head: 8, signer: 0 },
  shared: { discriminator: 'd19853937cfed8e9', accounts: 12, head: 9, signer: 1 },
} as const
