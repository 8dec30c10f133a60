import { utf8ToBytes } from '@noble/hashes/utils.js'
import { isAnchorCall } from '../../chains/solana/anchor.ts'
import { readBorsh } from '../../chains/solana/borsh.ts'
import { associatedTokenAddress, type SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import type { Address } from '../../core/address.ts'
import { failing } from '../../core/failing.ts'
import { floorOf } from './map.ts'
import { AUTHORITY_IDS, AUTHORITY_SEED, EVENT_SEED, TOKEN_PROGRAMS } from './published.ts'

/** The swap of a program call, by its bytes and accounts. */
export type Route = {
  readonly jupiter: Address
  readonly taker: Address
  readonly input: { readonly mint: Address; readonly account: Address; readonly amount: bigint }
  /** `program` is the token program of the mint. */
  readonly output: { readonly mint: Address; readonly account: Address; readonly program: Address; readonly minimum: bigint }
  readonly feeBps: number
  /**
   * The account that gets the program's fee: the first one after those of the call. Null without an account or without a fee.
   * Shown by transactions of mainnet with a fee and without one, by either call: test/venues/jupiter/recordings.json.
   */
  readonly feeAccount: Address | null
  /** Problems of the route. */
  readonly unread: readonly string[]
}

type Slots = { readonly [name in 'taker' | 'source' | 'own' | 'destination' | 'mints' | 'programs' | 'event' | 'others']: number }

/**
 * The two calls in the API's answers: each begins with these words, before the steps of the route. The slots are the positions of
 * the needed accounts: `own` is the taker's for the output, `destination` another's. Source: the IDL of the program, version 6.
 */
const WORDS = {
  inAmount: 'u64',
  quotedOut: 'u64',
  slippageBps: 'u16',
  feeBps: 'u16',
  positiveSlippageBps: 'u16',
  steps: 'u32',
} as const
const WORDS_BYTES = 26
const HEAD_BYTES = 8
/** The swap of a pool, its share, and two token indexes. */
const STEP_BYTES_MIN = 5
const ROUTE: Slots = { taker: 0, source: 1, own: 2, mints: 3, programs: 5, destination: 7, event: 8, others: 10 }
const SHARED: Slots = { taker: 1, source: 2, own: 5, mints: 6, programs: 8, destination: 5, event: 10, others: 12 }

const authorityOf = (program: Address, id: number): Address =>
  solanaProgramAddress(program, [utf8ToBytes(AUTHORITY_SEED), Uint8Array.of(id)])

/** Identified by its name; null for any other call, and with missing bytes or accounts. */
const formOf = ({ data }: SolanaInstruction): { readonly slots: Slots; readonly at: number } | null => {
  if (isAnchorCall(data, 'route_v2')) return { slots: ROUTE, at: HEAD_BYTES }
  return isAnchorCall(data, 'shared_accounts_route_v2') ? { slots: SHARED, at: HEAD_BYTES + 1 } : null
}

/** Reads a call of one of the programs; null for any other call, and with missing bytes or accounts. */
export const readRoute = (call: SolanaInstruction, programs: readonly Address[]): Route | null => {
  const form = formOf(call)
  const { programId: jupiter } = call
  if (form === null || !programs.includes(jupiter) || call.accounts.includes(null)) return null
  const { slots, at } = form
  const { data } = call
  const accounts = call.accounts as readonly Address[]
  const words = readBorsh(WORDS, data.slice(at, at + WORDS_BYTES))
  if (words === null || accounts.length < slots.others) return null
  const account = (slot: number): Address => accounts[slot] as Address
  const [taker, source, inputMint, outputMint] = [slots.taker, slots.source, slots.mints, slots.mints + 1].map(account) as [
    Address,
    Address,
    Address,
    Address,
  ]
  const [inputProgram, program] = [account(slots.programs), account(slots.programs + 1)]
  // The program's own address replaces an omitted account.
  const destination = account(slots.destination) === jupiter ? account(slots.own) : account(slots.destination)
  const areTokens = [inputProgram, program].every((each) => TOKEN_PROGRAMS.includes(each))
  const own = areTokens ? associatedTokenAddress(taker, outputMint, program) : null
  const id = data[HEAD_BYTES] ?? AUTHORITY_IDS
  const steps = data.length - at - WORDS_BYTES
  return {
    jupiter,
    taker,
    input: { mint: inputMint, account: source, amount: words.inAmount },
    output: {
      mint: outputMint,
      account: destination,
      program,
      minimum: floorOf(words.quotedOut, Math.min(words.slippageBps, 10_000)),
    },
    feeBps: words.feeBps,
    feeAccount: (words.feeBps > 0 ? accounts[slots.others] : null) ?? null,
    unread: failing({
      'a token program': areTokens,
      'where the input is': areTokens && source === associatedTokenAddress(taker, inputMint, inputProgram),
      'an account of the output that is not the taker’s': [own, destination, jupiter].includes(account(slots.own)),
      'who moves the tokens': slots === ROUTE || (id < AUTHORITY_IDS && account(0) === authorityOf(jupiter, id)),
      'the accounts of its events':
        account(slots.event) === solanaProgramAddress(jupiter, [utf8ToBytes(EVENT_SEED)]) && account(slots.event + 1) === jupiter,
      'a slippage': words.slippageBps <= 10_000,
      'a share of what is better': words.positiveSlippageBps === 0,
      'the steps of the route': words.steps > 0 && steps >= words.steps * STEP_BYTES_MIN,
    }),
  }
}
