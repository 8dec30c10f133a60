import { ChainError, type Chains } from '../../chains/chains.ts'
import { type Address, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'

/** A read of the chain that nothing can be built or read without. Throws VenueError. */
export const fromChain = async <T>(read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new VenueError(error.failure === 'timeout' ? 'timeout' : 'unavailable', error.message, { cause: error })
  }
}

/** Reads one lookup table of Solana. Throws VenueError, also when it is none. */
export const tableReader =
  ({ chains, signal }: { readonly chains: Pick<Chains, 'lookupTable'>; readonly signal: AbortSignal }) =>
  async (address: Address): Promise<readonly Address[]> => {
    const table = await fromChain(chains.lookupTable(address, signal))
    if (table === null) throw rejected('lookupTable', `a lookup table at ${address} cannot be read`)
    return table
  }

/** The address that a contract returns now; null where it reverts, is not there, or returns the zero address. Throws ChainError. */
export const addressAt = async (
  chains: Pick<Chains, 'call'>,
  contract: Parameters<Chains['call']>[0],
  data: Hex,
  signal: AbortSignal,
): Promise<Address | null> => {
  const [, digits = ''] = /^0x0{24}([0-9a-f]{40})$/i.exec((await chains.call(contract, data, signal)) ?? '') ?? []
  const found = parseEvmAddress(`0x${digits.toLowerCase()}`)
  return found === ZERO_EVM_ADDRESS ? null : found
}

/** The claims of the chains that answer. Throws the first error where no chain answers. */
export const claimsOfChains = async (reads: readonly Promise<PinClaim>[]): Promise<readonly PinClaim[]> => {
  const settled = await Promise.allSettled(reads)
  const claims = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return claims.length > 0 ? claims : Promise.all(reads)
}

type Pinned = Parameters<Chains['call']>[0] & { readonly pinned: Address | null }

/** A source that is the same read of contracts of several chains. Those that pin nothing are left out. */
export const contractPins = (
  chains: Pick<Chains, 'call'>,
  name: string,
  { data, contracts }: { readonly data: Hex; readonly contracts: readonly Pinned[] },
): PinSource => {
  const claimOf = async ({ pinned, ...contract }: Pinned, signal: AbortSignal): Promise<PinClaim> => {
    const found = await addressAt(chains, contract, data, signal)
    const what = `${contract.address} on chain ${contract.chainId}`
    return { what, pinned: [pinned ?? ''], published: found === null ? [] : [found] }
  }
  const compared = contracts.filter(({ pinned }) => pinned !== null)
  return { name, claims: (signal) => claimsOfChains(compared.map((contract) => claimOf(contract, signal))) }
}
