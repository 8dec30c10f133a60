import type { Chains } from '../../chains/chains.ts'
import { associatedTokenAddress } from '../../chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { isNative, isSameAsset, NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import type { Route } from '../../core/route.ts'
import { fromChain } from '../kit/chainReads.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import { solanaAddressesIn, solanaAddressesSetting, solanaAddressSetting } from '../kit/settings.ts'
import type { PinSource, SlippageRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { type Answered, type Built, build, fitUnits } from './build.ts'
import { createJupiterClient } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { type Ask, demandOwnCoins, toOffer, VENUE_ID } from './map.ts'
import { TOKEN_PROGRAMS } from './protocol.ts'
import { LOADERS, PROGRAMS, PUBLIC_BASE_URL, programsIn, REQUESTS_PER_MINUTE } from './published.ts'

/** openapi-spec/swap/v2/swap.yaml of jup-ag/docs. */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 50, minBps: 0, maxBps: 10_000 }
/** No call has a deadline: a transaction expires with its blockhash, a minute or two after its build. */
const DEADLINE_MS_MAX = 120_000
const DECODE_MS = 5_000
/** Mints for which operators usually have an account: wrapped SOL and USDC. */
const USUAL_FEE_MINTS = [NATIVE_SOL, addressOf('solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')]
const FEE_WALLET = solanaAddressSetting('FEE_WALLET')
const FEE_MINTS = solanaAddressesSetting('FEE_MINTS', 'mints of which the fee wallet has an account')

const serves = ({ input, output }: Route): boolean =>
  input.chainId === SOLANA && output.chainId === SOLANA && !isSameAsset(input, output)

const feeWalletOf = (config: VenueConfig): Address | null => solanaAddressesIn(config, FEE_WALLET)[0] ?? null

/** Jupiter publishes its program only in documents. The chain shows that it is still a callable program. */
const pinsOf = ({ solanaAccount }: Pick<Chains, 'solanaAccount'>, programs: readonly Address[]): readonly PinSource[] =>
  programs.map((program) => ({
    name: `the account ${program} of Solana`,
    chainId: SOLANA,
    claims: async (signal) => {
      const account = await solanaAccount(program, signal)
      return [{ what: 'loader of the swap program', pinned: LOADERS, published: account === null ? [] : [account.owner] }]
    },
  }))

/** The operator's token accounts, by mint: the associated accounts of its wallet. */
const feeAccountsOf = (config: VenueConfig): ReadonlyMap<Address, Address> => {
  const wallet = feeWalletOf(config)
  if (wallet === null) return new Map()
  const mints = solanaAddressesIn(config, FEE_MINTS)
  return new Map((mints.length > 0 ? mints : USUAL_FEE_MINTS).map((mint) => [mint, associatedTokenAddress(wallet, mint)]))
}

const createProfile = (config: VenueConfig, feeAccounts: ReadonlyMap<Address, Address>): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: VENUE_ID,
  name: 'Jupiter',
  serves,
  contracts: { [SOLANA]: programsIn(config) },
  feeRecipient: ({ input }) => feeAccounts.get(input.address) ?? null,
  feeAccounts: [...feeAccounts].map(([mint, account]) => ({ mint, account })),
  // The swap itself pays the token account, and so its wallet: https://dev.jup.ag/docs/swap
  feeCustody: () => paidOnDelivery('input', feeWalletOf(config)),
  slippage: () => SLIPPAGE_RULE,
  toldApartBy,
  limits: { requestsPerMinute: config.apiKey === null ? REQUESTS_PER_MINUTE.keyless : REQUESTS_PER_MINUTE.keyed },
  deadlineMsMax: DEADLINE_MS_MAX,
})

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const feeAccounts = feeAccountsOf(config)
  const programs = programsIn(config)
  const profile = createProfile(config, feeAccounts)
  const client = createJupiterClient(config, http)

  const feeOf = (route: Route, bps: number): Ask['fee'] => {
    const account = profile.feeRecipient(route) as Address | null
    return bps > 0 && account !== null ? { bps, account } : null
  }

  /** The token program of a mint, which decides the accounts of its holders. */
  const programOf = async (mint: Address, signal: AbortSignal): Promise<Address> => {
    const program = (await fromChain(chains.solanaAccount(mint, signal)))?.owner
    if (program === undefined || !TOKEN_PROGRAMS.includes(program))
      throw new VenueError('unsupportedPair', 'jupiter: no token at the mint')
    return program
  }

  type Terms = { readonly order: Order; readonly binding: Binding; readonly slippageBps: number; readonly feeBps: number }

  const answerTo = async ({ order, binding, slippageBps, feeBps }: Terms, signal: AbortSignal): Promise<Answered> => {
    const { sender, output } = order
    const { recipient } = binding
    if (!serves(order)) throw new VenueError('unsupportedPair', 'jupiter swaps on Solana alone')
    demandOwnCoins({ order, recipient })
    const program = recipient === sender || isNative(output) ? null : await programOf(output.address, signal)
    const destination = program && associatedTokenAddress(recipient, output.address, program)
    const ask: Ask = { order, binding, slippageBps, fee: feeOf(order, feeBps), destination }
    return { ask, answer: await client.build(ask, signal), program }
  }

  const ports = (signal: AbortSignal, isPreview: boolean) => ({
    chains,
    feeAccounts,
    programs,
    signal,
    isPreview,
    now: clock.now(),
  })

  const quote: Venue['quote'] = async (order, signal) => {
    const answered = await answerTo({ order, binding: order, slippageBps: order.slippageBps, feeBps: order.feeBps }, signal)
    const { execution, minimum, signatures } = await build(answered, ports(signal, true))
    return toOffer({ expected: execution.outputAmount, minimum, signatures }, { ask: answered.ask, now: clock.now() })
  }

  const execute: Venue['execute'] = async ({ order, offer }, binding, signal) => {
    const open = async (slippageBps: number): Promise<Built> =>
      build(await answerTo({ order, binding, slippageBps, feeBps: offer.fee.bps }, signal), ports(signal, false))
    const priceOf = ({ execution, minimum }: Built) => ({ expected: execution.outputAmount, minimum })
    return fitUnits(await openWithin({ order, offer }, SLIPPAGE_RULE, { open, priceOf }), ports(signal, false))
  }

  return {
    ...PLAIN_VENUE,
    profile,
    quote,
    execute,
    decode: (execution) => decode(execution, { chains, feeAccounts, programs, signal: AbortSignal.timeout(DECODE_MS) }),
    events: createEvents(programs),
    pins: pinsOf(chains, programs),
  }
}

/**
 * Jupiter: an aggregator of exchanges on Solana. Its instructions become one transaction here, which the swapping wallet signs.
 * https://dev.jup.ag/docs/swap
 */
export const jupiter: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: [FEE_WALLET, FEE_MINTS, PROGRAMS],
  create,
}
