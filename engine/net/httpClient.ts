/** One outbound call. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute http or https URL. Redirects are never followed. */
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON when present. */
  readonly json?: unknown
  /** JSON in its own spelling, sent as it is in the place of `json`. */
  readonly jsonText?: string
  /**
   * The client rejects a larger answer. It also rejects more than one value for 12 bytes of this bound, or one piece for 64
   * bytes, and nesting deeper than 32 levels. Default: the client's own bound.
   */
  readonly bytesMax?: number
  /** Whether the answer is a list of tokens or chains. */
  readonly isList?: boolean | undefined
  /** Aborts the call. The caller owns the deadline. */
  readonly signal: AbortSignal
}

export type HttpResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
}

/**
 * Why there is no response. `aborted`: the caller's signal; `tooLarge`: more bytes than the bound; `malformed`: over a bound of
 * depth, values or pieces. `unreachable`: connection refused, reset or truncated, or a name that does not resolve. `starved`:
 * this process had no descriptor or port for a connection, which shows nothing about the far side.
 */
export type HttpFailure = 'aborted' | 'tooLarge' | 'malformed' | 'unreachable' | 'starved'

export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly failure: HttpFailure
  constructor(failure: HttpFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
  }
}

/** Outbound HTTP. Any status is an answer; only the lack of one throws, and then always an HttpError. */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

/** Bytes of one answer of a venue. */
export type AnswerBytes = {
  /** Of a quote, a build or a status. */
  readonly answerMax: number
  /** Of a list of tokens or chains. */
  readonly listMax: number
}

export const ANSWER_BYTES: AnswerBytes = { answerMax: 1024 * 1024, listMax: 4 * 1024 * 1024 }

/** The same client, with bounds by the kind of call. */
export const boundAnswers = (http: HttpClient, { answerMax, listMax }: AnswerBytes): HttpClient => ({
  send: (request) => http.send({ ...request, bytesMax: request.isList ? listMax : answerMax }),
  close: () => http.close(),
})
