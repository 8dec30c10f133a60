import type { ToldRun } from '../../core/toldRace.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { RaceTold, RunTold, ToldToken } from './told.ts'
import type { WatchedRace } from './watched.ts'

/** What was quoted, for the swap that comes of it. */
export type Quoted = Pick<RaceTold, 'input' | 'inputAmount' | 'output'> & { readonly outputAmount: string | null }

/** The last races, kept as they were told: they are written out when somebody looks. */
export interface RaceBook {
  /** Gives what makes it of it, once it is wanted. */
  add(event: WatchedRace, at: number): { readonly id: number; read(): RaceTold }
  /** Newest first. */
  list(): readonly RaceTold[]
  /** Null of a quote that is forgotten. */
  quoted(quoteId: string): Quoted | null
}

const RACES_KEPT = 50
/** Of a quote that is executed others may have come since. */
const QUOTES_KEPT = 1_000

/** A token of the offline network; only its place where that has none there. */
export const toldToken = (tokens: SimTokens, chainId: number, address: string): ToldToken => {
  const { symbol = null, decimals = null } = tokens.find(chainId, address) ?? {}
  return { chainId, address, symbol, decimals }
}

/** `<chain>:<token>` as ToldRoute has it. */
const readPlace = (place: string): readonly [chainId: number, address: string] => {
  const colon = place.indexOf(':')
  return [Number(place.slice(0, colon)), place.slice(colon + 1)]
}

const toRun = (run: ToldRun): RunTold => {
  const { venue, outcome, elapsedMs, rank = null, amount = null, minimum = null, kind = null, reason = null } = run
  const { inputMinimum = null, inputMaximum = null } = run
  const feeCost = run.feeCost === undefined ? '0' : run.feeCost
  const limits = { minimum, inputMinimum, inputMaximum }
  return { venue, outcome, elapsedMs, rank, amount, ...limits, feeCost, isPreview: run.isPreview === true, kind, reason }
}

/** What is known of a race only where somebody won it. */
const endOf = (event: WatchedRace) => {
  if (event.event === 'quote.refused') {
    const elapsedMs = Math.max(0, ...event.runs.map((run) => run.elapsedMs))
    const nobody = { quoteId: null, venue: null, executable: false, overheadMs: null, leadBps: null, referenceBps: null }
    return { ...nobody, refusal: event.code, elapsedMs }
  }
  const { quoteId, venue, executable, elapsedMs, overheadMs, leadBps, referenceBps } = event
  return { quoteId, venue, executable, refusal: null, elapsedMs, overheadMs, leadBps, referenceBps }
}

export const createRaceBook = (tokens: SimTokens): RaceBook => {
  const quotes = new BoundedMap<string, WatchedRace>(QUOTES_KEPT)
  const races: { readonly id: number; readonly at: number; readonly event: WatchedRace }[] = []
  let count = 0

  const routeOf = ({ input, output, inputAmount }: WatchedRace) => ({
    input: toldToken(tokens, ...readPlace(input)),
    inputAmount,
    output: toldToken(tokens, ...readPlace(output)),
  })

  const toRace = ({ id, at, event }: (typeof races)[number]): RaceTold => {
    const { requestId, mode, unwilling, reference } = event
    return { id, at, requestId, ...routeOf(event), ...endOf(event), mode, runs: event.runs.map(toRun), unwilling, reference }
  }

  return {
    add: (event, at) => {
      count += 1
      const race = { id: count, at, event }
      races.unshift(race)
      if (races.length > RACES_KEPT) races.pop()
      if (event.event === 'quote.served') quotes.set(event.quoteId, event)
      return { id: race.id, read: () => toRace(race) }
    },
    list: () => races.map(toRace),
    quoted: (quoteId) => {
      const event = quotes.get(quoteId)
      if (!event) return null
      return { ...routeOf(event), outputAmount: event.runs.find(({ rank }) => rank === 1)?.amount ?? null }
    },
  }
}
