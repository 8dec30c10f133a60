import { utf8ToBytes } from '@noble/hashes/utils.js'
import { encodeCall } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import type { ChainId } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { ROUTER, SLUGS, SWAP_ABI } from '../../../venues/kyberswap/protocol.ts'
import { encodedArguments } from '../../kit/callData.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { type BuildRequest, readBuild, readPath, readRoutes } from './requests.ts'
import { createRoutes, POOL, type Route, type Routes } from './routes.ts'

const ID = 'kyberswap'

/** One of the executors that answers of September 2026 call; they change. Its stand-in is SimKyberSwap.sol. */
const EXECUTOR = '0x8f10b468b06c6fd214b65f87778827f7d113f996'
/** The contracts of one chain; null for a chain without KyberSwap. */
export const kyberswapOn = (chainId: ChainId) => (SLUGS[chainId] === undefined ? null : { router: ROUTER, executor: EXECUTOR })
const PAY = 'function pay(address token, address to, uint256 amount, uint256 deadline)'
/** How many times the executor can pay what one call orders. */
const STOCKED = 3n

/** As in answers of September 2026. */
const FLAGS = { plain: 0x280n, withFee: 0x2c0n } as const

const BPS = 10_000n

/** What a call pays: the honest terms, or those that a fault altered. */
type Terms = { readonly recipient: string; readonly minimum: bigint; readonly amount: bigint; readonly gross: bigint }

/** Calldata of the router. With a fee the router receives the output, otherwise the recipient does. */
const routerCall = async (route: Route, request: BuildRequest, terms: Terms, nowSeconds: number): Promise<Hex> => {
  const { input, output, fee, net, routeId } = route
  const { recipient, minimum, amount, gross } = terms
  const paid = [output.address, fee ? ROUTER : recipient, gross, BigInt(request.deadline)]
  const clientData = { Source: request.source ?? '', AmountOut: net.toString(), RouteID: routeId, Timestamp: nowSeconds }
  const desc = {
    srcToken: input.address as Hex,
    dstToken: output.address as Hex,
    srcReceivers: input.isNative ? [] : [(output.isNative ? POOL : EXECUTOR) as Hex],
    srcAmounts: input.isNative ? [] : [amount],
    feeReceivers: fee ? [fee.receiver as Hex] : [],
    feeAmounts: fee ? [fee.bps] : [],
    dstReceiver: recipient as Hex,
    amount,
    minReturnAmount: minimum,
    flags: fee ? FLAGS.withFee : FLAGS.plain,
    permit: '0x' as const,
  }
  const execution = {
    callTarget: EXECUTOR,
    approveTarget: ZERO_EVM_ADDRESS,
    targetData: `${await encodedArguments(PAY, paid)}${POOL.slice(2).padStart(64, '0')}`,
    desc,
    clientData: `0x${Buffer.from(utf8ToBytes(JSON.stringify(clientData))).toString('hex')}`,
  }
  return encodeCall(SWAP_ABI, 'swap', [execution])
}

/** `data` of POST /{chain}/api/v1/route/build. The executor receives what the call makes it pay. */
const buildBody = async (world: World, routes: Routes, { body, path }: SimRequest, chainId: ChainId) => {
  const request = readBuild(body)
  const route = routes.find(request.routeSummary, chainId)
  const takes = takesFor(world.faults, ID, path)
  refuseIf(takes('halt'), '4008', 'route not found')
  const { input, output, amount, net } = route
  const least = (net * (BPS - BigInt(request.slippageTolerance))) / BPS
  const honest = { recipient: request.recipient, minimum: least, amount, contract: ROUTER as string }
  const { contract, ...terms } = alteredTerms(takes, honest, { origin: route, destination: route })
  // The pool pays so little that the router would refuse it.
  const gross = takes('short-fill') ? terms.minimum / 2n : route.gross
  const data = await routerCall(route, request, { ...terms, gross }, Math.floor(world.clock.now() / 1_000))
  await world.evm.fund({ chainId, token: output.address, holder: EXECUTOR, amount: gross * STOCKED })
  return {
    amountIn: amount.toString(),
    amountOut: net.toString(),
    data,
    routerAddress: contract,
    transactionValue: (input.isNative ? terms.amount : 0n).toString(),
  }
}

/** The aggregator's API from its OpenAPI file and recorded answers. https://docs.kyberswap.com */
export const createKyberswap = (world: World): SimVenue => {
  const { faults, tokens, random } = world
  const routes = createRoutes(world)

  const dataOf = (request: SimRequest): object | Promise<object> => {
    const { path, query, method } = request
    const { chainId, call } = readPath(path)
    if (call === 'route/build' && method === 'POST') return buildBody(world, routes, request, chainId)
    if (call !== 'routes' || method !== 'GET') throw new Refusal(null, 'Not Found', { status: 404, path })
    const question = readRoutes(query, chainId, tokens)
    const takes = takesFor(faults, ID, path)
    refuseIf(takes('halt'), '4008', 'route not found')
    return { routeSummary: routes.issue(question, misquotedBy(takes)), routerAddress: ROUTER }
  }

  return {
    id: ID,
    handle: answering(
      async (request) => ok({ code: 0, message: 'successfully', data: await dataOf(request), requestId: random.hex(16) }),
      ({ status, code, message, more: { details = null, path } }) => ({
        status,
        body: code === null ? { message, path } : { code: Number(code), message, details, requestId: random.hex(16) },
      }),
    ),
    // The wallet's own transaction makes the swap: the venue does nothing afterwards.
    onTransaction: ({ to }) => to.toLowerCase() === ROUTER.toLowerCase(),
    onDeposit: () => false,
    settings: {},
    pricePaths: [],
  }
}
