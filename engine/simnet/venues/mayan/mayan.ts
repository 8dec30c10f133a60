import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import { addressOf, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { takesFor } from '../../kit/lies.ts'
import { answering, found, hasKey, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createBook, statusBody } from './book.ts'
import { contractOf, FORWARDER, NETWORKS, networkOf, PROXY, ROUTER, SWIFT } from './networks.ts'
import { ordersIn } from './orders.ts'
import { priced, swapped } from './pricing.ts'
import { mayanProxy, ordersPlaced } from './program.ts'
import { readQuestion, readSwapQuestion } from './question.ts'
import { type Quoted, signedQuote, swiftBody } from './quotes.ts'

const ID = 'mayan'
const KEY = { lengthMax: 256, code: null, message: 'Unauthorized' }
const SWAP = 'function swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut) payable'
const DEPOSIT = 'function deposit() payable'

/** https://ethereum.org/developers/docs/accounts: of the public key without its first byte. */
const accountOf = (secretKey: Hex): string => {
  const key = secp256k1.getPublicKey(hexToBytes(secretKey.slice(2)), false)
  return addressOf('evm', `0x${bytesToHex(keccak_256(key.slice(1)).slice(12))}`)
}

const switches = (isHalted: boolean) =>
  NETWORKS.map(({ chainId, name, wormholeId }) => ({
    nameId: name,
    wChainId: wormholeId,
    chainId: chainId === SOLANA ? 0 : chainId,
    originActive: !isHalted,
    destinationActive: !isHalted,
  }))

/** Watches the chains for orders. */
const watchOrders = (
  { tokens, solana, clock }: World,
  book: Pick<ReturnType<typeof createBook>, 'add'>,
): SimVenue['onTransaction'] => {
  const ownMints = tokens.all.filter(({ chainId, isNative }) => chainId === SOLANA && !isNative)
  const mintOf = (account: string, owner: string): string | null =>
    ownMints.find(({ address }) => associatedTokenAddress(owner, address) === account)?.address ?? null
  solana.install(
    PROXY,
    mayanProxy(mintOf, () => Math.floor(clock.now() / 1_000)),
  )
  solana.onTransaction(({ solana: made, txHash }) => {
    for (const order of ordersPlaced(made?.instructions ?? [])) book.add(order, txHash)
  })

  return ({ chainId, txHash, logs = [], solana: made }: SimTransaction): boolean => {
    if (chainId === SOLANA) return made?.instructions.some(({ programId }) => programId === PROXY) ?? false
    const network = networkOf(chainId)
    if (network === null) return false
    for (const order of ordersIn(logs, network)) book.add(order, txHash)
    return logs.some(({ address }) => [FORWARDER, SWIFT].includes(address))
  }
}

/**
 * Mayan's price server, explorer and list of chains under one origin: prices of Swift orders, which wallets place by the
 * Forwarder or on Solana, and which are filled on the other chain or given back. https://docs.mayan.finance
 */
export const createMayan = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults, evm } = world
  const secretKey: Hex = `0x${bytesToHex(random.bytes(32))}`
  const strangersKey: Hex = `0x${bytesToHex(random.bytes(32))}`
  const quotes = new BoundedMap<string, Quoted>()
  const book = createBook(world, ID, quotes)

  const quote = (request: SimRequest): SimResponse => {
    const question = readQuestion(request, tokens)
    const takes = takesFor(faults, ID, request.path)
    const deal = takes('halt') ? null : priced(question, world)
    const modes = deal === null ? [] : question.wantsAll ? ([2, 3] as const) : ([2] as const)
    const bodies: unknown[] = []
    for (const mode of modes) {
      if (deal === null) continue
      const { body, quoted } = swiftBody(world, deal, mode, takes)
      quotes.set(quoted.quoteId, quoted)
      bodies.push(signedQuote(body, takes('bad-signature') ? strangersKey : secretKey))
    }
    return ok({ quotes: bodies, minimumSdkVersion: [7, 0, 0] })
  }

  /** The exchange gives what the pools give now, and no less than what is asked at the tolerance. */
  const swap = async ({ query }: SimRequest): Promise<SimResponse> => {
    const { network, input, middle, amount } = readSwapQuestion(query, tokens)
    const { chainId } = network
    const gives = swapped(market, input, amount, middle)
    if (input.isNative && middle.currency === input.currency)
      return ok({ swapRouterAddress: middle.address, swapRouterCalldata: await callData(DEPOSIT, []) })
    await evm.fund({ chainId, token: middle.address, holder: ROUTER, amount: gives })
    const args = [input.isNative ? ZERO_EVM_ADDRESS : contractOf(input), amount, middle.address, gives]
    return ok({ swapRouterAddress: ROUTER, swapRouterCalldata: await callData(SWAP, args) })
  }

  const status = (ref: string): SimResponse => {
    const order = found(book.byTransaction(ref) ?? book.byHash(ref), null, 'not found', { status: 404 })
    return ok(statusBody(order, clock.now()))
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path, query } = request
    hasKey(query.get('apiKey') ?? undefined, KEY)
    refuseIf(method !== 'GET' && `${method} ${path}` !== 'POST /quote', null, 'Not Found', { status: 404 })
    const [, ref] = /^\/swap\/(?:trx|order-id)\/([^/]{1,128})$/.exec(path) ?? []
    if (ref !== undefined) return status(decodeURIComponent(ref))
    switch (path) {
      case '/quote':
        return quote(request)
      case '/get-swap/evm':
        return swap(request)
      case '/init':
        return ok({ chains: switches(takesFor(faults, ID, path)('halt')) })
      default:
        return { status: 404, body: { statusCode: 404, message: 'Not Found' } }
    }
  }

  const refused: Parameters<typeof answering>[1] = ({ status, code, message, more }) => ({
    status,
    body: code === null ? { statusCode: status, message } : { code, msg: message, ...more },
  })
  return {
    id: ID,
    handle: answering(route, refused),
    onDeposit: () => false,
    onTransaction: watchOrders(world, book),
    settings: { QUOTE_SIGNER: accountOf(secretKey) },
    pricePaths: [{ path: '/quote' }],
  }
}
