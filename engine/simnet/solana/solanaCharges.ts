import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SimSolanaInstruction } from '../kit/simVenue.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import type { SimCharge } from '../kit/world.ts'
import { associatedTokenAddress, type SolanaAccount, tokenDelegation, tokenHolding } from './solanaAccounts.ts'
import { allowDelegate, payLamports, payTokens, payTokensAs } from './solanaInstructions.ts'

/** One of the instructions that a transaction is run as. */
export type SolanaStep = {
  readonly instruction: SolanaInstructionPlan
  /** Which instruction of the transaction it does the work of. */
  readonly origin: number
  /** What the logs say of it: as it is; as a call the program makes, or as the program itself, with a line of its own; nothing. */
  readonly shown:
    | { readonly as: 'itself' | 'nothing' }
    | { readonly as: 'call' | 'program'; readonly program: string; readonly line: string }
}

/** Where a program is that ends in the status its data says; see solanaStandIn. */
export const ANSWERING_PROGRAM = base58.encode(createHash('sha256').update('simnet:solana:answers').digest())

/** What programs answer: their own error, or one of https://docs.rs/solana-program-error/latest/src/solana_program_error/lib.rs.html */
const CUSTOM_ZERO = 1n << 32n
const INVALID_ACCOUNT_DATA = 4n << 32n
const NOT_ENOUGH_ACCOUNT_KEYS = 11n << 32n
/** https://github.com/solana-program/token/blob/main/interface/src/error.rs */
const TOKEN_INSUFFICIENT_FUNDS = 1n
const TOKEN_OWNER_MISMATCH = 4n

const CODE_MAX = 2 ** 32 - 1

type Call = { readonly instruction: SimSolanaInstruction; readonly origin: number }
type Taking = Extract<SimCharge, { readonly amount: bigint }>
type Parts = {
  readonly tokens: SimTokens
  /** Whom it is paid to, unless the program says otherwise, and who pays what a program pays out. */
  readonly treasury: string
  /** Who moves that for the treasury: a signer of the transaction. */
  readonly delegate: string
  /** An account as the call finds it. */
  readonly accountNow: (address: string) => SolanaAccount | null
}

const ends = ({ instruction: { programId }, origin }: Call, status: bigint, line: string): readonly SolanaStep[] => {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(status)
  return [
    {
      instruction: { programId: ANSWERING_PROGRAM, accounts: [], data },
      origin,
      shown: { as: 'program', program: programId, line },
    },
  ]
}

const fails = (call: Call, code: number, because: string): readonly SolanaStep[] => {
  if (!Number.isInteger(code) || code < 0 || code > CODE_MAX) throw new RangeError(`${code} is no error of a program`)
  return ends(call, code === 0 ? CUSTOM_ZERO : BigInt(code), because)
}

/** What a delegate may still move: the payment, which its owner was made to sign, is less. */
const useUp = (token: SimToken, { from, amount, delegate }: Taking, allowed: bigint, origin: number): readonly SolanaStep[] => {
  if (delegate === undefined) return []
  const left = allowed > amount ? allowed - amount : 0n
  return [{ instruction: allowDelegate(token, { owner: from, delegate, amount: left }), origin, shown: { as: 'nothing' } }]
}

const takeTokens = (call: Call, taking: Taking, token: SimToken, parts: Parts): readonly SolanaStep[] => {
  const { from, amount, delegate } = taking
  const account = parts.accountNow(associatedTokenAddress(token, from))
  const held = tokenHolding(account)?.amount ?? null
  if (!account || held === null) return ends(call, TOKEN_INSUFFICIENT_FUNDS, `${from} has no account of ${token.symbol}`)
  const delegation = tokenDelegation(account)
  const allowed = delegation?.delegate === delegate ? (delegation?.amount ?? 0n) : null
  if (delegate !== undefined && held >= amount) {
    if (allowed === null) return ends(call, TOKEN_OWNER_MISMATCH, `${from} has not approved ${delegate}`)
    if (allowed < amount) return ends(call, TOKEN_INSUFFICIENT_FUNDS, `${from} approved ${allowed} of ${amount} ${token.symbol}`)
  }
  const line = `takes ${amount} of ${token.symbol} from ${from}`
  return [
    {
      instruction: payTokens(token, { from, to: taking.to ?? parts.treasury, amount }),
      origin: call.origin,
      shown: { as: 'call', program: call.instruction.programId, line },
    },
    ...useUp(token, taking, allowed ?? 0n, call.origin),
  ]
}

const takeLamports = ({ instruction: { programId: program }, origin }: Call, { from, amount, to }: Taking, treasury: string) => {
  const line = `takes ${amount} lamports from ${from}`
  return [
    { instruction: payLamports({ from, to: to ?? treasury, amount }), origin, shown: { as: 'call', program, line } },
  ] satisfies readonly SolanaStep[]
}

/** What a program pays out. Whether its account can take it shows when it runs. */
const payOuts = ({ instruction, origin }: Call, { pays = [] }: Taking, parts: Parts): readonly SolanaStep[] =>
  pays.flatMap(({ token: address, account, amount }) => {
    const token = parts.tokens.find(SOLANA, address)
    if (!token) return ends({ instruction, origin }, INVALID_ACCOUNT_DATA, `${address} is no token of the offline Solana`)
    const { treasury, delegate } = parts
    if (![account, associatedTokenAddress(token, treasury)].every((named) => instruction.accounts.includes(named)))
      return ends({ instruction, origin }, NOT_ENOUGH_ACCOUNT_KEYS, `the call does not name ${account}, or not what pays it`)
    const line = `pays ${amount} of ${token.symbol} to ${account}`
    return [
      {
        instruction: payTokensAs(delegate, token, { from: treasury, to: account, amount }),
        origin,
        shown: { as: 'call', program: instruction.programId, line },
      },
    ]
  })

/** The instructions that do what a program does with a call. Whether the wallet signed, and has enough, shows when they run. */
export const chargeSteps = (charge: Exclude<SimCharge, null>, call: Call, parts: Parts): readonly SolanaStep[] => {
  if ('fails' in charge) return fails(call, charge.fails, charge.because)
  const token = parts.tokens.find(SOLANA, charge.token)
  if (!token) return ends(call, INVALID_ACCOUNT_DATA, `${charge.token} is no token of the offline Solana`)
  const areCoins = token.isNative && charge.isWrapped !== true
  const placeOf = (wallet: string) => (areCoins ? wallet : associatedTokenAddress(token, wallet))
  const places = [charge.from, ...(charge.to === undefined ? [] : [charge.to])].map(placeOf)
  if (![charge.from, ...places].every((address) => call.instruction.accounts.includes(address)))
    return ends(call, NOT_ENOUGH_ACCOUNT_KEYS, `the call does not name ${charge.from}, or not what it holds`)
  const taken = areCoins ? takeLamports(call, charge, parts.treasury) : takeTokens(call, charge, token, parts)
  const { from, lamports = 0n } = charge
  const beside = lamports > 0n ? takeLamports(call, { token: charge.token, from, amount: lamports }, parts.treasury) : []
  return [...taken, ...beside, ...payOuts(call, charge, parts)]
}
