import type { Chains } from '../chains/chains.ts'
import type { Order } from '../core/order.ts'
import { routeTypeOf } from '../core/route.ts'
import { type ToldRace, toldRoute } from '../core/toldRace.ts'
import { SwapError } from '../errors.ts'
import type { Verdict } from '../net/breaker.ts'
import type { CallContext } from '../observe/callContext.ts'
import type { ObserveRequest } from '../observe/observe.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { rejected, type VenueError, type VenueErrorKind } from '../venues/venueError.ts'
import { verdictOf } from '../venues/venueOutcome.ts'
import { readNativeFeeWorth } from './nativeFeeWorth.ts'
import { isNotAToken, type QuoteReads } from './quoteReads.ts'
import type { RaceEntry } from './race.ts'
import { DROPPED, eventOf, noOffer, priceOf, recordRace, toldRaceOf, type VenueRun } from './raceRecord.ts'
import type { Candidate, PublishedWorth } from './rank.ts'
import { convertAtPrices } from './usdPrice.ts'

/** The error of a quote with an address that is not a token; null when both are tokens. */
const unsupported = (
  { input, output }: Order,
  isMissing: { readonly input: boolean; readonly output: boolean },
): SwapError | null => {
  const fields = [
    ...(isMissing.input ? [{ path: 'inputToken', reason: `is not a token on chain ${input.chainId}` }] : []),
    ...(isMissing.output ? [{ path: 'outputToken', reason: `is not a token on chain ${output.chainId}` }] : []),
  ]
  if (fields.length === 0) return null
  return new SwapError('UNSUPPORTED_TOKEN', `Not a token: ${fields.map(({ path }) => path).join(', ')}.`, { details: { fields } })
}

/** Throws UNSUPPORTED_TOKEN without a call of a venue or a chain, while a chain's answer that there is no token is fresh. */
export const refuseKnownMissing = (order: Order, chains: Pick<Chains, 'isKnownMissing'>, observe: ObserveRequest): void => {
  const { input, output, rankingMode: mode } = order
  const error = unsupported(order, { input: chains.isKnownMissing(input), output: chains.isKnownMissing(output) })
  if (error === null) return
  observe({ event: 'quote.refused', code: error.code, ...toldRoute(order), mode, runs: [], unwilling: [], reference: null })
  throw error
}

/** Rejects the quote with UNSUPPORTED_TOKEN when a token does not exist on its chain. */
export const refuseStrangers = async (order: Order, reads: QuoteReads): Promise<void> => {
  const [input, output] = await Promise.all([reads.inputToken, reads.outputToken])
  const error = unsupported(order, { input: isNotAToken(input), output: isNotAToken(output) })
  if (error !== null) throw error
}

/** The worth of the input by each price list that has both tokens. Half a list is no witness: two might be half wrong each. */
export const publishedWorths = async (
  { inputAmount }: Pick<Order, 'inputAmount'>,
  reads: Pick<QuoteReads, 'inputToken' | 'outputToken' | 'priceLists'>,
): Promise<readonly PublishedWorth[]> => {
  const [input, output, lists] = await Promise.all([reads.inputToken, reads.outputToken, reads.priceLists])
  if (!input.value || !output.value) return []
  const from = { amount: inputAmount, decimals: input.value.decimals }
  const to = { decimals: output.value.decimals }
  return lists.flatMap(({ venue, ...usd }) => {
    const amount = convertAtPrices({ ...from, usd: usd.input }, { ...to, usd: usd.output })
    return amount === null ? [] : [{ venue, amount }]
  })
}

/** The result of an answered call: an error, or null for an offer that counts. Undefined: no answer in time. */
const refusalOf = (run: VenueRun): VenueError | null | undefined =>
  run.result === 'error' ? run.error : run.result === 'offer' ? null : undefined

const verdictOfRun = (run: VenueRun): Verdict => {
  if (run.result === 'cut') return run.isSlow ? 'cut' : 'nothing'
  if (run.result === 'error' && run.isLate) return 'nothing'
  const error = refusalOf(run)
  return error === undefined ? 'nothing' : error === null ? 'answer' : verdictOf(error)
}

/** A price, or a decline that does not blame the request. It proves that the request itself is not broken. */
const isUnderstood = (run: VenueRun): boolean =>
  run.result === 'offer' || (run.result === 'error' && UNDERSTOOD.includes(run.error.kind))

const UNDERSTOOD: readonly VenueErrorKind[] = ['noLiquidity', 'amountTooSmall', 'amountTooLarge']

export type RaceResult = {
  readonly order: Order
  readonly entries: readonly RaceEntry[]
  /** Invited, but they do not serve the route: named in the declines so that the caller sees every venue accounted for. */
  readonly unwilling: readonly VenueProfile[]
  readonly reads: QuoteReads
}

/**
 * Picks the best credible offer and reports how every venue did. Throws UNSUPPORTED_TOKEN for an unknown token, and `noOffer`.
 */
export const chooseOffer = async (
  { order, entries, unwilling, reads }: RaceResult,
  {
    outlierFactor,
    observe,
    signal,
    client,
  }: { readonly outlierFactor: number } & Pick<CallContext, 'observe' | 'signal' | 'client'>,
): Promise<{ readonly winner: Candidate; readonly told: ToldRace }> => {
  const [input, output, published] = await Promise.all([reads.inputToken, reads.outputToken, publishedWorths(order, reads)])
  const tokens = { input: input.value, output: output.value }
  const offers = entries.flatMap(({ outcome }) => (outcome.result === 'offer' ? [outcome.offer] : []))
  const worthOf = await readNativeFeeWorth(order, offers, reads)
  const rules = { factor: outlierFactor, mode: order.rankingMode }
  const record = recordRace({ entries, unwilling, tokens, published, worthOf }, rules)
  const route = routeTypeOf(order)
  const verdicts = record.runs.map(verdictOfRun)
  const isFailure = (verdict: Verdict) => verdict === 'failure' || verdict === 'cut'
  const isShared = verdicts.filter(isFailure).length > 1 && !record.runs.some(isUnderstood)
  for (const [index, run] of record.runs.entries()) {
    observe({ ...eventOf(run), route })
    const verdict = verdicts[index] ?? 'nothing'
    const entry = entries[index]
    entry?.venue.countQuote(client, verdict, isShared && isFailure(verdict), entry.startedAt)
    const error = run.result === 'dropped' ? rejected(run.why, DROPPED[run.why], priceOf(run.offer)) : refusalOf(run)
    if (error !== undefined) entry?.venue.answers.record({ call: 'quote', client, order }, error, error?.exchanges)
  }
  const { winner } = record
  const told = toldRaceOf(record)
  const refuse = (error: SwapError): never => {
    // A race that ended because its caller left shows nothing about the offers of venues.
    if (signal.aborted) observe({ event: 'quote.left', ...toldRoute(order) })
    else observe({ event: 'quote.refused', code: error.code, ...toldRoute(order), ...told })
    throw error
  }
  await refuseStrangers(order, reads).catch(refuse)
  if (winner) return { winner, told }
  return refuse(noOffer(record))
}
