import { encodeCall, hashTypedData } from '../../../chains/evm/evmCodec.ts'
import { PERMIT2 } from '../../../chains/evm/permit2.ts'
import { typedKind } from '../../../chains/evm/typedKind.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { NATIVE } from '../../../core/asset.ts'
import { type ChainId, chainOf } from '../../../core/chain.ts'
import type { Hex, TypedData } from '../../../core/execution.ts'
import * as protocol from '../../../venues/zerox/protocol.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { hasCode, permitNonceOf } from '../../kit/chainReads.ts'
import { alteredTerms, takesFor } from '../../kit/lies.ts'
import type { World } from '../../kit/world.ts'
import { type Deal, spelled } from './requests.ts'

/** Sells any token against any other: a stand-in for the pools of a chain, with SimSwapRouter.sol as its code. */
export const POOL = '0x51a9c0de0f0ff1ce51a9c0de0f0ff1ce51a9c0de'
/** The recipient of 0x's fee in answers of 2024 and 2026. */
const ZEROX_FEES = '0xad01c20d5886137e056775af56915de824c8fce5'

/** Of redeployments on Ethereum by the end of 2025. */
const NONCE = 18n
const settlerFor = (feature: bigint) => (chainId: number) =>
  protocol.settlerOf(protocol.REGISTRY, feature, chainId as ChainId, NONCE)
export const takerSettler = settlerFor(protocol.FEATURES.taker)
export const metaTxnSettler = settlerFor(protocol.FEATURES.metaTransaction)

/** The contracts of one chain; null for a chain without 0x. */
export const zeroxOn = (chainId: number) =>
  protocol.SWAP_CHAINS.some((id) => id === chainId)
    ? {
        holder: protocol.ALLOWANCE_HOLDER,
        registry: protocol.REGISTRY,
        taker: takerSettler(chainId),
        metaTxn: metaTxnSettler(chainId),
      }
    : null

const PERMITTED = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
]
const TRANSFER_FROM = [...PERMITTED, 'function TRANSFER_FROM(address recipient, PermitTransferFrom permit, bytes sig)']
const METATXN_TRANSFER_FROM = [...PERMITTED, 'function METATXN_TRANSFER_FROM(address recipient, PermitTransferFrom permit)']
/** `src/interfaces/ISettlerMetaTxn.sol` of 0x-settler. */
const EXECUTE_META_TXN = [
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function executeMetaTxn(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate, address msgSender, bytes sig)',
]
/** Of the pool: `contracts/interfaces/IV3SwapRouter.sol` of Uniswap/swap-router-contracts. */
const EXACT_INPUT_SINGLE = [
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params)',
]

const WHOLE = 10_000n
/** The offsets of amounts in calls: after the selector, and after one and four words. */
const [FIRST_WORD, SECOND_WORD, FIFTH_WORD] = [4n, 36n, 132n]

const basic = (token: string, bps: bigint, pool: string, offset: bigint, data: Hex): Promise<Hex> =>
  encodeCall(protocol.BASIC, 'BASIC', [token, bps, pool, offset, data])

/** Pays a share of the Settler's balance of the bought token. */
const share = async (token: string, recipient: string, bps: bigint): Promise<Hex> =>
  token === NATIVE.toLowerCase()
    ? basic(token, bps, recipient, 0n, '0x')
    : basic(token, bps, token, SECOND_WORD, await callData(ERC20.transfer, [recipient, 0n]))

const wrappedOn = (chainId: ChainId): string => String(chainOf(chainId).wrappedNative)

/** The token that the pool pays. */
export const poolToken = ({ chainId, buy }: Deal): string => (buy.isNative ? wrappedOn(chainId) : buy.address)

/** Between the Settler's first action and its payment to the recipient. The pool pays `given`. */
const swapActions = async (deal: Deal, settler: string, given: bigint): Promise<readonly Hex[]> => {
  const { chainId, sell, buy, fee, zeroxBps } = deal
  const wrapped = wrappedOn(chainId)
  const [tokenIn, tokenOut] = [sell.isNative ? wrapped : sell.address, poolToken(deal)]
  const sums = { amountIn: 0n, amountOutMinimum: given, sqrtPriceLimitX96: 0n }
  const call = await callData(EXACT_INPUT_SINGLE, [{ tokenIn, tokenOut, fee: 500, recipient: settler, ...sums }])
  // `deposit` has no argument, so the Settler writes the amount behind its selector.
  const deposit = `${await callData('function deposit()', [])}${'0'.repeat(64)}` as Hex
  const withdraw = await callData('function withdraw(uint256 wad)', [0n])
  return Promise.all([
    ...(sell.isNative ? [basic(NATIVE, WHOLE, wrapped, FIRST_WORD, deposit)] : []),
    basic(tokenIn, WHOLE, POOL, FIFTH_WORD, call),
    ...(buy.isNative ? [basic(wrapped, WHOLE, wrapped, FIRST_WORD, withdraw)] : []),
    ...(fee ? [share(spelled(buy), fee.receiver, fee.bps)] : []),
    share(spelled(buy), ZEROX_FEES, zeroxBps),
  ])
}

/** Lifetimes in the API's documents, in seconds. */
const LIFETIMES = { call: 300n, trade: 1_800n, permit: 600n }
const secondsIn = ({ clock }: World, lifetime: bigint): bigint => BigInt(Math.floor(clock.now() / 1_000)) + lifetime

