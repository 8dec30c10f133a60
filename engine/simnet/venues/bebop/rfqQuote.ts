import { callData } from '../../kit/callData.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { digestOf, keccakBytes, signDigest } from '../../kit/typedHash.ts'
import { minimumOf, quoteBody } from './answers.ts'
import { type Desk, expiryOf, grossOf, numberOf, type Pair, pairOf, quoteIdOf, shareOf } from './desk.ts'
import { CONTRACTS, MAKER, NATIVE_MARKER, ROUTER_SIGNER, ZERO_ADDRESS, ZERO_HASH } from './networks.ts'
import { refusing } from './refusal.ts'
import { readQuoteRequest } from './request.ts'

/** contracts/ of bebop-dex/bebop-rfqa and of BebopSettlement: the structs in the order of their words. */
const SINGLE = [
  'struct Single { uint256 expiry; address taker_address; address maker_address; uint256 maker_nonce; address taker_token; address maker_token; uint256 taker_amount; uint256 maker_amount; address receiver; uint256 packed_commands; uint256 flags; }',
  'struct MakerSignature { bytes signatureBytes; uint256 flags; }',
  'function swapSingle(Single order, MakerSignature makerSignature, uint256 filledTakerAmount)',
]
const SWAP = [
  'struct RouterOrder { uint256 fromAmount; uint256 toAmount; int256 limitAmount; address fromToken; address toToken; address pmmFromToken; address pmmToToken; address tokensOwner; address receiver; address originAddress; address oracle; address checker; uint256 info; uint256 routerNonce; uint256 unsignedFlags; }',
  'struct Hook { address targetContract; bytes data; bytes hookSignature; uint256 flags; }',
  'function swap(int256 exactAmount, RouterOrder order, bytes extraInfo, bytes routerSignature, bytes bebopPmmCalldata, Hook[] hooks)',
]
const SINGLE_TYPE =
  'SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)'
const ROUTER_TYPE =
  'BebopRouterOrder(uint256 fromAmount,uint256 toAmount,int256 limitAmount,address fromToken,address toToken,address pmmFromToken,address pmmToToken,address tokensOwner,address receiver,address originAddress,address oracle,address checker,uint256 info,uint256 routerNonce,bytes32 extraInfoHash,bytes32 hooksHash)'

/** Of whoever is known to the venue. */
const PARTNER_ID = 7n

type Terms = {
  readonly taker: string
  readonly receiver: string
  readonly expiry: bigint
  readonly sell: string
  readonly buy: string
  readonly sold: bigint
  readonly bought: bigint
  readonly partnerId: bigint
}

/** A maker's order and its signature, as calldata. */
const makerCall = async (desk: Desk, terms: Terms, filled: bigint): Promise<string> => {
  const order = {
    ...{ expiry: terms.expiry, taker_address: terms.taker, maker_address: MAKER.address, maker_nonce: numberOf(desk) },
    ...{ taker_token: terms.sell, maker_token: terms.buy, taker_amount: terms.sold, maker_amount: terms.bought },
    ...{ receiver: terms.receiver, packed_commands: 0n },
  }
  const domain = { name: 'BebopSettlement', version: '2', chainId: desk.network.chainId, contract: CONTRACTS.settlement }
  const signature = signDigest(digestOf(domain, SINGLE_TYPE, [terms.partnerId, ...Object.values(order)]), MAKER.key)
  const eventId = numberOf(desk) & ((1n << 128n) - 1n)
  const signed = { ...order, flags: (eventId << 128n) | (terms.partnerId << 64n) }
  return callData(SINGLE, [signed, { signatureBytes: signature, flags: 0n }, filled])
}

const EXTRA_INFO = '0x01'

/** The call of the router: `limit` is the least that the receiver is paid. */
const routerCall = async (
  desk: Desk,
  terms: Terms,
  { limit, pair, isForged }: { readonly limit: bigint; readonly pair: Pair; readonly isForged: boolean },
): Promise<string> => {
  const { chainId } = desk.network
  const wrappedOf = (token: Pair['sell']): string => (token.isNative ? wrapped(desk) : token.address)
  const [pmmFromToken, pmmToToken] = [wrappedOf(pair.sell), wrappedOf(pair.buy)]
  const { router } = CONTRACTS
  const inner = { ...terms, taker: router, receiver: router, sell: pmmFromToken, buy: pmmToToken }
  const signed = {
    ...{ fromAmount: terms.sold, toAmount: terms.bought, limitAmount: limit, fromToken: terms.sell, toToken: terms.buy },
    ...{ pmmFromToken, pmmToToken, tokensOwner: terms.taker, receiver: terms.receiver },
    ...{ originAddress: ZERO_ADDRESS, oracle: ZERO_ADDRESS, checker: ZERO_ADDRESS },
    ...{ info: terms.expiry << 64n, routerNonce: numberOf(desk) },
  }
  const domain = { name: 'BebopRouter', version: '1', chainId, contract: router }
  const digest = digestOf(domain, ROUTER_TYPE, [...Object.values(signed), keccakBytes(EXTRA_INFO), ZERO_HASH])
  const signature = signDigest(digest, isForged ? MAKER.key : ROUTER_SIGNER.key)
  const order = { ...signed, unsignedFlags: 0n }
  return callData(SWAP, [terms.sold, order, EXTRA_INFO, signature, await makerCall(desk, inner, 0n), []])
}

