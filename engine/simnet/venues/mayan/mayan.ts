import { bytesToHex } from '@noble/hashes/utils.js'
import { addressOf, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { CHAIN_IDS, type ChainId, SOLANA } from '../../../core/chain.ts'
import { CPI_PROXY, FORWARDER, pinned, SWIFT, SWIFT_FILLS, ZERO_WORD } from '../../../venues/mayan/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import { signDigest, signerOf } from '../../kit/typedHash.ts'
import type { World } from '../../kit/world.ts'
import { createBook, statusBody } from './book.ts'
import { mayanProxy, ordersIn, ordersPlaced } from './orders.ts'
import { contractOf, personalDigest, priced, readQuestion, readSwapQuestion, signedQuote, swapped, swiftBody } from './prices.ts'

const ID = 'mayan'
/** The exchange of the offline network, of the Forwarder's list. */
const ROUTER = '0x00000000009726632680FB29d3F7A9734E3010E2'
const SWAP = 'function swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut) payable'
const DEPOSIT = 'function deposit() payable'

/** The contracts of a chain, with its number of Wormhole; null for a chain without Mayan. */
export const contractsOn = (chainId: number) => {
  const network = pinned(chainId as ChainId)
  return network && { ...network, forwarder: FORWARDER, swift: SWIFT, fills: SWIFT_FILLS, router: ROUTER }
}

const switches = (isOn: boolean) =>
  CHAIN_IDS.flatMap((chainId) => {
    const { name, wormholeId } = pinned(chainId) ?? {}
    return name === undefined ? [] : [{ nameId: name, wChainId: wormholeId, originActive: isOn, destinationActive: isOn }]
  })

/** Watches the chains for orders. */
const watchOrders = ({ tokens, solana }: World, book: Pick<ReturnType<typeof createBook>, 'add'>): SimVenue['onTransaction'] => {
  solana.install(CPI_PROXY, mayanProxy(tokens))
  solana.onTransaction(({ solana: made, txHash }) => {
    for (const order of ordersPlaced(made?.instructions ?? [])) book.add(order, txHash)
  })
  return ({ chainId, txHash, logs = [], solana: made }: SimTransaction): boolean => {
    if (chainId === SOLANA) return made?.instructions.some(({ programId }) => programId === CPI_PROXY) ?? false
    if (pinned(chainId as ChainId) === null) return false
    for (const order of ordersIn(logs, chainId as ChainId)) book.add(order, txHash)
    return logs.some(({ address }) => [FORWARDER, SWIFT].some((contract) => contract === address))
  }
}

/**
 * Mayan's price server, explorer and list of chains under one origin: prices of Swift orders, which wallets place by the
 * Forwarder or on Solana, and which are filled on the other chain or given back. https://docs.mayan.finance
 */
export const createMayan = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults, evm } = world
  const [key, strangersKey] = [bytesToHex(random.bytes(32)), bytesToHex(random.bytes(32))]
  const bids = new BoundedMap<string, bigint>()
  const book = createBook(world, ID, bids)

  const quote = ({ method, query, body, path }: SimRequest): SimResponse => {
    const question = readQuestion(method === 'GET' ? query : Object(body), tokens)
    const takes = takesFor(faults, ID, path)
    const deal = takes('halt') ? null : priced(question, world)
    const modes = question.wantsAll ? ([2, 3] as const) : ([2] as const)
    const quotes = modes.flatMap((mode) => {
      if (deal === null) return []
      const { body: quoted, quoteId, expected } = swiftBody(world, deal, mode, takes)
      bids.set(quoteId, expected)
      return [signedQuote(quoted, takes('bad-signature') ? strangersKey : key)]
    })
    return ok({ quotes, minimumSdkVersion: [7, 0, 0] })
  }

  /** The exchange gives what the pools give now. */
  const swap = async ({ query }: SimRequest): Promise<SimResponse> => {
    const { chainId, input, middle, amount } = readSwapQuestion(query, tokens)
    if (input.isNative && middle.currency === input.currency)
      return ok({ swapRouterAddress: middle.address, swapRouterCalldata: await callData(DEPOSIT, []) })
    const gives = swapped(market, input, amount, middle)
    await evm.fund({ chainId, token: middle.address, holder: ROUTER, amount: gives })
    const args = [input.isNative ? ZERO_EVM_ADDRESS : contractOf(input), amount, middle.address, gives]
    return ok({ swapRouterAddress: ROUTER, swapRouterCalldata: await callData(SWAP, args) })
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path } = request
    const [, ref] = /^\/swap\/(?:trx|order-id)\/([^/]{1,128})$/.exec(path) ?? []
    const order = ref === undefined ? null : found(book.find(ref), null, 'not found', { status: 404 })
    if (order) return ok(statusBody(order, clock.now()))
    if (path === '/quote') return quote(request)
    if (`${method} ${path}` === 'GET /get-swap/evm') return swap(request)
    if (`${method} ${path}` === 'GET /init') return ok({ chains: switches(!takesFor(faults, ID, path)('halt')) })
    throw new Refusal(null, 'Not Found', { status: 404 })
  }

  const refused: Parameters<typeof answering>[1] = ({ status, code, message, more }) => ({
    status,
    body: code === null ? { statusCode: status, message } : { code, msg: message, ...more },
  })
  const digest = personalDigest(ZERO_WORD)
  return {
    id: ID,
    handle: answering(route, refused),
    onDeposit: () => false,
    onTransaction: watchOrders(world, book),
    settings: { QUOTE_SIGNER: addressOf('evm', signerOf(digest, signDigest(digest, key)) ?? '') },
    pricePaths: [{ path: '/quote' }],
  }
}
