import type { FieldProblem } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimResponse } from '../../kit/simVenue.ts'

/** Refusals of requests come with HTTP 200, but for those of the rate. https://docs.bebop.xyz */
export const refusing = (errorCode: number, message: string): Refusal =>
  new Refusal(String(errorCode), message, { status: errorCode === 111 ? 429 : 200 })

export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal =>
  refusing(101, `InvalidApiRequest: ${kind === 'missing' ? 'missing' : 'invalid'} ${name}: ${expects}`)

/** The vendor's one error body. */
export const refusalBody = ({ status, code, message }: Refusal): SimResponse => ({
  status,
  body: code === null ? { detail: message } : { error: { errorCode: Number(code), message, requestId: 'simulated' } },
})
