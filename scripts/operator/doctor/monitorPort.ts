import type { Config } from '../../../engine/config/config.ts'
import type { HttpClient, HttpResponse } from '../../../engine/net/httpClient.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const DEADLINE_MS = 2_000
const BYTES_MAX = 64 * 1024

/** The address to call for a port that listens on all interfaces. */
const HERE: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const urlOf = (host: string, port: number, path: string): string => {
  const asked = HERE[host] ?? host
  return `http://${asked.includes(':') ? `[${asked}]` : asked}:${port}${path}`
}

const readyOf = ({ text }: HttpResponse): { readonly ready: boolean; readonly reasons: readonly string[] } | null => {
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told !== 'object' || told === null || !('ready' in told) || !('reasons' in told)) return null
    const { ready, reasons } = told
    if (typeof ready !== 'boolean' || !Array.isArray(reasons)) return null
    return { ready, reasons: reasons.filter((reason) => typeof reason === 'string') }
  } catch {
    return null
  }
}

const OTHER_TODO = 'Set METRICS_PORT to a free port, or stop that program. The service cannot start otherwise.'
const NOT_READY_TODO = 'engine/health/README.md explains each reason. The log and `--json` of this command show more.'

const REJECTING = /^swap_venue_rejecting\{venue="([^"]+)",call="([^"]+)",chain="([^"]+)"\} 1$/gm

const DIFFERING = /^swap_venue_pins_differing\{venue="([^"]+)"\} ([1-9][0-9]*)$/gm

const UNREAD = /^swap_venue_pins_unread\{venue="([^"]+)"\} ([1-9][0-9]*)$/gm

const UNTRUSTED = /^swap_proxy_untrusted_requests_total\{peer="([^"]+)"\} ([1-9][0-9]*)$/gm

/** Finds venues with rejected answers, values that differ from the pinned ones, or unreadable lists; and unknown proxies. */
const findTroubles = async (url: string, http: HttpClient): Promise<readonly Finding[]> => {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const page = await http.send({ method: 'GET', url, signal }).catch(() => null)
  const differing = [...(page?.text ?? '').matchAll(DIFFERING)].map(([, venue = '', count = '']) => {
    const says = `${venue} publishes ${count} values that differ from what the service pins.`
    return warn(`venue ${venue}`, says, 'Read `npm run drift` and SwapVenuePinsDiffer in operations/RUNBOOK.md.')
  })
  const unread = [...(page?.text ?? '').matchAll(UNREAD)].map(([, venue = '', count = '']) => {
    const says = `The service could not read ${count} of the lists and contracts that it compares its pins of ${venue} with.`
    return warn(`venue ${venue}`, says, 'Read `npm run drift` and SwapVenuePinsUnchecked in operations/RUNBOOK.md.')
  })
  const rejecting = [...(page?.text ?? '').matchAll(REJECTING)].map(([, venue = '', call = '', chain = '']) => {
    const where = chain === 'all' ? '' : ` on chain ${chain}`
    const says = `Checks of the service reject every recent ${call} answer of ${venue}${where}.`
    return warn(`venue ${venue}`, says, 'Read `npm run operator -- rejected` and SwapVenueRejecting in operations/RUNBOOK.md.')
  })
  const untrusted = [...(page?.text ?? '').matchAll(UNTRUSTED)].map(([, peer = '', count = '']) => {
    const says = `The service answered 429 to a ${peer} address that names many clients and is not in TRUSTED_PROXIES (${count} times).`
    return warn('proxy', says, 'Read SwapProxyUntrusted in operations/RUNBOOK.md.')
  })
  return [...rejecting, ...differing, ...unread, ...untrusted]
}

/** Checks a running service by its monitoring port. */
export const lookAtMonitor = async (
  { monitor: { host, port } }: Pick<Config, 'monitor'>,
  http: HttpClient,
): Promise<readonly Finding[]> => {
  // The port is off, or the service picked it (port 0).
  if (port === null || port === 0) return []
  const check = 'monitor'
  const at = `METRICS_PORT ${port}`
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const answer = await http
    .send({ method: 'GET', url: urlOf(host, port, '/ready'), signal, bytesMax: BYTES_MAX })
    .catch(() => null)
  if (answer === null)
    return [warn(check, `No service answers at ${at}.`, 'Start the service, or set METRICS_HOST and METRICS_PORT to its values.')]
  const told = readyOf(answer)
  if (told === null) return [fail(check, `Another program answers at ${at}.`, OTHER_TODO)]
  if (told.ready)
    return [
      ok(check, `The service answers at ${at}, and is ready.`),
      ...(await findTroubles(urlOf(host, port, '/metrics'), http)),
    ]
  return [fail(check, `The service at ${at} is not ready: ${told.reasons.join(', ')}.`, NOT_READY_TODO)]
}
