import type { Refusal } from '../../kit/refusal.ts'
import type { SimResponse } from '../../kit/simVenue.ts'

/** An error of the swap API, in the vendor's envelope. Source: api/_errors.ts of across-protocol/frontend. */
export const apiError = ({ code, status, message, more }: Refusal, id: string): SimResponse => ({
  status,
  body: { type: 'AcrossApiError', ...(code === null ? {} : { code }), status, message, ...more, id },
})

/** The indexer has an envelope of its own. */
export const indexerError = (status: number, error: string, message: string): SimResponse => ({
  status,
  body: { error, message },
})
