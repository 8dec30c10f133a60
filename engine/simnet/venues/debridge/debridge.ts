import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { SOLANA } from '../../../core/chain.ts'
import { answering, found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { createBook } from './book.ts'
import { answerCreateTx } from './createTx.ts'
import { CONTRACTS, NETWORKS, nameOf, networkByWireId, networkOf } from './networks.ts'
import { readCreated } from './order.ts'
import { SVM_PROGRAM } from './svm.ts'
import { orderBody, tokenBody, wrapped } from './views.ts'

const ID = 'debridge'

const ORDER_TYPE = '(uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes)'
const CREATED = keccakText(`CreatedOrder(${ORDER_TYPE},bytes32,bytes,uint256,uint256,uint32,bytes)`)

/**
 * deBridge's order API and its tracking API, under one origin: prices, orders bound to their id by its hash, and what becomes of
 * those that its contracts took. https://docs.debridge.com
 */
export const createDebridge = (world: World): SimVenue => {
  const { clock, tokens } = world
  const book = createBook(world, ID)
  const isOrderOnSolana = watchProgram(world, SVM_PROGRAM, (seen, txHash) => {
    const origin = networkOf(SOLANA)
    if (origin) book.record(seen, origin, txHash)
  })

  const getCreateTx = answerCreateTx(world, ID, book)

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
