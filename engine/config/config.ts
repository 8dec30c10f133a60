import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { CHAIN_IDS, type ChainId } from '../core/chain.ts'
import { Secret } from '../core/secret.ts'
import { USER_AGENT } from '../core/serviceVersion.ts'
import { VENUE_DEFINITIONS } from '../venues/registry.ts'
import type { VenueConfig, VenueDefinition } from '../venues/venue.ts'

export type FeeSchedule = 'none' | 'route'

/** Everything an operator can set, checked and frozen. Times are milliseconds. */
export type Config = {
  readonly network: 'simnet' | 'mainnet'
  readonly http: {
    readonly host: string
    readonly port: number
    /** Addresses or CIDR ranges of proxies whose x-forwarded-for is believed. */
    readonly trustedProxies: readonly string[]
    readonly anonymousPerMinute: number
    /** Open at once from one IPv4 address or IPv6 /64 that is no trusted proxy. */
    readonly connectionsPerAddressMax: number
  }
  readonly dataDir: string
  readonly quote: {
    /** The race ends here, whatever happens. */
    readonly deadlineMs: number
    /** The race ends here once an executable offer is in. */
    readonly softDeadlineMs: number
    /** How long a quote lasts when its venue gives no expiry of its own. */
    readonly lifetimeMs: number
    /** The most a venue's own default tolerance may be where the caller gives none, basis points. */
    readonly slippageBpsMaxDefault: number
    /** An offer above this many times the median of the others is dropped. */
    readonly outlierFactor: number
    /** First mints, all open. Empty: one is made and kept in the data folder. */
    readonly tokenKeys: readonly Secret[]
  }
  readonly fees: { readonly schedule: FeeSchedule }
  /** Every venue there is: one that is switched off is still asked about its swaps. */
  readonly venues: { readonly [id: string]: VenueConfig }
  /** Those that are quoted and executed. */
  readonly venuesEnabled: readonly string[]
  /** By venue: what the operator has agreed on with it. Others keep to the limit that their venue publishes. */
  readonly venueCallsPerMinute: { readonly [id: string]: number }
  /** Endpoints per chain, in order of preference: JSON-RPC, or Esplora for Bitcoin. Empty: the public ones. */
  readonly rpcUrls: { readonly [chainId in ChainId]: readonly string[] }
  /** What venues and chain endpoints are told of who asks. */
  readonly userAgent: string
  readonly simnet: {
    readonly controlPort: number
    readonly seed: string
    /** Where it keeps what it made of the venues' packages; null: below the user's home. */
    readonly cacheDir: string | null
  }
  readonly logLevel: 'silent' | 'error' | 'info' | 'debug'
}

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

/** Keys that start like ours but are none of ours are typing mistakes, and stop the boot. */
const OUR_PREFIXES = ['QUOTE_', 'SIMNET_', 'RATE_LIMIT_', 'FEE_', 'VENUE_', 'VENUES_', 'RPC_URLS_', 'LOG_', 'CONNECTIONS_']

class Reader {
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

