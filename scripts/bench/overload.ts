import { parseConfig } from '../../engine/config/config.ts'
import { SERVICE_FLAGS } from '../client/program.ts'
import type { Children } from './children.ts'
import { atLeast, atMost, type Effort, type Figure, formatRate, median, megabytes, quantile } from './measure.ts'
import type { CrowdAnswer, CrowdQuestion } from './servers/crowd.ts'
import type { ProductSettings, Strain } from './servers/product.ts'

const VENUES = 12
const [BASE, MOST] = [64, 1_024] as const
const GOALS = { useful: 0.9, slowest: 1.3, residentMb: 256 } as const
const WARM_UP_SECONDS = 3
const SECONDS = 8
const SECONDS_QUICK = 3

type Crowd = Pick<CrowdQuestion, 'clients' | 'isPatient'>
type Outcome = CrowdAnswer & Strain

/** The service is started for each crowd. */
const CROWDS: { readonly [name: string]: Crowd } = {
  [`${BASE} clients`]: { clients: BASE, isPatient: true },
  [`${MOST} clients`]: { clients: MOST, isPatient: true },
  [`${MOST} clients that repeat at once when refused`]: { clients: MOST, isPatient: false },
}

const p99 = (samples: readonly number[]): number => quantile(samples, 0.99)

const crowdFigure = (name: string, rounds: readonly Outcome[], seconds: number): Figure => {
  const sum = (of: (outcome: Outcome) => number) => rounds.reduce((total, outcome) => total + of(outcome), 0)
  const mid = (of: (outcome: Outcome) => number) => median(rounds.map(of)).toFixed(0)
  const counts = [
    `${sum(({ offers }) => offers)} with an offer, ${sum(({ withoutOffer }) => withoutOffer)} without`,
    `${sum(({ refused }) => refused)} refused, ${sum(({ failed }) => failed)} failed`,
  ]
  const times = `p50 ${mid(({ tookMs }) => quantile(tookMs, 0.5))} and p99 ${mid(({ tookMs }) => p99(tookMs))} ms`
  const strain = `loop p99 ${mid(({ loopP99Ms }) => loopP99Ms)} ms, ${mid(({ residentMostBytes }) => megabytes(residentMostBytes))} MB`
  const rate = formatRate(median(rounds.map(({ offers }) => offers / seconds)))
  return { name, measured: `${rate} /s`, absolute: [...counts, times, strain].join('; '), goal: null }
}

const goalFigures = (most: readonly Outcome[], base: readonly Outcome[]): readonly Figure[] => {
  const useful = median(most.map(({ offers }, round) => offers / (base[round]?.offers ?? Number.NaN)))
  const slowest = median(most.map(({ tookMs, idealMs }) => p99(tookMs) / p99(idealMs)))
  const withoutOffer = most.reduce((sum, outcome) => sum + outcome.withoutOffer, 0)
  const resident = megabytes(median(most.map(({ residentMostBytes }) => residentMostBytes)))
  const figure = (what: string, measured: string, goal: Figure['goal']): Figure => ({
    name: `${MOST} clients: ${what}`,
    ...{ measured, goal, absolute: '' },
  })
  return [
    figure(`quotes with an offer, to those of ${BASE}`, useful.toFixed(2), atLeast(useful, GOALS.useful)),
    figure('accepted quotes without an offer', String(withoutOffer), atMost(withoutOffer, 0)),
    figure('p99 of accepted quotes, to the slowest venue', slowest.toFixed(2), atMost(slowest, GOALS.slowest)),
    figure('most resident memory', `${resident} MB`, atMost(resident, GOALS.residentMb, ' MB')),
  ]
}

/** Quotes per second, their time and the memory, when more clients come than can be served. */
export const measureOverload = async (children: Children, { isQuick, rounds }: Effort): Promise<readonly Figure[]> => {
  const { ready: origins } = await children.start('venues.ts', VENUES)
  const crowd = await children.start('crowd.ts')
  const seconds = isQuick ? SECONDS_QUICK : SECONDS
  const settings: ProductSettings = { venues: origins as readonly string[], isSlow: true, bounds: parseConfig({}).overload }
  const meet = async (wish: Crowd): Promise<Outcome> => {
    const server = await children.start('product.ts', settings, SERVICE_FLAGS)
    await server.ask('strain')
    const limits = { warmUpSeconds: WARM_UP_SECONDS, seconds, quotesMax: Number.MAX_SAFE_INTEGER }
    const answer = await crowd.ask<CrowdAnswer>({ url: server.ready, venues: VENUES, ...wish, ...limits })
    if (answer.offers === 0) throw new Error('no quote had an offer')
    return { ...answer, ...(await server.ask<Strain>('strain')) }
  }
  const outcomes = new Map<string, Outcome[]>()
  for (let round = 0; round < rounds; round += 1)
    for (const [name, wish] of Object.entries(CROWDS)) outcomes.set(name, [...(outcomes.get(name) ?? []), await meet(wish)])
  const [base = [], most = []] = outcomes.values()
  return [...[...outcomes].map(([name, all]) => crowdFigure(name, all, seconds)), ...goalFigures(most, base)]
}
