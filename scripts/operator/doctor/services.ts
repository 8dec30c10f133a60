import type { Config } from '../../../engine/config/config.ts'
import { venueKey } from '../../../engine/config/venues.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { openRedisLink, redisScript } from '../../../engine/shared/redisLink.ts'
import { aheadOf, judgeHostClocks } from './clocks.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const MONITOR_MS = 2_000
const MONITOR_BYTES_MAX = 64 * 1024

/** The address to call for a port that listens on all interfaces. */
const LOOPBACK: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' }

type Readiness = { readonly ready: boolean; readonly reasons: readonly unknown[] }

/** Null for the answer of another program. */
const readinessIn = (text: string): Readiness | null => {
  try {
    const answer = JSON.parse(text) as Partial<Readiness> | null
    return typeof answer?.ready === 'boolean' && Array.isArray(answer.reasons) ? (answer as Readiness) : null
  } catch {
    return null
  }
}

type Trouble = { readonly pattern: RegExp; readonly toFinding: (...labels: readonly string[]) => Finding }

/** Findings by lines of the metrics. The groups of `pattern` are the arguments of `toFinding`. */
const TROUBLES: readonly Trouble[] = [
  {
    pattern: /^swap_venue_rejecting\{venue="([^"]+)",call="([^"]+)",chain="([^"]+)"\} 1$/gm,
    toFinding: (venue, call, chain) => {
      const says = `Checks of the service reject every recent ${call} answer of ${venue}${chain === 'all' ? '' : ` on chain ${chain}`}.`
      return warn(`venue ${venue}`, says, 'Read `npm run operator -- rejected` and SwapVenueRejecting in operations/RUNBOOK.md.')
    },
  },
  {
    pattern: /^swap_venue_pins_differing\{venue="([^"]+)"\} ([1-9][0-9]*)$/gm,
    toFinding: (venue, count) => {
      const says = `${venue} publishes ${count} values that differ from what the service pins.`
      return warn(`venue ${venue}`, says, 'Read `npm run drift` and SwapVenuePinsDiffer in operations/RUNBOOK.md.')
    },
  },
  {
    pattern: /^swap_venue_pins_unread\{venue="([^"]+)"\} ([1-9][0-9]*)$/gm,
    toFinding: (venue, count) => {
      const says = `The service could not read ${count} of the lists and contracts that it compares its pins of ${venue} with.`
      return warn(`venue ${venue}`, says, 'Read `npm run drift` and SwapVenuePinsUnchecked in operations/RUNBOOK.md.')
    },
  },
  {
    pattern: /^swap_proxy_untrusted_requests_total\{peer="([^"]+)"\} ([1-9][0-9]*)$/gm,
    toFinding: (peer, count) => {
      const says = `The service answered 429 to a ${peer} address that names many clients and is not in TRUSTED_PROXIES (${count} times).`
      return warn('proxy', says, 'Read SwapProxyUntrusted in operations/RUNBOOK.md.')
    },
  },
]

