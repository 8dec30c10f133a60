import { associatedTokenAddress } from '../../chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Execution } from '../../core/execution.ts'
import type { Route } from '../../core/route.ts'
import { codeDemand, fromChain } from '../kit/chainReads.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import { deliveryCostCents, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import { addressesIn, addressesSetting, addressIn, FEE_RECIPIENT, solanaAddressSetting } from '../kit/settings.ts'
import type { SlippageRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { build } from './build.ts'
import { createChainSwitch } from './chainSwitch.ts'
import { createMayanClient, type MayanClient } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { type Ask, createVersionCheck, kindOf, type Terms, takeRows, toOffer, toQuoteRequest, toTerms, VENUE_ID } from './map.ts'
import { createPins } from './pins.ts'
import { FORWARDER, pinned } from './protocol.ts'
import {
  CONTRACTS,
  type ContractsOn,
  called,
  contractsBy,
  PUBLIC_HOSTS,
  QUOTE_SIGNERS,
  REFERRER_MINTS,
  SDK_VERSION,
} from './published.ts'
import { demandSigned, type SignatureRule } from './quoteSignature.ts'
import { createTracker } from './track.ts'
import { executionCarry, offerCarry, type SwiftQuote, swiftQuote } from './wire.ts'

/** docs.mayan.finance/integration/quote-api: 500 at most. The documents' own requests use 300; the samples of the SDK, 100. */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 100, minBps: 0, maxBps: 500 }
/** No call has a deadline; decoding checks an order's own deadline. */
const DEADLINE_MS_MAX = 6 * 3_600_000
const DECODE_MS = 5_000

const serves = ({ input, output }: Route): boolean =>
  input.chainId !== output.chainId && pinned(input.chainId) !== null && pinned(output.chainId) !== null

const SIGNER_SETTING = addressesSetting('QUOTE_SIGNER', 'the accounts that sign quotes')
/** The default is `false`: no recorded quote shows that all are signed. */
const REQUIRE_SIGNATURE = { name: 'REQUIRE_SIGNATURE', pattern: /^(true|false)$/, expects: 'true or false' }

const signatureRule = (config: VenueConfig): SignatureRule => {
  const signers = addressesIn(config, SIGNER_SETTING)
  const isRequired = config.settings[REQUIRE_SIGNATURE.name] === 'true'
  return { signers: signers.length > 0 ? signers : QUOTE_SIGNERS, isRequired }
}

const VERSION = { name: 'SDK_VERSION', pattern: /^\d{1,4}(\.\d{1,4}){2}$/, expects: 'a version of Mayan’s SDK, such as 15.2.0' }

type Referrer = { readonly evm: Address | null; readonly solana: Address | null }

/** Requests name a referrer on Solana for every route, and orders pay one on their own chain. */
const referrerOf = (config: VenueConfig): Referrer => {
  const referrer = config.settings['REFERRER'] ?? null
  const solana = referrer === null ? null : addressOf('solana', referrer)
  return { evm: solana && addressIn(config, FEE_RECIPIENT), solana }
}

const createProfile = ({ evm, solana }: Referrer, contracts: VenueProfile['contracts']): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: VENUE_ID,
  name: 'Mayan',
  serves,
  contracts,
  feeRecipient: ({ input }) => (input.chainId === SOLANA ? solana : evm),
  feeAccounts: solana === null ? [] : REFERRER_MINTS.map((mint) => ({ account: associatedTokenAddress(solana, mint), mint })),
  // From the solver's claim on the source chain, after the delivery. On EVM chains it accrues in the fee manager, on Solana it is
  // paid to the referrer's accounts: SwiftSource.sol of mayan-finance/swap-bridge, and docs.mayan.finance
  feeCustody: ({ order: { input } }) =>
    input.chainId === SOLANA
      ? { holder: 'integrator', from: 'taken', becomes: null, seen: null }
      : keptAtVenue('creditedAtVenue', 'taken'),
  slippage: () => SLIPPAGE_RULE,
  holdsInput: () => true,
  deliveryCostCents,
  // `refundOrder` of SwiftSource.sol keeps the two fees of the order, and the rest below its precision.
  refundKeeps: ({ execution: { carry } }) => ({ amount: BigInt(executionCarry.readOrNull(carry)?.keeps ?? '0'), bps: 0 }),
  toldApartBy,
  deadlineMsMax: DEADLINE_MS_MAX,
})

type Wish = Pick<Ask, 'order' | 'binding'> & { readonly isFinal: boolean }
type Ports = Pick<VenuePorts, 'chains' | 'clock'> & { readonly client: MayanClient; readonly contracts: ContractsOn }

