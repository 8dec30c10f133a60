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
  /** Larger answers are thrown away. Left out: those larger than the client takes. */
  readonly bytesMax?: number
  /** Cuts the call; whoever calls owns the deadline. */
  readonly signal: AbortSignal
}

export type HttpResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
}

/**
 * Why no response could be had. `aborted`: the caller's signal; `tooLarge`: more bytes than the cap;
 * `unreachable`: connection refused, reset, truncated or a name that does not resolve; `starved`: this process had no
 * descriptor or port left to connect with, which says nothing of the far side.
 */
export type HttpFailure = 'aborted' | 'tooLarge' | 'unreachable' | 'starved'

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
