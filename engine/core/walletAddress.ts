import { type Address, parseAddress, ZERO_EVM_ADDRESS } from './address.ts'
import { NATIVE, nativeAsset } from './asset.ts'
import { BITCOIN, type ChainId, chainOf, type Ecosystem, ecosystemOf } from './chain.ts'

const ECOSYSTEM_NAMES: Record<Ecosystem, string> = { evm: 'EVM', solana: 'Solana', bitcoin: 'Bitcoin mainnet' }

/** Well-formed addresses without a known key: funds sent there are lost. */
const NOBODYS: ReadonlySet<string> = new Set([ZERO_EVM_ADDRESS, '11111111111111111111111111111111'])

/** Why a text is no address of that chain, worded for the caller. */
export const notAnAddress = (chainId: ChainId, raw: string): string =>
  ecosystemOf(chainId) === 'evm' && /^0x[0-9a-fA-F]{40}$/.test(raw)
    ? 'checksum does not match'
    : `is not a valid ${ECOSYSTEM_NAMES[ecosystemOf(chainId)]} address`

/** A shorter text is a symbol, such as `USDC`, rather than a mistyped address. */
const ADDRESS_LENGTH_MIN = 17

/** The reason why a text is no token of that chain, for the caller. */
export const notAToken = (chainId: ChainId, raw: string): string => {
  if (chainId === BITCOIN) return `must be ${NATIVE} or BTC`
  if (raw.length >= ADDRESS_LENGTH_MIN || raw.startsWith('0x')) return notAnAddress(chainId, raw)
  const native = `${nativeAsset(chainId).address} for ${chainOf(chainId).nativeCurrency.symbol}`
  return `must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use ${native}`
}

/**
 * Reads an address that sends, receives or is refunded on a chain. It must be well-formed, and not one of those without a key. A
 * problem is worded for the caller.
 */
export const readWalletAddress = (
  chainId: ChainId,
  raw: string,
): { readonly address: Address } | { readonly problem: string } => {
  const address = parseAddress(ecosystemOf(chainId), raw)
  if (address === null) return { problem: notAnAddress(chainId, raw) }
  if (NOBODYS.has(address)) return { problem: 'must not be the zero address' }
  if (address === NATIVE) return { problem: 'is the marker of the native coin, not a wallet' }
  return { address }
}
