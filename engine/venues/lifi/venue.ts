import { ChainError } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, isSameAsset, NATIVE } from '../../core/asset.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Binding, Execution, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { Route } from '../../core/route.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { readView } from '../kit/chainReads.ts'
import { bridgesIn, claimProblems } from '../kit/claimProblems.ts'
import { createFreshLists } from '../kit/keptList.ts'
import { deliveryCostCents, firm, PLAIN_EXECUTION, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import { addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import { type CodeOf, wrappedNative } from '../kit/spokePools.ts'
import type { SlippageRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import { PERIPHERY } from './abi.ts'
import { allowedBridges, parseDenied } from './bridges.ts'
import { type DecodePorts, isIntent, type Naming } from './calls.ts'
import { createLifiClient } from './client.ts'
import { callOf, decode, feesIn, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { FILL_SECONDS_MAX } from './intents.ts'
import { type Ask, type Terms, toOffer, toQuery, toTerms, VENUE_ID } from './map.ts'
import { createPins } from './pins.ts'
import { DEPLOYED, facetsBetween, type Pinned, PUBLIC_BASE_URL, pinnedBy, SETTINGS } from './published.ts'
import { createTracker } from './track.ts'
import { offerCarry, type WireQuote } from './wire.ts'

const serves = ({ input, output }: Route): boolean =>
  isEvmChainId(input.chainId) &&
  (input.chainId === output.chainId ? !isSameAsset(input, output) : facetsBetween(input.chainId, output.chainId).length > 0)

/** The default of its documents, 0.005, which its types contradict: so it is always sent. The maximum would allow any loss. */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 50, minBps: 1, maxBps: 5_000 }

/** For an intent: docs.li.fi, changelog of May 2026. An Across deposit has its own bound. */
const DEADLINE_MS_MAX = FILL_SECONDS_MAX * 1_000

/** MAX_GOVERNANCE_FEE of GovernanceFee.sol, catalystsystem/catalyst-intent: the escrow deducts it from a refund, too. */
const GOVERNANCE_FEE_BPS_MAX = 500

/**
 * https://docs.li.fi/api-reference/rate-limits: with a key a hundred a minute; without one, 75 quotes in two hours, less than one
 * a minute. Other calls: a hundred.
 */
const limitsOf = ({ apiKey }: VenueConfig): VenueProfile['limits'] => ({
  requestsPerMinute: apiKey === null ? 1 : 100,
  statusPerMinute: 100,
})

const createProfile = (config: VenueConfig, feeRecipient: Address | null, { diamonds }: Pinned): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: VENUE_ID,
  name: 'LI.FI',
  serves,
  contracts: diamonds,
  feeRecipient: () => feeRecipient,
  // By the fee step of the paying transaction, FeeForwarder.sol of lifinance/contracts: https://docs.li.fi, monetization
  feeCustody: () => ({
    holder: 'integrator',
    from: 'input',
    becomes: null,
    seen: feeRecipient && { in: 'input', payee: feeRecipient },
  }),
  slippage: () => SLIPPAGE_RULE,
  // Within one chain one transaction takes the input and pays the output, or has no effect.
  holdsInput: ({ input, output }) => input.chainId !== output.chainId,
  deliveryCostCents,
  // The base is the bridged amount, which is less than the input by LI.FI's fee. Refunds of Across's pools are whole, as their
  // events show. CCTP makes no refunds.
  refundKeeps: ({ execution: { payload } }) => {
    const isOfIntent = payload.executionType === 'TRANSACTION' && isIntent(payload.transaction.data)
    return { amount: 0n, bps: isOfIntent ? GOVERNANCE_FEE_BPS_MAX : 0 }
  },
  toldApartBy,
  limits: limitsOf(config),
  deadlineMsMax: DEADLINE_MS_MAX,
})

/** The engine gives a decoder five seconds. */
const CODE_DEADLINE_MS = 4_000

const FORM_PROBLEMS = ['another output token', 'whether the output arrives wrapped']
const isCoinForm = ({ chainId, address }: Asset): boolean => address === NATIVE || address === wrappedNative(chainId)

/**
 * Throws VenueError where a call differs from the request. `notSold`: only the output's form differs, coin or wrapped coin. The
 * code of the recipient decides that form: see `formOfWrapped`.
 */
const demandProved = (problems: readonly string[], { output }: PayloadClaims, asked: Asset): void => {
  const [first] = problems
  if (first === undefined) return
  const why = `lifi answered with what cannot be proved: ${problems.join(', ')}`
  const isOtherForm =
    isCoinForm(output.asset) && isCoinForm(asked) && problems.every((problem) => FORM_PROBLEMS.includes(problem))
  throw isOtherForm ? new VenueError('unsupportedPair', why, { reason: 'notSold' }) : rejected(checkId(first), why)
}

/** Exactly our fee in basis points where one was requested, else no fee. */
const feeProblems = ({ fee }: PayloadClaims, { feeBps }: Ask, feeRecipient: Address | null): readonly string[] => {
  const isOurs = typeof fee === 'object' && fee !== null && 'bps' in fee && fee.bps === feeBps && fee.recipient === feeRecipient
  return (feeBps === 0 ? fee === null : isOurs) ? [] : ['another fee']
}

/** Problems of the call's fees and route, beside those of its claims. */
const callProblems = async (terms: Terms, { bridges }: Ask, ports: Parameters<typeof feesIn>[1]): Promise<readonly string[]> => {
  const call = await callOf(terms)
  return failing({
    'fees that it does not tell': (await feesIn(terms, ports)) <= terms.feesTold,
    'a bridge that was not allowed': call.does === 'swap' || bridges.includes(call.bridge.bridge),
  })
}

/**
 * Only the diamond's owner sets its fee contract, and the diamond calls only contracts that its owner allows. So neither the API
 * nor a dishonest node can make it call another contract.
 */
const FEE_FORWARDER = { abi: PERIPHERY, args: ['FeeForwarder'] }
const NAMED_KEPT = { entriesMax: 50, lifetimeMs: 60_000 }

/** Throws VenueError('noLiquidity') for a chain that cannot be read: our own failure, which does not count against LI.FI. */
const unread =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof ChainError || error instanceof VenueError)) throw error
    throw new VenueError('noLiquidity', `lifi: ${what} cannot be read`, { cause: error })
  }

