import { base58 } from '@scure/base'
import type { Address } from '../../core/address.ts'
import type { SolanaAccount } from '../chains.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solanaCodec.ts'

/** https://solana.com/docs/tokens#token-account: of both token programs; with extensions its kind follows it. */
const LAYOUT = { bytes: 165, ownerAt: 32, stateAt: 108 } as const
const INITIALISED = 1
const ACCOUNT_KIND = 2

export type TokenAccount = { readonly mint: Address; readonly owner: Address }

/** The mint and the owner of a token account; null for any other account, and for one that is frozen or not initialised. */
export const readTokenAccount = ({ owner: program, data }: SolanaAccount): TokenAccount | null => {
  const isLong = program === TOKEN_2022_PROGRAM && data[LAYOUT.bytes] === ACCOUNT_KIND
  const isOne = data.length === LAYOUT.bytes ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].includes(program) : isLong
  if (!isOne || data[LAYOUT.stateAt] !== INITIALISED) return null
  const key = (at: number): Address => base58.encode(data.slice(at, at + 32)) as Address
  return { mint: key(0), owner: key(LAYOUT.ownerAt) }
}
