import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { SOLANA } from '../../../core/chain.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { createBook, type DlnOrder, statusOf } from './book.ts'
import { evmTransaction, orderOf, type Plan } from './build.ts'
import { CONTRACTS, isSvm, NETWORKS, nameOf, networkByWireId, networkOf, PROGRAM } from './networks.ts'
import { idOf, readCreated, textOf } from './order.ts'
import { type Deal, priced } from './pricing.ts'
import { readQuestion } from './question.ts'
import { SVM_PROGRAM, svmTransaction } from './svm.ts'

const ID = 'debridge'

const ORDER_TYPE = '(uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes)'
const CREATED = keccakText(`CreatedOrder(${ORDER_TYPE},bytes32,bytes,uint256,uint256,uint32,bytes)`)

/** Seen on what the live API wraps into orders: its own marker, and nothing that a contract reads. */
const METADATA = `0x0101${'00'.repeat(31)}`

const tokenBody = (network: Deal['origin'], token: Deal['input'], amount: bigint) => ({
  address: nameOf(network, token),
  chainId: network.wireId,
  decimals: token.decimals,
  name: token.name,
  symbol: token.symbol,
  amount: amount.toString(),
})

/** `estimation` of an answer. */
const estimationOf = ({ origin, destination, input, output, given, amount, gross, cost, takeAmount }: Deal) => ({
  srcChainTokenIn: {
    ...tokenBody(origin, input, amount),
    approximateOperatingExpense: cost.toString(),
    mutatedWithOperatingExpense: false,
  },
  ...(given === input ? {} : { srcChainTokenOut: { ...tokenBody(origin, given, gross), maxRefundAmount: '0' } }),
  dstChainTokenOut: {
    ...tokenBody(destination, output, takeAmount),
    recommendedAmount: takeAmount.toString(),
    maxTheoreticalAmount: takeAmount.toString(),
  },
  costsDetails: [],
  recommendedSlippage: given === input ? 0 : 0.5,
})

const wrapped = (stringValue: string | null) => ({ stringValue })
const metadataOf = (hash: string | null) => (hash === null ? null : { transactionHash: wrapped(hash) })

/** GET /api/Orders/{orderId} of the tracking API. */
const orderBody = (entry: DlnOrder, now: number) => {
  const { orderId, txHash, order, end, invented, refunds, origin, destination } = entry
  const filled = end?.ends === 'filled' ? (end.isClaim ? invented : end.txHash) : null
  return {
    orderId: wrapped(orderId),
    state: statusOf(entry, now),
    creationTimestamp: Math.floor(entry.madeAt / 1_000),
    makerSrc: wrapped(textOf(origin, order.makerSrc)),
    receiverDst: wrapped(textOf(destination, order.receiverDst)),
    createdSrcEventMetadata: metadataOf(txHash),
    fulfilledDstEventMetadata: metadataOf(filled),
    claimedOrderCancelSrcEventInfo: { transactionMetadata: metadataOf(refunds.at(-1)?.txHash ?? null) },
  }
}

/**
 * deBridge's order API and its tracking API, under one origin: prices, orders bound to their id by its hash, and what becomes of
 * those that its contracts took. https://docs.debridge.com
 */
