import { schnorr } from '@noble/curves/secp256k1.js'
import { base58, bech32m } from '@scure/base'
import { depositAddressOf, SOLANA_VAULT, SOLANA_VAULT_PROGRAM, type WireAsset } from '../../../venues/chainflip/protocol.ts'
import { integer, listOf, matching, nullable, oneOf, queryFields, readFields, record, text, type } from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, type Takes, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { networkBody, quoteBody, statusBody } from './answers.ts'
import { checkAmount, pairNamed, vaultFor, vaultOn } from './pricing.ts'
import { createSwaps, type Swaps } from './swaps.ts'
import { encodeVaultSwap, watchVaults } from './vaultCalls.ts'

const ID = 'chainflip'
const CHANNEL_MS = 24 * 3_600_000
/** The block of the State Chain, and the number of channels, before the first channel. */
const FIRST = { block: 9_100_200, channel: 4_312 }

const WORD = text(1, 64)
const ADDRESS = text(1, 128)
const AMOUNT = matching('a numeric string', /^[1-9][0-9]{0,37}$/)
const ASSET = record({ required: { chain: WORD, asset: WORD }, optional: {} })
const ANY = type('a value', (value) => value)
const QUOTE = {
  required: { srcChain: WORD, srcAsset: WORD, destChain: WORD, destAsset: WORD, amount: AMOUNT },
  // The last three come from the SDK.
  optional: {
    brokerCommissionBps: matching('a numeric string', /^[0-9]{1,4}$/),
    isVaultSwap: oneOf('true', 'false'),
    ...{ isOnChain: ANY, dcaV2Enabled: ANY, dcaEnabled: ANY },
  },
}
const FILL_OR_KILL = record({
  required: {
    retryDurationBlocks: integer(0, 14_400),
    refundAddress: ADDRESS,
    minPriceX128: matching('a numeric string', /^[0-9]{1,78}$/),
  },
  optional: { maxOraclePriceSlippage: nullable(integer(0, 10_000)), refundCcmMetadata: ANY },
})
/** Of both calls that start a swap. */
const SWAP = {
  required: { srcAsset: ASSET, destAsset: ASSET, destAddress: ADDRESS, amount: AMOUNT, fillOrKillParams: FILL_OR_KILL },
  // The last six come from the SDK.
  optional: {
    ...{ commissionBps: integer(0, 1_000), brokerAccount: matching('an account', /^cF[1-9A-HJ-NP-Za-km-z]{47}$/) },
    ...{ srcAddress: ANY, maxBoostFeeBps: ANY, quote: ANY, takeCommission: ANY, network: ANY, brokerIdSs58: ANY },
  },
}
const RPC = { required: { jsonrpc: WORD, id: ANY, method: WORD, params: listOf(ANY, 0) }, optional: {} }

const refuse = () => new Refusal(null, 'invalid request')

const refuseHalt = (takes: Takes, { name }: WireAsset): void =>
  refuseIf(takes('halt'), null, `Asset ${name} is disabled`, { status: 503 })

const readSwap = (body: unknown, tokens: SimTokens) => {
  const { srcAsset, destAsset, destAddress, amount, fillOrKillParams, ...rest } = readFields(body, SWAP, refuse)
  const { retryDurationBlocks: retryBlocks, refundAddress: refundTo, minPriceX128 } = fillOrKillParams
  return {
    pair: pairNamed(tokens, srcAsset, destAsset),
    ...{ recipient: destAddress, refundTo, retryBlocks, amount: BigInt(amount), minPriceX128: BigInt(minPriceX128) },
    ...{ brokerBps: rest.commissionBps ?? 0, broker: rest.brokerAccount ?? null },
  }
}

/** The two calls that start a swap. */
const createOpenings = ({ clock, faults, market, tokens }: World, swaps: Swaps, vaultKey: Uint8Array) => {
  let opened = 0
  /** Reads a request, altered by the active faults of payloads. `contractOf`: the address to pay. */
  const read = ({ body, path }: SimRequest, contractOf: (src: WireAsset) => string | null) => {
    const { pair, ...asked } = readSwap(body, tokens)
    const { src, dest } = pair
    const takes = takesFor(faults, ID, path)
    refuseHalt(takes, src)
    checkAmount(market, pair, asked.amount)
    const contract = found(contractOf(src), null, `Asset ${src.name} is disabled`, { status: 503 })
    const terms = { ...asked, minimum: asked.minPriceX128, contract }
    const altered = alteredTerms(takes, terms, { origin: src.asset, destination: dest.asset })
    return { ...asked, ...pair, ...altered, minPriceX128: altered.minimum }
  }

  const postChannel = (request: SimRequest): SimResponse => {
    opened += 1
    const [number, block, openedAt] = [FIRST.channel + opened, FIRST.block + opened, clock.now()]
    const swap = read(request, (src) => depositAddressOf(src, BigInt(number), vaultKey))
    const { src, amount: expected, contract: address } = swap
    const id = `${block}-${src.chain}-${number}`
    const expiresAt = openedAt + CHANNEL_MS
    swaps.open({ id, address, expected, openedAt, expiresAt }, { ...swap, brokerBps: 0, isVaultSwap: false })
    const answer = { id, depositAddress: address, brokerCommissionBps: 0, maxBoostFeeBps: 0, issuedBlock: block }
    return ok({ ...answer, srcChainExpiryBlock: '964700', estimatedExpiryTime: expiresAt, channelOpeningFee: '0' }, 201)
  }

  const postVaultSwap = async (request: SimRequest): Promise<SimResponse> => {
    return ok(await encodeVaultSwap(read(request, vaultFor)))
  }
  return { postChannel, postVaultSwap }
}

