import type { SimResponse } from '../../kit/simVenue.ts'

/** Ends a request with one of the API's documented errors. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly response: SimResponse

  constructor(response: SimResponse, message: string) {
    super(message)
    this.response = response
  }
}

export const refused = (status: number, errorType: string, description: string, data?: unknown): Refusal =>
  new Refusal(
    { status, body: { errorType, description, ...(data === undefined ? {} : { data }) } },
    `${errorType}: ${description}`,
  )

/** A body that does not deserialise, which the API answers in plain text. */
export const unprocessable = (reason: string): Refusal => {
  const text = `Failed to deserialize the JSON body into the target type: ${reason}`
  return new Refusal({ status: 422, body: text, contentType: 'text/plain; charset=utf-8' }, text)
}
