import type { CallOf } from '../../chains/evm/abiFields.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { type ChainId, isChainId } from '../../core/chain.ts'
import type {
  Execution,
  Hex,
  PayloadClaims,
  SignaturePayload,
  TransactionPayload,
  TypedData,
  WalletTransaction,
} from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressIn, assetIn } from '../kit/addresses.ts'
import { VenueError } from '../venueError.ts'
import { ROUTER_ABI, readCall } from './abi.ts'
import { feeOf, JAM_DOMAIN_NAME, JAM_DOMAIN_VERSION, JAM_ORDER_FIELDS, readMessage, readPartnerInfo } from './jamOrder.ts'
import { type MakerOrder, readMakerOrder } from './makerOrder.ts'
import { BALANCE_MANAGER, JAM_SETTLEMENT, ROUTER, type RouterSigners, SETTLEMENT, wrappedOf } from './published.ts'
import { expiryOf, isHarmless, routerSignerOf } from './routerOrder.ts'
import { type Evidence, evidenceShape } from './wire.ts'

const bad = (what: string): VenueError => new VenueError('badResponse', what)

const NO_HOOKS = `0x${'0'.repeat(64)}`

const hasJamType = ({ types, primaryType }: TypedData): boolean => {
  const fields = types['JamOrder'] ?? []
  const isSame =
    fields.length === JAM_ORDER_FIELDS.length &&
    JAM_ORDER_FIELDS.every(({ name, type }, i) => fields[i]?.name === name && fields[i].type === type)
  return primaryType === 'JamOrder' && Object.keys(types).length === 1 && isSame
}

/** Of a list of one; null of any other. */
const only = <T>(items: readonly T[]): T | null => (items.length === 1 ? (items[0] ?? null) : null)

const FAR_S = 0xffffffffffn

/** What never ends is told as what ends later than anything may. */
const atMs = (seconds: bigint): number => Number(seconds < FAR_S ? seconds : FAR_S) * 1_000

/** src/JamSettlement.sol: takes the input by the balance manager, and pays the receiver the signed amount at least, net of both fees. */
const decodeSignature = (payload: SignaturePayload, { taker }: Evidence): PayloadClaims => {
  const { typedData, approvalData, chainId: stated } = payload
  const { name, version, chainId, verifyingContract, ...otherDomain } = typedData.domain
  if (!verifyingContract || chainId === undefined || !isChainId(chainId)) throw bad('the domain names no chain or contract')
  const order = readMessage(typedData)
  const pays = addressIn(chainId, verifyingContract.toLowerCase(), 'the contract')
  const [sellToken, buyToken] = [only(order.sellTokens), only(order.buyTokens)]
  const [sellAmount, buyAmount] = [only(order.sellAmounts), only(order.buyAmounts)]
  const partner = readPartnerInfo(BigInt(order.partnerInfo))
  if (sellToken === null || buyToken === null || sellAmount === null || buyAmount === null || partner === null)
    throw bad('not an order of one token for one other')
  const recipient = addressIn(chainId, order.receiver.toLowerCase(), 'the receiver')
  const asset = (text: string, what: string): Asset => assetIn(chainId, text.toLowerCase(), what)
  const input = asset(sellToken, 'the sold token')
  return {
    chainId,
    pays,
    spender: BALANCE_MANAGER,
    input: { asset: input, amount: BigInt(sellAmount) },
    output: { asset: asset(buyToken, 'the bought token'), minimum: BigInt(buyAmount) },
    recipient,
    // A signed order moves nothing until it is filled.
    refundTo: null,
    fee: feeOf(partner),
    nativeFee: 0n,
    deadlineAt: atMs(BigInt(order.expiry)),
    unread: failing({
      domain: name === JAM_DOMAIN_NAME && version === JAM_DOMAIN_VERSION && Object.keys(otherDomain).length === 0,
      verifyingContract: pays === JAM_SETTLEMENT,
      chainId: chainId === stated,
      types: hasJamType(typedData),
      taker: order.taker.toLowerCase() === taker.toLowerCase(),
      receiver: recipient !== ZERO_EVM_ADDRESS,
      sellToken: !isNative(input),
      // An order that names no hook runs none.
      hooksHash: order.hooksHash === NO_HOOKS,
      nonce: BigInt(order.nonce) > 0n,
      approvalData: approvalData === null,
    }),
  }
}

/** What both contracts that a wallet calls itself have in common. */
const claimsOf = (chainId: ChainId, call: Call): PayloadClaims => ({
  chainId,
  pays: call.pays,
  spender: isNative(call.input) ? null : call.pays,
  input: { asset: call.input, amount: call.amount },
  output: { asset: call.output, minimum: call.minimum },
  recipient: call.recipient,
  // One transaction takes the input and pays the output.
  refundTo: null,
  // The venue keeps account of its partners' fees off chain: the bytes show the price that is left, and no fee.
  fee: 'unproved',
  nativeFee: 0n,
  deadlineAt: call.deadlineAt,
  unread: failing({ ...call.checks, receiver: call.recipient !== ZERO_EVM_ADDRESS }),
})

type Call = {
  readonly pays: Address
  readonly input: Asset
  readonly amount: bigint
  readonly output: Asset
  readonly minimum: bigint
  readonly recipient: Address
  readonly deadlineAt: number
  readonly checks: { readonly [name: string]: boolean }
}

const unreadChecks = (unread: readonly string[]) => Object.fromEntries(unread.map((part) => [part, false]))

