import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { MAX_AMOUNT } from '../../core/amount.ts'
import { chainOf, isChainId } from '../../core/chain.ts'
import type { Artifacts } from '../contracts/artifacts.ts'
import type { SimToken } from '../kit/tokens.ts'
import type { AnvilNode, GenesisAccount } from './anvilNode.ts'

/** Storage layout of every contract in scripts/contracts/SimTokens.sol. */
const SLOTS = { balances: 0, totalSupply: 2, decimals: 3, name: 4, symbol: 5 } as const

/** https://github.com/mds1/multicall3: the same address on every chain. */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

const balanceSlot = (holder: string): string =>
  `0x${bytesToHex(keccak_256(hexToBytes(holder.slice(2).toLowerCase().padStart(64, '0') + word(BigInt(SLOTS.balances)).slice(2))))}`

/** A text of at most 31 bytes as one storage word: padded right, and in the short string form its length doubled at the end. */
const textWord = (text: string, form: SimToken['metadata']): string => {
  const bytes = utf8ToBytes(text)
  if (bytes.length > 31) throw new RangeError(`${text} does not fit one word`)
  const padded = new Uint8Array(32)
  padded.set(bytes)
  if (form === 'string') padded[31] = bytes.length * 2
  return `0x${bytesToHex(padded)}`
}

const isWrappedNative = ({ chainId, address }: SimToken): boolean =>
  isChainId(chainId) && chainOf(chainId).wrappedNative === address

const contractOf = (token: SimToken): string => {
  if (token.metadata === 'bytes32') return 'SimBytes32Token'
  if (token.refusesReapproval) return 'SimTetherToken'
  if (token.takesTransferFee) return 'SimFeeToken'
  if (isWrappedNative(token)) return 'SimWrappedNative'
  return token.symbol === 'USDC' ? 'SimFiatToken' : 'SimToken'
}

const accountOfToken = (token: SimToken, { accountOf }: Artifacts): Promise<GenesisAccount> =>
  accountOf(
    token.address,
    contractOf(token),
    {},
    {
      [word(BigInt(SLOTS.decimals))]: word(BigInt(token.decimals)),
      [word(BigInt(SLOTS.name))]: textWord(token.name, token.metadata),
      [word(BigInt(SLOTS.symbol))]: textWord(token.symbol, token.metadata),
    },
  )

/** https://docs.uniswap.org/contracts/permit2/overview: the same address on every chain but zkSync Era. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** The offline network's tokens, and what many venues call, at their real addresses. */
export const tokenAccounts = (tokens: readonly SimToken[], artifacts: Artifacts): Promise<readonly GenesisAccount[]> =>
  Promise.all([
    artifacts.accountOf(MULTICALL3, 'Multicall3'),
    artifacts.accountOf(PERMIT2, 'Permit2'),
    ...tokens.filter(({ isNative }) => !isNative).map((token) => accountOfToken(token, artifacts)),
  ])

const sum = (held: unknown, amount: bigint): bigint => {
  const total = BigInt(held as string) + amount
  if (total > MAX_AMOUNT) throw new RangeError('is more than the balance can hold')
  return total
}

/**
 * Gives a holder more of a token, or of the native coin, out of nothing. One call at a time per node. RangeError beyond
 * what a balance can hold.
 */
export const addBalance = async (node: AnvilNode, token: SimToken, holder: string, amount: bigint): Promise<void> => {
  if (token.isNative) {
    const total = sum(await node.rpc('eth_getBalance', [holder, 'latest']), amount)
    await node.rpc('anvil_setBalance', [holder, `0x${total.toString(16)}`])
    return
  }
  const add = async (slot: string) => {
    const total = sum(await node.rpc('eth_getStorageAt', [token.address, slot, 'latest']), amount)
    await node.rpc('anvil_setStorageAt', [token.address, slot, word(total)])
  }
  // The supply first: it is the larger, so what cannot be is refused before anything changes.
  await add(word(BigInt(SLOTS.totalSupply)))
  await add(balanceSlot(holder))
  // A wrapped coin holds what it owes.
  if (isWrappedNative(token)) await addBalance(node, { ...token, isNative: true }, token.address, amount)
}