  /** Of the public network only: on the offline one everything is where that network puts it. */
  urls(key: string): readonly string[] {
    const urls = this.list(key)
    if (!urls.every(isHttpUrl)) this.problems.push(`${key} must be http or https URLs, separated by commas`)
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

/** The variable of one venue's setting. */
export const venueKey = (id: string, setting: string): string => `VENUE_${id.toUpperCase().replaceAll('-', '_')}_${setting}`

const readVenue = (reader: Reader, { id, publicBaseUrl, settings }: VenueDefinition): VenueConfig => {
  const [baseUrl = publicBaseUrl] = reader.urls(venueKey(id, 'BASE_URL'))
  const apiKey = reader.optional(venueKey(id, 'API_KEY'))
  const values: Record<string, string | null> = {}
  for (const { name, pattern, expects, needsKey = false } of settings) {
    const value = reader.optional(venueKey(id, name))
    if (value !== null && !pattern.test(value)) reader.problems.push(`${venueKey(id, name)} must be ${expects}`)
    if (value !== null && needsKey && apiKey === null)
      reader.problems.push(`${venueKey(id, name)} needs ${venueKey(id, 'API_KEY')}`)
    values[name] = value
  }
  return { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), apiKey: apiKey === null ? null : new Secret(apiKey), settings: values }
}

const readVenues = (reader: Reader): Config['venues'] =>
  Object.fromEntries(VENUE_DEFINITIONS.map((definition) => [definition.id, readVenue(reader, definition)]))

const readVenuesEnabled = (reader: Reader): readonly string[] => {
  const known = VENUE_DEFINITIONS.map(({ id }) => id)
  const chosen = reader.list('VENUES_ENABLED')
  if (!chosen.every((id) => known.includes(id))) reader.problems.push(`VENUES_ENABLED may list ${known.join(', ')}`)
  return known.filter((id) => chosen.length === 0 || chosen.includes(id))
}

const readCallsPerMinute = (reader: Reader): Config['venueCallsPerMinute'] => {
  const limits = VENUE_DEFINITIONS.map(({ id }) => {
    const perMinute = reader.integer(venueKey(id, 'REQUESTS_PER_MINUTE'), 0, { min: 1, max: 1_000_000 })
    return [id, perMinute] as const
  })
  return Object.fromEntries(limits.filter(([, perMinute]) => perMinute > 0))
}

/** The variable of one chain's endpoints. */
export const rpcUrlsKey = (chainId: ChainId): string =>
  `RPC_URLS_${chainId === -1 ? 'BITCOIN' : chainId === -2 ? 'SOLANA' : chainId}`

const readRpcUrls = (reader: Reader): Config['rpcUrls'] =>
  Object.fromEntries(CHAIN_IDS.map((chainId) => [chainId, reader.urls(rpcUrlsKey(chainId))])) as unknown as Config['rpcUrls']

const TOKEN_KEY = /^[0-9a-fA-F]{64}$/

const readTokenKeys = (reader: Reader): readonly Secret[] => {
  const keys = reader.list('QUOTE_TOKEN_KEYS')
  if (keys.length > 2 || !keys.every((key) => TOKEN_KEY.test(key)))
    reader.problems.push('QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma')
  return keys.map((key) => new Secret(key.toLowerCase()))
}

const readQuote = (reader: Reader): Config['quote'] => {
  const deadlineMs = reader.integer('QUOTE_DEADLINE_MS', 4_000, { min: 50, max: 60_000 })
  const softDeadlineMs = reader.integer('QUOTE_SOFT_DEADLINE_MS', 1_500, { min: 0, max: 60_000 })
  if (softDeadlineMs > deadlineMs) reader.problems.push('QUOTE_SOFT_DEADLINE_MS must not exceed QUOTE_DEADLINE_MS')
  return {
    deadlineMs,
    softDeadlineMs,
    lifetimeMs: reader.integer('QUOTE_LIFETIME_MS', 60_000, { min: 1_000, max: 3_600_000 }),
    slippageBpsMaxDefault: reader.integer('QUOTE_SLIPPAGE_BPS_MAX_DEFAULT', 300, { min: 10, max: 5_000 }),
    outlierFactor: reader.integer('QUOTE_OUTLIER_FACTOR', 2, { min: 2, max: 100 }),
    tokenKeys: readTokenKeys(reader),
  }
}

const USER_AGENT_TEXT = /^[!-~](?:[ -~]{0,198}[!-~])?$/

const readUserAgent = (reader: Reader): string => {
  const text = reader.text('USER_AGENT', USER_AGENT)
  if (!USER_AGENT_TEXT.test(text)) reader.problems.push('USER_AGENT must be up to 200 printable ASCII characters')
  return text
}

/** https://specifications.freedesktop.org/basedir-spec/latest: a path that is not absolute is to be ignored. */
const readCacheDir = (reader: Reader): string | null => {
  const folder = reader.optional('XDG_CACHE_HOME')
  return folder !== null && isAbsolute(folder) ? join(folder, 'swap-service') : null
}

const freezeDeep = <T extends object>(value: T): T => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freezeDeep(part)
  return Object.freeze(value)
}

/**
 * Reads the whole configuration. An empty environment is valid and means the offline network with its data in `.data`.
 * Throws ConfigError listing every problem at once.
 */
export const parseConfig = (env: Environment): Config => {
  const reader = new Reader(env)
  const config: Config = {
    network: reader.oneOf('NETWORK', 'simnet', ['simnet', 'mainnet']),
    http: {
      host: reader.text('HOST', '127.0.0.1'),
      port: reader.integer('PORT', 3_000, { min: 0, max: 65_535 }),
      trustedProxies: reader.networks('TRUSTED_PROXIES'),
      anonymousPerMinute: reader.integer('RATE_LIMIT_ANONYMOUS_PER_MINUTE', 30, { min: 1, max: 1_000_000 }),
      connectionsPerAddressMax: reader.integer('CONNECTIONS_PER_ADDRESS_MAX', 256, { min: 1, max: 100_000 }),
    },
    dataDir: reader.text('DATA_DIR', '.data'),
    quote: readQuote(reader),
    fees: { schedule: reader.oneOf('FEE_SCHEDULE', 'none', ['none', 'route']) },
    venues: readVenues(reader),
    venuesEnabled: readVenuesEnabled(reader),
    venueCallsPerMinute: readCallsPerMinute(reader),
    rpcUrls: readRpcUrls(reader),
    userAgent: readUserAgent(reader),
    simnet: {
      controlPort: reader.integer('SIMNET_CONTROL_PORT', 4_010, { min: 0, max: 65_535 }),
      seed: reader.text('SIMNET_SEED', '1'),
      cacheDir: readCacheDir(reader),
    },
    logLevel: reader.oneOf('LOG_LEVEL', 'info', ['silent', 'error', 'info', 'debug']),
  }
  reader.unknownKeys()
  if (reader.problems.length > 0) throw new ConfigError(reader.problems)
  return freezeDeep(config)
}