/** Checks a running service by its monitoring port. */
export const checkMonitor = async ({ monitor }: Pick<Config, 'monitor'>, http: HttpClient): Promise<readonly Finding[]> => {
  const { host, port } = monitor
  // The port is off, or the service picked it (port 0).
  if (port === null || port === 0) return []
  const [check, at, address] = ['monitor', `METRICS_PORT ${port}`, LOOPBACK[host] ?? host]
  const read = async (path: string, bytesMax?: number): Promise<string | null> => {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}${path}`
    const request = { method: 'GET', url, signal: AbortSignal.timeout(MONITOR_MS), ...(bytesMax && { bytesMax }) } as const
    return (await http.send(request).catch(() => null))?.text ?? null
  }
  const text = await read('/ready', MONITOR_BYTES_MAX)
  if (text === null)
    return [warn(check, `No service answers at ${at}.`, 'Start the service, or set METRICS_HOST and METRICS_PORT to its values.')]
  const readiness = readinessIn(text)
  const otherTodo = 'Set METRICS_PORT to a free port, or stop that program. The service cannot start otherwise.'
  if (readiness === null) return [fail(check, `Another program answers at ${at}.`, otherTodo)]
  const todo = 'engine/health/README.md explains each reason. The log and `--json` of this command show more.'
  if (!readiness.ready) return [fail(check, `The service at ${at} is not ready: ${readiness.reasons.join(', ')}.`, todo)]
  const metrics = (await read('/metrics')) ?? ''
  const troubles = TROUBLES.flatMap(({ pattern, toFinding }) =>
    [...metrics.matchAll(pattern)].map(([, ...labels]) => toFinding(...labels)),
  )
  return [ok(check, `The service answers at ${at}, and is ready.`), ...troubles]
}

const NO_OPERATION = redisScript('return 1')
const REDIS_TODO = 'Check that Redis runs at REDIS_URL, and that its user may write and run scripts.'

/** Checks that the state shared by instances can be written and read. Omits the URL, which contains a password. */
export const checkRedis = async ({ redis: { url, keyPrefix } }: Pick<Config, 'redis'>): Promise<readonly Finding[]> => {
  if (url === null) return []
  let trouble: string | null = null
  const link = await openRedisLink({
    url,
    keyPrefix,
    observe: (event) => {
      if (event.event === 'redis.health') trouble = event.reason
    },
  })
  try {
    const startedAt = performance.now()
    const reply = await link.run(NO_OPERATION, [], [], (answer) => (answer === 1 ? answer : null))
    const elapsedMs = Math.round(performance.now() - startedAt)
    if (reply === 1) return [ok('redis', `Redis accepts writes, and answers in ${elapsedMs} ms.`)]
    const says = `Redis cannot be used: ${trouble ?? 'it did not answer in time'}. Each process counts limits and breakers alone.`
    return [warn('redis', says, REDIS_TODO)]
  } finally {
    link.close()
  }
}

const VENUE_MS = 5_000
const VENUE_BYTES_MAX = 1024 * 1024

/** Checks that the host of each venue answers, and compares its time. Requests no price, so it uses no limit of a venue. */
export const checkVenues = async (config: Config, http: HttpClient): Promise<readonly Finding[]> => {
  const { venues, venuesEnabled, venuesWithoutKey } = config
  const calls = venuesEnabled.map(async (id) => {
    const request = { method: 'GET', url: venues[id]?.baseUrl ?? '', bytesMax: VENUE_BYTES_MAX } as const
    // The machine's own time, also on the offline network.
    const askedAt = Date.now()
    try {
      const answer = await http.send({ ...request, signal: AbortSignal.timeout(VENUE_MS) })
      return { id, trouble: null, aheadMs: aheadOf(answer, askedAt, Date.now()) }
    } catch (error) {
      return { id, trouble: String(error).replace(/^HttpError: /, ''), aheadMs: null }
    }
  })
  const answers = await Promise.all(calls)
  const isAll = answers.every(({ trouble }) => trouble !== null)
  const findings = answers.map(({ id, trouble }) => {
    if (trouble === null) return ok(`venue ${id}`, 'The host of the venue answers.')
    const todo = `Check the network and proxy of this machine, and ${venueKey(id, 'BASE_URL')}; or remove the venue from VENUES_ENABLED.`
    return (isAll ? fail : warn)(`venue ${id}`, `The host of the venue does not answer: ${trouble}.`, todo)
  })
  const off = venuesWithoutKey.map((id) => {
    const todo = `Set ${venueKey(id, 'API_KEY')}, or remove the venue from VENUES_ENABLED.`
    return warn(`venue ${id}`, 'The venue is off: it requires an API key.', todo)
  })
  return [...judgeHostClocks(answers.flatMap(({ aheadMs }) => aheadMs ?? [])), ...findings, ...off]
}
