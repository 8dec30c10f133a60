import { type Address, parseAddress } from '../../core/address.ts'
import { type Asset, parseAsset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import { rejected, type VenueError } from '../venueError.ts'

const none = (what: string, chainId: ChainId): VenueError => rejected('address', `${what} is no address of chain ${chainId}`)

/** The address of a venue's text, in our spelling. Rejects the answer, naming `what` it was for. */
export const addressIn = (chainId: ChainId, text: string, what: string): Address => {
  const address = parseAddress(ecosystemOf(chainId), text)
  if (address === null) throw none(what, chainId)
  return address
}

/** The asset of a venue's address text. Rejects the answer, naming `what` it was for. */
export const assetIn = (chainId: ChainId, text: string, what: string): Asset => {
  const asset = parseAsset(chainId, text)
  if (asset === null) throw none(what, chainId)
  return asset
}

/** Whether both are the same EVM address in any letter case, or both null. */
export const isSameAddress = (one: string | null, other: string | null): boolean => one?.toLowerCase() === other?.toLowerCase()
