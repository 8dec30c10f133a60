import type { Children } from './children.ts'
import { INSTANT, QUOTE } from './edge.ts'
import { type Figure, formatRate } from './figure.ts'
import { createLoad, type LoadRequest, type Slice } from './load.ts'
import type { Effort } from './options.ts'
import { newPayment } from './product/instantPayments.ts'
import { VENUES } from './product/sample.ts'
import { interleave, median, medianOfRounds } from './samples.ts'

const MICROSECONDS = 1_000_000

/** Differences take more rounds to tell from what else the machine does. */
const TIMES_THE_ROUNDS = 2

const PATH = '/api/v1/x402/quote'
const PAID: LoadRequest = { ...QUOTE, path: PATH, headersOf: newPayment }
const UNPAID: LoadRequest = { ...QUOTE, path: PATH, status: 402 }

const costOf = ({ perCoreSecond }: Slice): number => MICROSECONDS / perCoreSecond

/** What the gate adds to a call, in processor time; the chain and the facilitator answer at once. */
export const measureX402 = async ({ start }: Children, { rounds, sliceSeconds }: Effort): Promise<readonly Figure[]> => {
  const measure = async (what: string, isEngineStubbed: boolean): Promise<readonly Figure[]> => {
    const server = await start('product.ts', { venues: INSTANT, isEngineStubbed })
    const load = (request: LoadRequest) => createLoad(server, request, sliceSeconds)
    const contenders = { paid: load(PAID), unpaid: load(UNPAID), plain: load(QUOTE) }
    const seen = await interleave(contenders, rounds * TIMES_THE_ROUNDS)
    const beside = (name: 'paid' | 'unpaid', says: string): Figure => {
      const added = medianOfRounds(seen[name], seen.plain, (a, b) => costOf(a) - costOf(b))
      const [own, plain] = [median(seen[name].map(costOf)), median(seen.plain.map(costOf))]
      return {
        name: `    ${says}, ${what}`,
        measured: `${added < 0 ? '' : '+'}${formatRate(added)} µs`,
        absolute: `${formatRate(own)} to ${formatRate(plain)} µs of processor time a call`,
        goal: null,
      }
    }
    return [
      beside('paid', 'POST quote, paid, beside the plain one'),
      beside('unpaid', 'POST quote, answered with 402, beside the plain one'),
    ]
  }
  return [...(await measure('the edge alone', true)), ...(await measure(`${VENUES} instant venues in process`, false))]
}
