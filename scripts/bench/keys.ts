import type { Children } from './children.ts'
import { compare, INSTANT, QUOTE } from './edge.ts'
import type { Figure } from './figure.ts'
import { createLoad, type LoadRequest, type Slice } from './load.ts'
import type { Effort } from './options.ts'
import { VENUES } from './product/sample.ts'
import { interleave } from './samples.ts'

/** A quote may cost its caller so much more for being a partner's. */
const COST_MAX = 0.03

/** So small a difference takes more rounds to tell from what else the machine does. */
const TIMES_THE_ROUNDS = 3

/** What a key costs: the same quotes of the same process, asked with one and without. */
export const measureKeys = async ({ start }: Children, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  const measure = async (name: string, isEngineStubbed: boolean, goal: number | null): Promise<Figure> => {
    const server = await start('product.ts', { venues: INSTANT, isEngineStubbed })
    const apiKey = await server.ask<string>('key')
    const load = (headers: NonNullable<LoadRequest['headers']>): (() => Promise<Slice>) =>
      createLoad(server, { ...QUOTE, headers }, sliceSeconds)
    const contenders = { keyed: load({ 'x-api-key': apiKey }), anonymous: load({}) }
    return compare(name, await interleave(contenders, rounds * TIMES_THE_ROUNDS), ['keyed', 'anonymous'], goal)
  }
  return [
    await measure(`6   POST quote with a key, ${VENUES} instant venues in process, to the same without one`, false, 1 - COST_MAX),
    // All that a key costs is in here: beside venues that answer it is lost in what else the machine does.
    await measure('    the same, the edge alone', true, null),
  ]
}
