import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ChainError, type Chains } from '../../chains/chains.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  decodeSolanaTransaction,
  MEMO_PROGRAM,
  packSolanaTransaction,
  type SolanaInstructionPlan,
  type SolanaLookupTables,
  SYSTEM_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { SOLANA } from '../../core/chain.ts'
import { readClaim } from '../../core/claim.ts'
import type { Execution } from '../../core/execution.ts'
import { fromChain } from '../kit/chainReads.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { firm, PLAIN_EXECUTION } from '../kit/plain.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import { type DecodePorts, nameOf, readClaims, transactionOf } from './decode.ts'
import { type Ask, expectedOf, leavesOutFee } from './map.ts'
import { keyIn, tablesOf } from './tables.ts'
import type { BuildAnswer, WireInstruction } from './wire.ts'

export type BuildPorts = DecodePorts & {
  readonly chains: Pick<Chains, 'latestBlockhash' | 'computeUnits'>
  readonly now: number
  /** True for a price: the payload need not be ready to send. */
  readonly isPreview: boolean
}

/** A request with its answer. `program`: of the recipient's new account; null where the sender is paid. */
export type Answered = { readonly ask: Ask; readonly answer: BuildAnswer; readonly program: Address | null }

export type Built = {
  readonly execution: Execution
  /** The same transaction with another limit of compute units, base64. */
  readonly withUnits: (units: number) => Promise<string>
  readonly program: Address
  readonly minimum: bigint
  /** The network's cost, counted in signatures: one, and its priority. */
  readonly signatures: bigint
}

/** The maximum of a transaction, because the answer states no limit. https://solana.com/docs/core/fees/compute-budget */
const UNITS_MAX = 1_400_000
/** The minimum: a swap uses more, and a node reports less only for a failing transaction. */
const UNITS_MIN = 50_000
/** Micro-lamports per unit: the answer's own price spikes. At the maximum of units this costs 0.001 SOL. */
const UNIT_PRICE_MAX = 714_285n
const LAMPORTS_PER_SIGNATURE = 5_000n
const SET_LIMIT = 2
const SET_PRICE = 3

const priceOf = ({ computeBudgetInstructions }: BuildAnswer): bigint => {
  for (const row of Array.isArray(computeBudgetInstructions) ? computeBudgetInstructions : []) {
    const { programId, data }: { programId?: unknown; data?: unknown } = Object(row)
    const bytes = Buffer.from(String(data), 'base64')
    if (programId !== COMPUTE_BUDGET_PROGRAM || bytes[0] !== SET_PRICE || bytes.length !== 9) continue
    const price = bytes.readBigUInt64LE(1)
    return price < UNIT_PRICE_MAX ? price : UNIT_PRICE_MAX
  }
  return 0n
}

const budgetOf = (price: bigint, units: number): readonly SolanaInstructionPlan[] => {
  const [limit, unitPrice] = [Buffer.alloc(5), Buffer.alloc(9)]
  limit.writeUInt8(SET_LIMIT)
  limit.writeUInt32LE(units, 1)
  unitPrice.writeUInt8(SET_PRICE)
  unitPrice.writeBigUInt64LE(price, 1)
  return [limit, unitPrice].map((data) => ({ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data }))
}

const planOf = ({ programId, accounts, data }: WireInstruction): SolanaInstructionPlan => ({
  programId: keyIn(programId),
  accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({ address: keyIn(pubkey), isSigner, isWritable })),
  data: new Uint8Array(Buffer.from(data, 'base64')),
})

/** Creates a missing account of the recipient, and fails for an account of another owner: so the payload proves the owner. */
const openRecipients = ({ ask: { order, binding, destination }, program }: Answered): readonly SolanaInstructionPlan[] => {
  if (destination === null || program === null) return []
  const readonly = [binding.recipient, order.output.address, SYSTEM_PROGRAM, program].map((address) => ({ address }))
  const accounts = [
    { address: order.sender, isSigner: true, isWritable: true },
    { address: destination, isWritable: true },
    ...readonly,
  ]
  return [{ programId: ASSOCIATED_TOKEN_PROGRAM, accounts, data: Uint8Array.of(1) }]
}

/** Replaces a blockhash in a price request: any 32 bytes give a transaction of the same length. */
const ANY_BLOCKHASH = SYSTEM_PROGRAM

const isSame = (one: SolanaInstructionPlan, other: SolanaInstructionPlan): boolean =>
  one.programId === other.programId &&
  Buffer.compare(one.data, other.data) === 0 &&
  one.accounts.map(({ address }) => address).join() === other.accounts.map(({ address }) => address).join()

/** The values that make a swap unique at its time. */
const wordsOf = ({ order, binding }: Ask): readonly unknown[] => [
  order.sender,
  order.input.address,
  order.inputAmount,
  order.output.address,
  binding.recipient,
]

