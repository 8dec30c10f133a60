import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import type { RpcUrls } from '../chains/endpoints/chainEndpoints.ts'
import { isLoopback } from '../core/loopback.ts'
import { NETWORK_NAMES, type NetworkName } from '../core/networkName.ts'
import { USER_AGENT } from '../core/serviceVersion.ts'
import { type Confirmations, readConfirmations, readRpcUrls } from './chains.ts'
import { type DatabaseConfig, readDatabase } from './database.ts'
import { type MonitorConfig, readMonitor } from './monitor.ts'
import { type OverloadConfig, readOverload } from './overload.ts'
import { type PartnersConfig, readPartners } from './partners.ts'
import { type QuoteConfig, readQuote } from './quote.ts'
import { ConfigError, type Environment, Reader } from './reader.ts'
import { type RedisConfig, readRedis } from './redis.ts'
import { type RetentionConfig, readRetention } from './retention.ts'
import { readTracing, type TracingConfig } from './tracing.ts'
import { readVenues, type VenuesConfig } from './venues.ts'
import { readX402, type X402Config } from './x402.ts'

export { ConfigError, type Environment }

export type FeeSchedule = 'none' | 'route'

/** All settings of the operator, checked and frozen. Times are milliseconds. */
export type Config = VenuesConfig & {
  readonly network: NetworkName
  readonly http: {
    readonly host: string
    readonly port: number
    /** Addresses or CIDR ranges of proxies whose x-forwarded-for is trusted. */
    readonly trustedProxies: readonly string[]
    readonly anonymousPerMinute: number
    /** The address under which clients reach the service, without a slash at its end; null: not known. */
    readonly publicUrl: string | null
    /** Open at once from one IPv4 address or IPv6 /64 that is no trusted proxy. */
    readonly connectionsPerAddressMax: number
  }
  readonly monitor: MonitorConfig
  readonly dataDir: string
  readonly database: DatabaseConfig
  readonly redis: RedisConfig
  readonly overload: OverloadConfig
  readonly quote: QuoteConfig
  readonly fees: { readonly schedule: FeeSchedule }
  readonly partners: PartnersConfig
  readonly x402: X402Config
  readonly tracing: TracingConfig
  readonly retention: RetentionConfig
  readonly rpcUrls: RpcUrls
  readonly confirmations: Confirmations
  /** The user agent that venues and chain endpoints receive. */
  readonly userAgent: string
  readonly simnet: {
    readonly controlPort: number
    /** Null: a new one at each start. */
    readonly seed: string | null
    /** The folder for its files derived from the venues' packages; null: below the user's home. */
    readonly cacheDir: string | null
  }
  readonly logLevel: 'silent' | 'error' | 'info' | 'debug'
  /** Problems that do not stop the start. They name settings and never contain values. */
  readonly warnings: readonly string[]
}

const USER_AGENT_TEXT = /^[!-~](?:[ -~]{0,198}[!-~])?$/

const readUserAgent = (reader: Reader): string => {
  const text = reader.text('USER_AGENT', USER_AGENT)
  if (!USER_AGENT_TEXT.test(text)) reader.problems.push('USER_AGENT must be up to 200 printable ASCII characters')
  return text
}

/** https://specifications.freedesktop.org/basedir-spec/latest: a relative path must be ignored. */
const readCacheDir = (reader: Reader): string | null => {
  const folder = reader.optional('XDG_CACHE_HOME')
  return folder !== null && isAbsolute(folder) ? join(folder, 'swap-service') : null
}

const freezeDeep = <T extends object>(value: T): T => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freezeDeep(part)
  return Object.freeze(value)
}

/** Without a setting, only the offline network on loopback has a known address: elsewhere a proxy serves the clients. */
const readPublicUrl = (reader: Reader, host: string, port: number): string | null => {
  const isKnown = reader.isOffline() && isLoopback(host) && port !== 0
  const text = reader.optional('PUBLIC_URL') ?? (isKnown ? `http://${host === '::1' ? '[::1]' : host}:${port}` : null)
  if (text === null) return null
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (isPlain && url.href.length <= 400) return url.href.replace(/\/$/, '')
  reader.problems.push('PUBLIC_URL must be one http or https URL without user name, query and fragment, at most 400 characters')
  return null
}

const readHttp = (reader: Reader): Config['http'] => {
  const host = reader.text('HOST', '127.0.0.1')
  const port = reader.integer('PORT', 3_000, { min: 0, max: 65_535 })
  // All programs of one reader share one address: the guides together exceed the limit of a public service.
  const anonymousDefault = reader.isOffline() && isLoopback(host) ? 1_000 : 30
  return {
    host,
    port,
    publicUrl: readPublicUrl(reader, host, port),
    trustedProxies: reader.networks('TRUSTED_PROXIES'),
    anonymousPerMinute: reader.integer('RATE_LIMIT_ANONYMOUS_PER_MINUTE', anonymousDefault, { min: 1, max: 1_000_000 }),
    connectionsPerAddressMax: reader.integer('CONNECTIONS_PER_ADDRESS_MAX', 256, { min: 1, max: 100_000 }),
  }
}

const EVERY_ADDRESS = ['0.0.0.0', '::']

/** Whether both hosts can share one port. A name may be any address. */
const sharesAddress = (...hosts: readonly [string, string]): boolean =>
  hosts[0] === hosts[1] || hosts.some((host) => EVERY_ADDRESS.includes(host) || isIP(host) === 0)

/**
 * Reads the whole configuration. An empty environment is valid: the offline network with its data in `.data/simnet`. Throws
 * ConfigError with every problem.
 */
export const parseConfig = (env: Environment): Config => {
  const reader = new Reader(env)
  const network = reader.oneOf('NETWORK', 'simnet', NETWORK_NAMES)
  const dataDir = reader.text('DATA_DIR', join('.data', network))
  const config: Config = {
    network,
    http: readHttp(reader),
    monitor: readMonitor(reader),
    dataDir,
    database: readDatabase(reader),
    redis: readRedis(reader),
    overload: readOverload(reader),
    quote: readQuote(reader),
    fees: { schedule: reader.oneOf('FEE_SCHEDULE', 'none', ['none', 'route']) },
    partners: readPartners(reader),
    x402: readX402(reader),
    tracing: readTracing(reader),
    retention: readRetention(reader, dataDir),
    ...readVenues(reader),
    rpcUrls: readRpcUrls(reader),
    confirmations: readConfirmations(reader),
    userAgent: readUserAgent(reader),
    simnet: {
      controlPort: reader.integer('SIMNET_CONTROL_PORT', 4_010, { min: 0, max: 65_535 }),
      seed: reader.optional('SIMNET_SEED'),
      cacheDir: readCacheDir(reader),
    },
    logLevel: reader.oneOf('LOG_LEVEL', 'info', ['silent', 'error', 'info', 'debug']),
    warnings: reader.warnings,
  }
  if (config.http.port !== 0 && config.monitor.port === config.http.port && sharesAddress(config.http.host, config.monitor.host))
    reader.problems.push('METRICS_PORT must differ from PORT; process n of a cluster listens on METRICS_PORT + n')
  reader.unknownKeys()
  if (reader.problems.length > 0) throw new ConfigError(reader.problems)
  return freezeDeep(config)
}
