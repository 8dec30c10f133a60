import { stateOf } from '../../engine/health/healthState.ts'
import { createMetrics } from '../../engine/observe/metrics/createMetrics.ts'
import type { AnyEvent } from '../../engine/observe/observe.ts'
import type { Children } from './children.ts'
import { atMost, type Figure } from './figure.ts'
import type { Effort } from './options.ts'
import { createBenchEngine } from './product/benchEngine.ts'
import { createInstantVenues } from './product/benchVenues.ts'
import { ANYBODY, sampleOrder, VENUES } from './product/sample.ts'
import { interleave, median, medianOfRounds } from './samples.ts'

/** What a quote's events may cost beside the quote. */
const SHARE_MAX = 0.02
/** Events counted in one go: the clock is not asked for each. */
const TOGETHER = 1_000

const REQUEST: AnyEvent = {
  event: 'request',
  requestId: 'bench',
  method: 'POST',
  path: '/api/v1/quote',
  operationId: 'quote',
  status: 200,
  ms: 1,
  tier: 'anonymous',
}

/** Processor time of one, microseconds. */
const timed = async (seconds: number, weight: number, once: () => unknown): Promise<number> => {
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  let count = 0
  while (performance.now() - startedAt < seconds * 1_000) {
    await once()
    count += weight
  }
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / count
}

const openMetrics = (venues: readonly string[]) =>
  createMetrics({ venues, operations: ['quote'], network: 'simnet', health: () => stateOf([]) })

/** What counting a quote's events costs, beside the quote that they are of; and what a scrape costs. */
export const measureMetrics = async (_children: Children, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  const events: AnyEvent[] = []
  let isRecording = true
  const venues = createInstantVenues(VENUES)
  const engine = await createBenchEngine(venues, (record) => {
    if (isRecording) events.push(record as unknown as AnyEvent)
  })
  const { signal } = new AbortController()
  const quote = () => engine.quote(sampleOrder(), { requestId: 'bench', caller: ANYBODY, client: 'bench', signal })
  await quote()
  isRecording = false
  events.push(REQUEST)
  const metrics = openMetrics(venues.map(({ profile }) => profile.id))
  const count = () => {
    for (let i = 0; i < TOGETHER; i += 1) for (const event of events) metrics.observe(event)
  }
  const measured = await interleave(
    {
      quote: () => timed(sliceSeconds, 1, quote),
      count: () => timed(sliceSeconds, TOGETHER, async () => count()),
      scrape: () => timed(sliceSeconds, 1, metrics.page),
    },
    rounds,
  )
  const share = medianOfRounds(measured.count, measured.quote, (a, b) => a / b)
  const [counting, quoting, scraping] = [median(measured.count), median(measured.quote), median(measured.scrape)]
  return [
    {
      name: `    metrics: counting a quote's ${events.length} events, to the quote`,
      measured: `${(share * 100).toFixed(2)} %`,
      absolute: `${counting.toFixed(2)} to ${quoting.toFixed(0)} us of processor time, ${VENUES} instant venues, without the edge`,
      goal: atMost(Number((share * 100).toFixed(2)), SHARE_MAX * 100, ' %'),
    },
    {
      name: '    metrics: one scrape',
      measured: `${(scraping / 1_000).toFixed(2)} ms`,
      absolute: 'processor time, of what one kind of quote has filled',
      goal: null,
    },
  ]
}
