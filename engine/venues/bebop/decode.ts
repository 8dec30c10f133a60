import type { CallOf } from '../../chains/evm/abiFields.ts'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, NATIVE } from '../../core/asset.ts'
import { isChainId, isEvmChainId } from '../../core/chain.ts'
import type { Execution, Hex, PayloadClaims, SignaturePayload, TransactionPayload } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressIn, assetIn, isSameAddress } from '../kit/addresses.ts'
import { wrappedNative } from '../kit/spokePools.ts'
import { rejected } from '../venueError.ts'
import { feeOf, isJam, readMessage, readPartnerInfo } from './jamOrder.ts'
import { type MakerOrder, readMakerOrder } from './makerOrder.ts'
import { BALANCE_MANAGER, NO_HOOKS, ROUTER_ABI } from './protocol.ts'
import type { PinnedOn } from './published.ts'
import { expiryOf, isHarmless, routerSignerOf } from './routerOrder.ts'
import type { RouterSigners } from './signers.ts'
import { type Evidence, evidenceShape } from './wire.ts'

/** The item of a list of one; null for any other list. */
const only = <T>(items: readonly T[]): T | null => (items.length === 1 ? (items[0] ?? null) : null)

const FAR_S = 0xffffffffffn

/** A deadline that never ends becomes a far one, later than any limit. */
const atMs = (seconds: bigint): number => Number(seconds < FAR_S ? seconds : FAR_S) * 1_000

type Said = Pick<PayloadClaims, 'chainId' | 'pays' | 'fee' | 'deadlineAt'> & {
  readonly spender: Address
  readonly sold: readonly [token: string, amount: bigint]
  readonly bought: readonly [token: string, minimum: bigint]
  readonly receiver: string
}

/** The pinned contracts, and the signers of routers. */
export type DecodePorts = { readonly pinned: PinnedOn; readonly signers: RouterSigners }

type Call = TransactionPayload['transaction']

/** The contract that takes the input pays the output in the same transaction. Before that no money moves. */
const claimsOf = ({ sold, bought, receiver, ...said }: Said, checks: { readonly [name: string]: boolean }): PayloadClaims => {
  const assetOf = (text: string, what: string): Asset => assetIn(said.chainId, text.toLowerCase(), what)
  const recipient = addressIn(said.chainId, receiver.toLowerCase(), 'the receiver')
  const input = assetOf(sold[0], 'the sold token')
  return {
    ...said,
    spender: isNative(input) ? null : said.spender,
    input: { asset: input, amount: sold[1] },
    output: { asset: assetOf(bought[0], 'the bought token'), minimum: bought[1] },
    recipient,
    refundTo: null,
    nativeFee: 0n,
    unread: failing({ ...checks, receiver: recipient !== ZERO_EVM_ADDRESS }),
  }
}

/** src/JamSettlement.sol: the balance manager takes the input; the receiver gets the signed amount or more, net of both fees. */
const decodeSignature = (payload: SignaturePayload, { taker }: Evidence, pinned: PinnedOn): PayloadClaims => {
  const { typedData, approvalData, chainId: stated } = payload
  const { chainId, verifyingContract } = typedData.domain
  if (!verifyingContract || chainId === undefined || !isChainId(chainId))
    throw rejected('domain', 'the domain names no chain or contract')
  const order = readMessage(typedData)
  const pays = addressIn(chainId, verifyingContract.toLowerCase(), 'the contract')
  const [, manager = null] = pinned(chainId).jam.find(([settlement]) => settlement === pays) ?? []
  const [sellToken, buyToken] = [only(order.sellTokens), only(order.buyTokens)]
  const [sellAmount, buyAmount] = [only(order.sellAmounts), only(order.buyAmounts)]
  const partner = readPartnerInfo(BigInt(order.partnerInfo))
  if (sellToken === null || buyToken === null || sellAmount === null || buyAmount === null || partner === null)
    throw rejected('order', 'not an order of one token for one other')
  return claimsOf(
    {
      ...{ chainId, pays, spender: manager ?? BALANCE_MANAGER, fee: feeOf(partner), deadlineAt: atMs(BigInt(order.expiry)) },
      sold: [sellToken, BigInt(sellAmount)],
      bought: [buyToken, BigInt(buyAmount)],
      receiver: order.receiver,
    },
    {
      'domain and types': isJam(typedData),
      verifyingContract: manager !== null,
      chainId: chainId === stated,
      taker: isSameAddress(order.taker, taker),
      sellToken: !isSameAddress(sellToken, NATIVE),
      // An order without hooks runs none.
      hooksHash: order.hooksHash === NO_HOOKS,
      nonce: BigInt(order.nonce) > 0n,
      approvalData: approvalData === null,
    },
  )
}

/** The venue keeps its partners' fees off chain: the bytes of a call show the net price, and no fee. */
const FEE_OFF_CHAIN = 'unproved'

/** A documented limit: orders in which makers pay in several parts each, or transfer a token to one another. */
const SEVERAL_LEGS = 'several legs'
export const isLimit = (problem: string): boolean => problem === SEVERAL_LEGS

const unreadChecks = (unread: readonly string[]) => Object.fromEntries(unread.map((part) => [part, false]))

/**
 * Firm: the maker signed the amount that it pays. For an order with a partner id the contract takes a fee that no byte states:
 * anyone may register a free id with any fee. src/base/BebopPartner.sol
 */
