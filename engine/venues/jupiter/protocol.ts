import { utf8ToBytes } from '@noble/hashes/utils.js'
import { isAnchorCall } from '../../chains/solana/anchor.ts'
import { type SolanaInstruction, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf } from '../../core/address.ts'

/** The swap program, by its published IDL, version 6. test/venues/jupiter/vectors.json and recordings.json verify this file. */
export const JUPITER = addressOf('solana', 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
export const AUTHORITY_IDS = 16
export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

type Slots = { readonly [name in 'taker' | 'source' | 'own' | 'destination' | 'mints' | 'programs' | 'event' | 'others']: number }

/**
 * The two calls in the API's answers: each begins with these words, before the steps of the route. The slots are the positions of
 * the needed accounts: `own` is the taker's for the output, `destination` another's. Source: the IDL of the program, version 6.
 */
export const WORDS = {
  inAmount: 'u64',
  quotedOut: 'u64',
  slippageBps: 'u16',
  feeBps: 'u16',
  positiveSlippageBps: 'u16',
  steps: 'u32',
} as const
export const WORDS_BYTES = 26
export const HEAD_BYTES = 8
export const ROUTE: Slots = { taker: 0, source: 1, own: 2, mints: 3, programs: 5, destination: 7, event: 8, others: 10 }
export const SHARED: Slots = { taker: 1, source: 2, own: 5, mints: 6, programs: 8, destination: 5, event: 10, others: 12 }

/** An owner of the accounts of shared routes: one for each id. */
export const authorityOf = (program: Address, id: number): Address =>
  solanaProgramAddress(program, [utf8ToBytes('authority'), Uint8Array.of(id)])

/** Identified by its name; null for any other call, and with missing bytes or accounts. */
export const formOf = ({ data }: Pick<SolanaInstruction, 'data'>): { readonly slots: Slots; readonly at: number } | null => {
  if (isAnchorCall(data, 'route_v2')) return { slots: ROUTE, at: HEAD_BYTES }
  return isAnchorCall(data, 'shared_accounts_route_v2') ? { slots: SHARED, at: HEAD_BYTES + 1 } : null
}
