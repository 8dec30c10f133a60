import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { clockAheadMs, NEWEST_AGE_MS_MAX } from '../../../engine/chains/endpoints/chainClock.ts'
import { endpointUrls } from '../../../engine/chains/endpoints/chainEndpoints.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { headAgeMaxMs } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { rpcUrlsKey } from '../../../engine/config/chains.ts'
import type { Config } from '../../../engine/config/config.ts'
import { BITCOIN, type ChainId, chainOf } from '../../../engine/core/chain.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import type { HttpClient, HttpResponse } from '../../../engine/net/httpClient.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The age of an endpoint's newest confirmed block by this clock; null if unreadable. Omits the URL, which may contain a key. */
export type BlockAge = {
  readonly chainId: ChainId
  readonly endpoint: number
  readonly of: number
  readonly ageMs: number | null
}

/** Miners' clocks set the time of a block, and may be two hours off: https://en.bitcoin.it/wiki/Block_timestamp. */
const BITCOIN_OLDEST_MS = 3 * 3_600_000
/** The accepted difference between the clocks of a host and this machine, ms: dates have whole seconds, and answers are slow. */
const APART_MS = 15_000
/** A larger difference to the hosts is a failure, ms. The service tolerates five minutes to a chain; the rest is for block times. */
const APART_MS_MAX = 120_000

const AHEAD = 'a payment made after an /execute looks older than its swap, and is not taken for its own'
const BEHIND = 'quotes and deadlines are taken for open that are over'
const CLOCK_TODO = 'Set the time of this machine, and keep it by NTP.'

const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1_000)} s`

/** Checks that at least one endpoint of a chain can be read. */
export const judgeChain = (blocks: readonly BlockAge[]): readonly Finding[] => {
  const ages = blocks.flatMap(({ ageMs }) => ageMs ?? [])
  return blocks.map(({ chainId, endpoint, of, ageMs }) => {
    const check = `chain ${chainId}`
    const name = `${chainOf(chainId).name}${of > 1 ? `, endpoint ${endpoint} of ${of}` : ''}`
    const todo = `Set ${rpcUrlsKey(chainId)} to endpoints that answer.`
    if (ageMs === null && ages.length === 0)
      return fail(check, `${name} cannot be read: its swaps are neither quoted with fees nor followed.`, todo)
    if (ageMs === null) return warn(check, `${name} does not answer; another one does.`, todo)
    const lags = `${name} is ${seconds(ageMs)} behind the clock of this machine.`
    if (ageMs > (chainId === BITCOIN ? BITCOIN_OLDEST_MS : NEWEST_AGE_MS_MAX))
      return warn(check, lags, `The endpoint lags, or the clock is ahead. ${todo}`)
    const behindMs = ageMs - Math.min(...ages)
    if (behindMs > headAgeMaxMs(chainId)) return warn(check, `${name} is ${seconds(behindMs)} behind another one.`, todo)
    return ok(check, `${name} answers; its newest confirmed block is ${seconds(Math.max(ageMs, 0))} old.`)
  })
}

/** Compares this clock with the chains, of which fewer than half may be wrong. Excludes Bitcoin, whose times are too coarse. */
export const judgeClock = (blocks: readonly BlockAge[]): Finding => {
  const read = blocks.filter(({ chainId, ageMs }) => chainId !== BITCOIN && ageMs !== null)
  const byChain = [...Map.groupBy(read, ({ chainId }) => chainId).values()]
  if (byChain.length === 0)
    return warn('clock', 'The clock was not compared: no chain could be read.', 'Repair the chain endpoints first.')
  const ahead = clockAheadMs(byChain.map((all) => all.flatMap(({ ageMs }) => ageMs ?? [])))
  const behindText = `The clock of this machine is at least ${seconds(ahead)} behind the chains: ${BEHIND}.`
  if (ahead < -APART_MS) return fail('clock', behindText, CLOCK_TODO)
  const aheadText = `The clock of this machine is about ${seconds(ahead)} ahead of the chains, or most endpoints lag: ${AHEAD}.`
  if (ahead > NEWEST_AGE_MS_MAX) return fail('clock', aheadText, CLOCK_TODO)
  return ok('clock', 'The clock of this machine agrees with the chains.')
}

const DEADLINE_MS = 6_000

/** Reads the newest confirmed block of every endpoint of some chains. */
export const readBlockAges = async (
  { confirmations, rpcUrls }: Config,
  { http, clock }: { readonly http: HttpClient; readonly clock: Clock },
  chainIds: readonly ChainId[],
): Promise<readonly BlockAge[]> => {
  const ageAt = async (chainId: ChainId, url: string): Promise<number | null> => {
    const health = createEndpointHealth({ clock })
    const evidence = createChainEvidence({ rpcUrls: { [chainId]: [url] }, confirmations, http, health, clock })
    const at = await evidence.confirmedTime(chainId, AbortSignal.timeout(DEADLINE_MS)).catch(() => null)
    return at === null ? null : clock.now() - at
  }
  const reads = chainIds.flatMap((chainId) =>
    endpointUrls(rpcUrls, chainId).map(async (url, place, { length: of }) => {
      return { chainId, endpoint: place + 1, of, ageMs: await ageAt(chainId, url) }
    }),
  )
  return Promise.all(reads)
}

const headerOf = ({ headers }: Pick<HttpResponse, 'headers'>, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/**
 * How far this clock is ahead of a host's, in ms, by the `date` of its answer; null without one. `date` is in whole seconds (RFC
 * 9110, 6.6.1). A cache adds the `age` (RFC 9111, 5.1).
 */
export const aheadOf = (answer: Pick<HttpResponse, 'headers'>, askedAt: number, answeredAt: number): number | null => {
  const [date, ageSec] = [Date.parse(headerOf(answer, 'date')), Number(headerOf(answer, 'age') || '0')]
  if (!Number.isFinite(date) || !Number.isFinite(ageSec)) return null
  return (askedAt + answeredAt) / 2 - (date + 500 + ageSec * 1_000)
}

/** Compares this clock with the median of the venues' hosts, so that a few wrong ones do not matter. */
export const judgeHostClocks = (aheadMs: readonly number[]): readonly Finding[] => {
  const median = aheadMs.toSorted((a, b) => a - b)[Math.floor((aheadMs.length - 1) / 2)]
  // Other findings report hosts that do not answer.
  if (median === undefined) return []
  const check = 'clock by hosts'
  if (Math.abs(median) <= APART_MS) return [ok(check, "The clock of this machine agrees with the venues' hosts.")]
  const [direction, effect] = median > 0 ? ['ahead of', AHEAD] : ['behind', BEHIND]
  const says = `The clock of this machine is about ${seconds(median)} ${direction} the venues' hosts: ${effect}.`
  return [(Math.abs(median) > APART_MS_MAX ? fail : warn)(check, says, CLOCK_TODO)]
}