/** The terms of a payload as the faults of `path` leave them. */
const planOf = (world: World, deal: Deal, path: string) => {
  const takes = takesFor(world.faults, 'zerox', path)
  const { chainId, isGasless, recipient, minimum, sellAmount, buy } = deal
  const contract: string = isGasless ? metaTxnSettler(chainId) : protocol.ALLOWANCE_HOLDER
  const terms = alteredTerms(takes, { recipient, minimum, amount: sellAmount, contract }, { origin: deal, destination: deal })
  return {
    amount: terms.amount,
    contract: terms.contract.toLowerCase(),
    header: { recipient: terms.recipient.toLowerCase(), buyToken: spelled(buy), minAmountOut: terms.minimum },
    given: takes('short-fill') ? deal.gross / 2n : deal.gross,
    deadline: secondsIn(world, isGasless ? LIFETIMES.trade : LIFETIMES.call),
    isForged: takes('bad-signature'),
  }
}

const zidWord = (zid: string): Hex => `${zid}${'0'.repeat(40)}` as Hex

/** The call of AllowanceHolder. */
export const transactionOf = async (world: World, deal: Deal, path: string, zid: string) => {
  const { amount, contract: to, header, given, deadline } = planOf(world, deal, path)
  const { chainId, sell } = deal
  const settler = takerSettler(chainId)
  const permit = { permitted: { token: sell.address, amount }, nonce: 0n, deadline }
  const first = sell.isNative
    ? encodeCall(protocol.NATIVE_CHECK, 'NATIVE_CHECK', [deadline, amount])
    : callData(TRANSFER_FROM, [settler, permit, '0x'])
  const actions = [await first, ...(await swapActions(deal, settler, given))]
  const call = await encodeCall(protocol.EXECUTE, 'execute', [header, actions, zidWord(zid)])
  const token = sell.isNative ? ZERO_EVM_ADDRESS : sell.address
  const data = await encodeCall(protocol.EXEC, 'exec', [settler, token, amount, settler, call])
  return { to, data, value: sell.isNative ? amount.toString() : '0' }
}

/** EIP-2612, in the domain of a token: https://eips.ethereum.org/EIPS/eip-2612 */
const TOKEN_DOMAIN = 'string name, string version, uint256 chainId, address verifyingContract'
const PERMIT = typedKind('Permit', TOKEN_DOMAIN, {
  EIP712Domain: TOKEN_DOMAIN,
  Permit: 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
})

const typed = ({ types, primaryType }: typeof PERMIT, domain: TypedData['domain'], message: TypedData['message']): TypedData => ({
  ...{ types, primaryType, domain, message },
})

/** Of the offline tokens, USDC has a permit. A wallet with code has none. */
const permitOf = async (world: World, { sell, chainId, sellAmount, taker: owner }: Deal): Promise<TypedData | null> => {
  if (sell.symbol !== 'USDC' || (await hasCode(world, chainId, owner))) return null
  const nonce = Number((await permitNonceOf(world, { chainId, token: sell.address, owner })) ?? 0n)
  const domain = { name: sell.name, version: '2', chainId, verifyingContract: sell.address.toLowerCase() }
  const deadline = secondsIn(world, LIFETIMES.permit).toString()
  return typed(PERMIT, domain, { owner, spender: PERMIT2.toLowerCase(), value: sellAmount.toString(), nonce, deadline })
}

const hashed = async (eip712: TypedData) => ({ hash: (await hashTypedData(eip712)) as string, eip712 })

/** The trade to sign, and a permit beside it where Permit2 lacks an allowance. */
export const tradeOf = async (world: World, deal: Deal, path: string, zid: string, isAllowed: boolean) => {
  const { amount, contract: spender, header, given, deadline, isForged } = planOf(world, deal, path)
  const nonce = BigInt(`0x${world.random.hex(56)}`)
  const permit = { permitted: { token: deal.sell.address, amount }, nonce, deadline }
  const first = await callData(METATXN_TRANSFER_FROM, [spender, permit])
  const actions = [first, ...(await swapActions(deal, spender, given))]
  const domain = { name: 'Permit2', chainId: deal.chainId, verifyingContract: PERMIT2.toLowerCase() }
  const eip712 = typed(protocol.TRADE, domain, {
    permitted: { token: spelled(deal.sell), amount: amount.toString() },
    ...{ spender, nonce: nonce.toString(), deadline: deadline.toString() },
    slippageAndActions: { ...header, minAmountOut: header.minAmountOut.toString(), actions },
  })
  const trade = await hashed(eip712)
  const approval = isAllowed ? null : await permitOf(world, deal)
  return {
    ...{ deal, header, actions, settler: spender, deadline, digest: trade.hash, taker: deal.taker, zid },
    trade: isForged ? { ...trade, hash: `0x${'b'.repeat(64)}` } : trade,
    approval: approval && (await hashed(approval)),
  }
}

export type QuotedTrade = Awaited<ReturnType<typeof tradeOf>>

/** The relayer's call of a Settler. */
export const metaTxnCall = (
  { header, actions, taker, zid }: Pick<QuotedTrade, 'header' | 'actions' | 'taker' | 'zid'>,
  signature: string,
): Promise<Hex> => callData(EXECUTE_META_TXN, [header, actions, zidWord(zid), taker, signature])
