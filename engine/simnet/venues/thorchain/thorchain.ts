import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { BITCOIN } from '../../../core/chain.ts'
import { toWireHash } from '../../../venues/thorchain/protocol.ts'
import { addressAt, bytesAt, uintAt } from '../../kit/abiWords.ts'
import { takesFor } from '../../kit/lies.ts'
import type { Market } from '../../kit/market.ts'
import { answering, found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS, networkOf, type Pool, poolsOf } from './networks.ts'
import { quoteSwap } from './quotes.ts'
import { createRegistrations } from './registrations.ts'
import { createSwaps } from './swaps.ts'

const ID = 'thorchain'
/** The path of the registration service, which has a host of its own in production. */
const MEMOLESS = '/memoless/api/v1'

/** What a vault may pay out of each token that the router holds. */
export const VAULT_STOCK = 10n ** 64n

const DEPOSIT = keccakText('Deposit(address,address,uint256,string)')

const inboundRows = (isHalted: boolean) =>
  NETWORKS.map(({ code, vault, router, outboundFee, gasUnits }) => ({
    ...{ chain: code, address: vault, ...(router === null ? {} : { router }), outbound_fee: `${outboundFee}` },
    ...{ halted: isHalted, global_trading_paused: false, chain_trading_paused: isHalted, chain_lp_actions_paused: false },
    gas_rate_units: gasUnits,
  }))

const vaultRows = () => [
  { status: 'ActiveVault', addresses: NETWORKS.map(({ code, vault }) => ({ chain: code, address: vault })), frozen: [] },
]

/** Required in every row of the pools. */
const POOL_ROW = {
  ...{ status: 'Available', balance_asset: '90000000000000', balance_rune: '70000000000000', derived_depth_bps: '10000' },
  ...{ pending_inbound_asset: '0', pending_inbound_rune: '0', pool_units: '50000000000000', LP_units: '50000000000000' },
  ...{ synth_units: '0', synth_supply: '0', synth_mint_paused: true, synth_supply_remaining: '0' },
  ...{ savers_depth: '0', savers_units: '0', savers_fill_bps: '0', savers_capacity_remaining: '0' },
}

const poolRows = (pools: readonly Pool[], market: Market, isHalted: boolean) =>
  pools.map(({ name, token: { decimals }, token }) => ({
    ...{ asset: name, ...(decimals < 8 ? { decimals } : {}), trading_halted: isHalted },
    ...{ ...POOL_ROW, asset_tor_price: String(market.usdMicros(token) * 100n) },
  }))

/** As on mainnet, where some values exceed the safe integers of JSON. */
const mimir = (isHalted: boolean) => ({ HALTTRADING: 0, HALTMEMOLESS: isHalted ? 1 : 0, MAXRUNESUPPLY: 50_000_000_000_000_000 })

type Node = {
  readonly pools: readonly Pool[]
  readonly swaps: ReturnType<typeof createSwaps>
  readonly registrations: ReturnType<typeof createRegistrations>
}

/** The answer of a node to GET `/thorchain/{name}`; null for an unknown name. */
const nodeAnswer = (world: World, { pools, swaps, registrations }: Node, request: SimRequest, name: string): unknown => {
  const isHalted = () => takesFor(world.faults, ID, request.path)('halt')
  const [, kind = name, value = ''] = /^(tx\/status|memo\/check\/BTC\.BTC|memo)\/([0-9A-F]{1,64})$/.exec(name) ?? []
  switch (kind) {
    case 'inbound_addresses':
      return inboundRows(isHalted())
    case 'vaults/asgard':
      return vaultRows()
    case 'pools':
      return poolRows(pools, world.market, isHalted())
    case 'quote/swap':
      return quoteSwap(world, pools, request)
    case 'mimir':
      return mimir(isHalted())
    case 'lastblock':
      return NETWORKS.map(({ code }) => ({
        chain: code,
        last_observed_in: 1,
        last_signed_out: 1,
        thorchain: registrations.height(),
      }))
    case 'tx/status':
      return swaps.status(value)
    case 'memo/check/BTC.BTC':
      return registrations.check(BigInt(value))
    case 'memo':
      return found(registrations.byHash(value, swaps.isSeen), '5', 'reference memo not found', { status: 404 })
  }
  return null
}

/** Takes note of deposits to the vaults. */
const watching = (
  { tokens, bitcoin }: World,
  { pools, swaps, registrations }: Node,
): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => ({
  // By a direct call of the router: the network ignores events of inner calls.
  onTransaction: ({ chainId, to, from: payer, txHash, logs = [] }) => {
    const { router, vault } = networkOf(chainId) ?? {}
    const isRouter = (address: string) => address.toLowerCase() === router?.toLowerCase()
    const own = isRouter(to) ? logs.filter(({ address, topics }) => isRouter(address) && topics[0] === DEPOSIT) : []
    for (const { topics, data } of own) {
      const [recipient, asset] = [addressAt(topics[1] ?? '', 0), addressAt(topics[2] ?? '', 0)]
      const token = asset === ZERO_EVM_ADDRESS ? tokens.native(chainId) : tokens.find(chainId, asset)
      const from = pools.find((pool) => pool.token === token)
      const memo = Buffer.from(bytesAt(data, 1), 'hex').toString()
      if (from && recipient === vault) swaps.deposited({ from, amount: uintAt(data, 0), memo, payer, txHash })
    }
    return own.length > 0
  },
  // With a memo of its own, or one registered for the last digits of its amount.
  onDeposit: ({ chainId, address, amount, txHash }) => {
    const from = pools.find(({ network }) => network.chainId === BITCOIN)
    if (chainId !== BITCOIN || !from || address !== from.network.vault) return false
    const { outputs = [], inputs = [] } = bitcoin.transaction(txHash) ?? {}
    const written = outputs.find(({ data }) => data !== null)?.data
    const memo = written ? Buffer.from(written).toString() : (registrations.take(amount, toWireHash(txHash)) ?? '')
    swaps.deposited({ from, amount, memo, payer: inputs[0]?.address ?? bitcoin.treasury(), txHash })
    return true
  },
})

/** THORNode's API from its OpenAPI document and source, with the routers and vaults of its chains. https://dev.thorchain.org */
export const createThorchain = (world: World): SimVenue => {
  const pools = poolsOf(world.tokens)
  const node: Node = { pools, swaps: createSwaps(world, pools), registrations: createRegistrations(world, pools) }

  const route = (request: SimRequest): SimResponse => {
    const { method, path, body } = request
    if (path === `${MEMOLESS}/register` && method === 'POST') {
      refuseIf(takesFor(world.faults, ID, path)('halt'), 'HALTED', 'memoless transactions are halted')
      return ok(node.registrations.register(body))
    }
    const name = method === 'GET' ? /^(?:\/second)?\/thorchain\/(.+)$/.exec(path)?.[1] : undefined
    return ok(found(name && nodeAnswer(world, node, request, name), '12', 'Not Implemented', { status: 501 }))
  }

  return {
    id: ID,
    handle: answering(route, ({ status, message, code }, { path }) => ({
      status,
      body: path.startsWith(MEMOLESS)
        ? { success: false, error: { code, message } }
        : { code: Number(code), message, details: [] },
    })),
    ...watching(world, node),
    settings: { SECOND_URL: '/second', MEMOLESS_URL: MEMOLESS },
    pricePaths: [],
  }
}
