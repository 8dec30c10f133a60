import { takesFor } from '../../kit/lies.ts'
import { found, ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS, type Pool } from './networks.ts'
import { quoteSwap } from './quoteSwap.ts'
import type { Registrations } from './registrations.ts'
import { statusBody, UNSEEN } from './status.ts'
import type { Swaps } from './swaps.ts'

type Answer = (request: SimRequest, ...parts: readonly string[]) => SimResponse

/** Of every pool, and read by nobody here: liquidity, synthetics and savers are none of this. */
const UNREAD = {
  ...{ pending_inbound_asset: '0', pending_inbound_rune: '0', pool_units: '50000000000000', LP_units: '50000000000000' },
  ...{ synth_units: '0', synth_supply: '0', synth_mint_paused: true, synth_supply_remaining: '0', derived_depth_bps: '10000' },
  ...{ savers_depth: '0', savers_units: '0', savers_fill_bps: '0', savers_capacity_remaining: '0' },
}

type Told = {
  readonly venue: string
  readonly pools: readonly Pool[]
  readonly swaps: Swaps
  readonly registrations: Registrations
}

/** What a node answers, by the path that is asked. */
export const nodeAnswers = (
  world: World,
  { venue, pools, swaps, registrations }: Told,
): readonly (readonly [RegExp, Answer])[] => {
  const { market, faults } = world
  const inbound = ({ path }: SimRequest) => {
    const takes = takesFor(faults, venue, path)
    const isHalted = takes('halt')
    return NETWORKS.map(({ code, vault, router, outboundFee, gas: [rate, units] }) => ({
      ...{ chain: code, pub_key: `thorpub1offline${code.toLowerCase()}`, address: vault, ...(router === null ? {} : { router }) },
      ...{ halted: isHalted, global_trading_paused: false, chain_trading_paused: isHalted, chain_lp_actions_paused: false },
      ...{ observed_fee_rate: rate, gas_rate: rate, gas_rate_units: units, outbound_tx_size: '1000' },
      ...{ outbound_fee: String(outboundFee), dust_threshold: '1000' },
    }))
  }

  const asgard = () => {
    const addresses = NETWORKS.map(({ code, vault }) => ({ chain: code, address: vault }))
    const routers = NETWORKS.flatMap(({ code, router }) => (router === null ? [] : [{ chain: code, router }]))
    return [{ status: 'ActiveVault', coins: [], routers, addresses, frozen: [] }]
  }

  const poolRows = ({ path }: SimRequest) => {
    const isHalted = takesFor(faults, venue, path)('halt')
    return pools.map(({ name, token }) => ({
      ...{ asset: name, short_code: '', status: 'Available', ...(token.decimals < 8 ? { decimals: token.decimals } : {}) },
      ...{ balance_asset: '90000000000000', balance_rune: '70000000000000', trading_halted: isHalted },
      asset_tor_price: String(market.usdMicros(token) * 100n),
      ...UNREAD,
    }))
  }

  const status = (hash: string): SimResponse => {
    const deposit = swaps.find(hash)
    return ok(deposit && swaps.isSeen(deposit) ? statusBody(deposit, world.clock.now()) : UNSEEN)
  }

  const isUsed = (hash: string): boolean => {
    const deposit = swaps.find(hash)
    return deposit !== null && swaps.isSeen(deposit)
  }

  const blocks = () =>
    NETWORKS.map(({ code }) => ({ chain: code, last_observed_in: 1, last_signed_out: 1, thorchain: registrations.height() }))

  // As on mainnet, where some values are larger than JSON numbers hold.
  const mimir = (isHalted: boolean) => ({ HALTTRADING: 0, HALTMEMOLESS: isHalted ? 1 : 0, MAXRUNESUPPLY: 50_000_000_000_000_000 })

  return [
    [/^\/thorchain\/ping$/, () => ok({ ping: 'pong' })],
    [/^\/thorchain\/inbound_addresses$/, (request) => ok(inbound(request))],
    [/^\/thorchain\/vaults\/asgard$/, () => ok(asgard())],
    [/^\/thorchain\/pools$/, (request) => ok(poolRows(request))],
    [/^\/thorchain\/quote\/swap$/, (request) => ok(quoteSwap(world, venue, pools, request))],
    [/^\/thorchain\/mimir$/, ({ path }) => ok(mimir(takesFor(faults, venue, path)('halt')))],
    [/^\/thorchain\/lastblock$/, () => ok(blocks())],
    [/^\/thorchain\/tx\/status\/([0-9A-Za-z]+)$/, (_, hash = '') => status(hash)],
    [/^\/thorchain\/memo\/check\/BTC\.BTC\/([0-9]{1,16})$/, (_, amount = '0') => ok(registrations.check(BigInt(amount)))],
    [
      /^\/thorchain\/memo\/([0-9A-F]{64})$/,
      (_, hash = '') => ok(found(registrations.byHash(hash, isUsed), '5', 'reference memo not found', { status: 404 })),
    ],
  ]
}