const bytesOf = (vault: string): readonly number[] =>
  vault.startsWith('0x') ? [...Buffer.from(vault.slice(2), 'hex')] : [...base58.decode(vault)]

/** A node of the State Chain. */
const answerRpc = (body: unknown, vaultKey: Uint8Array): object => {
  const { id, method } = readFields(body, RPC, refuse)
  if (method !== 'cf_get_vault_addresses') return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }
  const evm = (chainId: number) => bytesOf(vaultOn(chainId) ?? '0x')
  const btc = bech32m.encode('bc', [1, ...bech32m.toWords(vaultKey)])
  const result = {
    ...{ ethereum: { Eth: evm(1) }, arbitrum: { Arb: evm(42161) }, bsc: { Bsc: evm(56) }, bitcoin: [] },
    ...{ sol_vault_program: { Sol: bytesOf(SOLANA_VAULT_PROGRAM) }, solana_sol_vault: { Sol: bytesOf(SOLANA_VAULT) } },
    bitcoin_vault: { Btc: [...Buffer.from(btc)] },
  }
  return { jsonrpc: '2.0', id, result }
}

/**
 * Chainflip's public backend and a node of its State Chain: quotes, deposit channels, calls of the vault, and swaps that end by a
 * delivery, a refund, or neither. https://github.com/chainflip-io/chainflip-sdk-monorepo
 */
export const createChainflip = (world: World): SimVenue => {
  const { clock, faults, market, tokens, random } = world
  const swaps = createSwaps(world)
  const vaultKey = schnorr.getPublicKey(random.bytes(32))
  const { postChannel, postVaultSwap } = createOpenings(world, swaps, vaultKey)

  const getQuote = ({ query, path }: SimRequest): SimResponse => {
    const asked = readFields(queryFields(query), QUOTE, refuse)
    const takes = takesFor(faults, ID, path)
    const { srcChain, srcAsset, destChain, destAsset } = asked
    const pair = pairNamed(tokens, { chain: srcChain, asset: srcAsset }, { chain: destChain, asset: destAsset })
    refuseHalt(takes, pair.src)
    const [amount, brokerBps] = [BigInt(asked.amount), Number(asked.brokerCommissionBps ?? 0)]
    checkAmount(market, pair, amount)
    const isVaultSwap = asked.isVaultSwap === 'true'
    return ok([quoteBody(world, { ...pair, amount, brokerBps, isVaultSwap, misquoted: misquotedBy(takes) })])
  }

  const getSwap = ({ path }: SimRequest): SimResponse => {
    const swap = found(swaps.find(path.slice('/v2/swaps/'.length)), null, 'resource not found', { status: 404 })
    return ok(statusBody(swap, swaps.isSeen(swap), clock.now()))
  }

  /** The official client sends a list of calls. */
  const postRpc = ({ body }: SimRequest): SimResponse =>
    ok(Array.isArray(body) ? body.map((one) => answerRpc(one, vaultKey)) : answerRpc(body, vaultKey))

  const ROUTES: { readonly [route: string]: (request: SimRequest) => SimResponse | Promise<SimResponse> } = {
    'GET /api/networkInfo': ({ path }) => ok(networkBody(world, takesFor(faults, ID, path)('halt'))),
    'GET /v2/quote': getQuote,
    'GET /v2/swaps': getSwap,
    'POST /api/openSwapDepositChannel': postChannel,
    'POST /api/encodeVaultSwapData': postVaultSwap,
    'POST /rpc': postRpc,
  }

  return {
    id: ID,
    handle: answering(
      (request) => {
        const route = `${request.method} ${request.path.replace(/^(\/v2\/swaps)\/[^/]+$/, '$1')}`
        return found(ROUTES[route], null, 'resource not found', { status: 404 })(request)
      },
      ({ status, message }) => ({ status, body: { message } }),
    ),
    onDeposit: swaps.deposit,
    onTransaction: watchVaults(tokens, swaps),
    settings: { RPC_URL: '/rpc' },
    pricePaths: [{ path: '/api/encodeVaultSwapData' }, { path: '/rpc' }],
  }
}
