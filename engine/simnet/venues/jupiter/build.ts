import { eventAuthority } from '../../../chains/solana/anchor.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  type SolanaInstructionPlan,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { parseSolanaAddress } from '../../../core/address.ts'
import { SOLANA } from '../../../core/chain.ts'
import { authorityOf, JUPITER } from '../../../venues/jupiter/protocol.ts'
import { littleEndian as little } from '../../kit/anchor.ts'
import { amount, each, type FieldProblem, queryFields, readFields, type } from '../../kit/fields.ts'
import type { PayloadTerms } from '../../kit/lies.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import type { Deal } from './program.ts'

/** Micro-lamports for a unit of work. */
const UNIT_PRICE = 20_000
/** Of sixteen; here always the same. */
const AUTHORITY_ID = 7
export const AUTHORITY = authorityOf(JUPITER, AUTHORITY_ID)
/** `route_v2` and `shared_accounts_route_v2` of the program's IDL. */
const DISCRIMINATORS = { route: 'bb64facc31c4af14', shared: 'd19853937cfed8e9' } as const

const key = type('a base58 public key', (value) => (typeof value === 'string' && parseSolanaAddress(value) ? value : undefined))
const bps = type('an integer up to 10000', (value) =>
  /^\d{1,5}$/.test(String(value)) && Number(value) <= 10_000 ? Number(value) : undefined,
)
const FIELDS = {
  required: { ...each(key, 'inputMint', 'outputMint', 'taker'), amount },
  optional: {
    ...each(key, 'feeAccount', 'destinationTokenAccount'),
    ...each(bps, 'slippageBps', 'platformFeeBps', 'maxAccounts'),
  },
}
const refuse = ({ kind, name, expects }: FieldProblem) =>
  new Refusal(null, `Invalid query: ${kind} ${name}, which must be ${expects}`)

/** A request to /swap/v2/build. `feeOf`: the token that a fee is taken from. Throws Refusal. */
export const readQuery = async (query: URLSearchParams, { tokens, solana }: Pick<World, 'tokens' | 'solana'>) => {
  const { inputMint, outputMint, slippageBps = 50, ...asked } = readFields(queryFields(query), FIELDS, refuse)
  const { platformFeeBps: feeBps = 0, feeAccount = null, destinationTokenAccount: destination = null } = asked
  refuseIf(inputMint === outputMint, null, 'inputMint and outputMint must be different')
  const tokenAt = (mint: string) => found(tokens.find(SOLANA, mint), null, 'No routes found')
  const [input, output] = [tokenAt(inputMint), tokenAt(outputMint)]
  const holding = feeBps > 0 && feeAccount !== null ? await solana.holding(feeAccount) : null
  const fee = found(feeBps > 0 ? holding : {}, null, 'feeAccount is not an initialized token account')
  const feeOf = 'mint' in fee && fee.mint === outputMint ? output : input
  return { input, output, amount: asked.amount, taker: asked.taker, slippageBps, feeBps, feeAccount, feeOf, destination }
}

export type Query = Awaited<ReturnType<typeof readQuery>>

const programOf = ({ program }: SimToken): string => (program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
export const holdingOf = (owner: string, token: SimToken): string =>
  associatedTokenAddress(owner, token.address, programOf(token))

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const payer = (address: string) => ({ address, isSigner: true, isWritable: true })

const open = (owner: string, token: SimToken): SolanaInstructionPlan => {
  const others = [owner, token.address, SYSTEM_PROGRAM, programOf(token)].map(readonly)
  const accounts = [payer(owner), writable(holdingOf(owner, token)), ...others]
  return { programId: ASSOCIATED_TOKEN_PROGRAM, accounts, data: Uint8Array.of(1) }
}

const wrap = ({ taker, input, amount: lamports }: Query): readonly SolanaInstructionPlan[] => {
  const wrapped = writable(holdingOf(taker, input))
  const data = Buffer.concat([little(4, 2), little(8, lamports)])
  return [
    { programId: SYSTEM_PROGRAM, accounts: [payer(taker), wrapped], data },
    { programId: TOKEN_PROGRAM, accounts: [wrapped], data: Uint8Array.of(17) },
  ]
}

const unwrap = (taker: string, token: SimToken): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAM,
  accounts: [writable(holdingOf(taker, token)), writable(taker), { address: taker, isSigner: true }],
  data: Uint8Array.of(9),
})

type How = { readonly terms: PayloadTerms; readonly stock: string }

/** The swap of one pool or two, out of the stock and into it, as the terms have it. */
const swapCall = (query: Query, { hops }: Deal, { terms, stock }: How): SolanaInstructionPlan => {
  const { taker, input, output, slippageBps, feeBps, feeAccount, destination } = query
  const isShared = hops.length > 1
  const steps = hops.map((_, at) => Buffer.concat([Buffer.of(17), little(2, 10_000), Buffer.of(at, at + 1)]))
  const fees = [slippageBps, feeBps, 0].map((part) => little(2, part))
  const words = [little(8, terms.amount), little(8, terms.minimum), ...fees, little(4, hops.length), ...steps]
  const head = Buffer.from(isShared ? DISCRIMINATORS.shared : DISCRIMINATORS.route, 'hex')
  const own = writable(holdingOf(taker, output))
  const [source, recipient] = [writable(holdingOf(taker, input)), writable(terms.recipient)]
  const pair = [input.address, output.address, programOf(input), programOf(output)].map(readonly)
  const shared = [input, output].map((token) => writable(holdingOf(AUTHORITY, token)))
  const elsewhere = destination !== null || terms.recipient !== own.address ? recipient : readonly(JUPITER)
  return {
    programId: terms.contract,
    accounts: [
      ...(isShared ? [readonly(AUTHORITY), payer(taker), source, ...shared, recipient] : [payer(taker), source, own]),
      ...pair,
      ...(isShared ? [] : [elsewhere]),
      ...[eventAuthority(JUPITER), JUPITER].map(readonly),
      ...(feeBps > 0 && feeAccount !== null ? [writable(feeAccount)] : []),
      ...[input, output].map((token) => writable(holdingOf(stock, token))),
    ],
    data: Buffer.concat([head, ...(isShared ? [Buffer.of(AUTHORITY_ID)] : []), ...words]),
  }
}

/** All that a wallet needs to sign, in the parts of the answer. */
export const instructionsOf = (query: Query, deal: Deal, how: How) => {
  const { taker, input, output, destination } = query
  const coin = [input, output].find(({ isNative }) => isNative)
  const price = Buffer.concat([Buffer.of(3), little(8, UNIT_PRICE)])
  return {
    budget: [{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: price }],
    setup: [
      ...(input.isNative ? [open(taker, input), ...wrap(query)] : []),
      ...(destination === null ? [open(taker, output)] : []),
    ],
    swap: swapCall(query, deal, how),
    cleanup: coin ? unwrap(taker, coin) : null,
  }
}
