import type { FieldProblem } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimResponse } from '../../kit/simVenue.ts'
import type { SimRandom } from '../../kit/world.ts'

/** A field that the schema does not take. */
export const invalid = (field: string, reason: string): Refusal =>
  new Refusal('INPUT_INVALID', 'The input is invalid', { details: [{ field, reason }] })

export const refuseInput = (isWrong: boolean, field: string, reason: string): void => {
  if (isWrong) throw invalid(field, reason)
}

export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal =>
  invalid(name, kind === 'unknown' ? 'Unrecognized key' : kind === 'missing' ? 'Required' : `Expected ${expects}`)

/** What the gateway says itself has no name: https://docs.0x.org/introduction/rate-limits */
export const refusalBody =
  (random: SimRandom) =>
  ({ status, code, message, more }: Refusal): SimResponse => ({
    status,
    body: code === null ? { message } : { name: code, message, data: { zid: `0x${random.hex(24)}`, ...more } },
  })
