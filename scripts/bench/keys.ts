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
  const server = await start('product.ts', { venues: INSTANT, isEngineStubbed: false })
  const apiKey = await server.ask<string>('key')
  const load = (headers: NonNullable<LoadRequest['headers']>): (() => Promise<Slice>) =>
    createLoad(server, { ...QUOTE, headers }, sliceSeconds)
  const slices = await interleave({ keyed: load({ 'x-api-key': apiKey }), anonymous: load({}) }, rounds * TIMES_THE_ROUNDS)
  const name = `6   POST quote with a key, ${VENUES} instant venues in process, to the same without one`
  return [compare(name, slices, ['keyed', 'anonymous'], 1 - COST_MAX)]
}
