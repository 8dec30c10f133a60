import { bytesToHex } from '@noble/hashes/utils.js'
import { allowanceOf, balanceOf, isAcceptedBy } from '../../kit/chainReads.ts'
import { takeSettlementFault } from '../../kit/fate.ts'
import * as fields from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { found, ok, orRefused, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimTransaction } from '../../kit/simVenue.ts'
import { signerOf } from '../../kit/typedHash.ts'
import { type Book, ETH_FLOW, orderDigest, RELAYER, type SimOrder, saleOf, uidOf } from './book.ts'
import { ADDRESS, BALANCES, HASH, pairOf, priceOf, readDocument, refuseField, SCHEME, SECONDS, TEXT, U256 } from './quotes.ts'
import { type Placement, readEthFlow, refund, settleOrder, settleShort } from './settlement.ts'

const FIELDS = {
  required: {
    ...fields.each(ADDRESS, 'sellToken', 'buyToken', 'receiver', 'from'),
    ...fields.each(U256, 'sellAmount', 'buyAmount'),
    ...{ feeAmount: fields.oneOf('0'), kind: fields.oneOf('sell'), partiallyFillable: fields.flag, validTo: SECONDS },
    ...{ appData: TEXT, signingScheme: SCHEME, signature: fields.matching('hex bytes', /^0x([0-9a-fA-F]{2})*$/) },
  },
  optional: { ...BALANCES, quoteId: fields.nullable(fields.integer(0, 2 ** 53)), appDataHash: HASH },
}
const readCreation = (body: unknown) => fields.readFields(body, FIELDS, refuseField)

const VALID_AT_LEAST_S = 60

/** Until the order settles: `open` in the auction, then `executing`. In ms of its age. */
const EXECUTING_AFTER_MS = 10_000
const SETTLED_AFTER_MS = 14_000
/** The next auction for an order that was not settled in one; old orders have fewer. */
const AUCTION_MS = 12_000
const AGE_PER_AUCTION = 4

/** From the transaction to the order book. */
const INDEXING_MS = 3_000
/** Coins return without a call after this time, from orders with a minimum so many basis points below the quote. */
const REFUND_AFTER_MS = 5 * 60_000
const SELF_REFUND_SLIPPAGE_BPS = 190n

const endOf = ({ data, ethFlow }: SimOrder): number => (ethFlow?.userValidTo ?? data.validTo) * 1_000

/** Fills when the market still gives the signed minimum after all fees; else the order waits. */
const fillAtMarket = async (book: Book, order: SimOrder): Promise<SimOrder['outcome']> => {
  const { sellToken, buyToken, sellAmount, buyAmount } = order.data
  const price = orRefused(() => priceOf(book, pairOf(book, sellToken, buyToken), 'sell', sellAmount))
  if (!price || !order.appData) return null
  const delivered = price.buyAmount - (price.gross * order.appData.partnerFeeBps) / 10_000n
  return delivered >= buyAmount ? settleOrder(book, order, delivered) : null
}

const settle = async (book: Book, order: SimOrder): Promise<SimOrder['outcome']> => {
  const { buyAmount } = order.data
  order.fate ??= takeSettlementFault(book.world.faults, 'cow')
  switch (order.fate) {
    case 'fails':
      return { status: 'cancelled' }
    case 'never-fills':
      return null
    case 'lying-success':
      return { status: 'fulfilled', buyAmount, txHash: `0x${book.world.random.hex(64)}` }
    case 'short-fill':
      return settleShort(book, order, buyAmount / 2n)
    case null:
      return fillAtMarket(book, order)
  }
}

/** One auction. An order that was not settled stays open, and the first failure is reported. */
const auction = async (book: Book, order: SimOrder): Promise<void> => {
  const { world, network } = book
  const now = world.clock.now()
  if (order.outcome || now > endOf(order)) return
  try {
    order.outcome = await settle(book, order)
  } catch (error) {
    if (order.hasFailed) return
    order.hasFailed = true
    throw new Error(`order ${order.uid} of ${network.path} was not settled: ${error}`, { cause: error })
  } finally {
    const waitMs = Math.max(AUCTION_MS, Math.floor((now - order.createdAt) / AGE_PER_AUCTION))
    if (!order.outcome) world.schedule.at(now + waitMs, () => auction(book, order))
  }
}

const openOrder = (book: Book, placed: Omit<SimOrder, 'fate' | 'outcome' | 'hasFailed'>): SimOrder => {
  const { world, orders } = book
  const order: SimOrder = { ...placed, fate: takeSettlementFault(world.faults, 'cow'), outcome: null, hasFailed: false }
  orders.set(placed.uid, order)
  if (!placed.ethFlow?.placementError) world.schedule.at(placed.createdAt + SETTLED_AFTER_MS, () => auction(book, order))
  return order
}

/** In the server's order: filled, invalidated, expired, open. */
export const statusOf = ({ world }: Book, order: SimOrder): string =>
  order.outcome?.status ?? (world.clock.now() > endOf(order) ? 'expired' : 'open')

