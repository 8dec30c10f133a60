import { hexToBytes } from '@noble/hashes/utils.js'
import { ChainError, type Chains } from '../../chains/chains.ts'
import { packSolanaTransaction, type SolanaInstructionPlan, type SolanaLookupTables } from '../../chains/solanaCodec.ts'
import { type Address, parseAddress } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { SOLANA } from '../../core/chain.ts'
import type { WalletTransaction } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'
import { SOLANA_DEPOSITORY } from './contracts.ts'
import { badAnswer, readShape } from './map.ts'
import { type SolanaData, solanaDataShape } from './wire.ts'

export type SolanaReads = Pick<Chains, 'latestBlockhash' | 'lookupTable'>

const fromChain = async <T>(read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new VenueError(error.failure === 'timeout' ? 'timeout' : 'unavailable', error.message, { cause: error })
  }
}

/** The tables by address; null for those that are none. Throws VenueError. */
export const readLookupTables = async (
  chains: SolanaReads,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<SolanaLookupTables> => {
  const tables = await Promise.all(
    addresses.map(async (address) => [address, await fromChain(chains.lookupTable(address, signal))] as const),
  )
  return new Map(
    tables.map(([address, table]) => {
      if (table === null) throw new VenueError('badResponse', `relay: no lookup table at ${address}`)
      return [address, table]
    }),
  )
}

/** The wallet is the only one that may sign, or the transaction would be of no use to it. */
const toPlan = ({ keys, programId, data }: SolanaData['instructions'][number], user: Address): SolanaInstructionPlan => {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => {
    if (parseAddress('solana', pubkey) === null) throw badAnswer('account')
    if (isSigner && pubkey !== user) throw badAnswer('signer')
    return { address: pubkey, isSigner, isWritable }
  })
  if (parseAddress('solana', programId) === null) throw badAnswer('program')
  return { programId, accounts, data: hexToBytes(data.toLowerCase()) }
}

/** In place of a blockhash while only a price is asked for: any 32 bytes make a transaction of the same length. */
const ANY_BLOCKHASH = SOLANA_DEPOSITORY

/**
 * Puts the vendor's instructions into the unsigned transaction a wallet signs: v0, with the lookup tables it names, paid
 * for by the user. A preview is built on no real block. Throws VenueError, of kind noLiquidity when it is too long to send.
 */
export const buildSolanaDeposit = async (
  raw: unknown,
  { user, isPreview }: { readonly user: Address; readonly isPreview: boolean },
  chains: SolanaReads,
  signal: AbortSignal,
): Promise<WalletTransaction> => {
  const data = readShape(solanaDataShape, raw)
  const instructions = data.instructions.map((instruction) => toPlan(instruction, user))
  const deposits = instructions.filter(({ programId }) => programId === SOLANA_DEPOSITORY)
  if (deposits.length !== 1) throw badAnswer('program')
  // Sender and depositor: packages/solana-vm of relayprotocol/relay-depository.
  if (deposits[0]?.accounts[1]?.address !== user || deposits[0].accounts[2]?.address !== user) throw badAnswer('depositor')
  const [tables, recentBlockhash] = await Promise.all([
    readLookupTables(chains, (data.addressLookupTableAddresses ?? []) as readonly Address[], signal),
    isPreview ? ANY_BLOCKHASH : fromChain(chains.latestBlockhash(signal)).then(({ blockhash }) => blockhash),
  ])
  const serialized = await packSolanaTransaction({ feePayer: user, recentBlockhash, instructions }, tables)
  if (serialized === null) throw new VenueError('noLiquidity', 'relay: the transaction is longer than Solana takes')
  return { chainId: SOLANA, to: SOLANA_DEPOSITORY, data: serialized, value: toAmount(0n), serialized }
}
