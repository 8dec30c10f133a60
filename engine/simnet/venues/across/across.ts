import { chainOf, SOLANA } from '../../../core/chain.ts'
import { SVM_SPOKE } from '../../../venues/across/protocol.ts'
import { formatUsd, unitsOf } from '../../kit/dollars.ts'
import { amount, each, matching, queryFields, readFields } from '../../kit/fields.ts'
import { answering, ok, Refusal } from '../../kit/refusal.ts'
import type { SimResponse, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { approvalBody } from './approval.ts'
import { createBook, type Deposit, detailsBody, readDeposits, statusBody } from './deposits.ts'
import {
  bridgeClassOf,
  bridgedToken,
  bridgedTokenOn,
  contractOf,
  findToken,
  isSvm,
  NETWORKS,
  type Network,
  wireToken,
} from './networks.ts'
import { bridgeFees, INSTANT_USD_MICROS, MOST_USD_MICROS, misfit, ONE, readNetwork } from './pricing.ts'
import { readSolana, seenOnSolana, svmSpoke } from './svm.ts'

const ID = 'across'

const chainBody = ({ chainId, wireId, spokePool }: Network) => ({ chainId: wireId, name: chainOf(chainId).name, spokePool })

/** GET /swap/tokens of one chain, or of all. */
const tokensBody = ({ tokens, market }: World, query: URLSearchParams) => {
  const { chainId } = readFields(queryFields(query), { required: {}, optional: { chainId: amount } }, misfit)
  const networks = chainId === undefined ? NETWORKS : [readNetwork(chainId, 'chainId')]
  const priceOf = (token: SimToken) => market.usdMicros(token) || null
  return networks.flatMap((network) =>
    tokens.all
      .filter((token) => token.chainId === network.chainId)
      .map((token) => ({ ...wireToken(network, token), priceUsd: priceOf(token) && formatUsd(priceOf(token) ?? 0n) })),
  )
}

/** GET /available-routes, filtered by what routes say: api/available-routes.ts of across-protocol/frontend. */
const routesBody = ({ tokens }: World, query: URLSearchParams) =>
  NETWORKS.flatMap((origin) => NETWORKS.filter((other) => other !== origin).map((destination) => ({ origin, destination })))
    .flatMap(({ origin, destination }) =>
      tokens.all.flatMap((input) => {
        const isThere = input.chainId === origin.chainId
        const output = isThere ? bridgedTokenOn(tokens, destination, bridgeClassOf(input) ?? '') : null
        if (!output) return []
        const symbols = { originTokenSymbol: input.symbol, destinationTokenSymbol: input.isNative ? input.symbol : output.symbol }
        const from = { originChainId: origin.wireId, originToken: contractOf(origin, input), isNative: input.isNative }
        return [{ ...from, destinationChainId: destination.wireId, destinationToken: output.address, ...symbols }]
      }),
    )
    .filter((route) =>
      Object.entries(route).every(([name, value]) =>
        [undefined, String(value).toLowerCase()].includes(query.get(name)?.toLowerCase()),
      ),
    )

/** GET /suggested-fees: the bridge alone, with the limits of GET /limits. */
const suggestedFeesBody = (world: World, query: URLSearchParams) => {
  const { market, tokens, clock } = world
  const [origin, destination] = ['originChainId', 'destinationChainId'].map((name) =>
    readNetwork(BigInt(query.get(name) ?? 0), name),
  ) as [Network, Network]
  const input = findToken(tokens, origin, query.get('inputToken') ?? '')
  const output = findToken(tokens, destination, query.get('outputToken') ?? '')
  if (!input || !output) throw new Refusal('ROUTE_NOT_ENABLED', 'Route is not enabled')
  const sum = BigInt(query.get('amount') ?? 1)
  const fees = bridgeFees(market, input, sum, destination)
  const part = (total: bigint) => ({ pct: ((total * ONE) / sum).toString(), total: total.toString() })
  const [capital, gas, relay] = [part(fees.relayerCapital), part(fees.destinationGas), part(fees.total)]
  const [maxDeposit, instant] = [MOST_USD_MICROS, INSTANT_USD_MICROS].map((micros) => String(unitsOf(market, input, micros)))
  const timestamp = Math.floor(clock.now() / 60_000) * 60 - 60
  return {
    ...{ estimatedFillTimeSec: 3, timestamp: String(timestamp), fillDeadline: String(timestamp + 7_200), quoteBlock: '1' },
    // The older names beside the newer ones.
    ...{ capitalFeePct: capital.pct, capitalFeeTotal: capital.total, relayGasFeePct: gas.pct, relayGasFeeTotal: gas.total },
    ...{ relayFeePct: relay.pct, relayFeeTotal: relay.total, lpFeePct: '0' },
    ...{ totalRelayFee: relay, relayerCapitalFee: capital, relayerGasFee: gas, lpFee: part(fees.lp) },
    ...{ isAmountTooLow: fees.total * 4n > sum, exclusiveRelayer: `0x${'0'.repeat(40)}`, exclusivityDeadline: 0 },
    ...{ spokePoolAddress: origin.spokePool, destinationSpokePoolAddress: destination.spokePool },
    limits: {
      ...{ minDeposit: String(fees.destinationGas * 4n), maxDeposit, maxDepositShortDelay: maxDeposit },
      ...{ maxDepositInstant: instant, recommendedDepositInstant: instant },
    },
    outputAmount: (fees.total < sum ? market.convert(input, sum - fees.total, output) : 0n).toString(),
    ...{ inputToken: bridgedToken(origin, input), outputToken: bridgedToken(destination, output) },
  }
}

const DEPOSIT_QUERY = {
  required: {},
  optional: {
    ...each(matching('a transaction', /^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})$/), 'depositTxnRef', 'depositTxHash'),
    ...each(matching('a number', /^\d{1,78}$/), 'originChainId', 'depositId', 'index'),
  },
}