const decodeSettlement = ({ chainId, to: pays }: Call, order: MakerOrder, taker: Address): PayloadClaims => {
  const { takerAmount, makerAmount, filledTakerAmount, makerToken, takerToken, receiver, isPaidInCoins } = order
  return claimsOf(
    {
      ...{ chainId, pays, spender: pays, fee: FEE_OFF_CHAIN, deadlineAt: atMs(order.expiry), receiver },
      sold: [isPaidInCoins ? NATIVE : takerToken, takerAmount],
      bought: [makerToken, makerAmount],
    },
    {
      ...unreadChecks(order.unread),
      taker: order.taker === taker,
      partner: order.partnerId === 0n,
      [SEVERAL_LEGS]: order.legs !== null,
      filledTakerAmount: filledTakerAmount === 0n || filledTakerAmount === takerAmount,
      coins: takerToken !== NATIVE && makerToken !== NATIVE && (!isPaidInCoins || takerToken === wrappedNative(chainId)),
    },
  )
}

type RouterCall = CallOf<typeof ROUTER_ABI> & { readonly inner: MakerOrder }

const readRouterCall = async (data: Hex): Promise<RouterCall | null> => {
  const call = await readNamedCall(ROUTER_ABI, data)
  if (call === null) return null
  const inner = await readMakerOrder(call.bebopPmmCalldata)
  if (inner === null) throw rejected('makerCall', 'the router is handed no order of a maker', call.bebopPmmCalldata.slice(0, 10))
  return { ...call, inner }
}

/**
 * The receiver gets the router's whole balance, at least `limitAmount` where that is positive. With zero, the fee of `checker`
 * and the slippage of `oracle` have no bound: such an order is rejected.
 */
const decodeRouter = async (
  { chainId, to: router }: Call,
  call: RouterCall,
  { taker, signers }: { readonly taker: Address; readonly signers: RouterSigners },
): Promise<PayloadClaims> => {
  const { order, inner, exactAmount, extraInfo, hooks, routerSignature: signature } = call
  const plainOf = (token: Address): Address | null => (token === NATIVE ? wrappedNative(chainId) : token)
  const signedBy = await routerSignerOf(chainId, order, { extraInfo, hooks, signature, router })
  const deadlineAt = Math.min(atMs(inner.expiry), atMs(expiryOf(order)))
  const { receiver, fromToken, fromAmount, toToken, limitAmount } = order
  return claimsOf(
    {
      ...{ chainId, pays: router, spender: router, fee: FEE_OFF_CHAIN, deadlineAt, receiver },
      sold: [fromToken, fromAmount],
      bought: [toToken, limitAmount],
    },
    {
      ...unreadChecks(inner.unread),
      signer: isEvmChainId(chainId) && (await signers.signs({ chainId, address: router }, signedBy)),
      exactAmount: exactAmount === fromAmount && exactAmount > 0n,
      limitAmount: limitAmount > 0n,
      tokensOwner: order.tokensOwner === ZERO_EVM_ADDRESS || order.tokensOwner === taker,
      originAddress: order.originAddress === ZERO_EVM_ADDRESS || order.originAddress === taker,
      hooks: hooks.every((hook) => isHarmless(hook, order)),
      routerNonce: order.routerNonce > 0n,
      unsignedFlags: order.unsignedFlags === 0n,
      pmmFromToken: order.pmmFromToken === plainOf(fromToken) && inner.takerToken === order.pmmFromToken,
      pmmToToken: order.pmmToToken === plainOf(toToken) && inner.makerToken === order.pmmToToken,
      // The contract fills the maker within the maker's own order.
      'maker amounts': inner.takerAmount === fromAmount && inner.makerAmount >= limitAmount,
      'maker coins': !inner.isPaidInCoins,
      'maker taker': inner.taker === router && inner.receiver === router,
    },
  )
}

const HEX = /^0x([0-9a-fA-F]{2})*$/

const decodeTransaction = async (
  { transaction }: TransactionPayload,
  evidence: Evidence,
  { pinned, signers }: DecodePorts,
): Promise<PayloadClaims> => {
  const { chainId, to, data: sent } = transaction
  if (!HEX.test(sent)) throw rejected('calldata', 'the calldata is not hex', sent)
  const data = sent.toLowerCase() as Hex
  const taker = addressIn(chainId, evidence.taker.toLowerCase(), 'the taker')
  const router = pinned(chainId).routers.includes(to) ? await readRouterCall(data) : null
  if (router !== null) return decodeRouter(transaction, router, { taker, signers })
  const makers = pinned(chainId).settlements.includes(to) ? await readMakerOrder(data) : null
  if (makers === null) throw rejected('call', 'the call is none of those that are read', `${to} ${data.slice(0, 10)}`)
  return decodeSettlement(transaction, makers, taker)
}

/** The effect of a payload of this venue, by its own bytes. */
export const decode = async (
  { payload, evidence: words }: Pick<Execution, 'payload' | 'evidence'>,
  ports: DecodePorts,
): Promise<PayloadClaims> => {
  const evidence = evidenceShape.read(words)
  if (payload.executionType === 'SIGNATURE') return decodeSignature(payload, evidence, ports.pinned)
  if (payload.executionType === 'TRANSACTION') return decodeTransaction(payload, evidence, ports)
  throw rejected('executionType', 'this venue takes no deposits')
}
