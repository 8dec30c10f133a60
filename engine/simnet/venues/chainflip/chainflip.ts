import { schnorr } from '@noble/curves/secp256k1.js'
import { integer, listOf, matching, oneOf, readFields } from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, type PayloadTerms, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { channelAddress, vaultAddress } from './channels.ts'
import { ASSETS, OTHER_NAMES, takesVaultSwaps, vaultOn } from './networks.ts'
import { CHANNEL_MS, createOrders, SWAP_MS } from './orders.ts'
import { checkAmount, priceOf, type Question } from './pricing.ts'
import { readChannelRequest, readQuoteQuery, readVaultSwapRequest } from './requests.ts'
import { statusBody } from './status.ts'
import { encodeVaultSwap, watchVaults } from './vaultSwap.ts'

const ID = 'chainflip'
const CHANNELS_MAX = 25
const MINUTE_MS = 60_000
/** Of names that it does not know in a minute: then nothing is told for ten. */
const STRANGERS_MAX = 10
/** The State Chain's number of a block, and of the channels before ours. */
const FIRST_BLOCK = 9_100_200
const FIRST_CHANNEL = 4_312

const switches = (name: string, isServed: boolean, hasVaultSwaps: boolean) => ({
  asset: name,
  vaultSwapDepositsEnabled: hasVaultSwaps,
  depositChannelDepositsEnabled: isServed,
  depositChannelCreationEnabled: isServed,
  egressEnabled: isServed,
  boostDepositsEnabled: name === 'Btc',
  livePriceProtectionEnabled: isServed,
})

const networkBody = () => ({
  assets: [
    ...ASSETS.map((asset) => switches(asset.name, true, takesVaultSwaps(asset))),
    ...OTHER_NAMES.map((name) => switches(name, false, false)),
  ],
  cfBrokerCommissionBps: 15,
})

const quoteBody = (question: Question, world: World) => {
  const { src, dest, amount, isVaultSwap, brokerBps } = question
  const price = priceOf(question, world.market)
  const fee = (type: string, { chain, asset }: { chain: string; asset: string }, taken: bigint) => ({
    ...{ type, chain, asset, amount: taken.toString() },
  })
  const stable = { chain: 'Ethereum', asset: 'USDC' }
  const isBitcoin = src.chain === 'Bitcoin' || dest.chain === 'Bitcoin'
  return {
    type: 'REGULAR',
    srcAsset: { chain: src.chain, asset: src.asset },
    destAsset: { chain: dest.chain, asset: dest.asset },
    depositAmount: amount.toString(),
    egressAmount: price.delivered.toString(),
    ...(src.asset !== 'USDC' && dest.asset !== 'USDC' && { intermediateAmount: price.between.toString() }),
    includedFees: [
      ...(price.ingress > 0n ? [fee('INGRESS', src, price.ingress)] : []),
      fee('NETWORK', stable, price.network),
      ...(brokerBps > 0 ? [fee('BROKER', stable, price.broker)] : []),
      fee('EGRESS', dest, price.egress),
    ],
    poolInfo: [],
    estimatedPrice: '1',
    estimatedDurationsSeconds: { deposit: 12, swap: 6, egress: 6 },
    estimatedDurationSeconds: (SWAP_MS / 1_000) * (isBitcoin ? 40 : 1),
    recommendedSlippageTolerancePercent: 1,
    recommendedRetryDurationMinutes: isBitcoin ? 30 : 5,
    lowLiquidityWarning: false,
    // Left out where it is not.
    ...(isVaultSwap && { isVaultSwap }),
  }
}

const RPC = {
  required: {
    jsonrpc: oneOf('2.0'),
    id: integer(0, 1_000_000),
    method: matching('a method', /^[a-z_]+[a-z_0-9]*$/),
    params: listOf(matching('nothing', /^$/), 0),
  },
  optional: {},
}

/** Notes who asks by names that nobody has. */
const createStrangers = ({ now }: World['clock']) => {
  let at: number[] = []
  let pausedUntil = 0
  return {
    check: () => refuseIf(now() < pausedUntil, null, 'Too many requests, please try again later', { status: 429 }),
    add: () => {
      at = [...at.filter((each) => now() - each < MINUTE_MS), now()]
      if (at.length > STRANGERS_MAX) pausedUntil = now() + 10 * MINUTE_MS
    },
  }
}

/**
 * Chainflip's public backend and a node of its State Chain, from their sources: quotes, deposit channels, calls of the vault, and
 * swaps that end by a delivery, a refund, or not at all. https://github.com/chainflip-io/chainflip-sdk-monorepo
 */