/** The indexer has an envelope of its own. */
const indexerError = (status: number, error: string): SimResponse => ({ status, body: { error, message: error } })

/** GET /deposit and /deposit/status: a deposit by its origin transaction, or by its number on its chain. */
const answerDeposit = ({ find }: ReturnType<typeof createBook>, params: URLSearchParams, body: (of: Deposit) => object) => {
  const query = readFields(queryFields(params), DEPOSIT_QUERY, misfit)
  const { originChainId, depositId, index = '0' } = query
  const ref = query.depositTxnRef ?? query.depositTxHash ?? null
  if (ref === null && !(originChainId && depositId)) return indexerError(400, 'IncorrectQueryParamsException')
  const isIt = ({ origin, depositId: id }: Deposit) =>
    ref !== null || (String(origin.wireId) === originChainId && String(id) === depositId)
  const deposits = find(isIt, ref)
  if (deposits.length === 0) return indexerError(404, 'DepositNotFoundException')
  const deposit = deposits[Number(index)]
  if (!deposit) return indexerError(400, 'IndexParamOutOfRangeException')
  return ok({ ...body(deposit), pagination: { currentIndex: Number(index), maxIndex: deposits.length - 1 } })
}

/**
 * Across's Swap API and the indexer behind it, from the public sources of its own server: prices, deposit calldata, and deposits
 * that its contracts took, filled on the destination chain, or expired and refunded on the origin's.
 * https://github.com/across-protocol/frontend, https://github.com/across-protocol/indexer
 */
export const createAcross = (world: World): SimVenue => {
  const { clock, random } = world
  const book = createBook(world)
  const seconds = () => Math.floor(clock.now() / 1_000)
  const solana = NETWORKS.find(isSvm) as Network
  const watched = { programId: SVM_SPOKE, program: svmSpoke(seconds), read: readSolana }
  const takesOnSolana = watchProgram(world, watched, (stated, txHash, at) =>
    book.record(seenOnSolana(stated, `${txHash}/${at}`, seconds()), solana, txHash),
  )

  const onTransaction = (transaction: SimTransaction): boolean => {
    const { chainId, logs = [], txHash } = transaction
    if (chainId === SOLANA) return takesOnSolana(transaction)
    const network = NETWORKS.find((each) => each.chainId === chainId)
    if (!network) return false
    for (const seen of readDeposits(logs, network)) book.record(seen, network, txHash)
    return logs.some(({ address }) => address === network.spokePool || address === network.periphery)
  }

  const ROUTES: { readonly [path: string]: (query: URLSearchParams) => SimResponse | Promise<SimResponse> } = {
    '/swap/approval': async (query) => ok(await approvalBody(query, world)),
    '/deposit/status': (query) => answerDeposit(book, query, (deposit) => statusBody(deposit, clock.now())),
    '/deposit': (query) => answerDeposit(book, query, (deposit) => detailsBody(deposit, clock.now())),
    '/swap/chains': () => ok(NETWORKS.map(chainBody)),
    '/swap/tokens': (query) => ok(tokensBody(world, query)),
    '/chains': () => ok(NETWORKS.map(chainBody)),
    '/available-routes': (query) => ok(routesBody(world, query)),
    '/limits': (query) => ok(suggestedFeesBody(world, query).limits),
    '/suggested-fees': (query) => ok(suggestedFeesBody(world, query)),
  }

  const handle = answering(
    ({ method, path, query }) => {
      const answer = method === 'GET' ? ROUTES[path] : undefined
      if (!answer) throw new Refusal(null, 'The page could not be found', { status: 404 })
      return answer(query)
    },
    ({ code, status, message, more }) => {
      const named = code === null ? {} : { code }
      return { status, body: { type: 'AcrossApiError', ...named, status, message, ...more, id: `sim1::${random.hex(12)}` } }
    },
  )
  return { id: ID, handle, onDeposit: () => false, onTransaction, settings: {}, pricePaths: [] }
}
