import type { FieldProblem } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimResponse } from '../../kit/simVenue.ts'

/** A body that does not deserialise. */
export const unprocessable = (reason: string): Refusal =>
  new Refusal(null, `Failed to deserialize the JSON body into the target type: ${reason}`, { status: 422 })

const WORDS = {
  noObject: () => 'expected a JSON object',
  unknown: (name: string) => `unknown field \`${name}\``,
  missing: (name: string) => `missing field \`${name}\``,
  wrong: (name: string, expects: string) => `${name}: expected ${expects}`,
} as const

export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal => unprocessable(WORDS[kind](name, expects))

/** What does not deserialise is answered in plain text, all else as one of the API's documented errors. */
export const refusalBody = ({ status, code, message, more }: Refusal): SimResponse =>
  code === null
    ? { status, body: message, contentType: 'text/plain; charset=utf-8' }
    : { status, body: { errorType: code, description: message, ...more } }
