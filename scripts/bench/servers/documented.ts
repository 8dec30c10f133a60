import { createServer } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import addFormats from 'ajv-formats'
import Koa from 'koa'
import { type Context, OpenAPIBackend, type Request } from 'openapi-backend'
import type { Engine } from '../../../engine/engine.ts'
import type { components } from '../../../generated/api.d.ts'
import { readContract } from '../../../handlers/http/contract.ts'
import { toOrder } from '../../../handlers/map/order.ts'
import { toQuote } from '../../../handlers/map/quote.ts'
import { chosenVenues, createBenchEngine, type VenueChoice } from '../product/benchEngine.ts'
import { createBenchSink } from '../product/benchSink.ts'
import { quotePath, type VenueAnswer, venueRequestBody } from '../product/benchVenues.ts'
import { ANYBODY, sampleOrder } from '../product/sample.ts'
import { stubQuotes } from '../product/stubQuotes.ts'
import { type Answers, parseEnvelope } from './answers.ts'
import { serveParent, settingsOf } from './parent.ts'

/**
 * The way the documentation of openapi-backend shows for Koa: a body parser, its own validation by compiled schemas,
 * `ctx.body`. Behind it the product's engine, or a fan-out by the global fetch.
 */
export type DocumentedSettings = {
  readonly answers: Answers
  readonly quotes: { readonly engine: VenueChoice; readonly isEngineStubbed: boolean } | { readonly fetchFrom: readonly string[] }
}

type QuoteRequest = components['schemas']['QuoteRequest']
type QuoteCall = (body: QuoteRequest) => Promise<unknown>

const DEADLINE_MS = 4_000

const { answers, quotes } = settingsOf<DocumentedSettings>()
const chains = parseEnvelope(answers.chains)
const { data: quote, meta } = parseEnvelope(answers.quote)

const quoteByEngine =
  (engine: Engine): QuoteCall =>
  async (body) => {
    const data = toQuote(
      await engine.quote(toOrder(body, engine.venueIds), {
        requestId: meta.requestId,
        caller: ANYBODY,
        client: 'bench',
        signal: new AbortController().signal,
      }),
    )
    return { data, meta }
  }

const quoteByFetch = (origins: readonly string[]): QuoteCall => {
  const json = JSON.stringify(venueRequestBody(sampleOrder()))
  return async () => {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const prices = await Promise.all(
      origins.map(async (origin) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(`${origin}${quotePath(0)}`, { method: 'POST', headers, body: json, signal })
        return (await response.json()) as VenueAnswer
      }),
    )
    const best = prices.reduce((a, b) => (BigInt(b.outputAmount) > BigInt(a.outputAmount) ? b : a))
    return { data: { ...(quote as object), estimatedTimeSeconds: best.expectedFillTime }, meta }
  }
}

const createQuoteCall = async (): Promise<QuoteCall> => {
  if ('fetchFrom' in quotes) return quoteByFetch(quotes.fetchFrom)
  const engine = await createBenchEngine(chosenVenues(quotes.engine), createBenchSink())
  return quoteByEngine(quotes.isEngineStubbed ? await stubQuotes(engine) : engine)
}

const serveQuote = await createQuoteCall()
const refuse = (status: number) => async (_c: Context, ctx: Koa.Context) => {
  ctx.status = status
  ctx.body = { error: { code: 'INVALID_REQUEST', message: 'The request is not valid.' }, meta }
}
const api = new OpenAPIBackend({
  definition: readContract().document,
  customizeAjv: (ajv) => addFormats.default(ajv),
  handlers: {
    chains: async (_c: Context, ctx: Koa.Context) => {
      ctx.body = chains
    },
    quote: async (c: Context, ctx: Koa.Context) => {
      ctx.body = await serveQuote(c.request.requestBody as QuoteRequest)
    },
    validationFail: refuse(400),
    notFound: refuse(404),
  },
})
await api.init()

const app = new Koa()
app.use(bodyParser())
app.use((ctx) => api.handleRequest(ctx.request as Request, ctx))
serveParent(createServer(app.callback()))