const wrapped = ({ world, network }: Desk): string => {
  const native = world.tokens.native(network.chainId)
  const token = world.tokens.all.find(({ chainId, symbol }) => chainId === network.chainId && symbol === `W${native.symbol}`)
  if (!token) throw refusing(105, 'TokenNotSupported: no wrapped coin')
  return token.address
}

/** What a maker pays the settlement holds for it; a wrapped coin is worth what its contract holds. */
const STOCKED_TIMES = 50n

const stockUp = async (desk: Desk, token: string, amount: bigint): Promise<void> => {
  const { world, network, stock } = desk
  const left = (stock.get(token) ?? 0n) - amount
  stock.set(token, left < 0n ? amount * STOCKED_TIMES : left)
  if (left >= 0n) return
  const grant = { chainId: network.chainId, amount: amount * (STOCKED_TIMES + 1n) }
  await world.evm.fund({ ...grant, token, holder: CONTRACTS.settlement })
  if (token === wrapped(desk)) await world.evm.fund({ ...grant, token: NATIVE_MARKER, holder: token })
}

/** Since 2026 most pairs are sold by the router; a few of tokens are still by the settlement itself, and firm. */
const isByRouter = ({ sell, buy }: Pair): boolean => sell.isNative || buy.isNative || ![sell.symbol, buy.symbol].includes('DAI')

const GAS = { router: 391_793, settlement: 102_000 } as const

/** GET /pmm/{chain}/v3/quote */
export const answerRfqQuote = async (desk: Desk, sent: SimRequest): Promise<SimResponse> => {
  const takes = takesFor(desk.world.faults, 'bebop', sent.path)
  if (takes('halt')) throw refusing(102, 'InsufficientLiquidity')
  const request = readQuoteRequest(sent)
  const { sell, buy, amount, feeBps, taker, receiver, isGasless, isAuthenticated, slippageBps } = request
  if (isGasless) throw refusing(101, sell === NATIVE_MARKER ? 'the native token cannot be sold gasless' : 'not simulated')
  if (feeBps > 0n && !isAuthenticated) throw refusing(101, 'fee needs an authenticated source')
  const pair = pairOf(desk, sell, buy)
  const manner = isByRouter(pair) ? 'router' : 'settlement'
  const gross = grossOf(desk, pair, amount, 0n) * misquotedBy(takes)
  const bought = gross - shareOf(gross, feeBps)
  const minimum = manner === 'router' ? minimumOf(bought, request) : bought
  const expiry = expiryOf(desk, request)
  const contract = CONTRACTS[manner]
  const sides = { origin: desk.network, destination: desk.network }
  const altered = alteredTerms(takes, { recipient: receiver, minimum, amount, contract }, sides)
  const partnerId = isAuthenticated ? PARTNER_ID : 0n
  const parties = { taker, receiver: altered.recipient, partnerId }
  const terms = { ...parties, expiry: BigInt(expiry), sell, buy, sold: altered.amount, bought }
  const limit = slippageBps === null ? 0n : altered.minimum
  const data =
    manner === 'router'
      ? await routerCall(desk, terms, { limit, pair, isForged: takes('bad-signature') })
      : await makerCall(desk, { ...terms, bought: altered.minimum }, 0n)
  const value = pair.sell.isNative ? `0x${amount.toString(16)}` : '0x0'
  await stockUp(desk, pair.buy.isNative ? wrapped(desk) : buy, bought)
  return ok({
    status: 'SIG_SUCCESS',
    ...quoteBody(desk, request, { pair, priced: { amount: bought, minimum }, expiry, quoteId: quoteIdOf(desk) }),
    settlementAddress: altered.contract,
    approvalTarget: altered.contract,
    makers: ['simulated'],
    onchainOrderType: 'SingleOrder',
    partialFillOffset: manner === 'router' ? 0 : 12,
    tx: { to: altered.contract, value, data, from: taker, gas: GAS[manner], gasPrice: 263_945_474 },
  })
}