/**
 * Firm: the maker signed for what it pays. Of an order with a partner's id the contract takes a fee besides that no byte tells of:
 * anyone may register an id that nobody has, with whatever fee. src/base/BebopPartner.sol
 */
const decodeSettlement = (chainId: ChainId, order: MakerOrder, taker: Address): PayloadClaims => {
  const { takerAmount, filledTakerAmount, makerToken, takerToken } = order
  const assets = { input: assetIn(chainId, takerToken, 'taker_token'), output: assetIn(chainId, makerToken, 'maker_token') }
  return claimsOf(chainId, {
    pays: SETTLEMENT,
    ...assets,
    amount: takerAmount,
    minimum: order.makerAmount,
    recipient: order.receiver,
    deadlineAt: atMs(order.expiry),
    checks: {
      ...unreadChecks(order.unread),
      taker: order.taker === taker,
      partner: order.partnerId === 0n,
      'several makers': order.isOfOneMaker,
      filledTakerAmount: filledTakerAmount === 0n || filledTakerAmount === takerAmount,
      coins: !isNative(assets.input) && !isNative(assets.output),
    },
  })
}

type RouterCall = CallOf<typeof ROUTER_ABI> & { readonly inner: MakerOrder }

const readRouterCall = async (data: Hex): Promise<RouterCall | null> => {
  const call = await readCall(ROUTER_ABI, data)
  if (call === null) return null
  const inner = await readMakerOrder(call.bebopPmmCalldata)
  if (inner === null) throw bad('the router is handed no order of a maker')
  return { ...call, inner }
}

/**
 * The receiver gets all that the router then holds, `limitAmount` at least where that is more than zero. Where it is zero the
 * fee of `checker` and the slippage of `oracle` have no bound: such an order is refused.
 */
const decodeRouter = async (
  chainId: ChainId,
  call: RouterCall,
  { taker, signer }: { readonly taker: Address; readonly signer: Address | null },
): Promise<PayloadClaims> => {
  const { order, inner, exactAmount, extraInfo, hooks, routerSignature: signature } = call
  const wrapped = wrappedOf(chainId)
  const input = assetIn(chainId, order.fromToken, 'fromToken')
  const output = assetIn(chainId, order.toToken, 'toToken')
  const plainOf = (asset: Asset): Address | null => (isNative(asset) ? wrapped : asset.address)
  const signedBy = await routerSignerOf(chainId, order, { extraInfo, hooks, signature })
  return claimsOf(chainId, {
    pays: ROUTER,
    input,
    output,
    amount: order.fromAmount,
    minimum: order.limitAmount,
    recipient: order.receiver,
    deadlineAt: Math.min(atMs(inner.expiry), atMs(expiryOf(order))),
    checks: {
      ...unreadChecks(inner.unread),
      signer: signer !== null && signedBy === signer,
      exactAmount: exactAmount === order.fromAmount && exactAmount > 0n,
      limitAmount: order.limitAmount > 0n,
      tokensOwner: order.tokensOwner === ZERO_EVM_ADDRESS || order.tokensOwner === taker,
      originAddress: order.originAddress === ZERO_EVM_ADDRESS || order.originAddress === taker,
      hooks: hooks.every((hook) => isHarmless(hook, order)),
      routerNonce: order.routerNonce > 0n,
      unsignedFlags: order.unsignedFlags === 0n,
      pmmFromToken: order.pmmFromToken === plainOf(input) && inner.takerToken === order.pmmFromToken,
      pmmToToken: order.pmmToToken === plainOf(output) && inner.makerToken === order.pmmToToken,
      // The contract has the maker filled as far as its own order goes.
      'maker amounts': inner.takerAmount === order.fromAmount && inner.makerAmount >= order.limitAmount,
      'maker taker': inner.taker === ROUTER && inner.receiver === ROUTER,
    },
  })
}

const HEX = /^0x([0-9a-fA-F]{2})*$/

/** A call as it is read: in lower case. */
const bytesOf = ({ data }: WalletTransaction): Hex => {
  if (!HEX.test(data)) throw bad('the calldata is not hex')
  return data.toLowerCase() as Hex
}

const decodeTransaction = async (
  { transaction }: TransactionPayload,
  evidence: Evidence,
  signerOn: RouterSigners,
): Promise<PayloadClaims> => {
  const { chainId, to } = transaction
  const data = bytesOf(transaction)
  const taker = addressIn(chainId, evidence.taker.toLowerCase(), 'the taker')
  const router = to === ROUTER ? await readRouterCall(data) : null
  if (router !== null) return decodeRouter(chainId, router, { taker, signer: signerOn(chainId) })
  const makers = to === SETTLEMENT ? await readMakerOrder(data) : null
  if (makers === null) throw bad('the call is none of those that are read')
  return decodeSettlement(chainId, makers, taker)
}

/** What a payload of this venue would do, from its own bytes. */
export const decode = async (
  { payload, evidence: words }: Pick<Execution, 'payload' | 'evidence'>,
  signerOn: RouterSigners,
): Promise<PayloadClaims> => {
  const evidence = evidenceShape.read(words)
  switch (payload.executionType) {
    case 'SIGNATURE':
      return decodeSignature(payload, evidence)
    case 'TRANSACTION':
      return decodeTransaction(payload, evidence, signerOn)
    case 'DEPOSIT':
      throw bad('this venue takes no deposits')
  }
}
