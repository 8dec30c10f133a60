import { isIP } from 'node:net'
import { readSecretFile } from './secretFile.ts'

/** A flat record of strings, such as process.env. */
export type Environment = { readonly [key: string]: string | undefined }

/** All problems of a configuration, by key name and never by value. */
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

/** Unknown keys with our prefixes are typing mistakes, and stop the start. */
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
  'OVERLOAD_',
  'DATABASE_',
  'WEBHOOK_',
  'SETTLEMENT_',
  'PAYOUT_',
  'X402_',
  'TRACE_',
  'RETENTION_',
  'METRICS_',
  'OPERATOR_',
  'REDIS_',
  'TRUSTED_',
]

const OF_A_SERVICE = /^(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/
const HOST_OF_A_SERVICE = '_SERVICE_HOST'

/**
 * Variables that Kubernetes sets in every container for a service with a name such as `redis`; the operator did not set them.
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const isOfKubernetes = (key: string, env: Environment): boolean =>
  Object.keys(env)
    .filter((name) => name.endsWith(HOST_OF_A_SERVICE) && env[name] !== undefined)
    .map((name) => name.slice(0, -HOST_OF_A_SERVICE.length))
    .some((service) => key.startsWith(`${service}_`) && OF_A_SERVICE.test(key.slice(service.length + 1)))

/** Names of log libraries, systemd, Heroku, Railway and operators' pods that resemble ours. */
const USUAL: ReadonlySet<string> = new Set(
  ['LOGLEVEL', 'GLOG_LEVEL', 'LOG_NAMESPACE', 'OPERATOR_NAME', 'OPERATOR_CONDITION_NAME', 'DATABASE_CONNECTION_POOL_URL'].concat([
    'DATABASE_PUBLIC_URL',
    'DATABASE_PRIVATE_URL',
    'REDIS_TLS_URL',
    'REDIS_TEMPORARY_URL',
    'REDIS_PRIVATE_URL',
    'REDIS_PUBLIC_URL',
  ]),
)

/** Two edits are half of `HOST` or `PORT`: `PGHOST`, `DBPORT` and `REPORT` are unrelated names. */
const LENGTH_MIN = 6
const EDITS_MAX = 2

/** The number of added, removed or replaced characters between two texts (Levenshtein). */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The settings that a variable probably means: the nearest ones within two edits. Empty without a near one. */
const likelySettings = (key: string, settings: Iterable<string>): readonly string[] => {
  if (key.length < LENGTH_MIN) return []
  const near = [...settings]
    .filter(({ length }) => length >= LENGTH_MIN && Math.abs(length - key.length) <= EDITS_MAX)
    .map((setting) => ({ setting, distance: editDistance(key.toUpperCase(), setting) }))
    .filter(({ distance }) => distance <= EDITS_MAX)
  const nearest = Math.min(...near.map(({ distance }) => distance))
  return near.filter(({ distance }) => distance === nearest).map(({ setting }) => setting)
}

const listOf = (text: string | null): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Reads settings one by one, and collects their problems. */
export class Reader {
  readonly problems: string[] = []
  /** Problems that do not prevent the start but need correction. */
  readonly warnings: string[] = []
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

  /** Whether the settings are those of the offline network, the default. */
  isOffline(): boolean {
    return this.text('NETWORK', 'simnet') === 'simnet'
  }

  /** A secret setting: its value may also be in the file that `<key>_FILE` names. */
  secret(key: string): string | null {
    const given = this.optional(key)
    const name = `${key}_FILE`
    const path = this.optional(name)
    if (path === null) return given
    if (given !== null) {
      this.problems.push(`${key} and ${name} are both set: leave one of them out`)
      return given
    }
    const file = readSecretFile(path)
    if (file.content === null) this.problems.push(`${name} ${file.problem}`)
    else if (file.isReadByAll) this.warnings.push(`${name} names a file that every user of this machine may read: chmod 600 it`)
    return file.content
  }

  secrets(key: string): readonly string[] {
    return listOf(this.secret(key))
  }

  /** Whether a secret is set, valid or not. */
  hasSecret(key: string): boolean {
    return this.list(key).length > 0 || this.optional(`${key}_FILE`) !== null
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
    return listOf(this.optional(key))
  }

  /** Read like secrets: a URL may contain a private key of its endpoint. */
  urls(key: string): readonly string[] {
    return this.#publicUrls(key, this.secrets(key), {
      most: Number.POSITIVE_INFINITY,
      expects: 'http or https URLs, separated by commas',
    })
  }

  url(key: string, fallback: string): string {
    const [url = fallback] = this.#publicUrls(key, this.list(key), { most: 1, expects: 'one http or https URL' })
    return url
  }

  /** For the public network only: the offline network sets its own addresses. */
  #publicUrls(key: string, urls: readonly string[], { most, expects }: { most: number; expects: string }): readonly string[] {
    if (urls.length > most || !urls.every(isHttpUrl)) this.problems.push(`${key} must be ${expects}`)
    else if (urls.length > 0 && this.isOffline())
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
      if (this.#known.has(key) || USUAL.has(key) || isOfKubernetes(key, this.#env)) continue
      const isLikeOurs = OUR_PREFIXES.some((prefix) => key.startsWith(prefix))
      const likely = likelySettings(key, this.#known)
      const hint = likely.length === 0 ? '' : ` (did you mean ${likely.join(' or ')}?)`
      if (isLikeOurs || likely.length > 0) this.problems.push(`${key} is not a setting of this service${hint}`)
    }
  }
}
