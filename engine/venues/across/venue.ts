import { ChainError } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import { type ListedToken, NATIVE } from '../../core/asset.ts'
import { type ChainId, isEvmChainId } from '../../core/chain.ts'
import type { Execution, PayloadClaims, TransactionPayload } from '../../core/execution.ts'
import { PEG_FORMS } from '../../core/peg.ts'
import pegs from '../../core/pegs.json' with { type: 'json' }
import { type Route, touchesSolana } from '../../core/route.ts'
import { bridgesIn, claimProblems } from '../kit/claimProblems.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { hubPoolPins } from '../kit/hubPool.ts'
import { addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import { type CodeOf, wrappedNative } from '../kit/spokePools.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { createAcrossClient } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import * as map from './map.ts'
import { createPrices } from './prices.ts'
import { ACROSS_CHAINS, contractsOf, isServed, type Pinned, pinnedBy, SETTINGS } from './published.ts'
import { slippageRule } from './slippage.ts'
import { createTracker } from './track.ts'
import { offerCarry, type SwapApproval } from './wire.ts'

const ID = 'across'

const CHAINS = Object.keys(ACROSS_CHAINS).map((chainId) => Number(chainId) as ChainId)

const NAMES: { readonly [symbol: string]: string } = pegs.names
/** Symbols of forms that differ from their token's. */
const SYMBOLS: { readonly [form: string]: string } = pegs.symbols

/** The tokens that Across carries between the served chains; it exchanges all forms of one token one for one. */
const BRIDGED_TOKENS: readonly ListedToken[] = PEG_FORMS.map(({ token, chainId, address, decimals }) => {
  const symbol = SYMBOLS[`${chainId}:${address}`] ?? token
  return { chainId, address, decimals, symbol, name: NAMES[symbol] ?? symbol }
})

/**
 * Across refunds an unfilled deposit after this time at the earliest. Its documents say two hours, its pools take six
 * (`FILL_DEADLINE_BUFFER` of across-protocol/contracts); a quarter of an hour allows for clocks that differ.
 */
const DEADLINE_MS_MAX = 6.25 * 3_600_000

const createProfile = (config: VenueConfig, pinned: Pinned): VenueProfile => {
  const recipient = addressIn(config, FEE_RECIPIENT)
  return {
    id: ID,
    name: 'Across',
    serves: ({ input, output }) => input.chainId !== output.chainId && isServed(input.chainId) && isServed(output.chainId),
    bindsAtQuote: { recipient: ['always'], refundTo: ['always'] },
    hasSandbox: true,
    contracts: contractsOf(pinned),
    // Across refuses an app fee on Solana routes, and elsewhere pays it by a message.
    feeRecipient: (route) => (touchesSolana(route) || !pinned.on(route.output.chainId)?.handlers.length ? null : recipient),
    // By a transfer in the fill's message, and so with the delivery: "Integrator fees", docs.across.to. Coins are sent by a call.
    feeCustody: () => paidOnDelivery('output', recipient),
    slippage: slippageRule,
    takesOnTrust: [],
    holdsInput: () => true,
    nativeFeeMax: () => 0n,
    // Across refunds an unfilled deposit by its event: SpokePool.sol of across-protocol/contracts, `unsafeDeposit` ("a refund of
    // `inputAmount` of `inputToken`"), and https://docs.across.to/introduction/refunds
    refundKeeps: () => ({ amount: 0n, bps: 0 }),
    amountCarriesReference: () => 0n,
    toldApartBy,
    limits: null,
    deadlineMsMax: DEADLINE_MS_MAX,
  }
}

/** The engine gives a decoder five seconds. */
const CODE_DEADLINE_MS = 4_000

/** Used where only the times of a payload matter. */
const CODELESS: CodeOf = async () => '0x'

/** The account whose code decides the form of an arriving native coin; null where no code does. */
const decidingAccount = ({ output: { chainId, address } }: Route, recipient: Address): Parameters<CodeOf>[0] | null =>
  isEvmChainId(chainId) && (address === NATIVE || address === wrappedNative(chainId)) ? { chainId, address: recipient } : null

/** Starts reading the recipient's code during the venue call, where decoding needs it. */
const readAhead = (account: ReturnType<typeof decidingAccount>, codeOf: CodeOf): CodeOf => {
  if (account === null) return codeOf
  const early = codeOf(account)
  // A message makes the read unnecessary, so its error may stay unhandled.
  early.catch(() => undefined)
  return ({ chainId, address }) =>
    chainId === account.chainId && address === account.address ? early : codeOf({ chainId, address })
}

type Sold = {
  readonly answer: SwapApproval
  readonly terms: map.Terms
  readonly payload: TransactionPayload
  readonly claims: PayloadClaims
}

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const pinned = pinnedBy(config)
  const profile = createProfile(config, pinned)
  const integratorId = config.settings['INTEGRATOR_ID'] ?? null
  const client = createAcrossClient(config, http)

  const feeOf = (route: Route, bps: number): map.AppFee | null => {
    const recipient = profile.feeRecipient(route)
    return bps > 0 && recipient !== null ? { bps, recipient } : null
  }

  /** Throws VenueError('noLiquidity') for an unreadable chain: our own failure, which does not count against Across. */
  const readCode =
    (signal: AbortSignal): CodeOf =>
    (account) =>
      chains.code(account, signal).catch((error: unknown) => {
        if (!(error instanceof ChainError)) throw error
        throw new VenueError('noLiquidity', 'whether the recipient is a contract cannot be read', { cause: error })
      })

  const decodeNow = (execution: Pick<Execution, 'payload'>, codeOf: CodeOf): Promise<PayloadClaims> =>
    decode(execution.payload, { now: clock.now(), codeOf, pinned })

  const price = async (ask: map.Ask, codeOf: CodeOf, signal: AbortSignal): Promise<Sold> => {
    const answer = await client.swapApproval(ask, signal)
    const transaction = map.readTransaction(answer, ask, profile.contracts)
    const payload = { executionType: 'TRANSACTION', transaction } as const
    const claims = await decodeNow({ payload }, codeOf)
    map.checkRoute(answer, ask.order, claims)
    return { answer, terms: map.toTerms(answer, ask, transaction), payload, claims }
  }

  const decodeExecution = (execution: Pick<Execution, 'payload'>): Promise<PayloadClaims> =>
    decodeNow(execution, readCode(AbortSignal.timeout(CODE_DEADLINE_MS)))

  return {
    profile,
    // The quote does not check balance and gas: this is quicker, and works for an empty wallet. Execute asks again with all
    // checks.
    quote: async (order, signal) => {
      const ask: map.Ask = { order, binding: order, fee: feeOf(order, order.feeBps), integratorId, isPreview: true }
      const account = decidingAccount(order, order.recipient)
      const codeOf = readAhead(account, readCode(signal))
      const { answer, terms, claims } = await price(ask, codeOf, signal)
      const { outputAmount: expected, slippage } = terms
      const problems = claimProblems(claims, { order, binding: order, minimum: slippage.guaranteedMin, expected })
      // Pools pay a contract the wrapped coin.
      const isContracts =
        problems.length > 0 && order.output.address === NATIVE && account !== null && (await codeOf(account)) !== '0x'
      map.refuseProblems(problems, (problem) => isContracts && problem === 'another output token')
      return { ...map.toOffer(answer, terms, ask, clock.now()), ...bridgesIn(claims) }
    },
    execute: async ({ order, offer }, binding, signal) => {
      offerCarry.read(offer.carry)
      const ask: map.Ask = { order, binding, fee: feeOf(order, offer.fee.bps), integratorId, isPreview: false }
      const codeOf = readAhead(decidingAccount(order, binding.recipient), readCode(signal))
      const { payload, terms } = await price(ask, codeOf, signal)
      const { outputAmount, slippage } = terms
      return { payload, venueRef: null, evidence: null, outputAmount, slippage, carry: null }
    },
    decode: decodeExecution,
    submitter: null,
    tracker: createTracker({ clock, client, pinned, decode: (execution) => decodeNow(execution, CODELESS) }),
    events: createEvents(pinned),
    unfilled: null,
    prices: createPrices({ clock, listTokens: client.tokens }),
    // The HubPool has twenty bytes of Solana's pool. Peripheries and handlers are in no list.
    pins: [hubPoolPins(chains, CHAINS, (chainId) => pinned.on(chainId)?.spokePools ?? [])],
    bitcoinReach: null,
  }
}

/** Across's Swap API: intent bridge with exchange swaps before it. https://docs.across.to */
export const across: VenueDefinition = {
  id: ID,
  publicBaseUrl: 'https://app.across.to/api',
  settings: [
    { name: 'INTEGRATOR_ID', pattern: /^0x[0-9a-fA-F]{4}$/, expects: '0x and four hex digits' },
    FEE_RECIPIENT,
    ...Object.values(SETTINGS),
  ],
  // https://docs.across.to/introduction/api-keys
  advised: {
    settings: ['API_KEY', 'INTEGRATOR_ID'],
    consequence: 'Across requires both in production and may limit or reject the requests of this service',
  },
  tokens: BRIDGED_TOKENS,
  create,
}
