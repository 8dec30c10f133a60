import { bytesToHex } from '@noble/hashes/utils.js'
import { ChainError, type Chains } from '../../chains/chains.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  type SolanaInstruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'
import { solanaDepositoryAccounts } from './published.ts'

export type SolanaReads = Pick<Chains, 'latestBlockhash' | 'lookupTable'>

/** A read of the chain that nothing can be built or read without. Throws VenueError. */
export const fromChain = async <T>(read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new VenueError(error.failure === 'timeout' ? 'timeout' : 'unavailable', error.message, { cause: error })
  }
}

/** Reads one lookup table. Throws VenueError, also when it is none. */
export const tableReader =
  ({ lookupTable }: Pick<SolanaReads, 'lookupTable'>, signal: AbortSignal) =>
  async (address: Address): Promise<readonly Address[]> => {
    const table = await fromChain(lookupTable(address, signal))
    if (table === null) throw new VenueError('badResponse', `relay: no lookup table at ${address}`)
    return table
  }

const DEPOSIT_NATIVE = '0d9e0ddf5fd51c06'
const DEPOSIT_TOKEN = '0b9c60da27a3b413'

/** Discriminator, amount, id. */
const DATA_BYTES = 8 + 8 + 32

/** A deposit as the depository program on Solana takes it, and the venue books it: to `depositor`. */
export type SolanaDeposit = {
  readonly asset: Asset
  readonly amount: bigint
  readonly orderId: Hex
  readonly sender: Address
  readonly depositor: Address
}

type Accounts = SolanaInstruction['accounts']

const isExactly = (accounts: Accounts, expected: readonly string[]): boolean =>
  accounts.length === expected.length && expected.every((address, index) => accounts[index] === address)

/**
 * What `DepositNative` or `DepositToken` of programs/relay-depository pays into the vault, tokens out of the sender's own
 * account. Null when it is anything else, and for the mint that stands for SOL with us: it cannot be told from SOL, and the
 * vendor books it as another currency.
 */
const depositedBy = (discriminator: string, accounts: Accounts, sender: Address, depositor: Address): Address | null => {
  const { state, vault } = solanaDepositoryAccounts()
  const parties = [state, sender, depositor, vault]
  if (discriminator === DEPOSIT_NATIVE) return isExactly(accounts, [...parties, SYSTEM_PROGRAM]) ? NATIVE_SOL : null
  const [, , , , mint, , , program] = accounts
  const isTokenProgram = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM
  if (discriminator !== DEPOSIT_TOKEN || !mint || mint === NATIVE_SOL || !isTokenProgram) return null
  const holdings = [sender, vault].map((owner) => associatedTokenAddress(owner, mint, program))
  const programs = [program, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM]
  return isExactly(accounts, [...parties, mint, ...holdings, ...programs]) ? mint : null
}

/** Reads an instruction of the depository; null when it is no deposit into its vault with every account in its place. */
export const readSolanaDeposit = ({ accounts, data }: SolanaInstruction): SolanaDeposit | null => {
  const [, sender, depositor] = accounts
  if (data.length !== DATA_BYTES || !sender || !depositor) return null
  const address = depositedBy(bytesToHex(data.slice(0, 8)), accounts, sender, depositor)
  if (address === null) return null
  const amount = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(8, true)
  return { asset: { chainId: SOLANA, address }, amount, orderId: `0x${bytesToHex(data.slice(16))}`, sender, depositor }
}
