import { CHAINS } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { NATIVE_MARKER, POOL, spelled, ZERO_ADDRESS, ZEROX_FEES } from './networks.ts'
import type { Deal } from './pricing.ts'

/* Calls of Settlers: src/ISettlerActions.sol of 0xProject/0x-settler. */

const PERMIT = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
]
const SLIPPAGE = 'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }'
const TRANSFER_FROM = [...PERMIT, 'function TRANSFER_FROM(address recipient, PermitTransferFrom permit, bytes sig)']
const METATXN_TRANSFER_FROM = [...PERMIT, 'function METATXN_TRANSFER_FROM(address recipient, PermitTransferFrom permit)']
const NATIVE_CHECK = 'function NATIVE_CHECK(uint256 deadline, uint256 msgValue)'
const BASIC = 'function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes data)'
const EXECUTE = [SLIPPAGE, 'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate)']
const EXECUTE_META_TXN = [
  SLIPPAGE,
  'function executeMetaTxn(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate, address msgSender, bytes sig)',
]
const EXEC = 'function exec(address operator, address token, uint256 amount, address target, bytes data)'
/** What the pool takes: contracts/interfaces/IV3SwapRouter.sol of Uniswap/swap-router-contracts. */
const EXACT_INPUT_SINGLE = [
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params)',
]
const WRAP = 'function deposit()'
const UNWRAP = 'function withdraw(uint256 wad)'

const WHOLE = 10_000n
/** Where a Settler writes the amount: after the selector, and behind four words. */
const FIRST_WORD = 4n
const SECOND_WORD = 36n
const FIFTH_WORD = 4n + 4n * 32n

/** The end of a swap. */
export type Header = { readonly recipient: string; readonly buyToken: string; readonly minAmountOut: bigint }

const basic = (token: string, bps: bigint, pool: string, offset: bigint, data: Hex): Promise<Hex> =>
  callData(BASIC, [token, bps, pool, offset, data])

const wrappedOf = (chainId: number): string => {
  const wrapped = CHAINS.find((chain) => chain.chainId === chainId)?.wrappedNative
  if (!wrapped) throw new RangeError(`chain ${chainId} has no wrapped coin here`)
  return wrapped
}

/** Pays a share of what is held of the bought token. */
const share = async (token: string, recipient: string, bps: bigint): Promise<Hex> =>
  token === NATIVE_MARKER
    ? basic(token, bps, recipient, 0n, '0x')
    : basic(token, bps, token, SECOND_WORD, await callData(ERC20.transfer, [recipient, 0n]))

/** From what was taken in to what is paid out. `given`: by the pool. */
const swapActions = async (
  { chainId, sell, buy, fee, zeroxBps }: Deal,
  settler: string,
  given: bigint,
): Promise<readonly Hex[]> => {
  const wrapped = wrappedOf(chainId)
  const [tokenIn, tokenOut] = [sell.isNative ? wrapped : sell.address, buy.isNative ? wrapped : buy.address]
  const sums = { amountIn: 0n, amountOutMinimum: given, sqrtPriceLimitX96: 0n }
  const call = await callData(EXACT_INPUT_SINGLE, [{ tokenIn, tokenOut, fee: 500, recipient: settler, ...sums }])
  // The coin call takes its value at its end: deposit has no argument to write to.
  const deposit = `${await callData(WRAP, [])}${'0'.repeat(64)}` as Hex
  return Promise.all([
    ...(sell.isNative ? [basic(NATIVE_MARKER, WHOLE, wrapped, FIRST_WORD, deposit)] : []),
    basic(tokenIn, WHOLE, POOL, FIFTH_WORD, call),
    ...(buy.isNative ? [basic(wrapped, WHOLE, wrapped, FIRST_WORD, await callData(UNWRAP, [0n]))] : []),
    ...(fee ? [share(spelled(buy), fee.recipient, fee.bps)] : []),
    share(spelled(buy), ZEROX_FEES, zeroxBps),
  ])
}

/** What the pool hands out, and in which token. */
export const poolToken = ({ chainId, buy }: Deal): string => (buy.isNative ? wrappedOf(chainId) : buy.address)

export type Plan = {
  readonly deal: Deal
  readonly header: Header
  readonly settler: string
  /** Of the sold token. */
  readonly amount: bigint
  readonly given: bigint
  /** Unix seconds. */
  readonly deadline: bigint
  readonly zid: string
}

const zidWord = (zid: string): Hex => `${zid}${'0'.repeat(40)}` as Hex

/** The call of AllowanceHolder. */
export const execCall = async ({ deal, header, settler, amount, given, deadline, zid }: Plan): Promise<Hex> => {
  const { sell } = deal
  const permit = { permitted: { token: sell.address, amount }, nonce: 0n, deadline }
  const first = sell.isNative ? callData(NATIVE_CHECK, [deadline, amount]) : callData(TRANSFER_FROM, [settler, permit, '0x'])
  const actions = [await first, ...(await swapActions(deal, settler, given))]
  const call = await callData(EXECUTE, [header, actions, zidWord(zid)])
  return callData(EXEC, [settler, sell.isNative ? ZERO_ADDRESS : sell.address, amount, settler, call])
}

/** The actions of a trade that is signed. */
export const tradeActions = async ({ deal, settler, amount, given, deadline }: Plan, nonce: bigint): Promise<readonly Hex[]> => {
  const permit = { permitted: { token: deal.sell.address, amount }, nonce, deadline }
  return [await callData(METATXN_TRANSFER_FROM, [settler, permit]), ...(await swapActions(deal, settler, given))]
}

export type Trade = { readonly header: Header; readonly actions: readonly Hex[]; readonly zid: string; readonly taker: string }

export const metaTxnCall = ({ header, actions, zid, taker }: Trade, signature: string): Promise<Hex> =>
  callData(EXECUTE_META_TXN, [header, actions, zidWord(zid), taker, signature])
