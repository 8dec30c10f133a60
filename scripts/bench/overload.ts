import { parseConfig } from '../../engine/config/config.ts'
import type { RoomsBounds } from '../../handlers/http/rooms.ts'
import type { Child, Children } from './children.ts'
import { atLeast, atMost, type Figure, formatRate } from './figure.ts'
import type { Effort } from './options.ts'
import { median, quantile } from './samples.ts'
import type { CrowdAnswer } from './servers/crowd.ts'
import type { Strain } from './servers/crowded.ts'
import { serviceFlags } from './serviceFlags.ts'

const VENUES = 12
const CROWDS = [16, 64, 256, 1_024] as const
const BASE = 64
const MOST = 1_024
const GOALS = { useful: 0.9, slowest: 1.3, residentMb: 256 } as const
const SECONDS = 8
const SECONDS_QUICK = 3

/** What one crowd met: the service was started for it. */
type Met = CrowdAnswer & Strain

type Wish = { readonly clients: number; readonly isPatient: boolean; readonly bounds: RoomsBounds }

const createMeet =
  ({ start }: Children, seconds: number, venues: Child, crowd: Child) =>
  async ({ clients, isPatient, bounds }: Wish): Promise<Met> => {
    const server = await start('crowded.ts', { origins: venues.ready, bounds }, serviceFlags())
    await server.ask('since')
    const told = await crowd.ask<CrowdAnswer>({ url: server.ready, clients, venues: VENUES, seconds, isPatient })
    return { ...told, ...(await server.ask<Strain>('since')) }
  }

const usefulOf = ({ offers, seconds }: CrowdAnswer): number => offers / seconds
const p99 = (samples: readonly number[]): number => quantile(samples, 0.99)
const medianOf = (rounds: readonly Met[], of: (met: Met) => number): number => median(rounds.map(of))

const tell = (rounds: readonly Met[]): string => {
  const sum = (of: (met: Met) => number) => rounds.reduce((total, met) => total + of(met), 0)
  const admitted = sum(({ tookMs }) => tookMs.length)
  const p50Ms = medianOf(rounds, ({ tookMs }) => quantile(tookMs, 0.5))
  const p99Ms = medianOf(rounds, ({ tookMs }) => p99(tookMs))
  return [
    `${admitted} let in, ${sum(({ withoutOffer }) => withoutOffer)} without an offer, ${sum(({ failed }) => failed)} failed, ${sum(({ refused }) => refused)} refused`,
    `p50 ${p50Ms.toFixed(0)} and p99 ${p99Ms.toFixed(0)} ms`,
    `loop p99 ${medianOf(rounds, ({ loopP99Ms }) => loopP99Ms).toFixed(0)} ms`,
    `${Math.round(medianOf(rounds, ({ residentMostBytes }) => residentMostBytes) / 2 ** 20)} MB at most`,
  ].join('; ')
}

const crowdFigure = (name: string, rounds: readonly Met[]): Figure => ({
  name,
  measured: `${formatRate(medianOf(rounds, usefulOf))} /s`,
  absolute: tell(rounds),
  goal: null,
})

const goalFigures = (rounds: readonly Met[], base: readonly Met[]): readonly Figure[] => {
  const useful = median(rounds.map((met, round) => usefulOf(met) / usefulOf(base[round] ?? met)))
  const slowest = medianOf(rounds, ({ tookMs, idealMs }) => p99(tookMs) / p99(idealMs))
  const withoutOffer = rounds.reduce((sum, met) => sum + met.withoutOffer, 0)
  const resident = Math.round(medianOf(rounds, ({ residentMostBytes }) => residentMostBytes) / 2 ** 20)
  return [
    {
      name: `    ${MOST} clients: quotes with an offer, to those of ${BASE}`,
      measured: useful.toFixed(2),
      absolute: '',
      goal: atLeast(useful, GOALS.useful),
    },
    {
      name: `    ${MOST} clients: let in, and without an offer`,
      measured: String(withoutOffer),
      absolute: '',
      goal: atMost(withoutOffer, 0),
    },
    {
      name: `    ${MOST} clients: p99 of those let in, to the slowest venue drawn`,
      measured: slowest.toFixed(2),
      absolute: '',
      goal: atMost(slowest, GOALS.slowest),
    },
    {
      name: `    ${MOST} clients: resident memory at most`,
      measured: `${resident} MB`,
      absolute: '',
      goal: atMost(resident, GOALS.residentMb, ' MB'),
    },
  ]
}

/** What is served, how fast and at what price, when more ask than can be served. */
export const measureOverload = async (children: Children, { isQuick, raceRounds }: Effort): Promise<readonly Figure[]> => {
  const venues = await children.start('venues.ts', VENUES)
  const crowd = await children.start('crowd.ts')
  const meet = createMeet(children, isQuick ? SECONDS_QUICK : SECONDS, venues, crowd)
  const bounds: RoomsBounds = parseConfig({}).overload
  const unbounded: RoomsBounds = { ...bounds, quotes: Number.MAX_SAFE_INTEGER }
  const rounds = Array.from({ length: raceRounds }, (_, round) => round)
  const met = new Map<string, Met[]>()
  const wishes: readonly (readonly [string, Wish])[] = [
    ...CROWDS.map((clients) => [`    ${clients} clients`, { clients, isPatient: true, bounds }] as const),
    [`    ${MOST} clients who do not wait when refused`, { clients: MOST, isPatient: false, bounds }],
    ['    256 clients, without bounds', { clients: 256, isPatient: true, bounds: unbounded }],
    [`    ${MOST} clients, without bounds`, { clients: MOST, isPatient: true, bounds: unbounded }],
  ]
  for (const _ of rounds) for (const [name, wish] of wishes) met.set(name, [...(met.get(name) ?? []), await meet(wish)])
  const of = (clients: number): readonly Met[] => met.get(`    ${clients} clients`) ?? []
  return [...wishes.map(([name]) => crowdFigure(name, met.get(name) ?? [])), ...goalFigures(of(MOST), of(BASE))]
}
