import { addressOf, evmAddressText } from '../../core/address.ts'
import { type Route, touchesSolana } from '../../core/route.ts'
import { ShapeError } from '../../net/jsonShape.ts'
import { callVenue, type VenueRefusal } from '../callVenue.ts'
import type { SlippageRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { isServed, parseExtraContracts, publishedContracts, toWireChain } from './contracts.ts'
import { decode } from './decode.ts'
import { type AppFee, type Ask, type Terms, toOffer, toQuery, toTerms } from './map.ts'
import { createPrices } from './prices.ts'
import { swapRefusal } from './refusal.ts'
import { createTracker, type DepositRecord } from './tracker.ts'
import {
  carryShape,
  depositDetailsShape,
  depositStatusShape,
  indexerErrorShape,
  type SwapApproval,
  swapApprovalShape,
  swapTokensShape,
} from './wire.ts'

const ID = 'across'

/** SpokePools take fill deadlines of a few hours at the most; Across asks for two. */
const DEADLINE_MS_MAX = 4 * 3_600_000

/** A plain bridge quotes its exact output: this is how far the relayers' costs may move until execute asks again. */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 10, minBps: 1, maxBps: 5_000 }

const createProfile = ({ settings }: VenueConfig): VenueProfile => {
  const feeRecipient = settings['FEE_RECIPIENT'] ?? null
  const recipient = feeRecipient === null ? null : addressOf('evm', feeRecipient)
  return {
    id: ID,
    name: 'Across',
    serves: ({ input, output }) => input.chainId !== output.chainId && isServed(input.chainId) && isServed(output.chainId),
    bindsAtQuote: { recipient: ['always'], refundTo: ['always'] },
    hasSandbox: true,
    contracts: publishedContracts(parseExtraContracts(settings['EXTRA_CONTRACTS'] ?? null)),
    // Across refuses an app fee wherever Solana is touched.
    feeRecipient: (route) => (touchesSolana(route) ? null : recipient),
    slippage: () => SLIPPAGE_RULE,
    limits: null,
    deadlineMsMax: DEADLINE_MS_MAX,
  }
}

const isUnknownDeposit = ({ status, body }: VenueRefusal): boolean => {
  if (status !== 404) return false
  try {
    return indexerErrorShape.read(body).error === 'DepositNotFoundException'
  } catch (error) {
    // A 404 of some gateway says nothing about the deposit.
    if (error instanceof ShapeError) return false
    throw error
  }
}

const readCarry = (carry: unknown): void => {
  try {
    carryShape.read(carry)
  } catch (error) {
    if (error instanceof ShapeError) throw new VenueError('badResponse', 'an offer of another version', { cause: error })
    throw error
  }
}

/** A deposit the indexer does not know, told apart from every other failure. */
class UnknownDeposit extends VenueError {}

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const profile = createProfile(config)
  const integratorId = config.settings['INTEGRATOR_ID'] ?? null
  const headers = config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey.reveal()}` }
  const get = (path: string, query: URLSearchParams, signal: AbortSignal) =>
    ({ method: 'GET', url: `${config.baseUrl}${path}?${query}`, headers, signal }) as const

  const feeOf = (route: Route, bps: number): AppFee | null => {
    const recipient = profile.feeRecipient(route)
    return bps > 0 && recipient !== null ? { bps, recipient } : null
  }

  const price = async (ask: Ask, signal: AbortSignal): Promise<{ answer: SwapApproval; terms: Terms }> => {
    const answer = await callVenue(http, get('/swap/approval', toQuery(ask), signal), {
      shape: swapApprovalShape,
      refusal: swapRefusal,
    })
    return { answer, terms: toTerms(answer, ask, profile.contracts) }
  }

  const refusal = (answer: VenueRefusal): VenueError | null =>
    isUnknownDeposit(answer) ? new UnknownDeposit('badResponse', 'no such deposit') : null

  const findDeposit = async (ref: string, signal: AbortSignal): Promise<DepositRecord> => {
    const query = new URLSearchParams({ depositTxnRef: ref })
    try {
      const [status, { deposit }] = await Promise.all([
        callVenue(http, get('/deposit/status', query, signal), { shape: depositStatusShape, refusal }),
        callVenue(http, get('/deposit', query, signal), { shape: depositDetailsShape, refusal }),
      ])
      return { status, details: deposit }
    } catch (error) {
      if (error instanceof UnknownDeposit) return null
      throw error
    }
  }

  return {
    profile,
    // The wallet's balance and gas are not looked at while prices are raced: it is quicker, and works for a wallet
    // that is still empty. Execute asks again with everything on.
    quote: async (order, signal) => {
      const ask: Ask = { order, binding: order, fee: feeOf(order, order.feeBps), integratorId, isPreview: true }
      const { answer, terms } = await price(ask, signal)
      return toOffer(answer, terms, ask, clock.now())
    },
    execute: async ({ order, offer }, binding, signal) => {
      readCarry(offer.carry)
      const ask: Ask = { order, binding, fee: feeOf(order, offer.fee.bps), integratorId, isPreview: false }
      const { transaction, outputAmount, slippage } = (await price(ask, signal)).terms
      const payload = { executionType: 'TRANSACTION', transaction } as const
      return { payload, venueRef: null, evidence: null, outputAmount, slippage, carry: null }
    },
    decode: (execution) => decode(execution, clock.now()),
    submitter: null,
    tracker: createTracker({ clock, chains, findDeposit, decode: (execution) => decode(execution, clock.now()) }),
    prices: createPrices({
      clock,
      listTokens: (chainId, signal) =>
        callVenue(http, get('/swap/tokens', new URLSearchParams({ chainId: String(toWireChain(chainId)) }), signal), {
          shape: swapTokensShape,
          refusal: swapRefusal,
        }),
    }),
  }
}

const isContractItem = (item: string): boolean => {
  const [chainId = '', address = '', ...rest] = item.split(':')
  return /^[0-9]{1,10}$/.test(chainId) && evmAddressText.test(address) && rest.length === 0
}

/** Across's Swap API: intent bridge with exchange swaps before it. https://docs.across.to */
export const across: VenueDefinition = {
  id: ID,
  publicBaseUrl: 'https://app.across.to/api',
  settings: [
    { name: 'INTEGRATOR_ID', pattern: /^0x[0-9a-fA-F]{4}$/, expects: '0x and four hex digits' },
    { name: 'FEE_RECIPIENT', pattern: evmAddressText, expects: 'an EVM address' },
    {
      name: 'EXTRA_CONTRACTS',
      pattern: { test: (text) => text.split(',').every(isContractItem) },
      expects: 'chainId:address items separated by commas',
    },
  ],
  create,
}
