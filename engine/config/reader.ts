import { isIP } from 'node:net'

/** A flat record of strings, such as process.env. */
export type Environment = { readonly [key: string]: string | undefined }

/** All that is wrong with a configuration, by key name and never by value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`Configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  const isRange = bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version !== 0 && isRange && rest.length === 0
}

/** Keys that start like ours but are none of ours are typing mistakes, and stop the boot. */
const OUR_PREFIXES = [
  'QUOTE_',
  'SIMNET_',
  'RATE_LIMIT_',
  'FEE_',
  'VENUE_',
  'VENUES_',
  'RPC_URLS_',
  'CONFIRMATIONS_',
  'LOG_',
  'CONNECTIONS_',
  'DATABASE_',
  'WEBHOOK_',
  'SETTLEMENT_',
  'PAYOUT_',
  'X402_',
]

/** Reads settings one by one, and gathers what is wrong with them. */
export class Reader {
  readonly problems: string[] = []
  readonly #known = new Set<string>()
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  text(key: string, fallback: string): string {
    return this.optional(key) ?? fallback
  }

  optional(key: string): string | null {
    this.#known.add(key)
    const value = this.#env[key]?.trim()
    return value === undefined || value === '' ? null : value
  }

  integer(key: string, fallback: number, range: { min: number; max: number }): number {
    const text = this.optional(key)
    if (text === null) return fallback
    const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= range.min && value <= range.max) return value
    this.problems.push(`${key} must be a whole number from ${range.min} to ${range.max}`)
    return fallback
  }

  oneOf<const T extends string>(key: string, fallback: T, allowed: readonly T[]): T {
    const text = this.text(key, fallback)
    const found = allowed.find((value) => value === text)
    if (found !== undefined) return found
    this.problems.push(`${key} must be one of ${allowed.join(', ')}`)
    return fallback
  }

  list(key: string): readonly string[] {
    return (this.optional(key) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }

  urls(key: string): readonly string[] {
    return this.#publicUrls(key, { most: Number.POSITIVE_INFINITY, expects: 'http or https URLs, separated by commas' })
  }

  url(key: string, fallback: string): string {
    const [url = fallback] = this.#publicUrls(key, { most: 1, expects: 'one http or https URL' })
    return url
  }

  /** Of the public network only: on the offline one everything is where that network puts it. */
  #publicUrls(key: string, { most, expects }: { most: number; expects: string }): readonly string[] {
    const urls = this.list(key)
    if (urls.length > most || !urls.every(isHttpUrl)) this.problems.push(`${key} must be ${expects}`)
    else if (urls.length > 0 && this.text('NETWORK', 'simnet') === 'simnet')
      this.problems.push(`${key} changes nothing on NETWORK=simnet: leave it out, or set NETWORK=mainnet`)
    return urls
  }

  networks(key: string): readonly string[] {
    const networks = this.list(key)
    if (!networks.every(isNetwork)) this.problems.push(`${key} must be IP addresses or CIDR ranges, separated by commas`)
    return networks
  }

  unknownKeys(): void {
    for (const key of Object.keys(this.#env)) {
      if (!this.#known.has(key) && OUR_PREFIXES.some((prefix) => key.startsWith(prefix)))
        this.problems.push(`${key} is not a setting of this service`)
    }
  }
}
