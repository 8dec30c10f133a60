import { createServer } from 'node:http'
import { Agent } from 'undici'
import { quotePath, type VenueAnswer, venueRequestBody } from '../product/benchVenues.ts'
import { sampleOrder } from '../product/sample.ts'
import type { Answers } from './answers.ts'
import { readBody } from './body.ts'
import { serveParent, settingsOf } from './parent.ts'

/** node:http in, undici out, and nothing else: ask all venues, read their prices, answer with bytes made beforehand. */
export type FanOutSettings = {
  readonly answers: Answers
  readonly origins: readonly string[]
  readonly call: 'dispatch' | 'request'
}

const { answers, origins, call } = settingsOf<FanOutSettings>()
const bytes = Buffer.from(answers.quote)
const agent = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 30_000 })
const path = quotePath(0)
const headers = { accept: 'application/json', 'content-type': 'application/json' }

const parseAnswer = (text: string): VenueAnswer => JSON.parse(text) as VenueAnswer

const byDispatch = (origin: string, body: string): Promise<VenueAnswer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    agent.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart: () => {},
        onResponseStart: () => {},
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk)
        },
        onResponseEnd: () => resolve(parseAnswer(Buffer.concat(chunks).toString())),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })

const byRequest = async (origin: string, body: string): Promise<VenueAnswer> => {
  const response = await agent.request({ origin, path, method: 'POST', headers, body })
  return parseAnswer(await response.body.text())
}

const ask = call === 'dispatch' ? byDispatch : byRequest
const json = JSON.stringify(venueRequestBody(sampleOrder()))

serveParent(
  createServer(async (req, res) => {
    JSON.parse((await readBody(req)).toString())
    const prices = await Promise.all(origins.map((origin) => ask(origin, json)))
    const best = prices.reduce((a, b) => (BigInt(b.outputAmount) > BigInt(a.outputAmount) ? b : a))
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length, 'x-best': best.id })
    res.end(bytes)
  }),
)