/** The ask, after checks that both chains are switched on and that the Forwarder to call exists. */
const createAsk = ({ chains, clock, client, contracts }: Ports, sdkVersion: Ask['sdkVersion']) => {
  const demandOn = createChainSwitch(client.switches, clock)
  const demandCode = codeDemand(chains, 'forwarderCode', 'VENUE_MAYAN_FORWARDERS')
  return async ({ order, binding, isFinal }: Wish, signal: AbortSignal): Promise<Omit<Ask, 'slippageBps' | 'fee'>> => {
    if (!serves(order)) throw new VenueError('unsupportedPair', 'mayan is not asked for this route')
    const { chainId } = order.input
    const own = contracts(chainId)
    const [address] = own.forwarders
    const read = (asset: Route['input']) => fromChain(chains.token(asset, signal))
    const [input, output] = await Promise.all([
      read(order.input),
      read(order.output),
      demandOn(order, isFinal, signal),
      isEvmChainId(chainId) && address !== FORWARDER ? demandCode({ chainId, address }, signal) : null,
    ])
    return { order, binding, decimals: { input: input.decimals, output: output.decimals }, sdkVersion, contracts: own }
  }
}

type Answered = { readonly ask: Ask; readonly quote: SwiftQuote; readonly terms: Terms }

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const { solana: referrer, ...own } = referrerOf(config)
  const contracts = contractsBy(config)
  const profile = createProfile({ solana: referrer, ...own }, called(contracts))
  const client = createMayanClient(config, http)
  const signatures = signatureRule(config)
  const version = createVersionCheck(config.settings[VERSION.name]?.split('.').map(Number) ?? SDK_VERSION)
  const askFor = createAsk({ chains, clock, client, contracts }, version.own)

  const feeOf = (route: Route, bps: number): Ask['fee'] => {
    const recipient = profile.feeRecipient(route)
    if (bps <= 0 || recipient === null || referrer === null) return null
    return { bps, recipient: recipient as Address, referrer }
  }

  /** The best quote with a possible order. */
  const answerTo = async (ask: Ask, signal: AbortSignal): Promise<Answered> => {
    const asked = { amount: ask.order.inputAmount, decimals: ask.decimals.input }
    const { answer, text } = await client.quotes(toQuoteRequest(ask), asked, signal)
    version.demand(answer.minimumSdkVersion)
    const kinds = answer.quotes.map(kindOf)
    const own = [...answer.quotes.entries()].filter(([at]) => kinds[at] === 'bought')
    const none = 'mayan answered with no order of Swift'
    if (own.length === 0 && kinds.includes('unknown')) throw rejected('quoteType', none, answer.quotes)
    if (own.length === 0 && kinds.length > 0) throw new VenueError('unsupportedPair', none, { reason: 'notSold' })
    const answered = await takeRows(own, async ([at, each]): Promise<Answered> => {
      const quote = swiftQuote.read(each)
      await demandSigned(text, at, signatures)
      return { ask, quote, terms: toTerms(quote, ask, clock.now()) }
    })
    const [best] = answered.toSorted((a, b) => (a.terms.expected > b.terms.expected ? -1 : 1))
    if (best === undefined) throw new VenueError('noLiquidity', none)
    return best
  }

  const quote: Venue['quote'] = async (order, signal) => {
    const { slippageBps, feeBps } = order
    const ask: Ask = {
      ...(await askFor({ order, binding: order, isFinal: false }, signal)),
      slippageBps,
      fee: feeOf(order, feeBps),
    }
    const { terms, quote: best } = await answerTo(ask, signal)
    await build(terms, ask, { chains, contracts, client, now: clock.now(), signal, isPreview: true })
    return toOffer(terms, best, ask, clock.now())
  }

  const execute: Venue['execute'] = async ({ order, offer }, binding, signal): Promise<Execution> => {
    offerCarry.read(offer.carry)
    const asked = await askFor({ order, binding, isFinal: true }, signal)
    const fee = feeOf(order, offer.fee.bps)
    const open = (slippageBps: number) => answerTo({ ...asked, slippageBps, fee }, signal)
    const priceOf = ({ terms: { expected, minimum } }: Answered) => ({ expected, minimum })
    const { terms, ask } = await openWithin({ order, offer }, SLIPPAGE_RULE, { open, priceOf })
    return build(terms, ask, { chains, contracts, client, now: clock.now(), signal, isPreview: false })
  }

  return {
    ...PLAIN_VENUE,
    profile,
    quote,
    execute,
    decode: (execution) => decode(execution, { chains, contracts, now: clock.now(), signal: AbortSignal.timeout(DECODE_MS) }),
    tracker: createTracker({ client, clock }),
    events: createEvents(contracts),
    pins: createPins({ chains, contracts, client, version }),
  }
}

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:\/\/\S+[^/]$/.test(text)

/**
 * Mayan's Swift: the wallet's payment places an order, drivers bid for it, and the winner delivers on the other chain. The
 * service builds orders itself, from the venue's quote. https://docs.mayan.finance
 */
export const mayan: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_HOSTS.price,
  settings: [
    { name: 'EXPLORER_URL', pattern: { test: isUrl }, expects: 'the URL of its explorer, without a trailing slash' },
    { name: 'INIT_URL', pattern: { test: isUrl }, expects: 'the URL of its list of chains, without a trailing slash' },
    FEE_RECIPIENT,
    solanaAddressSetting('REFERRER'),
    SIGNER_SETTING,
    ...CONTRACTS,
    REQUIRE_SIGNATURE,
    VERSION,
  ],
  create,
}
