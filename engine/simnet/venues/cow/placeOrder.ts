import { bytesToHex } from '@noble/hashes/utils.js'
import { flag, integer, nullable, oneOf, readFields } from '../../kit/fields.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { resolveAppData } from './appData.ts'
import type { Book } from './book.ts'
import { type OrderData, orderDigest, recoverSigner, uidOf } from './digest.ts'
import { ADDRESS, HASH, HEX, SCHEME, TEXT, U256 } from './fieldTypes.ts'
import { openOrder } from './lifecycle.ts'
import { ZERO_ADDRESS } from './networks.ts'
import { coverOf, isContractSignature } from './onChain.ts'
import { pairOf } from './pricing.ts'
import { demandValidTo, requireErc20 } from './quotes.ts'
import { refused, refuseField } from './refusal.ts'

const FIELDS = {
  required: {
    sellToken: ADDRESS,
    buyToken: ADDRESS,
    sellAmount: U256,
    buyAmount: U256,
    validTo: integer(0, 0xffffffff),
    feeAmount: U256,
    kind: oneOf('sell', 'buy'),
    partiallyFillable: flag,
    signingScheme: SCHEME,
    signature: HEX,
    appData: TEXT,
  },
  optional: {
    receiver: nullable(ADDRESS),
    sellTokenBalance: TEXT,
    buyTokenBalance: TEXT,
    from: nullable(ADDRESS),
    quoteId: nullable(integer(0, Number.MAX_SAFE_INTEGER)),
    appDataHash: nullable(HASH),
    fullBalanceCheck: flag,
  },
}

const readCreation = (body: unknown) => readFields(body, FIELDS, refuseField)
type Creation = ReturnType<typeof readCreation>

const VALID_AT_MOST_S = 365 * 24 * 60 * 60

const checkTerms = (world: World, book: Book, creation: Creation): void => {
  if (creation.kind !== 'sell' || creation.partiallyFillable)
    throw refused(400, 'UnsupportedOrderType', 'only fill-or-kill sell orders are simulated')
  if (creation.feeAmount !== 0n) throw refused(400, 'NonZeroFee', 'the signed fee must be zero')
  if (creation.sellAmount === 0n || creation.buyAmount === 0n) throw refused(400, 'ZeroAmount', 'buy or sell amount is zero')
  requireErc20(creation.sellTokenBalance, creation.buyTokenBalance)
  demandValidTo(world, creation.validTo, VALID_AT_MOST_S)
  pairOf(world, book.network, creation.sellToken, creation.buyToken)
}

/** A quote id must be known, and be of the same tokens and amount. */
const checkQuote = ({ quotes }: Book, { quoteId, sellToken, buyToken, sellAmount }: Creation): void => {
  if (quoteId === undefined || quoteId === null) return
  const quote = quotes.get(quoteId)
  if (!quote) throw refused(400, 'QuoteNotFound', 'no quote of that id')
  const isSame = quote.sellToken === sellToken && quote.buyToken === buyToken && quote.amount === sellAmount
  if (quote.kind !== 'sell' || !isSame) throw refused(400, 'InvalidQuote', 'the quote is for another order')
}

const ownerOf = async (world: World, book: Book, creation: Creation, digest: Uint8Array): Promise<string> => {
  const { signingScheme, signature, from } = creation
  if (signingScheme === 'eip1271') {
    if (!from) throw refused(400, 'MissingFrom', 'this signing scheme needs from')
    const claim = { chainId: book.network.chainId, owner: from, digest: `0x${bytesToHex(digest)}`, signature }
    if (await isContractSignature(world, claim)) return from
    throw refused(400, 'InvalidEip1271Signature', 'the contract does not accept the signature')
  }
  const signer = recoverSigner(digest, signature)
  if (!signer) throw refused(400, 'InvalidSignature', 'invalid signature')
  if (from && signer !== from) throw refused(400, 'WrongOwner', `recovered signer ${signer} from signature but expected ${from}`)
  return signer
}

const checkCover = async (world: World, { network }: Book, { sellToken, sellAmount }: Creation, owner: string): Promise<void> => {
  const { balance, allowance } = await coverOf(world, network.chainId, sellToken, owner)
  if (balance !== null && balance < sellAmount)
    throw refused(400, 'InsufficientBalance', 'order owner must have funds worth at least x in his account')
  if (allowance !== null && allowance < sellAmount)
    throw refused(400, 'InsufficientAllowance', 'order owner must give allowance to VaultRelayer')
}

/** POST /api/v1/orders. */
export const placeOrder = async (world: World, book: Book, { body, path }: SimRequest): Promise<SimResponse> => {
  const creation = readCreation(body)
  checkTerms(world, book, creation)
  const appData = resolveAppData(creation.appData, creation.appDataHash, book.documents)
  const { sellToken, buyToken, sellAmount, buyAmount, validTo, feeAmount, partiallyFillable } = creation
  const receiver = creation.receiver ?? ZERO_ADDRESS
  const tokens = { sellToken, buyToken, receiver, sellAmount, buyAmount }
  const data: OrderData = { ...tokens, validTo, appData: appData.hash, feeAmount, partiallyFillable }
  const digest = orderDigest(book.network.chainId, data)
  const owner = await ownerOf(world, book, creation, digest)
  checkQuote(book, creation)
  await checkCover(world, book, creation, owner)
  const uid = uidOf(digest, owner, data.validTo)
  if (book.orders.has(uid)) throw refused(400, 'DuplicatedOrder', 'order already exists')
  const { signingScheme, signature, quoteId = null } = creation
  const createdAt = world.clock.now()
  openOrder(world, book, { uid, data, owner, appData, signingScheme, signature, quoteId, createdAt, ethFlow: null })
  const isWrong = world.faults.take('cow', 'bad-signature', path) !== null
  return { status: 201, body: isWrong ? `0x${'b'.repeat(64)}${uid.slice(66)}` : uid }
}
