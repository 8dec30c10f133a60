import { bytesToHex } from '@noble/hashes/utils.js'
import { each, flag, integer, nullable, oneOf, readFields } from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { resolveAppData } from './appData.ts'
import { type Book, isQuoteOf } from './book.ts'
import { type OrderData, orderDigest, recoverSigner, uidOf } from './digest.ts'
import { ADDRESS, COMMON, HASH, HEX, PAIR, SCHEME, SECONDS, TEXT, U256 } from './fieldTypes.ts'
import { openOrder } from './lifecycle.ts'
import { ZERO_ADDRESS } from './networks.ts'
import { isContractSignature, lacksAllowance, lacksBalance } from './onChain.ts'
import { pairOf } from './pricing.ts'
import { demandValidTo, ORDER_VALID_AT_MOST_S, requireErc20 } from './quotes.ts'
import { refuseField } from './refusal.ts'

const FIELDS = {
  required: {
    ...PAIR,
    ...each(U256, 'sellAmount', 'buyAmount', 'feeAmount'),
    validTo: SECONDS,
    kind: oneOf('sell', 'buy'),
    partiallyFillable: flag,
    signingScheme: SCHEME,
    signature: HEX,
    appData: TEXT,
  },
  optional: {
    ...COMMON,
    from: nullable(ADDRESS),
    quoteId: nullable(integer(0, Number.MAX_SAFE_INTEGER)),
    appDataHash: nullable(HASH),
    fullBalanceCheck: flag,
  },
}

const readCreation = (body: unknown) => readFields(body, FIELDS, refuseField)
type Creation = ReturnType<typeof readCreation>

const checkTerms = (book: Book, creation: Creation): void => {
  const { kind, partiallyFillable, feeAmount, sellAmount, buyAmount } = creation
  const isOther = kind !== 'sell' || partiallyFillable
  refuseIf(isOther, 'UnsupportedOrderType', 'only fill-or-kill sell orders are simulated')
  refuseIf(feeAmount !== 0n, 'NonZeroFee', 'the signed fee must be zero')
  refuseIf(sellAmount === 0n || buyAmount === 0n, 'ZeroAmount', 'buy or sell amount is zero')
  requireErc20(creation)
  demandValidTo(book, creation.validTo, ORDER_VALID_AT_MOST_S)
  pairOf(book, creation.sellToken, creation.buyToken)
}

/** A quote id must be known, and be of the same tokens and amount. */
const checkQuote = ({ quotes }: Book, creation: Creation): void => {
  const { quoteId = null } = creation
  if (quoteId === null) return
  const quote = found(quotes.get(quoteId), 'QuoteNotFound', 'no quote of that id')
  refuseIf(!isQuoteOf(quote, creation), 'InvalidQuote', 'the quote is for another order')
}

const ownerOf = async (book: Book, { signingScheme, signature, from }: Creation, digest: Uint8Array): Promise<string> => {
  if (signingScheme === 'eip1271') {
    if (!from) throw new Refusal('MissingFrom', 'this signing scheme needs from')
    const isAccepted = await isContractSignature(book, from, `0x${bytesToHex(digest)}`, signature)
    refuseIf(!isAccepted, 'InvalidEip1271Signature', 'the contract does not accept the signature')
    return from
  }
  const signer = found(recoverSigner(digest, signature), 'InvalidSignature', 'invalid signature')
  refuseIf(Boolean(from) && signer !== from, 'WrongOwner', `recovered signer ${signer} from signature but expected ${from}`)
  return signer
}

const checkCover = async (book: Book, { sellToken, sellAmount }: Creation, owner: string): Promise<void> => {
  const isPoor = await lacksBalance(book, sellToken, owner, sellAmount)
  refuseIf(isPoor, 'InsufficientBalance', 'order owner must have funds worth at least x in his account')
  const isUnallowed = await lacksAllowance(book, sellToken, owner, sellAmount)
  refuseIf(isUnallowed, 'InsufficientAllowance', 'order owner must give allowance to VaultRelayer')
}

/** POST /api/v1/orders. */
export const placeOrder = async (book: Book, { body, path }: SimRequest): Promise<SimResponse> => {
  const { clock, faults } = book.world
  const creation = readCreation(body)
  checkTerms(book, creation)
  const appData = resolveAppData(book, creation.appData, creation.appDataHash)
  const { sellToken, buyToken, sellAmount, buyAmount, validTo, feeAmount, partiallyFillable } = creation
  const receiver = creation.receiver ?? ZERO_ADDRESS
  const tokens = { sellToken, buyToken, receiver, sellAmount, buyAmount }
  const data: OrderData = { ...tokens, validTo, appData: appData.hash, feeAmount, partiallyFillable }
  const digest = orderDigest(book.network.chainId, data)
  const owner = await ownerOf(book, creation, digest)
  checkQuote(book, creation)
  await checkCover(book, creation, owner)
  const uid = uidOf(digest, owner, validTo)
  refuseIf(book.orders.has(uid), 'DuplicatedOrder', 'order already exists')
  const { signingScheme, signature } = creation
  openOrder(book, { uid, data, owner, appData, signingScheme, signature, createdAt: clock.now(), ethFlow: null })
  return ok(takesFor(faults, 'cow', path)('bad-signature') ? `0x${'b'.repeat(64)}${uid.slice(66)}` : uid, 201)
}