export const phaseOf = ({ world }: Book, { outcome, createdAt }: SimOrder): string => {
  if (outcome) return outcome.status === 'fulfilled' ? 'traded' : 'cancelled'
  const age = world.clock.now() - createdAt
  return age >= EXECUTING_AFTER_MS && age < SETTLED_AFTER_MS ? 'executing' : 'open'
}

/** Refuses a signature of somebody else, and an order without funds or allowance. */
const checkOwner = async ({ world, network }: Book, creation: ReturnType<typeof readCreation>, digest: Uint8Array) => {
  const { from: owner, signingScheme, signature, sellToken: token, sellAmount } = creation
  const { chainId } = network
  if (signingScheme === 'eip1271') {
    const isAccepted = await isAcceptedBy(world, chainId, owner, `0x${bytesToHex(digest)}`, signature)
    refuseIf(!isAccepted, 'InvalidEip1271Signature', 'the contract does not accept the signature')
  } else {
    const signer = found(signerOf(digest, signature), 'InvalidSignature', 'invalid signature')
    refuseIf(signer !== owner, 'WrongOwner', `recovered signer ${signer} from signature but expected ${owner}`)
  }
  // A book without a chain beside it takes every order as covered.
  const balance = (await balanceOf(world, { chainId, token, owner })) ?? sellAmount
  refuseIf(balance < sellAmount, 'InsufficientBalance', 'order owner must have funds worth at least x in his account')
  const allowance = (await allowanceOf(world, { chainId, token, owner }, RELAYER)) ?? sellAmount
  refuseIf(allowance < sellAmount, 'InsufficientAllowance', 'order owner must give allowance to VaultRelayer')
}

/** POST /api/v1/orders. */
export const placeOrder = async (book: Book, { body, path }: SimRequest): Promise<SimResponse> => {
  const { clock, faults } = book.world
  const creation = readCreation(body)
  const { sellToken, buyToken, sellAmount, buyAmount, validTo, quoteId = null, signingScheme, signature, from: owner } = creation
  const isOther = creation.partiallyFillable || sellAmount === 0n || buyAmount === 0n
  refuseIf(isOther, 'UnsupportedOrderType', 'only fill-or-kill sales are simulated')
  refuseIf(validTo < clock.now() / 1_000 + VALID_AT_LEAST_S, 'InsufficientValidTo', 'validTo is not far enough in the future')
  pairOf(book, sellToken, buyToken)
  const appData = readDocument(creation.appData, creation.appDataHash)
  const data = { sellToken, buyToken, receiver: creation.receiver, sellAmount, buyAmount, validTo, appData: appData.hash }
  const digest = orderDigest(book.network.chainId, data)
  const isOfQuote = quoteId === null || book.quotes.get(quoteId)?.of === saleOf(data)
  refuseIf(!isOfQuote, 'QuoteNotFound', 'no quote of that id is for this order')
  await checkOwner(book, creation, digest)
  const uid = uidOf(digest, owner, validTo)
  refuseIf(book.orders.has(uid), 'DuplicatedOrder', 'order already exists')
  openOrder(book, { uid, data, owner, appData, signingScheme, signature, createdAt: clock.now(), ethFlow: null })
  return ok(takesFor(faults, 'cow', path)('bad-signature') ? `0x${'b'.repeat(64)}${uid.slice(66)}` : uid, 201)
}

const placeByEthFlow = (book: Book, { data, sender, quoteId, userValidTo }: Placement): void => {
  const owner = ETH_FLOW
  const quote = book.quotes.get(Number(quoteId))
  const appData = book.documents.get(data.appData) ?? null
  const slippageBps = quote ? ((quote.buyAmount - data.buyAmount) * 10_000n) / quote.buyAmount : 0n
  const placementError = quote?.of !== saleOf(data) ? 'QuoteNotFound' : appData ? null : 'PreValidationError'
  const order = openOrder(book, {
    uid: uidOf(orderDigest(book.network.chainId, data), owner, data.validTo),
    ...{ data, owner, appData, signingScheme: 'eip1271', signature: owner },
    createdAt: book.world.clock.now() + INDEXING_MS,
    ethFlow: { sender, userValidTo, quoteId, placementError, refundTxHash: null },
  })
  if (slippageBps >= SELF_REFUND_SLIPPAGE_BPS) book.world.schedule.at(endOf(order) + REFUND_AFTER_MS, () => refund(book, order))
}

/** Follows the orders that EthFlow placed or ended in a transaction. True when there are any. */
export const followEthFlow = (book: Book, { logs = [], txHash }: SimTransaction): boolean => {
  const { placed, ended } = readEthFlow(logs)
  for (const placement of placed) placeByEthFlow(book, placement)
  for (const order of ended.map((uid) => book.orders.get(uid))) {
    if (!order?.ethFlow) continue
    order.ethFlow.refundTxHash = txHash
    // Before its end, by its owner.
    if (endOf(order) >= book.world.clock.now()) order.outcome ??= { status: 'cancelled' }
  }
  return placed.length + ended.length > 0
}
