import type { Config } from '../../../engine/config/config.ts'
import { venueKey } from '../../../engine/config/venues.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { aheadOf, judgeHostClocks } from './hostClocks.ts'

const DEADLINE_MS = 5_000
const BYTES_MAX = 1024 * 1024

/** Whether the host of each venue answers anything at all, and what time it has. No price is asked for, and no limit of a venue is used up by it. */
export const lookAtVenues = async (
  { venues, venuesEnabled, venuesWithoutKey }: Config,
  http: HttpClient,
): Promise<readonly Finding[]> => {
  const asked = venuesEnabled.map(async (id) => {
    const url = venues[id]?.baseUrl ?? ''
    const signal = AbortSignal.timeout(DEADLINE_MS)
    // The machine's, whatever the offline network makes of the time.
    const askedAt = Date.now()
    const answer = await http.send({ method: 'GET', url, signal, bytesMax: BYTES_MAX }).catch((error: unknown) => String(error))
    if (typeof answer === 'string') return { id, trouble: answer, aheadMs: null }
    return { id, trouble: null, aheadMs: aheadOf(answer, askedAt, Date.now()) }
  })
  const told = await Promise.all(asked)
  const isAll = told.every(({ trouble }) => trouble !== null)
  const findings = told.map(({ id, trouble }) => {
    if (trouble === null) return ok(`venue ${id}`, 'The host of the venue answers.')
    const todo = `Check the network and proxy of this machine, and ${venueKey(id, 'BASE_URL')}; or remove the venue from VENUES_ENABLED.`
    return (isAll ? fail : warn)(
      `venue ${id}`,
      `The host of the venue does not answer: ${trouble.replace(/^HttpError: /, '')}.`,
      todo,
    )
  })
  const off = venuesWithoutKey.map((id) =>
    warn(
      `venue ${id}`,
      'The venue is off: it requires an API key.',
      `Set ${venueKey(id, 'API_KEY')}, or remove the venue from VENUES_ENABLED.`,
    ),
  )
  return [...judgeHostClocks(told.flatMap(({ aheadMs }) => (aheadMs === null ? [] : [aheadMs]))), ...findings, ...off]
}
