import { answering, ok, Refusal } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { approvalBody } from './approval.ts'
import { type Book, createBook, type Deposit, detailsBody, type Page, statusBody } from './book.ts'
import { availableRoutesBody, bridgeChainsBody, chainsBody, limitsBody, suggestedFeesBody, tokensBody } from './listing.ts'
import { isSvm, NETWORKS } from './networks.ts'
import { readDeposits } from './readDeposit.ts'
import { createRecorder } from './recorder.ts'
import { apiError, indexerError } from './refusal.ts'
import { watchSolana } from './watchSolana.ts'

const ID = 'across'

const DEPOSIT_PARAMS = new Set(['depositTxnRef', 'depositTxHash', 'originChainId', 'depositId', 'relayDataHash', 'index'])

type DepositBody = (deposit: Deposit, now: number, page: Page) => unknown

/** The indexer's part: deposits by their origin transaction, or by their number on its chain. */
const answerDeposit = (book: Book, query: URLSearchParams, now: number, body: DepositBody): SimResponse => {
  if ([...query.keys()].some((name) => !DEPOSIT_PARAMS.has(name)))
    return indexerError(400, 'ValidationError', 'Expected a value of type `never`')
  const ref = query.get('depositTxnRef') ?? query.get('depositTxHash')
  const [chain, id] = [query.get('originChainId'), query.get('depositId')]
  if (!ref && (!chain || !id)) return indexerError(400, 'IncorrectQueryParamsException', 'Incorrect query params provided')
  const index = query.get('index') ?? '0'
  if (!/^[0-9]{1,6}$/.test(index)) return indexerError(400, 'ValidationError', 'Expected an integer at path: index')
  const deposits = ref ? book.find(ref, now) : book.findById(chain ?? '', id ?? '', now)
  const count = deposits.length
  if (count === 0) return indexerError(404, 'DepositNotFoundException', 'Deposit not found given the provided constraints')
  const deposit = deposits[Number(index)]
  if (deposit) return ok(body(deposit, now, { index: Number(index), count }))
  const range = `Index must be between 0 and ${count - 1}`
  return indexerError(400, 'IndexParamOutOfRangeException', `Index ${index} out of range. ${range}`)
}

/**
 * Across's Swap API and the indexer behind it, from the public sources of its own server: prices, real deposit
 * calldata, and deposits that its contracts took: filled on the destination chain, or expired and refunded on the origin's.
 * https://github.com/across-protocol/frontend, https://github.com/across-protocol/indexer
 */
export const createAcross = (world: World): SimVenue => {
  const { clock, random, tokens, market } = world
  const book = createBook()
  const record = createRecorder(world, ID, book)

  const takesOnSolana = watchSolana(world, record)

  const onTransaction = (transaction: SimTransaction): boolean => {
    const network = NETWORKS.find(({ chainId }) => chainId === transaction.chainId)
    if (!network) return false
    if (isSvm(network)) return takesOnSolana(transaction)
    const { logs = [], txHash } = transaction
    for (const seen of readDeposits(logs, network)) record(seen, network, txHash)
    return logs.some(({ address }) => address === network.spokePool || address === network.periphery)
  }

  const minuteAgo = () => Math.floor(clock.now() / 60_000) * 60 - 60

  const ROUTES: { readonly [path: string]: (query: URLSearchParams) => SimResponse | Promise<SimResponse> } = {
    '/swap/approval': async (query) => ok(await approvalBody(query, world)),
    '/deposit/status': (query) => answerDeposit(book, query, clock.now(), statusBody),
    '/deposit': (query) => answerDeposit(book, query, clock.now(), detailsBody),
    '/swap/chains': () => ok(chainsBody()),
    '/swap/tokens': (query) => ok(tokensBody(query, tokens, market)),
    '/chains': (query) => ok(bridgeChainsBody(query, tokens)),
    '/available-routes': (query) => ok(availableRoutesBody(query, tokens)),
    '/limits': (query) => ok(limitsBody(query, tokens, market)),
    '/suggested-fees': (query) => ok(suggestedFeesBody(query, tokens, market, minuteAgo())),
  }

  const route = async ({ method, path, query, headers }: SimRequest): Promise<SimResponse> => {
    const { authorization } = headers
    if (authorization !== undefined && !/^Bearer \S{8,}$/.test(authorization))
      throw new Refusal(null, 'Unauthorized', { status: 401 })
    if (method !== 'GET') throw new Refusal('INVALID_METHOD', `Method ${method} is not allowed`, { status: 405 })
    const answer = ROUTES[path]
    return answer ? answer(query) : { status: 404, body: 'The page could not be found', contentType: 'text/plain; charset=utf-8' }
  }

  const handle = answering(route, (refusal) => apiError(refusal, `sim1::${random.hex(12)}`))
  return { id: ID, handle, onDeposit: () => false, onTransaction, settings: {}, pricePaths: [] }
}
