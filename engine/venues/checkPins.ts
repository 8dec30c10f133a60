import type { Observe } from '../observe/observe.ts'
import type { PinClaim, Venue } from './venue.ts'

/** A claim whose two sides disagree. */
export type PinDifference = PinClaim

/** The result of one source. `failure`: why it could not be read; it then compared nothing. */
export type PinCheck = {
  readonly venue: string
  readonly source: string
  readonly compared: number
  readonly differences: readonly PinDifference[]
  readonly failure: string | null
}

/** The case of hex digits has no meaning. */
const normalize = (value: string): string => (/^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value)

/** True when the venue publishes a value that we lack, or none of ours. A rotation publishes old and new values together. */
export const isDifferent = ({ pinned, published }: PinClaim): boolean => {
  const [ours, theirs] = [new Set(pinned.map(normalize)), new Set(published.map(normalize))]
  return [...theirs].some((value) => !ours.has(value)) || (ours.size > 0 && theirs.size === 0)
}

/** Compares the pinned values of a venue with all of its sources. Never rejects. */
export const checkPins = (
  { profile, pins }: Pick<Venue, 'profile' | 'pins'>,
  signal: AbortSignal,
): Promise<readonly PinCheck[]> =>
  Promise.all(
    pins.map(async ({ name, claims }) => {
      const check = { venue: profile.id, source: name }
      try {
        const found = await claims(signal)
        if (found.length === 0) throw new Error('nothing was compared')
        return { ...check, compared: found.length, differences: found.filter(isDifferent), failure: null }
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error)
        return { ...check, compared: 0, differences: [], failure }
      }
    }),
  )

const listed = (values: readonly string[]): string => (values.length === 0 ? 'nothing' : values.join(', '))

/** A difference in one line. */
export const describePin = ({ what, pinned, published }: PinDifference): string =>
  `${what}: pinned ${listed(pinned)}, published ${listed(published)}`

/** For people: a line for the source, and one for each difference. They quote the venue: print them as `printable`. */
export const describeCheck = ({ venue, source, compared, differences, failure }: PinCheck): readonly string[] => {
  if (failure !== null) return [`${venue}: not compared with ${source}: ${failure}`]
  const verdict = differences.length === 0 ? 'as published' : `${differences.length} DIFFER`
  return [`${venue}: ${compared} compared with ${source}: ${verdict}`, ...differences.map((one) => `  ${describePin(one)}`)]
}

const CHECK = { firstMs: 20_000, everyMs: 6 * 3_600_000, retryMs: 1_800_000, confirmMs: 300_000, deadlineMs: 30_000 } as const
/** The length of a venue's list is unbounded. */
const REPORTED = { differencesMax: 20, lengthMax: 300 } as const

/**
 * Compares pinned values with published ones after the start and every 6 hours. It repeats after 30 minutes when a source was
 * unreadable, and after 5 minutes when a difference is new. One chain read may be wrong, so a report needs two passes in a row.
 */
export interface PinWatch {
  /** One pass over all venues, one venue after the other. Returns the time until the next pass, in ms. Never rejects. */
  check(): Promise<number>
  start(): void
  stop(): Promise<void>
}

/** `readsChains`: false leaves out sources that are contracts. On the offline network every chain that is read starts a node. */
export const createPinWatch = (
  venues: readonly Pick<Venue, 'profile' | 'pins'>[],
  observe: Observe,
  readsChains = true,
): PinWatch => {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<unknown> = Promise.resolve()
  /** The differences of the last pass, by venue. */
  const found = new Map<string, ReadonlySet<string>>()

  const check = async (): Promise<number> => {
    let nextMs: number = CHECK.everyMs
    for (const { profile, pins: sources } of venues) {
      const pins = sources.filter(({ chainId }) => readsChains || chainId === undefined)
      if (stopped.signal.aborted || pins.length === 0) continue
      const checks = await checkPins({ profile, pins }, AbortSignal.any([stopped.signal, AbortSignal.timeout(CHECK.deadlineMs)]))
      const all = checks.flatMap(({ source, differences }) => differences.map((one) => ({ key: `${source}: ${one.what}`, one })))
      const before = found.get(profile.id)
      const confirmed = all.filter(({ key }) => before?.has(key))
      const failures = checks.flatMap(({ source, failure }) => (failure === null ? [] : [`${source}: ${failure}`]))
      // An unreadable source leaves its earlier differences in place.
      found.set(profile.id, new Set([...all.map(({ key }) => key), ...(failures.length > 0 ? (before ?? []) : [])]))
      if (failures.length > 0) nextMs = Math.min(nextMs, CHECK.retryMs)
      if (confirmed.length < all.length) nextMs = CHECK.confirmMs
      const bounded = (lines: readonly string[]) =>
        lines.slice(0, REPORTED.differencesMax).map((line) => line.slice(0, REPORTED.lengthMax))
      if (stopped.signal.aborted) continue
      observe({
        event: 'venue.pins',
        venue: profile.id,
        compared: checks.reduce((sum, { compared }) => sum + compared, 0),
        differing: confirmed.length,
        differences: bounded(confirmed.map(({ one }) => describePin(one))),
        failures: bounded(failures),
      })
    }
    return nextMs
  }

  const later = (ms: number): void => {
    timer = setTimeout(() => {
      pass = check().then((nextMs) => {
        if (!stopped.signal.aborted) later(nextMs)
      })
    }, ms).unref()
  }

  return {
    check,
    start: () => later(CHECK.firstMs),
    stop: async () => {
      stopped.abort()
      clearTimeout(timer)
      await pass
    },
  }
}