/** The unsigned v0 transaction of a swap, with any limit of compute units. Throws VenueError. */
const pack = async (
  answered: Answered,
  price: bigint,
  ports: BuildPorts,
): Promise<Pick<Built, 'withUnits'> & { readonly tables: SolanaLookupTables }> => {
  const { answer, ask } = answered
  const { sender } = ask.order
  const [tables, recentBlockhash] = await Promise.all([
    tablesOf(answer, ports),
    ports.isPreview ? ANY_BLOCKHASH : fromChain(ports.chains.latestBlockhash(ports.signal)).then(({ blockhash }) => blockhash),
  ])
  const name = nameOf(sha256(utf8ToBytes([recentBlockhash, ports.now, ...wordsOf(ask)].join())))
  const setup = (answer.setupInstructions ?? []).map(planOf)
  const opened = openRecipients(answered).filter((own) => !setup.some((each) => isSame(each, own)))
  const cleanup = answer.cleanupInstruction ? [answer.cleanupInstruction] : []
  const after = [...cleanup, ...(answer.otherInstructions ?? [])].map(planOf)
  const memo = { programId: MEMO_PROGRAM, accounts: [], data: name }
  const swap = [...opened, ...setup, planOf(answer.swapInstruction), ...after, memo]
  const withUnits = async (units: number): Promise<string> => {
    const plan = { feePayer: sender, recentBlockhash, instructions: [...budgetOf(price, units), ...swap] }
    const serialized = await packSolanaTransaction(plan, tables)
    if (serialized === null) throw new VenueError('noLiquidity', 'jupiter: the transaction is longer than Solana takes')
    return serialized
  }
  return { tables, withUnits }
}

const payloadOf = (to: Address, serialized: string): Execution['payload'] => ({
  executionType: 'TRANSACTION',
  transaction: { chainId: SOLANA, to, data: serialized, value: toAmount(0n), serialized },
})

/** Builds the transaction for the wallet from an answer, and checks its effect against the request. Throws VenueError. */
export const build = async (answered: Answered, ports: BuildPorts): Promise<Built> => {
  const { answer, ask } = answered
  const expected = expectedOf(answer, ask)
  const price = priceOf(answer)
  const { tables, withUnits } = await pack(answered, price, ports)
  const serialized = await withUnits(UNITS_MAX)
  const program = keyIn(answer.swapInstruction.programId)
  const payload = payloadOf(program, serialized)
  // A transaction to hand out is read with the tables of the chain; a price with the tables of its build.
  const priced = ports.isPreview ? await decodeSolanaTransaction(serialized, tables) : null
  const { claims, beside } = readClaims(priced ?? (await transactionOf(payload, ports)), ports)
  const minimum = readClaim(claims.output.minimum).said ?? 0n
  const problems = claimProblems(claims, { ...ask, minimum, expected })
  if (problems.length > 0) throw rejected(checkId(problems[0] ?? ''), `jupiter answered with ${problems.join(', ')}`)
  const strange = beside.filter(({ isKnown }) => !isKnown).map(({ programId }) => programId)
  if (strange.length > 0) throw rejected('instruction', 'jupiter: a route with instructions of unknown programs', strange)
  const isGross = leavesOutFee(answer, ask)
  if (minimum === 0n) throw new VenueError('amountTooSmall', 'jupiter: the output comes to nothing')
  if (beside.length > 0 || isGross) {
    const what = isGross ? 'a price that leaves out the fee' : 'a route that leaves an account of a third token open'
    throw new VenueError('unsupportedPair', `jupiter: ${what}`, { reason: 'notSold' })
  }
  const priority = (price * BigInt(UNITS_MAX) + 999_999n) / 1_000_000n
  return {
    execution: { ...PLAIN_EXECUTION, payload, ...firm({ expected, minimum }) },
    withUnits,
    program,
    minimum,
    signatures: 1n + (priority + LAMPORTS_PER_SIGNATURE - 1n) / LAMPORTS_PER_SIGNATURE,
  }
}

/**
 * The transaction with a limit of a fifth more compute units than it uses now: https://dev.jup.ag/docs/swap/build. The limit
 * stays at the maximum where the transaction fails now. The same holds without an answer of a positive whole number.
 */
export const fitUnits = async ({ execution, withUnits, program }: Built, { chains, signal }: BuildPorts): Promise<Execution> => {
  const units = await chains.computeUnits(await withUnits(UNITS_MAX), signal).catch((error: unknown) => {
    if (error instanceof ChainError) return null
    throw error
  })
  if (units === null || !Number.isSafeInteger(units) || units <= 0) return execution
  const limit = Math.min(Math.max(Math.ceil(units * 1.2), UNITS_MIN), UNITS_MAX)
  return { ...execution, payload: payloadOf(program, await withUnits(limit)) }
}
