import { parseConfig } from '../../engine/config/config.ts'
import { SERVICE_FLAGS } from '../client/program.ts'
import type { Child, Children } from './children.ts'
import { atLeast, type Effort, type Figure, formatRate, interleave, median, medianOfRounds } from './measure.ts'
import { bodyOf, QUOTE_PATH, VENUES } from './sample.ts'
import type { CrowdAnswer, CrowdQuestion } from './servers/crowd.ts'
import type { FanOutSettings } from './servers/fanOut.ts'
import type { ProductSettings } from './servers/product.ts'

const GOAL = 0.6
const CLIENTS = 64
const ROOMY = { ...parseConfig({}).overload, quotes: 1_024 }

/** The product, which refuses nothing. Venues answer at once. */
export const startProduct = ({ start }: Children, venues: ProductSettings['venues']): Promise<Child> =>
  start('product.ts', { venues, isSlow: false, bounds: ROOMY }, SERVICE_FLAGS)

/** Has a crowd of 64 request quotes. Throws when one has no offer: a failing server must not look fast. */
export const loadBy = (crowd: Child) => async (server: Child, limit: Pick<CrowdQuestion, 'seconds' | 'quotesMax'>) => {
  const question = { url: server.ready, clients: CLIENTS, venues: VENUES, warmUpSeconds: 0.1, isPatient: true, ...limit }
  const before = await server.usage()
  const answer = await crowd.ask<CrowdAnswer>(question)
  const { cpuMs } = await server.usage()
  const { refused, failed, withoutOffer, quotes } = answer
  if (refused + failed + withoutOffer > 0) throw new Error(`${refused + failed + withoutOffer} of ${quotes} quotes failed`)
  return { quotes, perCoreSecond: (quotes * 1_000) / (cpuMs - before.cpuMs) }
}

const answerOf = async (server: Child): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.ready}${QUOTE_PATH}`, { method: 'POST', headers, body: bodyOf(0) })
  const text = await response.text()
  if (!response.ok) throw new Error(`the product answered ${response.status}: ${text.slice(0, 500)}`)
  return text
}

/** Whole quotes: HTTP in, and HTTP out to venues on loopback. */
export const measureWholeQuotes = async (children: Children, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  const load = loadBy(await children.start('crowd.ts'))
  const { ready: origins } = await children.start('venues.ts', VENUES)
  const product = await startProduct(children, origins as readonly string[])
  const settings: FanOutSettings = { answer: await answerOf(product), origins: origins as readonly string[] }
  const contenders = {
    product,
    fanOut: await children.start('fanOut.ts', settings),
    instant: await startProduct(children, 'instant'),
  }
  const slice = { seconds: sliceSeconds, quotesMax: Number.MAX_SAFE_INTEGER }
  const slices = Object.entries(contenders).map(([name, server]) => [name, () => load(server, slice)] as const)
  const measured = await interleave(
    Object.fromEntries(slices) as Record<keyof typeof contenders, () => ReturnType<typeof load>>,
    rounds,
  )
  const rateOf = (name: keyof typeof contenders) => formatRate(median(measured[name].map(({ perCoreSecond }) => perCoreSecond)))
  const figure = (what: string, name: 'product' | 'instant', goal: number | null): Figure => {
    const ratio = medianOfRounds(measured[name], measured.fanOut, (a, b) => a.perCoreSecond / b.perCoreSecond)
    return {
      name: `quote, ${VENUES} ${what} venues, to node:http with as many calls by undici`,
      measured: ratio.toFixed(2),
      absolute: `${rateOf(name)} to ${rateOf('fanOut')} per core second`,
      goal: goal === null ? null : atLeast(ratio, goal),
    }
  }
  return [figure('loopback', 'product', GOAL), figure('instant', 'instant', null)]
}
