import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { addressOf, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { CHAINS, type ChainId, SOLANA } from '../../../core/chain.ts'
import { wordOf } from '../../kit/abiWords.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as Mayan has it: https://docs.mayan.finance/resources/chains-contracts */
export type Network = { readonly chainId: ChainId; readonly name: string; readonly wormholeId: number }

export const NETWORKS: readonly Network[] = [
  { chainId: SOLANA, name: 'solana', wormholeId: 1 },
  { chainId: 1, name: 'ethereum', wormholeId: 2 },
  { chainId: 56, name: 'bsc', wormholeId: 4 },
  { chainId: 137, name: 'polygon', wormholeId: 5 },
  { chainId: 43114, name: 'avalanche', wormholeId: 6 },
  { chainId: 42161, name: 'arbitrum', wormholeId: 23 },
  { chainId: 10, name: 'optimism', wormholeId: 24 },
  { chainId: 8453, name: 'base', wormholeId: 30 },
  { chainId: 59144, name: 'linea', wormholeId: 38 },
  { chainId: 130, name: 'unichain', wormholeId: 44 },
  { chainId: 999, name: 'hyperevm', wormholeId: 47 },
  { chainId: 143, name: 'monad', wormholeId: 48 },
]

export const networkNamed = (name: string): Network | null => NETWORKS.find((each) => each.name === name) ?? null
export const networkOf = (chainId: number): Network | null => NETWORKS.find((each) => each.chainId === chainId) ?? null
export const networkById = (id: number): Network | null => NETWORKS.find(({ wormholeId }) => wormholeId === id) ?? null

export const FORWARDER = '0x337685fdaB40D39bd02028545a4FfA7D287cC3E2'
export const SWIFT = '0x40fFE85A28DC9993541449464d7529a922142960'
export const FILLS = '0xD78D199f8C402e7B5Cc2abE278dF0412400a3BAe'
/** The exchange of the offline network, of the Forwarder's list. */
export const ROUTER = '0x00000000009726632680FB29d3F7A9734E3010E2'
export const SWIFT_PROGRAM = 'mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny'
export const PROXY = 'D8C8iW6zmoKg5TRr8nQ7h14TMWqQX8FiBdj2ju5MF3wa'
export const FEE_MANAGER = '5VtQHnhs2pfVEr68qQsbTRwKh4JV5GTu9mBHgHFxpHeQ'

/** A token as Mayan names it: zeros for coins on every chain, Solana too, where the mint means wrapped ones. */
export const findToken = (tokens: SimTokens, { chainId }: Network, contract: string): SimToken | null => {
  if (contract === ZERO_EVM_ADDRESS) return tokens.native(chainId)
  const token = tokens.find(chainId, contract)
  return token?.isNative ? null : token
}

export const contractOf = ({ isNative, address }: SimToken): string => (isNative ? ZERO_EVM_ADDRESS : address)

/** As orders have them: 32 bytes in hex, 0x before. */
export const wordIn = ({ chainId }: { readonly chainId: number }, address: string): string =>
  chainId === SOLANA ? `0x${Buffer.from(base58.decode(address)).toString('hex')}` : `0x${wordOf(address)}`

export const addressIn = ({ chainId }: { readonly chainId: number }, word: string): string =>
  chainId === SOLANA ? base58.encode(hexToBytes(word.slice(2))) : addressOf('evm', `0x${word.slice(26)}`)

export const NO_WORD = `0x${'0'.repeat(64)}`

export const tokenOfWord = (tokens: SimTokens, network: Network, word: string): SimToken | null =>
  findToken(tokens, network, word === NO_WORD ? ZERO_EVM_ADDRESS : addressIn(network, word))

export const wrappedOf = (tokens: SimTokens, { chainId }: Network): SimToken | null => {
  const wrapped = CHAINS.find((chain) => chain.chainId === chainId)?.wrappedNative ?? null
  return wrapped === null ? null : tokens.find(chainId, wrapped)
}

/** What orders are paid in there: ether and SOL as such, wrapped ether for ether, and else dollars where the chain has them. */
export const lockedToken = (
  tokens: SimTokens,
  network: Network,
  { input, output }: { input: SimToken; output: SimToken },
): SimToken | null => {
  if (input.isNative && (input.currency === 'ETH' || network.chainId === SOLANA)) return input
  const wrapped = wrappedOf(tokens, network)
  if (input.currency === 'ETH' && output.currency === 'ETH' && wrapped?.currency === 'ETH') return wrapped
  return tokens.all.find(({ chainId, symbol }) => chainId === network.chainId && symbol === 'USDC') ?? wrapped
}

/** Orders count in eight decimals at most. */
export const unitOf = ({ decimals }: SimToken): bigint => 10n ** BigInt(decimals - Math.min(8, decimals))
