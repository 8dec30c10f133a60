import type { Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import type { Asset } from '../../core/asset.ts'
import { BITCOIN, isEvmChainId } from '../../core/chain.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { Route } from '../../core/route.ts'
import { fromChain } from '../kit/chainReads.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import type { Party } from '../kit/refusals.ts'
import type { SlippageRule, TrustRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { toDeposit, toTransaction } from './build.ts'
import { createNode, createRegistrar } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { type Ask, type Side, shavedMax, toOffer, toQuoteQuery, toTerms } from './map.ts'
import { createMemoless } from './memoless.ts'
import { createNetwork, type Since } from './network.ts'
import { createPins } from './pins.ts'
import { isDecimalsOf, type Pools, poolOf, tradedOn } from './pools.ts'
import { isOnItsChains, PUBLIC_BASE_URL, VENUE_ID } from './published.ts'
import { refundKeeps } from './refundKeeps.ts'
import { readSettings, THORCHAIN_SETTINGS, type ThorchainSettings } from './settings.ts'
import { createTracker } from './track.ts'
import { offerCarry } from './wire.ts'

/** No default is documented: a swap without a limit accepts any output. One percent is our own choice. */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 100, minBps: 0, maxBps: 9_999 }
/** A quote a second for each address: `docs/concepts/connecting-to-thorchain.md` of THORNode. */
const LIMITS = { requestsPerSecond: 1 } as const
const DEADLINE_MS_MAX = 24 * 3_600_000
const DECODE_MS = 5_000
/** From Bitcoin the memo of a quote must fit into one output, beside an address and an asset. */
const SHORT_NAME = 12

const isFromBitcoin = ({ input }: Route): boolean => input.chainId === BITCOIN

const TAKEN_ON_TRUST: readonly TrustRule[] = [
  {
    executionType: 'DEPOSIT',
    parts: ['recipient', 'minimum', 'refund', 'fee'],
    appliesTo: isFromBitcoin,
    routes: 'from Bitcoin',
    reason: 'the deposit has no memo: the network stores its purpose, which the service reads from two nodes',
  },
]

const createProfile = ({ affiliate, memolessUrl, routers }: ThorchainSettings): VenueProfile => ({
  id: VENUE_ID,
  name: 'THORChain',
  serves: (route) => isOnItsChains(route) && (memolessUrl !== null || !isFromBitcoin(route)),
  bindsAtQuote: { recipient: [], refundTo: [] },
  hasSandbox: false,
  contracts: routers,
  feeRecipient: (route) => (isFromBitcoin(route) && (affiliate?.length ?? 0) > SHORT_NAME ? null : affiliate),
  // From the input, swapped to RUNE and paid on THORChain to the address or the name: "Affiliate fees", dev.thorchain.org
  feeCustody: () => ({ ...keptAtVenue('creditedAtVenue', 'input', 'RUNE on THORChain'), ecosystem: 'thorchain' }),
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: TAKEN_ON_TRUST,
  holdsInput: () => true,
  nativeFeeMax: () => 0n,
  refundKeeps,
  amountCarriesReference: shavedMax,
  toldApartBy,
  limits: LIMITS,
  deadlineMsMax: DEADLINE_MS_MAX,
})

/**
 * The network observes no deposit of a contract, and its payment to one may be lost. Its documents state this for contract
 * wallets and for accounts that delegate to code.
 */
const checkParties = async (
  { sender, input, output, unnamed }: Ask['order'],
  { recipient, refundTo }: Binding,
  chains: Pick<Chains, 'code'>,
  signal: AbortSignal,
): Promise<void> => {
  const isStandIn = unnamed.includes('recipient') && recipient === undefined
  const parties: readonly (readonly [Party, Pick<Asset, 'chainId'>, Address])[] = [
    ['sender', input, sender],
    ...(refundTo === sender ? [] : [['refundTo', input, refundTo] as const]),
    ...(isStandIn || (recipient === sender && input.chainId === output.chainId)
      ? []
      : [['recipient', output, recipient] as const]),
  ]
  await Promise.all(
    parties.map(async ([party, { chainId }, address]) => {
      if (!isEvmChainId(chainId) || (await fromChain(chains.code({ chainId, address }, signal))) === '0x') return
      throw new VenueError('badRequest', `thorchain: there is code at the ${party}`, { party })
    }),
  )
}

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const settings = readSettings(config)
  const profile = createProfile(settings)
  const [first, second] = [createNode(config.baseUrl, settings, http), createNode(settings.secondUrl, settings, http)] as const
  const network = createNetwork(first, second, settings, clock)
  const memoless =
    settings.memolessUrl === null
      ? null
      : createMemoless({ nodes: [first, second], register: createRegistrar(config, settings.memolessUrl, http), clock })

  const sideOf = async (asset: Asset, listed: Pools, signal: AbortSignal): Promise<Side> => {
    const pool = poolOf(asset, listed)
    const { decimals } = await fromChain(chains.token(asset, signal))
    if (!isDecimalsOf(pool, asset, decimals))
      throw rejected('decimals', `thorchain: other decimals of ${pool.asset}`, pool.decimals)
    return { asset, pool, decimals }
  }

  const askOf = async (
    order: Ask['order'],
    { binding, bps, since }: { readonly binding: Binding; readonly bps: number; readonly since: Since },
    signal: AbortSignal,
  ): Promise<Ask> => {
    if (!profile.serves(order)) throw new VenueError('unsupportedPair', 'thorchain is not asked for this route')
    const name = profile.feeRecipient(order)
    const open = isFromBitcoin(order) ? memoless?.requireOpen(since, signal) : undefined
    const [pools, vault] = await Promise.all([
      since === 'now' ? network.poolsNow(signal) : network.pools(signal),
      // The network makes no payments on a halted chain either.
      network.agreedVault(order.input, signal, { since, paidOutOn: order.output }),
      checkParties(order, binding, chains, signal),
      open,
    ])
    const [input, output] = await Promise.all([order.input, order.output].map((asset) => sideOf(asset, pools, signal)))
    if (input === undefined || output === undefined) throw new TypeError('two assets have two sides')
    return { order, binding, input, output, fee: name !== null && bps > 0 ? { name, bps } : null, vault, pools }
  }

  const answerTo = (ask: Ask, signal: AbortSignal) => {
    const { order, input } = ask
    const asked = { amount: order.inputAmount, decimals: input.decimals, beside: shavedMax(order) }
    return first.quote(toQuoteQuery(ask), asked, signal)
  }

  const quote: Venue['quote'] = async (order, signal) => {
    const ask = await askOf(order, { binding: order, bps: order.feeBps, since: 'lately' }, signal)
    const answer = await answerTo(ask, signal)
    return toOffer(answer, toTerms(answer, ask), ask)
  }

  const execute: Venue['execute'] = async ({ order, offer }, binding, signal): Promise<Execution> => {
    offerCarry.read(offer.carry)
    const ask = await askOf(order, { binding, bps: offer.fee.bps, since: 'now' }, signal)
    const terms = toTerms(await answerTo(ask, signal), ask, offer.slippage?.guaranteedMin ?? 0n)
    if (memoless !== null && isFromBitcoin(order)) return toDeposit(ask, terms, memoless, signal)
    return toTransaction(ask, terms, clock.now())
  }

  return {
    profile,
    quote,
    execute,
    decode: (execution) => decode(execution, { network, memoless, chains, signal: AbortSignal.timeout(DECODE_MS) }),
    submitter: null,
    tracker: createTracker(first, clock),
    events: createEvents(settings.routers),
    unfilled: null,
    prices: null,
    pins: createPins([first, second], settings.routers),
    bitcoinReach: memoless && {
      tokens: async (chainId, signal) => {
        const [pools, isOpen] = await Promise.all([network.pools(signal), memoless.isOpen('lately', signal)])
        return isOpen && chainId !== BITCOIN && tradedOn(BITCOIN, pools).length > 0 ? tradedOn(chainId, pools) : []
      },
    },
  }
}

/**
 * THORChain: pools of its own network, whose validators hold a vault on every chain. A deposit there, with a memo of its purpose,
 * is the swap. https://dev.thorchain.org
 */
export const thorchain: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: THORCHAIN_SETTINGS,
  create,
}
