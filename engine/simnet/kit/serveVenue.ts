import { createFaults, type Faults } from './faults.ts'
import { type LoopbackRequest, parseJson, startLoopbackServer } from './loopbackServer.ts'
import type { SimRequest, SimResponse, SimVenue } from './simVenue.ts'
import { answerOver, type LineAnswer } from './transportFaults.ts'

export type ServedVenue = {
  readonly baseUrl: string
  /** The latest requests that arrived, oldest first. */
  readonly received: readonly SimRequest[]
  close(): Promise<void>
}

const RECEIVED_KEPT = 1_000

const toSimRequest = ({ method, url, headers, rawBody }: LoopbackRequest): SimRequest => ({
  method,
  path: url.pathname,
  query: url.searchParams,
  headers,
  body: parseJson(rawBody),
  rawBody,
})

const toLineAnswer = ({ status, body, contentType, headers }: SimResponse): LineAnswer => ({
  status,
  headers: headers ?? {},
  text: contentType === undefined ? JSON.stringify(body) : String(body),
  contentType: contentType ?? 'application/json',
})

/** Puts one simulated venue behind HTTP on loopback, on a free port, and lets the line suffer the transport faults that are on. */
export const serveVenue = async (venue: SimVenue, faults: Faults = createFaults()): Promise<ServedVenue> => {
  const received: SimRequest[] = []
  const { origin, close } = await startLoopbackServer(async (request, response) => {
    const simRequest = toSimRequest(request)
    received.push(simRequest)
    if (received.length > RECEIVED_KEPT) received.shift()
    await answerOver({ faults, target: venue.id, path: simRequest.path, response }, async () =>
      toLineAnswer(await venue.handle(simRequest)),
    )
  })
  return { baseUrl: origin, received, close }
}
