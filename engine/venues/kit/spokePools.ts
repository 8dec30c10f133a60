import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { parseAbi } from 'abitype'
import { isDelegated } from '../../chains/evm/signerCode.ts'
import { type Address, addressOf, parseEvmAddress } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { type ChainId, chainOf, type EvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'

/** The contracts that take and fill Across deposits, for every venue whose payloads make such deposits. */

const evm = (raw: string): Address => addressOf('evm', raw)

/** By chain: across-protocol/contracts 5.0.27 of 2026-09-18, broadcast/deployed-addresses.json. */
export const SPOKE_POOLS = {
  1: evm('0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'),
  10: evm('0x6f26Bf09B1C792e3228e5467807a900A503c0281'),
  56: evm('0x4e8E101924eDE233C13e2D8622DC8aED2872d505'),
  130: evm('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
  137: evm('0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096'),
  143: evm('0xd2ecb3afe598b746F8123CaE365a598DA831A449'),
  324: evm('0xE0B015E54d54fc84a6cB9B666099c46adE9335FF'),
  480: evm('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
  999: evm('0x35E63eA3eb0fb7A3bc543C71FB66412e1F6B0E04'),
  4663: evm('0xD29C85F15DF544bA632C9E25829fd29d767d7978'),
  8453: evm('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
  42161: evm('0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'),
  43114: evm('0xFE9D541c92E4e90437C7152A00244886dE37a658'),
  59144: evm('0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75'),
} as const satisfies { readonly [chainId in EvmChainId]: Address }

/** V3SpokePoolInterface.sol */
export const FUNDS_DEPOSITED = parseAbi([
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
])
export const FILLED_RELAY = parseAbi([
  'struct ExecutionInfo { bytes32 updatedRecipient; bytes32 updatedMessageHash; uint256 updatedOutputAmount; uint8 fillType; }',
  'event FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, ExecutionInfo relayExecutionInfo)',
])

/** SpokePoolInterface.sol */
export const EXECUTED_REFUND_ROOT = parseAbi([
  'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
])

/** V3SpokePoolInterface.sol */
export const CLAIMED_REFUND = parseAbi([
  'event ClaimedRelayerRefund(bytes32 indexed l2TokenAddress, bytes32 indexed refundAddress, uint256 amount, address indexed caller)',
])

/** WETH9, like most wrapped coins. Those of Arbitrum and ZKsync emit only a Transfer to the zero address. */
export const UNWRAPPED = parseAbi(['event Withdrawal(address indexed from, uint256 value)'])

/** The ERC-20 form of an EVM chain's native coin, which pools use in its place. */
export const wrappedNative = (chainId: ChainId): Address | null => {
  const { wrappedNative: address } = chainOf(chainId)
  return address === null ? null : evm(address)
}

/** An EVM address as the 32 bytes that pools write. */
export const wordOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** The address in a 32-byte word; null when an EVM address has other bytes above it. */
export const addressOfWord = (chainId: ChainId, word: string): Address | null => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(word)) return null
  if (chainId === SOLANA) return base58.encode(hexToBytes(word.slice(2))) as Address
  return word.startsWith(`0x${'0'.repeat(24)}`) ? parseEvmAddress(`0x${word.slice(26).toLowerCase()}`) : null
}

/** The code at an address of a destination chain, `0x` for none. */
export type CodeOf = (account: { readonly chainId: EvmChainId; readonly address: Address }) => Promise<Hex>

/**
 * Without a message a SpokePool pays wrapped native output as the native coin to an account without code, and as it is to a
 * contract. Newer pools pay delegated accounts the native coin, older ones the wrapped coin. On ZKsync every account runs code.
 * Null: undecidable. https://docs.across.to/introduction/technical-faq#what-is-the-behavior-of-eth-weth-in-transfers
 */
export const formOfWrapped = async (
  chainId: EvmChainId,
  wrapped: Address,
  recipient: Address,
  codeOf: CodeOf,
): Promise<Address | null> => {
  if (chainId === 324) return null
  const code = await codeOf({ chainId, address: recipient })
  if (code === '0x') return NATIVE
  return isDelegated(code) ? null : wrapped
}

/** The times in every deposit, in unix seconds. */
export type DepositTimes = {
  readonly quoteTimestamp: number
  readonly fillDeadline: number
  /** The only relayer that may fill at first, 32 bytes or an address; zeros: any relayer. */
  readonly exclusiveRelayer: Hex
  /** The duration: seconds from the deposit, or the time itself. */
  readonly exclusivityParameter: number
}

const QUOTE_AGE_SECONDS_MAX = 3_600
const QUOTE_AHEAD_SECONDS_MAX = 600

/** A refund takes an hour or two, so a deposit without enough time for a fill is no offer. */
const FILL_SECONDS_MIN = 600

/** The longest time that a relayer may exclude others. Across's own answers use five seconds. */
const EXCLUSIVE_SECONDS_MAX = 300
/** MAX_EXCLUSIVITY_PERIOD_SECONDS of SpokePool.sol: a greater value is a time. */
export const PERIOD_SECONDS_MAX = 31_536_000

const isNobody = (relayer: Hex): boolean => /^0x0*$/.test(relayer)

/** Whether any relayer may fill a deposit, at most after a moment. A pool refuses exclusivity without a relayer. */
const isOpen = (
  { exclusiveRelayer, exclusivityParameter: parameter, fillDeadline }: DepositTimes,
  nowSeconds: number,
): boolean => {
  if (parameter === 0) return true
  const seconds = parameter > PERIOD_SECONDS_MAX ? parameter - nowSeconds : parameter
  return !isNobody(exclusiveRelayer) && seconds <= EXCLUSIVE_SECONDS_MAX && nowSeconds + seconds < fillDeadline
}

/** Problems with the times of a deposit that is made `now`, epoch ms. */
export const timeProblems = (stated: DepositTimes, now: number): readonly string[] => {
  const ageSeconds = now / 1_000 - stated.quoteTimestamp
  return failing({
    // A SpokePool refuses quotes older than an hour; a future one would wait for its time.
    'quote timestamp': ageSeconds <= QUOTE_AGE_SECONDS_MAX && ageSeconds >= -QUOTE_AHEAD_SECONDS_MAX,
    'time to fill it': stated.fillDeadline >= now / 1_000 + FILL_SECONDS_MIN,
    exclusivity: isOpen(stated, now / 1_000),
  })
}
