import type { Json } from '../../engine/core/json.ts'
import type { Child, Children } from './children.ts'
import { atLeast, type Figure, formatRate } from './figure.ts'
import { createLoad, type LoadRequest, type Slice } from './load.ts'
import type { Effort } from './options.ts'
import { CHAINS_PATH, QUOTE_BODY, QUOTE_PATH, VENUES } from './product/sample.ts'
import { interleave, median, medianOfRounds, type Rounds } from './samples.ts'
import type { Answers } from './servers/answers.ts'

const CHAINS: LoadRequest = { method: 'GET', path: CHAINS_PATH }
export const QUOTE: LoadRequest = { method: 'POST', path: QUOTE_PATH, body: JSON.stringify(QUOTE_BODY) }

const fetchText = async (server: Child, { method, path, body }: LoadRequest): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.ready}${path}`, { method, ...(body !== undefined && { body, headers }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
  return text
}

/** What the product answers, for the baselines to answer too. */
const answersOf = async (product: Child): Promise<Answers> => ({
  chains: await fetchText(product, CHAINS),
  quote: await fetchText(product, QUOTE),
})

type Contenders<Name extends string> = { readonly [name in Name]: Child }

/** Loads all contenders with the same request, interleaved; each must first answer it with a success. */
const contend = async <Name extends string>(
  contenders: Contenders<Name>,
  request: LoadRequest,
  { rounds, sliceSeconds }: Effort,
): Promise<Rounds<Name, Slice>> => {
  const entries = Object.entries(contenders) as [Name, Child][]
  for (const [, server] of entries) await fetchText(server, request)
  const loads = Object.fromEntries(entries.map(([name, server]) => [name, createLoad(server, request, sliceSeconds)]))
  return interleave(loads as Record<Name, () => Promise<Slice>>, rounds)
}

/** A figure comparing two contenders by requests per second of processor time, the clock's word beside. */
const compare = <Name extends string>(
  name: string,
  rounds: Rounds<Name, Slice>,
  [measured, baseline]: readonly [Name, Name],
  goal: number | null,
): Figure => {
  const ratio = medianOfRounds(rounds[measured], rounds[baseline], (a, b) => a.perCoreSecond / b.perCoreSecond)
  const byClock = medianOfRounds(rounds[measured], rounds[baseline], (a, b) => a.perSecond / b.perSecond)
  const rateOf = (contender: Name) => formatRate(median(rounds[contender].map(({ perCoreSecond }) => perCoreSecond)))
  return {
    name,
    measured: ratio.toFixed(2),
    absolute: `${rateOf(measured)} to ${rateOf(baseline)} per core second; by the clock ${byClock.toFixed(2)}`,
    goal: goal === null ? null : atLeast(ratio, goal),
  }
}

const measureChains = async (contenders: Contenders<'product' | 'bare' | 'koa' | 'fastify' | 'documented'>, effort: Effort) => {
  const rounds = await contend(contenders, CHAINS, effort)
  return [
    compare('1   GET chains, to bare node:http', rounds, ['product', 'bare'], 0.4),
    compare('3   GET chains, to the documented way', rounds, ['product', 'documented'], 2),
    compare('    GET chains, to bare Koa', rounds, ['product', 'koa'], null),
    compare('    GET chains, to Fastify', rounds, ['product', 'fastify'], null),
    compare('    GET chains, Fastify to bare node:http', rounds, ['fastify', 'bare'], null),
  ]
}

type QuoteContender = 'product' | 'oneVenue' | 'edge' | 'bare' | 'koa' | 'fastify' | 'documented' | 'documentedEdge'

const measureQuotes = async (contenders: Contenders<QuoteContender>, effort: Effort) => {
  const rounds = await contend(contenders, QUOTE, effort)
  return [
    compare(`    POST quote, ${VENUES} instant venues in process, to bare node:http`, rounds, ['product', 'bare'], null),
    compare('    POST quote, 1 instant venue in process, to bare node:http', rounds, ['oneVenue', 'bare'], null),
    compare('    POST quote, the edge alone, to bare node:http', rounds, ['edge', 'bare'], null),
    compare('3   POST quote, to the documented way before the same engine', rounds, ['product', 'documented'], 2),
    compare('    POST quote, the edge alone, to the documented edge alone', rounds, ['edge', 'documentedEdge'], null),
    compare('    POST quote, the edge alone, to bare Koa', rounds, ['edge', 'koa'], null),
    compare('    POST quote, the edge alone, to Fastify', rounds, ['edge', 'fastify'], null),
    compare('    POST quote, Fastify to bare node:http', rounds, ['fastify', 'bare'], null),
  ]
}

const compareWholeQuotes = async (
  contenders: Contenders<'product' | 'instant' | 'dispatch' | 'request' | 'documented'>,
  effort: Effort,
) => {
  const rounds = await contend(contenders, QUOTE, effort)
  return [
    compare(`4   whole quote, ${VENUES} loopback venues, to bare in + undici dispatch`, rounds, ['product', 'dispatch'], 0.6),
    compare('    the same, to bare in + undici request', rounds, ['product', 'request'], null),
    compare('5   the same, to the documented way + global fetch', rounds, ['product', 'documented'], 3),
    compare(`    quote, ${VENUES} instant venues, to bare in + as many calls by undici`, rounds, ['instant', 'dispatch'], null),
  ]
}

export const INSTANT = { instant: VENUES }

/** Starts the product; first of all, because everybody else answers with its bytes. */
const startProduct = ({ start }: Children, venues: Json, isEngineStubbed = false) =>
  start('product.ts', { venues, isEngineStubbed })

/** The HTTP edge, without anything outbound. */
export const measureEdge = async (children: Children, effort: Effort): Promise<readonly Figure[]> => {
  const { start } = children
  const product = await startProduct(children, INSTANT)
  const answers = await answersOf(product)
  const startDocumented = (isEngineStubbed: boolean) =>
    start('documented.ts', { answers, quotes: { engine: INSTANT, isEngineStubbed } })
  const shared = {
    product,
    bare: await start('bare.ts', answers),
    koa: await start('bareKoa.ts', answers),
    fastify: await start('fastify.ts', answers),
    documented: await startDocumented(false),
  }
  const chains = await measureChains(shared, effort)
  const oneVenue = await startProduct(children, { instant: 1 })
  const edge = await startProduct(children, INSTANT, true)
  const documentedEdge = await startDocumented(true)
  return [...chains, ...(await measureQuotes({ ...shared, oneVenue, edge, documentedEdge }, effort))]
}

/** A quote beside one that does no more than it must, by the best means there are. */
export const measureIdeal = async (children: Children, effort: Effort): Promise<readonly Figure[]> => {
  const { start } = children
  const oneVenue = await startProduct(children, { instant: 1 })
  const answers = await answersOf(oneVenue)
  const twelveVenues = await startProduct(children, { instant: 12 })
  const contenders = { oneVenue, twelveVenues, bare: await start('bare.ts', answers), ideal: await start('ideal.ts', answers) }
  const rounds = await contend(contenders, QUOTE, effort)
  return [
    compare('2   POST quote, 1 instant venue in process, to ideal', rounds, ['oneVenue', 'ideal'], 0.4),
    compare('2   POST quote, 12 instant venues in process, to ideal', rounds, ['twelveVenues', 'ideal'], 0.28),
    compare('    ideal to bare node:http', rounds, ['ideal', 'bare'], null),
  ]
}

/** Whole quotes: HTTP in, HTTP out to venues on loopback. */
export const measureWholeQuotes = async (children: Children, effort: Effort): Promise<readonly Figure[]> => {
  const { start } = children
  const { ready: origins } = await start('venues.ts', VENUES)
  const product = await startProduct(children, { loopback: origins })
  const answers = await answersOf(product)
  const startFanOut = (call: 'dispatch' | 'request') => start('fanOut.ts', { answers, origins, call })
  const contenders = {
    product,
    instant: await startProduct(children, INSTANT),
    dispatch: await startFanOut('dispatch'),
    request: await startFanOut('request'),
    documented: await start('documented.ts', { answers, quotes: { fetchFrom: origins } }),
  }
  return compareWholeQuotes(contenders, effort)
}
