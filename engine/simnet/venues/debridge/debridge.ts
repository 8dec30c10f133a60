import { CHAIN_IDS, type ChainId, SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import * as protocol from '../../../venues/debridge/protocol.ts'
import { bytesAt, uintAt } from '../../kit/abiWords.ts'
import { anchorFailure } from '../../kit/anchor.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimSolanaInstruction, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { createBook, orderBody, wrapped } from './book.ts'
import { dealOf, nameOf } from './deals.ts'
import { orderOf, type Plan, ROUTER, saltIn, solanaAccountsOf, solanaCall, transactionOf } from './orders.ts'

const ID = 'debridge'
const { DLN_DESTINATION, DLN_SOURCE, FORWARDER, SERVED, SOLANA_SOURCE, toWireChain } = protocol

/** The contracts of one chain, with its flat fee and number; null for a chain that deBridge has not. */
export const contractsOn = (chainId: number) => {
  const served = SERVED[chainId as ChainId]
  const addresses = { source: DLN_SOURCE, destination: DLN_DESTINATION, forwarder: FORWARDER, router: ROUTER }
  return served ? { ...served, ...addresses } : null
}

const tokenBody = (token: SimToken, amount: bigint) => ({
  ...{ address: nameOf(token), chainId: toWireChain(token.chainId as ChainId), decimals: token.decimals },
  ...{ name: token.name, symbol: token.symbol, amount: amount.toString() },
})

/** GET /dln/order/create-tx: a price and its transaction. */
const createTx = async (world: World, { query, path }: SimRequest, issue: (plan: Plan) => void): Promise<SimResponse> => {
  const { faults, clock, random } = world
  const takes = takesFor(faults, ID, path)
  refuseIf(takes('halt'), 'IMPOSSIBLE_ROUTE', 'No route is available')
  const deal = dealOf(query, world, misquotedBy(takes))
  const { recipient, origin, input, output, given, takeAmount, gross } = deal
  const contract = origin === SOLANA ? SOLANA_SOURCE : DLN_SOURCE
  const honest = { recipient, minimum: takeAmount, amount: gross, contract }
  const { minimum, amount, ...terms } = alteredTerms(takes, honest, { origin: input, destination: output })
  const salt = BigInt(clock.now()) * 1_000n + BigInt(random.integer(1_000))
  const plan = { ...deal, ...terms, gross: amount, net: deal.net + amount - gross, takeAmount: minimum, salt }
  issue(plan)
  return ok({
    estimation: {
      srcChainTokenIn: tokenBody(input, deal.amount),
      ...(given === input ? {} : { srcChainTokenOut: tokenBody(given, gross) }),
      dstChainTokenOut: tokenBody(output, takeAmount),
      costsDetails: [],
    },
    fixFee: String(SERVED[origin]?.fee),
    tx: await transactionOf(plan, world),
    orderId: takes('bad-signature') ? `0x${random.hex(64)}` : protocol.idOfOrder(orderOf(plan)),
    order: { approximateFulfillmentDelay: origin === 1 ? 15 : 3 },
  })
}

/**
 * deBridge's order API and its tracking API, under one origin: prices, orders bound to their id by its hash, and what becomes of
 * those that its contracts took. https://docs.debridge.com
 */
export const createDebridge = (world: World): SimVenue => {
  const issued = new BoundedMap<bigint, Plan>()
  const book = createBook(world, ID)

  const planOf = ({ programId, accounts, data }: SimSolanaInstruction): Plan | null => {
    const plan = programId === SOLANA_SOURCE && data.length > 100 ? issued.get(saltIn(data)) : undefined
    const isItsCall = plan?.origin === SOLANA && solanaCall(plan).equals(data)
    return isItsCall && solanaAccountsOf(plan).every((one, at) => one === accounts[at]) ? plan : null
  }

  /** dln_src on Solana: it takes what an order gives, and the flat fee, from its maker, or fails. Its other calls are not here. */
  const program = {
    programId: SOLANA_SOURCE,
    read: planOf,
    program: (instruction: SimSolanaInstruction) => {
      const plan = planOf(instruction)
      if (plan === null) return anchorFailure<never>('InstructionDidNotDeserialize', {})
      return { token: plan.given.address, from: plan.maker, amount: plan.gross, lamports: SERVED[SOLANA]?.fee ?? 0n }
    },
  }
  const isOrderOnSolana = watchProgram(world, program, (plan, txHash) => book.record(plan, undefined, txHash))

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path } = request
    refuseIf(method !== 'GET', null, 'Method not allowed', { status: 405 })
    if (path === '/dln/order/create-tx') return createTx(world, request, (plan) => void issued.set(plan.salt, plan))
    if (path === '/supported-chains-info') {
      const served = CHAIN_IDS.filter(protocol.isServed)
      return ok({ chains: served.map((chainId) => ({ chainId: toWireChain(chainId), originalChainId: chainId })) })
    }
    const [, orderId = ''] = /^\/api\/Orders\/(0x[0-9a-fA-F]{64})$/.exec(path) ?? []
    const entry = book.byId(orderId)
    if (entry) return ok(orderBody(entry, world.clock.now()))
    const [, hash = ''] = /^\/api\/Transaction\/([0-9a-zA-Z]{1,128})\/orderIds$/.exec(path) ?? []
    found(book.byTx(hash)[0], null, 'Not found', { status: 404 })
    return ok({ orderIds: book.byTx(hash).map((one) => wrapped(one.orderId)) })
  }

  /** `CreatedOrder` has its order first, whose first fields are its salt and its maker. */
  const onTransaction = (transaction: SimTransaction): boolean => {
    const { chainId, txHash, logs = [] } = transaction
    if (chainId === SOLANA) return isOrderOnSolana(transaction)
    const own = logs.filter(({ address }) => address.toLowerCase() === DLN_SOURCE.toLowerCase())
    for (const { data } of own.filter((log) => log.data.length > 1_000)) {
      const order = `0x${data.slice(2 + Number(uintAt(data, 0)) * 2)}`
      const plan = issued.get(uintAt(order, 0))
      if (plan?.origin === chainId) book.record(plan, `0x${bytesAt(order, 1)}` as Hex, txHash)
    }
    return own.length > 0
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
