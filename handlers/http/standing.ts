const WINDOW_SECONDS = 60

/** The state of a caller's tightest limit. */
export type Standing = {
  readonly policy: string
  readonly perMinute: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** In the headers of draft-ietf-httpapi-ratelimit-headers: names and values in turn. */
export const standingHeaders = (standing: Standing | null): readonly string[] => {
  if (standing === null) return []
  const { policy, perMinute, remaining, resetSeconds } = standing
  return [
    'RateLimit',
    `"${policy}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Policy',
    `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
  ]
}
