import type { FieldProblem } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimResponse } from '../../kit/simVenue.ts'

export const invalid = (detail: string): Refusal => new Refusal('RequestValidationError', detail)

/** For too little, for a pair nobody fills, for what is not served: all in the same words. */
export const noQuotes = (): Refusal => new Refusal('ResourceNotFound', 'No quotes available', { status: 404 })

export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal =>
  invalid(kind === 'unknown' ? `"${name}" is not allowed` : `"${name}" must be ${expects}`)

export const refusalBody = ({ status, code, message }: Refusal): SimResponse => ({
  status,
  body: { errorCode: code, detail: message },
})
