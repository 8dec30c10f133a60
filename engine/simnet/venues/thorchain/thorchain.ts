import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { BITCOIN } from '../../../core/chain.ts'
import { addressAt, bytesAt, uintAt } from '../../kit/abiWords.ts'
import { takesFor } from '../../kit/lies.ts'
import { answering, found, hasKey, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimLog, SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS, networkOf, poolsOf } from './networks.ts'
import { quoteSwap } from './quoteSwap.ts'
import { createRegistrations } from './registrations.ts'
import { statusBody, UNSEEN } from './status.ts'
import { createSwaps, wireHash } from './swaps.ts'
import { ONE } from './units.ts'

const ID = 'thorchain'
/** Where, on the host of the first node, the second one and the registration service stand in for hosts of their own. */
const SECOND = '/second'
const MEMOLESS = '/memoless/api/v1'
const KEY = { lengthMax: 256, code: 'UNAUTHORIZED', message: 'invalid API key' }

const DEPOSIT = keccakText('Deposit(address,address,uint256,string)')
const ZERO = `0x${'0'.repeat(40)}`

/** An event of the router: who is paid, what, how much, and the memo. */
const readDeposit = ({ topics: [topic, vault = '', asset = ''], data }: SimLog) =>
  topic === DEPOSIT
    ? [
        {
          vault: addressAt(vault, 0),
          asset: addressAt(asset, 0),
          amount: uintAt(data, 0),
          memo: Buffer.from(bytesAt(data, 1), 'hex').toString(),
        },
      ]
    : []

