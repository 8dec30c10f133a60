import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { sampleOrder } from '../sample.ts'
import { type VenueAnswer, venueRequest } from '../venues.ts'
import { serveParent, settingsOf } from './parent.ts'

/** node:http in, undici out, and nothing else: calls all venues, reads their prices, and answers with the product's bytes. */
export type FanOutSettings = { readonly answer: string; readonly origins: readonly string[] }

const { answer, origins } = settingsOf<FanOutSettings>()
const bytes = Buffer.from(answer)
const agent = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 30_000 })
const headers = { accept: 'application/json', 'content-type': 'application/json' }
const { path, json } = venueRequest(0, sampleOrder())
const body = JSON.stringify(json)

/** The quickest way of undici: without a stream for the answer. */
const call = (origin: string): Promise<VenueAnswer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    agent.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as VenueAnswer),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })

const quote = async (request: IncomingMessage): Promise<string> => {
  JSON.parse((await buffer(request)).toString())
  const prices = await Promise.all(origins.map(call))
  return prices.reduce((a, b) => (BigInt(b.outputAmount) > BigInt(a.outputAmount) ? b : a)).id
}

await serveParent(
  createServer(async (request, response) => {
    const id = await quote(request)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length, 'x-best': id }).end(bytes)
  }),
)