type Priced = { readonly answer: WireQuote; readonly terms: Terms; readonly claims: PayloadClaims }

const create = (config: VenueConfig, { http, chains, clock, wellVenues }: VenuePorts): Venue => {
  const { INTEGRATOR: integrator = null, DENY_BRIDGES: deniedText = null } = config.settings
  const feeRecipient = integrator === null ? null : addressIn(config, FEE_RECIPIENT)
  const denied = parseDenied(deniedText)
  const client = createLifiClient(config, http)
  const pinned = pinnedBy(config)
  const listed = createFreshLists<readonly string[]>(NAMED_KEPT, clock)
  const names: Naming = async (chainId, contract) => {
    const diamond = { chainId, address: DEPLOYED[chainId].diamond }
    const read = (signal: AbortSignal) => readView(chains, diamond, FEE_FORWARDER, signal)
    const found = await listed(`${chainId}`, read, AbortSignal.timeout(CODE_DEADLINE_MS)).catch(unread('the fee contract'))
    return found.includes(contract)
  }

  const readCode =
    (signal: AbortSignal): CodeOf =>
    (account) =>
      chains.code(account, signal).catch(unread('whether the recipient is a contract'))

  const decodeWith = (execution: Pick<Execution, 'payload'>, signal: AbortSignal): Promise<PayloadClaims> => {
    const ports: DecodePorts = { now: clock.now(), codeOf: readCode(signal), pinned, names }
    return decode(execution, ports)
  }

  const ask = (order: SealedOffer['order'], binding: Binding, slippageBps: number, feeBps: number): Ask => {
    const [from, to] = [order.input.chainId, order.output.chainId]
    // A bridge refunds only the sender, on the input chain, so no other refund address is possible.
    if (from !== to && binding.refundTo !== order.sender)
      throw new VenueError('badRequest', 'refunds go to the sender only', { party: 'refundTo' })
    const bridges = allowedBridges([from, to], denied, wellVenues())
    if (from !== to && bridges.length === 0)
      throw new VenueError('unsupportedPair', 'lifi: every bridge between the two is denied')
    return { order, binding, slippageBps, integrator, feeBps: feeRecipient === null ? 0 : feeBps, bridges }
  }

  /** Offers only what execute could hand out. */
  const price = async (asked: Ask, signal: AbortSignal): Promise<Priced> => {
    if (!serves(asked.order)) throw new VenueError('unsupportedPair', 'lifi: none of the facets that are read goes there')
    const answer = await client.quote(toQuery(asked), signal)
    const terms = toTerms(answer, asked, pinned)
    const claims = await decodeWith(terms, signal)
    const { order, binding } = asked
    const problems = [
      ...claimProblems(claims, { order, binding, minimum: terms.minimum, expected: terms.expected }),
      ...feeProblems(claims, asked, feeRecipient),
      ...(await callProblems(terms, asked, { pinned, names })),
    ]
    demandProved(problems, claims, order.output)
    return { answer, terms, claims }
  }

  const execute = async (sealed: SealedOffer, binding: Binding, signal: AbortSignal): Promise<Execution> => {
    const { order, offer } = sealed
    offerCarry.read(offer.carry)
    const open = async (slippageBps: number) => (await price(ask(order, binding, slippageBps, offer.fee.bps), signal)).terms
    const { expected, minimum, payload } = await openWithin(sealed, SLIPPAGE_RULE, { open, priceOf: (terms) => terms })
    return { ...PLAIN_EXECUTION, ...firm({ expected, minimum }), payload }
  }

  return {
    ...PLAIN_VENUE,
    profile: createProfile(config, feeRecipient, pinned),
    quote: async (order, signal) => {
      const asked = ask(order, order, order.slippageBps, order.feeBps)
      const { answer, terms, claims } = await price(asked, signal)
      return { ...toOffer(answer, terms, asked, clock.now()), ...bridgesIn(claims) }
    },
    execute,
    decode: (execution) => decodeWith(execution, AbortSignal.timeout(CODE_DEADLINE_MS)),
    tracker: createTracker({ clock, client }),
    events: createEvents(pinned),
    pins: createPins({ client, chains, pinned }),
  }
}

/** LI.FI: bridges and exchanges of others by one contract, as far as its calls are readable. https://docs.li.fi */
export const lifi: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: [
    { name: 'INTEGRATOR', pattern: /^[a-zA-Z0-9-_]{1,64}$/, expects: 'the name registered at portal.li.fi' },
    FEE_RECIPIENT,
    {
      name: 'DENY_BRIDGES',
      pattern: /^[a-zA-Z0-9]{1,40}(,[a-zA-Z0-9]{1,40}){0,63}$/,
      expects: 'keys of bridges separated by commas, or none',
    },
    ...Object.values(SETTINGS),
  ],
  create,
}
