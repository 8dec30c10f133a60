import type { SimResponse } from '../../kit/simVenue.ts'

/** An error of the swap API, in the vendor's envelope. Source: api/_errors.ts of across-protocol/frontend. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  readonly code: string | null
  readonly param: string | null

  constructor(
    code: string | null,
    message: string,
    { status = 400, param = null }: { status?: number; param?: string | null } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.param = param
  }
}

export const invalidParam = (param: string, message: string): ApiRefusal => new ApiRefusal('INVALID_PARAM', message, { param })

export const apiError = ({ code, status, message, param }: ApiRefusal, id: string): SimResponse => ({
  status,
  body: { type: 'AcrossApiError', ...(code === null ? {} : { code }), status, message, ...(param === null ? {} : { param }), id },
})

/** The indexer has an envelope of its own. */
export const indexerError = (status: number, error: string, message: string): SimResponse => ({
  status,
  body: { error, message },
})

export const depositNotFound = (): SimResponse =>
  indexerError(404, 'DepositNotFoundException', 'Deposit not found given the provided constraints')
