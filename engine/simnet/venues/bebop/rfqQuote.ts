import { encodeCall, hashTypedData } from '../../../chains/evm/evmCodec.ts'
import { typedFields } from '../../../chains/evm/typedKind.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { NATIVE } from '../../../core/asset.ts'
import type { ChainId } from '../../../core/chain.ts'
import type { Hex, TypedData } from '../../../core/execution.ts'
import {
  digits,
  ROUTER,
  ROUTER_ABI,
  type RouterOrder,
  routerTypedData,
  SETTLEMENT,
  SINGLE_ABI,
  type SingleOrder,
} from '../../../venues/bebop/protocol.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { signDigest } from '../../kit/typedHash.ts'
import { type Desk, MAKER, minimumOf, numberOf, type Pair, ROUTER_SIGNER, shareOf, startQuote } from './desk.ts'
import { refusing } from './request.ts'

/** The id of every partner. */
const PARTNER_ID = 7n

/** An order to be made, of a partner. */
type Terms = Pick<SingleOrder, 'expiry' | 'taker_token' | 'maker_token' | 'taker_amount' | 'maker_amount'> & {
  readonly [name in 'taker_address' | 'receiver']: string
} & { readonly partnerId: bigint }

const sign = async (typedData: TypedData, key: string): Promise<string> =>
  signDigest(Buffer.from((await hashTypedData(typedData)).slice(2), 'hex'), key)

const SINGLE_TYPES = {
  SingleOrder: typedFields(
    'uint64 partner_id, uint256 expiry, address taker_address, address maker_address, uint256 maker_nonce, address taker_token, address maker_token, uint256 taker_amount, uint256 maker_amount, address receiver, uint256 packed_commands',
  ),
}

/** What the maker of an order signs: src/libs/Order.sol of the settlement. The partner's id is in the middle of the flags. */
export const singleTypedData = (chainId: ChainId, { flags, ...order }: SingleOrder): TypedData => ({
  domain: { name: 'BebopSettlement', version: '2', chainId, verifyingContract: SETTLEMENT },
  types: SINGLE_TYPES,
  primaryType: 'SingleOrder',
  message: digits({ partner_id: BigInt.asUintN(64, flags >> 64n), ...order }),
})

/** A maker's order and its signature, as calldata. */
const makerCall = async (desk: Desk, { partnerId, ...terms }: Terms): Promise<Hex> => {
  const own = { maker_address: MAKER.address, maker_nonce: numberOf(desk), packed_commands: 0n }
  const flags = (BigInt.asUintN(128, numberOf(desk)) << 128n) | (partnerId << 64n)
  const order = { ...terms, ...own, flags } as SingleOrder
  const signatureBytes = await sign(singleTypedData(desk.network.chainId, order), MAKER.key)
  return encodeCall(SINGLE_ABI, 'swapSingle', [order, { signatureBytes, flags: 0n }, 0n])
}

type Routed = { readonly limit: bigint; readonly pair: Pair; readonly isForged: boolean }

/** The call of the router. `limit`: the guaranteed output. */
const routerCall = async (desk: Desk, terms: Terms, { limit, pair, isForged }: Routed): Promise<Hex> => {
  const [pmmFromToken, pmmToToken] = [pair.sell, pair.buy].map(({ isNative, address }) => (isNative ? wrapped(desk) : address))
  const { taker_amount: sold, maker_amount: toAmount, taker_address: tokensOwner, receiver, expiry } = terms
  const none = { originAddress: ZERO_EVM_ADDRESS, oracle: ZERO_EVM_ADDRESS, checker: ZERO_EVM_ADDRESS, unsignedFlags: 0n }
  const order = {
    ...{ fromAmount: sold, toAmount, limitAmount: limit, fromToken: terms.taker_token, toToken: terms.maker_token },
    ...{ pmmFromToken, pmmToToken, tokensOwner, receiver, info: expiry << 64n, routerNonce: numberOf(desk), ...none },
  } as RouterOrder
  const extraInfo = '0x01'
  const typedData = await routerTypedData(desk.network.chainId, order, { extraInfo, hooks: [] })
  const signature = await sign(typedData, isForged ? MAKER.key : ROUTER_SIGNER.key)
  const tokens = { taker_token: order.pmmFromToken, maker_token: order.pmmToToken }
  const makers = await makerCall(desk, { ...terms, ...tokens, taker_address: ROUTER, receiver: ROUTER })
  return encodeCall(ROUTER_ABI, 'swap', [sold, order, extraInfo, signature, makers, []])
}

const wrapped = ({ world, network }: Desk): string => {
  const native = world.tokens.native(network.chainId)
  const token = world.tokens.all.find(({ chainId, symbol }) => chainId === network.chainId && symbol === `W${native.symbol}`)
  if (!token) throw refusing(105, 'TokenNotSupported')
  return token.address
}

const STOCKED_TIMES = 50n

/** The settlement holds what makers pay, and the contract of a wrapped coin its coins. */
const stockUp = async (desk: Desk, token: string, amount: bigint): Promise<void> => {
  const { world, network, stock } = desk
  const left = (stock.get(token) ?? 0n) - amount
  stock.set(token, left < 0n ? amount * STOCKED_TIMES : left)
  if (left >= 0n) return
  const grant = { chainId: network.chainId, amount: amount * (STOCKED_TIMES + 1n) }
  await world.evm.fund({ ...grant, token, holder: SETTLEMENT })
  if (token === wrapped(desk)) await world.evm.fund({ ...grant, token: NATIVE, holder: token })
}

/** The router sells most pairs; the settlement itself sells pairs of DAI, by firm orders. */
const isByRouter = ({ sell, buy }: Pair): boolean => sell.isNative || buy.isNative || ![sell.symbol, buy.symbol].includes('DAI')

/** GET /pmm/{chain}/v3/quote */
export const answerRfqQuote = async (desk: Desk, sent: SimRequest): Promise<SimResponse> => {
  const quote = startQuote(desk, sent, 102)
  const { sell, buy, sold, feeBps, taker, isGasless, isPartner, pair, takes } = quote
  if (isGasless || (feeBps > 0n && !isPartner)) throw refusing(101, 'InvalidApiRequest')
  const gross = quote.gross(0n)
  const amount = gross - shareOf(gross, feeBps)
  const isRouted = isByRouter(pair)
  const minimum = isRouted ? minimumOf(amount, quote.slippageBps) : amount
  const altered = quote.terms(minimum, isRouted ? ROUTER : SETTLEMENT)
  const terms = {
    ...{ taker_address: taker, receiver: altered.recipient, expiry: BigInt(quote.expiry), taker_amount: altered.amount },
    ...{ taker_token: sell as Address, maker_token: buy as Address, partnerId: isPartner ? PARTNER_ID : 0n },
  }
  const data = isRouted
    ? await routerCall(
        desk,
        { ...terms, maker_amount: amount },
        { limit: altered.minimum, pair, isForged: takes('bad-signature') },
      )
    : await makerCall(desk, { ...terms, maker_amount: altered.minimum })
  await stockUp(desk, pair.buy.isNative ? wrapped(desk) : buy, amount)
  const value = pair.sell.isNative ? `0x${sold.toString(16)}` : '0x0'
  const [to, gas] = [altered.contract, isRouted ? 391_793 : 102_000]
  const rest = { status: 'SIG_SUCCESS', settlementAddress: to, approvalTarget: to, tx: { to, value, data, from: taker, gas } }
  return quote.answer(`121-${numberOf(desk)}`, amount, minimum, rest)
}
