import { hexToBytes } from '@noble/hashes/utils.js'
import { ChainError, type Chains } from '../../chains/chains.ts'
import {
  packSolanaTransaction,
  type SolanaInstruction,
  type SolanaInstructionPlan,
  type SolanaLookupTables,
} from '../../chains/solana/solanaCodec.ts'
import { type Address, parseAddress } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isSameAsset } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import { VenueError } from '../venueError.ts'
import { badAnswer, unprovable } from './map.ts'
import { SOLANA_DEPOSITORY } from './published.ts'
import { isHarmless, readSolanaDeposit } from './solanaDeposit.ts'
import { type SolanaData, solanaData } from './wire.ts'

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

const addressIn = (text: string, what: string): Address => {
  const address = parseAddress('solana', text)
  if (address === null) throw badAnswer(what)
  return address
}

/** The wallet is the only one that may sign, or the transaction would be of no use to it. */
const toPlan = ({ keys, programId, data }: SolanaData['instructions'][number], user: Address): SolanaInstructionPlan => {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => {
    if (isSigner && pubkey !== user) throw badAnswer('signer')
    return { address: addressIn(pubkey, 'account'), isSigner, isWritable }
  })
  return { programId: addressIn(programId, 'program'), accounts, data: hexToBytes(data.toLowerCase()) }
}

type Asked = { readonly user: Address; readonly order: Order; readonly orderId: Hex; readonly isPreview: boolean }

/** One deposit of what was asked for, and nothing beside it that could move anything. */
const checkPlan = (plans: readonly SolanaInstructionPlan[], { user, order, orderId }: Asked): void => {
  const instructions = plans.map(({ programId, accounts, data }): SolanaInstruction => {
    return { programId: programId as Address, accounts: accounts.map(({ address }) => address as Address), data }
  })
  const deposits = instructions.filter(({ programId }) => programId === SOLANA_DEPOSITORY)
  const [deposit] = deposits.map(readSolanaDeposit)
  if (deposits.length !== 1 || !deposit) throw badAnswer('deposit')
  if (deposit.sender !== user || deposit.depositor !== user) throw badAnswer('depositor')
  if (!isSameAsset(deposit.asset, order.input) || deposit.amount !== order.inputAmount) throw badAnswer('amount deposited')
  if (deposit.id !== orderId) throw badAnswer('order deposited for')
  const strange = instructions.find((each) => each.programId !== SOLANA_DEPOSITORY && !isHarmless(each, user))
  if (strange) throw unprovable(`an instruction of ${strange.programId}`)
}

/** In place of a blockhash while only a price is asked for: any 32 bytes make a transaction of the same length. */
const ANY_BLOCKHASH = SOLANA_DEPOSITORY

/**
 * Puts the vendor's instructions into the unsigned transaction a wallet signs: v0, with the lookup tables it names, paid
 * for by the user. A preview is built on no real block. Throws VenueError, of kind noLiquidity when it is too long to send.
 */
export const buildSolanaDeposit = async (
  raw: unknown,
  asked: Asked & { readonly chains: SolanaReads },
  signal: AbortSignal,
): Promise<WalletTransaction> => {
  const { user, isPreview, chains } = asked
  const data = solanaData.read(raw)
  const tableAddresses = (data.addressLookupTableAddresses ?? []).map((table) => addressIn(table, 'lookup table'))
  const instructions = data.instructions.map((instruction) => toPlan(instruction, user))
  checkPlan(instructions, asked)
  const [tables, recentBlockhash] = await Promise.all([
    readLookupTables(chains, tableAddresses, signal),
    isPreview ? ANY_BLOCKHASH : fromChain(chains.latestBlockhash(signal)).then(({ blockhash }) => blockhash),
  ])
  const serialized = await packSolanaTransaction({ feePayer: user, recentBlockhash, instructions }, tables)
  if (serialized === null) throw new VenueError('noLiquidity', 'relay: the transaction is longer than Solana takes')
  return { chainId: SOLANA, to: SOLANA_DEPOSITORY, data: serialized, value: toAmount(0n), serialized }
}
