import { Client } from 'undici'
import type { Child, Children } from './children.ts'
import { INSTANT } from './edge.ts'
import { atMost, type Figure } from './figure.ts'
import type { Effort } from './options.ts'
import { QUOTE_BODY, QUOTE_PATH, VENUES } from './product/sample.ts'
import { median } from './samples.ts'
import type { Usage } from './servers/parent.ts'

/** A quote may cost its caller so much more for being a partner's, percent of processor time. */
const COST_MAX = 3

/** Pairs of quotes a round. What a machine does beside falls on both of a pair, and on few pairs: medians of thousands tell microseconds. */
const PAIRS = 2_000
const BODY = JSON.stringify(QUOTE_BODY)

type Ask = (headers: { readonly [name: string]: string }) => Promise<number>

/** Asks for a quote and answers after how many microseconds it was read. */
const createAsk =
  (client: Client): Ask =>
  async (headers) => {
    const startedAt = performance.now()
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: QUOTE_PATH,
      headers: { 'content-type': 'application/json', ...headers },
      body: BODY,
    })
    await body.dump()
    if (statusCode !== 200) throw new Error(`the quote was answered with ${statusCode}`)
    return (performance.now() - startedAt) * 1_000
  }

/** The same quotes over one connection, one with the key and one without, whoever is first taking turns. */
const measurePairs = async (ask: Ask, apiKey: string, pairs: number) => {
  const [keyed, anonymous]: [number[], number[]] = [[], []]
  const askKeyed = async () => keyed.push(await ask({ 'x-api-key': apiKey }))
  const askAnonymous = async () => anonymous.push(await ask({}))
  for (let pair = 0; pair < pairs; pair += 1)
    for (const next of pair % 2 === 0 ? [askKeyed, askAnonymous] : [askAnonymous, askKeyed]) await next()
  return { keyed: median(keyed), anonymous: median(anonymous) }
}

const measure = async (server: Child, name: string, goal: number | null, { rounds, isQuick }: Effort): Promise<Figure> => {
  const apiKey = await server.ask<string>('key')
  const client = new Client(String(server.ready))
  const ask = createAsk(client)
  const pairs = isQuick ? PAIRS / 10 : PAIRS * rounds
  await measurePairs(ask, apiKey, Math.min(pairs, PAIRS))
  const before = await server.ask<Usage>('usage')
  const { keyed, anonymous } = await measurePairs(ask, apiKey, pairs)
  const after = await server.ask<Usage>('usage')
  await client.close()
  const quoteMicros = ((after.cpuMs - before.cpuMs) * 1_000) / (2 * pairs)
  const cost = ((keyed - anonymous) / quoteMicros) * 100
  return {
    name,
    measured: `${cost.toFixed(1)} %`,
    absolute: `${(keyed - anonymous).toFixed(1)} us more in the median, of ${quoteMicros.toFixed(0)} us of processor time a quote`,
    goal: goal === null ? null : atMost(cost, goal, ' %'),
  }
}

/** What a key costs: the same quotes of the same process, asked with one and without. */
export const measureKeys = async ({ start }: Children, effort: Effort): Promise<readonly Figure[]> => {
  const startProduct = (isEngineStubbed: boolean) => start('product.ts', { venues: INSTANT, isEngineStubbed })
  const whole = `6   what a key adds to POST quote, ${VENUES} instant venues in process`
  return [
    await measure(await startProduct(false), whole, COST_MAX, effort),
    await measure(await startProduct(true), '    the same, the edge alone', null, effort),
  ]
}