export const createDebridge = (world: World): SimVenue => {
  const { clock, random, tokens, faults, solana } = world
  const book = createBook(world, ID)
  const isOrderOnSolana = watchProgram(world, SVM_PROGRAM, (seen, txHash) => {
    const origin = networkOf(SOLANA)
    if (origin) book.record(seen, origin, txHash)
  })

  const planOf = (deal: Deal & { readonly parties: NonNullable<Deal['parties']> }): Plan => {
    const takes = takesFor(faults, ID, '/dln/order/create-tx')
    const contract = isSvm(deal.origin) ? PROGRAM : CONTRACTS.source
    const { recipient } = deal.parties
    const terms = alteredTerms(takes, { recipient, minimum: deal.takeAmount, amount: deal.gross, contract }, deal)
    const parties = { ...deal.parties, recipient: terms.recipient }
    const off = terms.amount - deal.gross
    const sums = { gross: terms.amount, net: deal.net + off, takeAmount: terms.minimum }
    return {
      ...deal,
      ...sums,
      parties,
      contract: terms.contract,
      salt: BigInt(clock.now()) * 1_000n + BigInt(random.integer(1_000)),
      metadata: METADATA,
    }
  }

  const transactionOf = async (plan: Plan) =>
    isSvm(plan.origin) ? svmTransaction(plan, await solana.blockhash()) : evmTransaction(plan, world)

  const getCreateTx = async ({ query, path }: SimRequest): Promise<SimResponse> => {
    const question = readQuestion(query, tokens)
    const takes = takesFor(faults, ID, path)
    refuseIf(takes('halt'), 'IMPOSSIBLE_ROUTE', 'No route is available')
    const deal = priced(question, world, misquotedBy(takes))
    const head = {
      estimation: estimationOf(deal),
      fixFee: deal.origin.fixFee.toString(),
      protocolFee: deal.protocolFee.toString(),
    }
    if (deal.parties === null) return ok(head)
    const plan = planOf({ ...deal, parties: deal.parties })
    const orderId = takes('bad-signature') ? `0x${random.hex(64)}` : idOf(orderOf(plan))
    const order = { approximateFulfillmentDelay: deal.delay, salt: Number(plan.salt), metadata: plan.metadata }
    return ok({ ...head, tx: await transactionOf(plan), orderId, order })
  }

  const ordersOf = (hash: string): SimResponse => {
    const known = book.byTx(hash)
    refuseIf(known.length === 0, null, 'Not found', { status: 404 })
    return ok({ orderIds: known.map(({ orderId }) => wrapped(orderId)) })
  }

  const orderOfId = (orderId: string): SimResponse => {
    const entry = found(book.byId(orderId), null, 'Not found', { status: 404 })
    return ok(orderBody(entry, clock.now()))
  }

  const tokenList = (query: URLSearchParams): SimResponse => {
    const network = found(networkByWireId(Number(query.get('chainId'))), 'INVALID_QUERY_PARAMETERS', 'chainId is not supported')
    const own = tokens.all.filter(({ chainId }) => chainId === network.chainId)
    return ok({ tokens: Object.fromEntries(own.map((token) => [nameOf(network, token), tokenBody(network, token, 0n)])) })
  }

  const ROUTES: { readonly [path: string]: (request: SimRequest) => SimResponse | Promise<SimResponse> } = {
    '/dln/order/create-tx': getCreateTx,
    '/token-list': ({ query }) => tokenList(query),
    '/supported-chains-info': () =>
      ok({
        chains: NETWORKS.map(({ chainId, wireId, name }) => ({ chainId: wireId, originalChainId: chainId, chainName: name })),
      }),
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path } = request
    refuseIf(method !== 'GET', null, 'Method not allowed', { status: 405 })
    const [, orderId] = /^\/api\/Orders\/(0x[0-9a-fA-F]{64})$/.exec(path) ?? []
    if (orderId !== undefined) return orderOfId(orderId)
    const [, hash] = /^\/api\/Transaction\/([0-9a-zA-Z]{1,128})\/orderIds$/.exec(path) ?? []
    if (hash !== undefined) return ordersOf(hash)
    const answer = ROUTES[path]
    if (!answer) throw new Refusal(null, 'Not found', { status: 404 })
    return answer(request)
  }

  const onTransaction = (transaction: SimTransaction): boolean => {
    const { chainId, txHash, logs = [] } = transaction
    if (chainId === SOLANA) return isOrderOnSolana(transaction)
    const origin = networkOf(chainId)
    const made = logs.filter(
      ({ address, topics: [topic] }) => topic === CREATED && address.toLowerCase() === CONTRACTS.source.toLowerCase(),
    )
    if (origin) for (const log of made) book.record(readCreated(log), origin, txHash)
    return made.length > 0
  }

  return {
    id: ID,
    handle: answering(route, ({ status, code, message }) => ({
      status,
      body: code === null ? { message } : { errorCode: 1, errorId: code, errorMessage: message },
    })),
    onDeposit: () => false,
    onTransaction,
    settings: {},
    pricePaths: [],
  }
}
