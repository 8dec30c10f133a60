import { eventAuthority } from '../../chains/solana/anchor.ts'
import { readBorsh } from '../../chains/solana/borsh.ts'
import { associatedTokenAddress, type SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { failing } from '../../core/failing.ts'
import { leastOf } from '../kit/reprice.ts'
import { AUTHORITY_IDS, authorityOf, formOf, HEAD_BYTES, ROUTE, TOKEN_PROGRAMS, WORDS, WORDS_BYTES } from './protocol.ts'

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

/** The swap of a pool, its share, and two token indexes. */
const STEP_BYTES_MIN = 5

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
  const [taker, source] = [account(slots.taker), account(slots.source)]
  const [inputMint, outputMint] = [account(slots.mints), account(slots.mints + 1)]
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
      minimum: leastOf(words.quotedOut, Math.min(words.slippageBps, 10_000)),
    },
    feeBps: words.feeBps,
    feeAccount: (words.feeBps > 0 ? accounts[slots.others] : null) ?? null,
    unread: failing({
      'a token program': areTokens,
      'where the input is': areTokens && source === associatedTokenAddress(taker, inputMint, inputProgram),
      'an account of the output that is not the taker’s': [own, destination, jupiter].includes(account(slots.own)),
      'who moves the tokens': slots === ROUTE || (id < AUTHORITY_IDS && account(0) === authorityOf(jupiter, id)),
      'the accounts of its events': account(slots.event) === eventAuthority(jupiter) && account(slots.event + 1) === jupiter,
      'a slippage': words.slippageBps <= 10_000,
      'a share of what is better': words.positiveSlippageBps === 0,
      'the steps of the route': words.steps > 0 && steps >= words.steps * STEP_BYTES_MIN,
    }),
  }
}
