import { parseAbi } from 'abitype'
import { ChainError, type Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { type Address, parseEvmAddress } from '../../core/address.ts'
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

type View = { readonly signature: string; readonly args?: readonly unknown[]; readonly signal: AbortSignal }

/**
 * The addresses that a view function of a contract returns, in the order of its words; none for zero words and where nothing is
 * returned. `signature`: one line of ABI. Throws ChainError.
 */
export const readAddresses = async (
  chains: Pick<Chains, 'call'>,
  contract: Parameters<Chains['call']>[0],
  { signature, args = [], signal }: View,
): Promise<readonly Address[]> => {
  const name = /function (\w+)/.exec(signature)?.[1] ?? ''
  const answer = await chains.call(contract, await encodeCall(parseAbi([signature]), name, args), signal)
  const words = answer?.slice(2).match(/.{64}/g) ?? []
  return words.flatMap((word) => (/^0{64}$/.test(word) ? [] : (parseEvmAddress(`0x${word.slice(24)}`) ?? [])))
}
