import type { SimRequest, SimResponse, SimVenue } from './simVenue.ts'

/** A request that a simulated venue refuses. What its API makes of it, the venue says once: see `answering`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** The vendor's own code; null where it gives none. */
  readonly code: string | null
  /** What else the vendor's error body tells, by the names it has there. */
  readonly more: { readonly [name: string]: unknown }

  constructor(
    code: string | null,
    message: string,
    { status = 400, ...more }: { status?: number; [name: string]: unknown } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.more = more
  }
}

/** Throws Refusal where something is wrong. */
export const refuseIf = (isWrong: boolean, ...refusal: ConstructorParameters<typeof Refusal>): void => {
  if (isWrong) throw new Refusal(...refusal)
}

/** What is there; throws Refusal where nothing is. */
export const found = <T>(value: T | null | undefined, ...refusal: ConstructorParameters<typeof Refusal>): T => {
  if (value === null || value === undefined) throw new Refusal(...refusal)
  return value
}

/** What `work` gives; null where it is refused. */
export const orRefused = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

type Handle = (request: SimRequest) => SimResponse | Promise<SimResponse>

/** Answers by `route`, and what that refuses by `refused`: the error body of the vendor. */
export const answering = (route: Handle, refused: (refusal: Refusal, request: SimRequest) => SimResponse): SimVenue['handle'] => {
  const refuse = (error: unknown, request: SimRequest): SimResponse => {
    if (error instanceof Refusal) return refused(error, request)
    throw error
  }
  return (request) => {
    try {
      const answer = route(request)
      return answer instanceof Promise ? answer.catch((error: unknown) => refuse(error, request)) : answer
    } catch (error) {
      return refuse(error, request)
    }
  }
}

export const ok = (body: unknown, status = 200): SimResponse => ({ status, body })

/** Whether an API key came. What cannot be one is refused with HTTP 401. */
export const hasKey = (
  key: string | undefined,
  { lengthMax, code, message }: { readonly lengthMax: number; readonly code: string | null; readonly message: string },
): boolean => {
  if (key !== undefined && (!/^[\x21-\x7e]{8,}$/.test(key) || key.length > lengthMax))
    throw new Refusal(code, message, { status: 401 })
  return key !== undefined
}