/** THORNode's API from its OpenAPI document and source, with the routers and vaults of its chains. https://dev.thorchain.org */
export const createThorchain = (world: World): SimVenue => {
  const { tokens, market, faults, bitcoin } = world
  const pools = poolsOf(tokens)
  const swaps = createSwaps(world, ID, pools)
  const registrations = createRegistrations(world, pools)

  const inbound = ({ path }: SimRequest) => {
    const takes = takesFor(faults, ID, path)
    const isHalted = takes('halt')
    return NETWORKS.map(({ code, vault, router, outboundFee, gas: [rate, units] }) => ({
      ...{ chain: code, pub_key: `thorpub1offline${code.toLowerCase()}`, address: vault, ...(router === null ? {} : { router }) },
      ...{ halted: isHalted, global_trading_paused: false, chain_trading_paused: isHalted, chain_lp_actions_paused: false },
      ...{ observed_fee_rate: rate, gas_rate: rate, gas_rate_units: units, outbound_tx_size: '1000' },
      ...{ outbound_fee: String(outboundFee), dust_threshold: '1000' },
    }))
  }

  const poolRows = () =>
    pools.map(({ name, token }) => ({
      ...{ asset: name, short_code: '', status: 'Available', ...(token.decimals < 8 ? { decimals: token.decimals } : {}) },
      ...{ balance_asset: '90000000000000', balance_rune: '70000000000000', trading_halted: false },
      asset_tor_price: String(market.usdMicros(token) * 100n),
    }))

  const status = (hash: string): SimResponse => {
    const deposit = swaps.find(hash)
    return ok(deposit && swaps.isSeen(deposit) ? statusBody(deposit) : UNSEEN)
  }

  const isUsed = (hash: string): boolean => {
    const deposit = swaps.find(hash)
    return deposit !== null && swaps.isSeen(deposit)
  }

  const blocks = () =>
    NETWORKS.map(({ code }) => ({ chain: code, last_observed_in: 1, last_signed_out: 1, thorchain: registrations.height() }))

  const PATHS: readonly (readonly [RegExp, (request: SimRequest, ...parts: readonly string[]) => SimResponse])[] = [
    [/^\/thorchain\/ping$/, () => ok({ ping: 'pong' })],
    [/^\/thorchain\/inbound_addresses$/, (request) => ok(inbound(request))],
    [/^\/thorchain\/pools$/, () => ok(poolRows())],
    [/^\/thorchain\/quote\/swap$/, (request) => ok(quoteSwap(world, ID, pools, request))],
    [/^\/thorchain\/mimir$/, ({ path }) => ok({ HALTTRADING: 0, HALTMEMOLESS: takesFor(faults, ID, path)('halt') ? 1 : 0 })],
    [/^\/thorchain\/lastblock$/, () => ok(blocks())],
    [/^\/thorchain\/tx\/status\/([0-9A-Za-z]+)$/, (_, hash = '') => status(hash)],
    [/^\/thorchain\/memo\/check\/BTC\.BTC\/([0-9]{1,16})$/, (_, amount = '0') => ok(registrations.check(BigInt(amount)))],
    [
      /^\/thorchain\/memo\/([0-9A-F]{64})$/,
      (_, hash = '') => ok(found(registrations.byHash(hash, isUsed), '5', 'reference memo not found', { status: 404 })),
    ],
  ]

  const route = (request: SimRequest): SimResponse => {
    const { method, path, headers, body } = request
    if (path === `${MEMOLESS}/register` && method === 'POST') {
      hasKey(headers['x-api-key'], KEY)
      refuseIf(takesFor(faults, ID, path)('halt'), 'HALTED', 'memoless transactions are halted')
      return ok(registrations.register(body))
    }
    const own = path.startsWith(`${SECOND}/`) ? path.slice(SECOND.length) : path
    for (const [pattern, answer] of PATHS) {
      const match = method === 'GET' ? pattern.exec(own) : null
      if (match) return answer(request, ...match.slice(1))
    }
    return { status: 501, body: { code: 12, message: 'Not Implemented', details: [] } }
  }

  /** By the router itself: what a contract deposits is not seen. */
  const onTransaction: SimVenue['onTransaction'] = ({ chainId, to, from, txHash, logs = [] }) => {
    const network = networkOf(chainId)
    const router = network?.router?.toLowerCase()
    if (!network || router === undefined || to.toLowerCase() !== router) return false
    const own = logs.filter(({ address }) => address.toLowerCase() === router).flatMap(readDeposit)
    for (const { vault, asset, amount, memo } of own) {
      const pool = pools.find(({ token }) => token === (asset === ZERO ? tokens.native(chainId) : tokens.find(chainId, asset)))
      if (pool && vault === network.vault.toLowerCase()) swaps.deposited({ from: pool, amount, memo, payer: from, txHash })
    }
    return own.length > 0
  }

  /** A deposit of bitcoin is what its own memo says, or its last digits stand for; else it goes back. */
  const onDeposit: SimVenue['onDeposit'] = ({ chainId, address, amount, txHash }) => {
    const pool = pools.find(({ network }) => network.chainId === BITCOIN)
    if (chainId !== BITCOIN || !pool || address !== pool.network.vault) return false
    const transaction = bitcoin.transaction(txHash)
    const written = transaction?.outputs.find(({ data }) => data !== null)?.data
    const memo = written ? Buffer.from(written).toString() : (registrations.take(amount, wireHash(txHash)) ?? '')
    swaps.deposited({ from: pool, amount, memo, payer: transaction?.inputs[0]?.address ?? bitcoin.treasury(), txHash })
    return true
  }

  return {
    id: ID,
    handle: answering(route, ({ status: code, message, code: own }, { path }) =>
      path.startsWith(MEMOLESS)
        ? { status: code, body: { success: false, error: { code: own, message } } }
        : { status: code, body: { code: Number(own ?? 3), message, details: [] } },
    ),
    onTransaction,
    onDeposit,
    settings: { SECOND_URL: SECOND, MEMOLESS_URL: MEMOLESS },
    pricePaths: [],
  }
}

/** The stock of a vault in the router: what it may pay out of each token. */
export const VAULT_STOCK = ONE ** 8n