export const createChainflip = (world: World): SimVenue => {
  const { clock, faults, market, tokens, random } = world
  const orders = createOrders(world, ID)
  const strangers = createStrangers(clock)
  const vaultKey = schnorr.getPublicKey(random.bytes(32))
  let opened = 0

  const refuseHalt = (takes: ReturnType<typeof takesFor>, name: string) =>
    refuseIf(takes('halt'), null, `Asset ${name} is disabled`, { status: 503 })

  const getQuote = ({ query, path }: SimRequest): SimResponse => {
    const takes = takesFor(faults, ID, path)
    const question = readQuoteQuery(query, tokens)
    refuseHalt(takes, question.src.name)
    checkAmount(question, question.amount, market)
    return ok([quoteBody({ ...question, misquoted: misquotedBy(takes) }, world)])
  }

  /** What was asked for, altered where a fault says so. */
  const altered = (path: string, asked: ReturnType<typeof readChannelRequest>, contract: string): PayloadTerms => {
    const { pair, recipient, minPriceX128: minimum, amount } = asked
    const terms = { recipient, minimum, amount, contract }
    return alteredTerms(takesFor(faults, ID, path), terms, { origin: pair.src, destination: pair.dest })
  }

  const postChannel = async ({ body, path }: SimRequest): Promise<SimResponse> => {
    const asked = readChannelRequest(body, tokens)
    const { pair, amount, refundTo, retryBlocks } = asked
    refuseHalt(takesFor(faults, ID, path), pair.src.name)
    checkAmount(pair, amount, market)
    refuseIf(orders.openFor(pair, asked.recipient) >= CHANNELS_MAX, null, 'too many channels')
    opened += 1
    const number = FIRST_CHANNEL + opened
    const id = `${FIRST_BLOCK + opened}-${pair.src.chain}-${number}`
    const terms = altered(path, asked, await channelAddress(pair.src, number, vaultKey))
    const [openedAt, expiresAt] = [clock.now(), clock.now() + CHANNEL_MS]
    orders.open(
      { id, address: terms.contract, expected: terms.amount, openedAt, expiresAt },
      {
        ...pair,
        ...{ recipient: terms.recipient, refundTo, retryBlocks },
        minPriceX128: terms.minimum,
        brokerBps: 0,
        isVaultSwap: false,
      },
    )
    const answer = {
      id,
      depositAddress: terms.contract,
      brokerCommissionBps: 0,
      maxBoostFeeBps: 0,
      issuedBlock: FIRST_BLOCK + opened,
    }
    return ok({ ...answer, srcChainExpiryBlock: '964700', estimatedExpiryTime: expiresAt, channelOpeningFee: '0' }, 201)
  }

  const postVaultSwap = async ({ body, path }: SimRequest): Promise<SimResponse> => {
    const asked = readVaultSwapRequest(body, tokens)
    const { pair, amount, refundTo, retryBlocks, brokerBps, broker } = asked
    refuseHalt(takesFor(faults, ID, path), pair.src.name)
    checkAmount(pair, amount, market)
    const vault = vaultOn(pair.src.chainId)
    if (vault === null || !takesVaultSwaps(pair.src))
      throw new Refusal(null, `Asset ${pair.src.name} is disabled`, { status: 503 })
    const terms = altered(path, asked, vault)
    return ok(await encodeVaultSwap(pair, { ...terms, refundTo, retryBlocks, brokerBps, broker, minPriceX128: terms.minimum }))
  }

  const getSwap = (id: string): SimResponse => {
    strangers.check()
    const channel = orders.channel(id)
    const swap = channel?.swaps.at(-1) ?? orders.byPayment(id)
    if (!swap) strangers.add()
    const known = found(swap, null, 'resource not found', { status: 404 })
    return ok(statusBody(known, channel, orders.seen(known).length > 0, clock.now()))
  }

  /** A node of the State Chain, which is nobody's backend. */
  const postRpc = async ({ body }: SimRequest): Promise<SimResponse> => {
    const asked = readFields(body, RPC, ({ name }) => new Refusal(null, `invalid request: ${name}`))
    if (asked.method !== 'cf_get_vault_addresses')
      return ok({ jsonrpc: '2.0', id: asked.id, error: { code: -32_601, message: 'Method not found' } })
    const evm = (chainId: number) => [...Buffer.from((vaultOn(chainId) ?? '').slice(2), 'hex')]
    const bitcoin_vault = { Btc: [...Buffer.from(await vaultAddress(vaultKey))] }
    const result = { ethereum: { Eth: evm(1) }, arbitrum: { Arb: evm(42161) }, bsc: { Bsc: evm(56) }, bitcoin: [], bitcoin_vault }
    return ok({ jsonrpc: '2.0', id: asked.id, result })
  }

  const ROUTES: { readonly [route: string]: (request: SimRequest) => SimResponse | Promise<SimResponse> } = {
    'GET /api/networkInfo': () => ok(networkBody()),
    'GET /v2/quote': getQuote,
    'POST /api/openSwapDepositChannel': postChannel,
    'POST /api/encodeVaultSwapData': postVaultSwap,
    'POST /rpc': postRpc,
    'GET /healthcheck': () => ({ status: 200, body: 'OK', contentType: 'text/plain' }),
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path } = request
    const [, id] = /^\/v2\/swaps\/([^/]+)$/.exec(path) ?? []
    if (method === 'GET' && id !== undefined) return getSwap(decodeURIComponent(id))
    return found(ROUTES[`${method} ${path}`], null, 'resource not found', { status: 404 })(request)
  }

  return {
    id: ID,
    // Bodies that do not fit are refused as zod words it, everything else in a message.
    handle: answering(route, ({ status, code, message, more }) => ({ status, body: code === 'ZodError' ? more : { message } })),
    onDeposit: ({ chainId, address, token, amount, txHash }) => orders.deposit({ chainId, address, token }, txHash, amount),
    onTransaction: watchVaults(world, orders),
    settings: { RPC_URL: '/rpc' },
    pricePaths: [{ path: '/api/encodeVaultSwapData' }, { path: '/rpc' }],
  }
}
