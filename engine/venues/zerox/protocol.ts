import { parseAbi } from 'abitype'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { typedKind } from '../../chains/evm/typedKind.ts'
import { addressOf } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'

/** The same on every chain below: https://docs.0x.org/introduction/0x-cheat-sheet#allowanceholder */
export const ALLOWANCE_HOLDER = addressOf('evm', '0x0000000000001fF3684f28c67538d4D072C22734')
/** Deploys every Settler and returns the current ones: https://github.com/0xProject/0x-settler */
export const REGISTRY = addressOf('evm', '0x00000000000004533Fe15556B1E086BB1A72cEae')

/** https://docs.0x.org/introduction/introduction-to-0x#supported-chains */
export const GASLESS_CHAINS: readonly ChainId[] = [1, 10, 56, 130, 137, 143, 480, 999, 8453, 42161, 43114, 4663]
export const SWAP_CHAINS: readonly ChainId[] = [...GASLESS_CHAINS, 59144]

/** The features of the registry: Settlers that takers call by AllowanceHolder, and those for signed trades. */
export const FEATURES = { taker: 2n, metaTransaction: 3n } as const

/** Hash of the code of the registry's proxies; on Linea, of code for the London hardfork: `sh/address.sh` of the same. */
const SHIM = '3bf3f97f0be1e2c00023033eefeb4fc062ac552ff36778b17060d90b6764902f'
const LINEA_SHIM = '1774bbdc4a308eaf5967722c7a4708ea7a3097859cb8768a10611448c29981c3'

export const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const lastTwenty = (hex: string): string => keccakHex(`0x${hex}`).slice(26)

/** CREATE3: the registry deploys a proxy by CREATE2, whose first CREATE deploys the Settler. `src/deployer` of 0x-settler. */
export const settlerOf = (registry: string, feature: bigint, chainId: ChainId, nonce: bigint): string => {
  const salt = word((feature << 128n) | (BigInt(chainId) << 64n) | nonce)
  const shim = lastTwenty(`ff${registry.slice(2).toLowerCase()}${salt}${chainId === 59144 ? LINEA_SHIM : SHIM}`)
  return `0x${lastTwenty(`d694${shim}01`)}`
}

/** `src/allowanceholder/IAllowanceHolder.sol` and `src/interfaces/ISettlerTakerSubmitted.sol` of 0x-settler. */
export const EXEC = parseAbi(['function exec(address operator, address token, uint256 amount, address target, bytes data)'])
export const EXECUTE = parseAbi([
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
])

/** Actions of a Settler: `src/ISettlerActions.sol`. */
export const NATIVE_CHECK = parseAbi(['function NATIVE_CHECK(uint256 deadline, uint256 msgValue)'])
export const BASIC = parseAbi(['function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes data)'])

const DOMAIN = 'string name, uint256 chainId, address verifyingContract'

/** Permit2's witness transfer, with the Settler's task as witness: `src/SettlerAbstract.sol` of 0x-settler. */
export const TRADE = typedKind('PermitWitnessTransferFrom', DOMAIN, {
  EIP712Domain: DOMAIN,
  PermitWitnessTransferFrom:
    'TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, SlippageAndActions slippageAndActions',
  TokenPermissions: 'address token, uint256 amount',
  SlippageAndActions: 'address recipient, address buyToken, uint256 minAmountOut, bytes[] actions',
})
