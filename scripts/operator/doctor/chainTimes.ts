import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { clockAheadMs, NEWEST_AGE_MS_MAX } from '../../../engine/chains/endpoints/chainClock.ts'
import { endpointUrls } from '../../../engine/chains/endpoints/chainEndpoints.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { headAgeMaxMs } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { rpcUrlsKey } from '../../../engine/config/chains.ts'
import type { Config } from '../../../engine/config/config.ts'
import { BITCOIN, type ChainId, chainOf } from '../../../engine/core/chain.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { CLOCK_AHEAD, CLOCK_BEHIND } from './hostClocks.ts'

/** The age of an endpoint's newest confirmed block by this clock; null if unreadable. Omits the URL, which may contain a key. */
export type Sight = { readonly chainId: ChainId; readonly endpoint: number; readonly of: number; readonly ageMs: number | null }

/** Miners' clocks set the time of a block, and may be two hours off: https://en.bitcoin.it/wiki/Block_timestamp. */
const BITCOIN_OLDEST_MS = 3 * 3_600_000
/** The accepted difference between the clocks of a node and this machine, ms. */
const APART_MS = 15_000

const oldestOf = (chainId: ChainId): number => (chainId === BITCOIN ? BITCOIN_OLDEST_MS : NEWEST_AGE_MS_MAX)

const nameOf = ({ chainId, endpoint, of }: Sight): string =>
  `${chainOf(chainId).name}${of > 1 ? `, endpoint ${endpoint} of ${of}` : ''}`

const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1_000)} s`

/** Checks that at least one endpoint of a chain can be read. */
export const judgeChain = (sights: readonly Sight[]): readonly Finding[] => {
  const ages = sights.flatMap(({ ageMs }) => ageMs ?? [])
  return sights.map((sight) => {
    const { chainId, ageMs } = sight
    const check = `chain ${chainId}`
    const setting = `Set ${rpcUrlsKey(chainId)} to endpoints that answer.`
    if (ageMs === null)
      return ages.length === 0
        ? fail(check, `${nameOf(sight)} cannot be read: its swaps are neither quoted with fees nor followed.`, setting)
        : warn(check, `${nameOf(sight)} does not answer; another one does.`, setting)
    if (ageMs > oldestOf(chainId))
      return warn(
        check,
        `${nameOf(sight)} is ${seconds(ageMs)} behind the clock of this machine.`,
        `The endpoint lags, or the clock is ahead. ${setting}`,
      )
    const behindMs = ageMs - Math.min(...ages)
    if (behindMs > headAgeMaxMs(chainId))
      return warn(check, `${nameOf(sight)} is ${seconds(behindMs)} behind another one.`, setting)
    return ok(check, `${nameOf(sight)} answers; its newest confirmed block is ${seconds(Math.max(ageMs, 0))} old.`)
  })
}

/** Compares this clock with the chains, of which fewer than half may be wrong. Excludes Bitcoin, whose times are too coarse. */
export const judgeClock = (sights: readonly Sight[]): Finding => {
  const ages = new Map<ChainId, number[]>()
  for (const { chainId, ageMs } of sights)
    if (chainId !== BITCOIN && ageMs !== null) ages.set(chainId, [...(ages.get(chainId) ?? []), ageMs])
  const todo = 'Set the time of this machine, and keep it by NTP.'
  if (ages.size === 0)
    return warn('clock', 'The clock was not compared: no chain could be read.', 'Repair the chain endpoints first.')
  const ahead = clockAheadMs([...ages.values()])
  if (ahead < -APART_MS)
    return fail('clock', `The clock of this machine is at least ${seconds(ahead)} behind the chains: ${CLOCK_BEHIND}.`, todo)
  if (ahead > NEWEST_AGE_MS_MAX)
    return fail(
      'clock',
      `The clock of this machine is about ${seconds(ahead)} ahead of the chains, or most endpoints lag: ${CLOCK_AHEAD}.`,
      todo,
    )
  return ok('clock', 'The clock of this machine agrees with the chains.')
}

const DEADLINE_MS = 6_000

/** Reads the newest confirmed block of every endpoint of some chains. */
export const sightChains = async (
  config: Config,
  { http, clock }: { readonly http: HttpClient; readonly clock: Clock },
  chainIds: readonly ChainId[],
): Promise<readonly Sight[]> => {
  const { confirmations } = config
  const one = async (chainId: ChainId, url: string): Promise<number | null> => {
    const rpcUrls = { [chainId]: [url] }
    const evidence = createChainEvidence({ rpcUrls, confirmations, http, health: createEndpointHealth({ clock }), clock })
    const at = await evidence.confirmedTime(chainId, AbortSignal.timeout(DEADLINE_MS)).catch(() => null)
    return at === null ? null : clock.now() - at
  }
  const sights = chainIds.map(async (chainId) => {
    const urls = endpointUrls(config.rpcUrls, chainId)
    return Promise.all(
      urls.map(
        async (url, place): Promise<Sight> => ({ chainId, endpoint: place + 1, of: urls.length, ageMs: await one(chainId, url) }),
      ),
    )
  })
  return (await Promise.all(sights)).flat()
}
