import type { Address } from '../../core/address.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import { addressesOn, addressesSetting, addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import type { SlippageRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { type Opened, priceOf, toExecution } from './build.ts'
import { createKyberClient, type FoundRoute } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { type Ask, checkRoute, toBuildWish, toOffer, toRoutesQuery, VENUE_ID } from './map.ts'
import { pinsOf } from './pins.ts'
import { ROUTER } from './protocol.ts'
import { contractsOf, PUBLIC_BASE_URL, SERVED, serves, slugOf } from './published.ts'
import { offerCarry } from './wire.ts'

/**
 * Without a value the API allows no slippage, which no pool could keep. Half a percent is our own choice. The accepted range:
 * `slippageTolerance` of KyberSwapAggregator_EVMAPIs_v2.12.1.yaml.
 */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 50, minBps: 0, maxBps: 2_000 }

/** Payloads have no readable deadline. */
const DEADLINE_MS_MAX = 3_600_000

/** About three a second for one client id, not measured: "Rate limits" of KyberNetwork/kyberswap-documentation. */
const LIMITS = { requestsPerSecond: 3, requestsPerMinute: 180 } as const

const EXTRA_ROUTERS = addressesSetting('EXTRA_ROUTERS', 'should KyberSwap deploy another MetaAggregationRouterV2', (id) =>
  SERVED.some((served) => served === id),
)

const PROFILE = {
  ...PLAIN_PROFILE,
  id: VENUE_ID,
  name: 'KyberSwap',
  serves,
  slippage: () => SLIPPAGE_RULE,
  toldApartBy,
  limits: LIMITS,
  deadlineMsMax: DEADLINE_MS_MAX,
} satisfies Partial<VenueProfile>

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const contracts = contractsOf(addressesOn(config, EXTRA_ROUTERS, ROUTER))
  const routersOn = ({ input: { chainId } }: Ask['order']): readonly Address[] => contracts[chainId] ?? []
  const feeRecipient = addressIn(config, FEE_RECIPIENT)
  const source = config.settings['CLIENT_ID'] ?? 'swap-service'
  const client = createKyberClient(config, source, http)

  const feeOf = (bps: number): Ask['fee'] => (bps > 0 && feeRecipient !== null ? { bps, recipient: feeRecipient } : null)

  const route = async (ask: Ask, signal: AbortSignal): Promise<FoundRoute> => {
    if (!serves(ask.order)) throw new VenueError('unsupportedPair', 'not a swap of two tokens of one served chain')
    const answer = await client.routes(slugOf(ask.order.input), toRoutesQuery(ask), signal)
    checkRoute(answer.found, ask, routersOn(ask.order))
    return answer
  }

  /** After an expired route this requests another one, without the market makers. */
  const execute = async (sealed: SealedOffer, binding: Binding, signal: AbortSignal): Promise<Execution> => {
    const { order, offer } = sealed
    offerCarry.read(offer.carry)
    const ask: Ask = { order, fee: feeOf(offer.fee.bps) }
    let { summary } = await route(ask, signal)
    const build = (slippageBps: number) => {
      const wish = toBuildWish(order, binding, { slippageBps, source, now: clock.now() })
      return client.build(slugOf(order.input), summary, wish, signal)
    }
    const open = async (slippageBps: number): Promise<Opened> => {
      let built = await build(slippageBps)
      if (built === null) {
        ;({ summary } = await route({ ...ask, withoutMakers: true }, signal))
        built = await build(slippageBps)
      }
      if (built === null) throw new VenueError('noLiquidity', 'kyberswap: every route has gone by the time it is built')
      return { built, slippageBps }
    }
    return toExecution(await openWithin(sealed, SLIPPAGE_RULE, { open, priceOf }), order, binding, routersOn(order))
  }

  return {
    ...PLAIN_VENUE,
    profile: {
      ...PROFILE,
      contracts,
      feeRecipient: () => feeRecipient,
      // The router sends it to `feeReceivers` as it pays the output: MetaAggregationRouterV2.sol, https://docs.kyberswap.com
      feeCustody: () => paidOnDelivery('output', feeRecipient),
    },
    quote: async (order, signal) => {
      const ask: Ask = { order, fee: feeOf(order.feeBps) }
      const { found } = await route(ask, signal)
      return toOffer(found, ask, clock.now())
    },
    execute,
    decode,
    events: createEvents(contracts),
    pins: pinsOf(client, chains, contracts[1] ?? []),
  }
}

/** KyberSwap's aggregator: pools and market makers of one chain, by one call of its router. https://docs.kyberswap.com */
export const kyberswap: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: [
    FEE_RECIPIENT,
    EXTRA_ROUTERS,
    { name: 'CLIENT_ID', pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, expects: 'up to 64 letters, digits, ., - and _' },
  ],
  create,
}
