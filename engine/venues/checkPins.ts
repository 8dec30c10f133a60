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

/** Hex has no case of its own. */
const normalize = (value: string): string => (/^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value)

/** Whether the venue publishes a value that we lack, or none of ours any more. Old and new values stand together during a rotation. */
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

/** For people: one line for the source, and one for each difference. */
export const describeCheck = ({ venue, source, compared, differences, failure }: PinCheck): string => {
  if (failure !== null) return `${venue}: not compared with ${source}: ${failure}`
  const verdict = differences.length === 0 ? 'as published' : `${differences.length} DIFFER`
  return [`${venue}: ${compared} compared with ${source}: ${verdict}`, ...differences.map((one) => `  ${describePin(one)}`)].join(
    '\n',
  )
}

const CHECK = { firstMs: 20_000, everyMs: 6 * 3_600_000, retryMs: 30 * 60_000, deadlineMs: 30_000 } as const
/** A list that a venue serves is as long as it likes. */
const REPORTED = { differencesMax: 20, lengthMax: 300 } as const

/** Compares pinned values with published ones after the start and every 6 hours, 30 minutes after a source that could not be read. */
export interface PinWatch {
  /** One pass over all venues, one venue after the other. Returns whether every source could be read. Never rejects. */
  check(): Promise<boolean>
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

  const check = async (): Promise<boolean> => {
    let isComplete = true
    for (const { profile, pins: all } of venues) {
      const pins = all.filter(({ chainId }) => readsChains || chainId === undefined)
      if (stopped.signal.aborted || pins.length === 0) continue
      const checks = await checkPins({ profile, pins }, AbortSignal.any([stopped.signal, AbortSignal.timeout(CHECK.deadlineMs)]))
      const differences = checks.flatMap((one) => one.differences.map(describePin))
      const failures = checks.flatMap(({ source, failure }) => (failure === null ? [] : [`${source}: ${failure}`]))
      isComplete &&= failures.length === 0
      const bounded = (lines: readonly string[]) =>
        lines.slice(0, REPORTED.differencesMax).map((line) => line.slice(0, REPORTED.lengthMax))
      if (stopped.signal.aborted) continue
      observe({
        event: 'venue.pins',
        venue: profile.id,
        compared: checks.reduce((sum, { compared }) => sum + compared, 0),
        differing: differences.length,
        differences: bounded(differences),
        failures: bounded(failures),
      })
    }
    return isComplete
  }

  const later = (ms: number): void => {
    timer = setTimeout(() => {
      pass = check().then((isComplete) => {
        if (!stopped.signal.aborted) later(isComplete ? CHECK.everyMs : CHECK.retryMs)
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
