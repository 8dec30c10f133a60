import type { SimResponse } from '../../kit/simVenue.ts'

/** An error of the API. https://docs.relay.link/references/api/handling-errors */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** Null: refused before the question was looked at. */
  readonly errorCode: string | null
  constructor(errorCode: string | null, message: string, status = 400) {
    super(message)
    this.errorCode = errorCode
    this.status = status
  }
}

export const apiError = ({ errorCode, message, status }: ApiRefusal, requestId: string): SimResponse => ({
  status,
  body: errorCode === null ? { message } : { message, errorCode, requestId },
})
