import type { Chains } from '../../chains/chains.ts'
import { decodeWithTables, type SolanaLookupTables, type SolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import { lookupTableIn } from '../../chains/solana/solanaTransaction.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import { addressIn } from '../kit/addresses.ts'
import { fromChain } from '../kit/chainReads.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { BuildAnswer } from './wire.ts'

export type TablePorts = { readonly chains: Pick<Chains, 'lookupTable' | 'solanaAccount'>; readonly signal: AbortSignal }

export const keyIn = (text: string): Address => addressIn(SOLANA, text, 'an account')

/** Each needs a read of the chain, and at least 34 bytes of the 1,232 of a transaction. */
const TABLES_MAX = 16

/** The answer's tables that contain an account of its instructions. Throws `rejected` for too many tables. */
const neededOf = ({ addressesByLookupTableAddress: answered, ...answer }: BuildAnswer) => {
  const { setupInstructions, swapInstruction, cleanupInstruction, otherInstructions } = answer
  const all = [setupInstructions ?? [], swapInstruction, cleanupInstruction ?? [], otherInstructions ?? []].flat()
  const used = new Set(all.flatMap(({ accounts }) => accounts.map(({ pubkey }) => pubkey)))
  const needed = Object.entries(answered ?? {}).filter(([, addresses]) => addresses.some((each) => used.has(each)))
  if (needed.length > TABLES_MAX) throw rejected('lookupTables', 'jupiter: too many lookup tables', needed.length)
  return needed
}

/**
 * The lookup tables to build with, by the chain. Where our node lacks a table or its latest addresses, the answer's contents
 * apply. Throws `rejected` where the chain contradicts the answer: a table only ever grows.
 */
export const tablesOf = async (answer: BuildAnswer, { chains, signal }: TablePorts): Promise<SolanaLookupTables> => {
  const rows = neededOf(answer).map(async ([text, addresses]) => {
    const table = keyIn(text)
    const known = (await fromChain(chains.lookupTable(table, signal))) ?? []
    const other = addresses.find((each, at) => at < known.length && each !== known[at])
    if (other !== undefined) throw rejected('lookupTable', `jupiter: the chain has another address in table ${table}`, other)
    return [table, addresses.length > known.length ? addresses.map(keyIn) : known] as const
  })
  return new Map(await Promise.all(rows))
}

const isWhole = ({ instructions }: SolanaTransaction): boolean => instructions.every(({ accounts }) => !accounts.includes(null))

/**
 * Reads a transaction with the lookup tables of the chain only; null for an invalid transaction. A cached table that is too short
 * is read again. Throws VenueError: `unavailable` while our node lacks an address of the transaction.
 */
export const readOnChain = async (data: string, { chains, signal }: TablePorts): Promise<SolanaTransaction | null> => {
  const kept = await decodeWithTables(data, (table) => fromChain(chains.lookupTable(table, signal)))
  if (kept === null || isWhole(kept)) return kept
  const fresh = await decodeWithTables(data, async (table) => lookupTableIn(await fromChain(chains.solanaAccount(table, signal))))
  if (fresh === null || isWhole(fresh)) return fresh
  throw new VenueError('unavailable', 'jupiter: our node lacks a lookup table of the transaction, or its latest addresses')
}
