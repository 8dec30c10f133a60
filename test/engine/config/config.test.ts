import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { rpcUrlsKey } from '../../../engine/config/chains.ts'
import { type Config, ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'
import { Reader } from '../../../engine/config/reader.ts'
import { startSummary } from '../../../engine/config/startSummary.ts'
import { readVenues } from '../../../engine/config/venues.ts'
import { CHAIN_IDS } from '../../../engine/core/chain.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import type { VenueDefinition } from '../../../engine/venues/venue.ts'

const KEY = 'ab'.repeat(32)
const SECRET = 'do-not-print-me'

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).problems
  }
  return []
}

const keyOf = (id: string, setting: string): string => `VENUE_${id.toUpperCase().replaceAll('-', '_')}_${setting}`

describe('the configuration', () => {
  it('of an empty environment is the offline network with every venue', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({
      network: 'simnet',
      http: { host: '127.0.0.1', port: 3_000, trustedProxies: [], anonymousPerMinute: 1_000, connectionsPerAddressMax: 256 },
      dataDir: '.data/simnet',
      database: { url: null, poolMax: 10 },
      retention: { afterMs: null, archiveDir: '.data/simnet/archive' },
      quote: {
        deadlineMs: 4_000,
        softDeadlineMs: 1_500,
        lifetimeMs: 600_000,
        lifetimeMsMin: 600_000,
        outlierFactor: 2,
        tokenKeys: [],
      },
      fees: { schedule: 'none' },
      simnet: { controlPort: 4_010, seed: null, cacheDir: null },
      logLevel: 'info',
    })
    expect(Object.keys(config.venues).sort()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).sort())
    for (const { id, publicBaseUrl } of VENUE_DEFINITIONS)
      expect(config.venues[id]).toMatchObject({ baseUrl: publicBaseUrl, apiKey: null })
    for (const chainId of CHAIN_IDS) expect(config.rpcUrls[chainId]).toEqual([])
  })

  it('has a default data folder for each network, and takes one that is set as it is', () => {
    expect(parseConfig({ NETWORK: 'mainnet' })).toMatchObject({
      dataDir: '.data/mainnet',
      retention: { archiveDir: '.data/mainnet/archive' },
    })
    for (const NETWORK of ['simnet', 'mainnet']) expect(parseConfig({ NETWORK, DATA_DIR: '/data' }).dataDir).toBe('/data')
  })

  it('takes what is blank for what is not there', () => {
    expect(parseConfig({ PORT: '', HOST: '  ', QUOTE_TOKEN_KEYS: ' , ', VENUES_ENABLED: '', LOG_LEVEL: undefined })).toEqual(
      parseConfig({}),
    )
  })

  it('reads every setting', () => {
    const config = parseConfig({
      NETWORK: 'mainnet',
      HOST: '0.0.0.0',
      PORT: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.168.1.1',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '5',
      CONNECTIONS_PER_ADDRESS_MAX: '7',
      DATA_DIR: '/data',
      DATABASE_URL: 'postgresql://user:word@db.example:5433/swaps?sslmode=verify-full',
      DATABASE_POOL_MAX: '25',
      RETENTION_DAYS: '30',
      RETENTION_ARCHIVE_DIR: 'off',
      WEBHOOK_SECRET_KEYS: KEY,
      QUOTE_DEADLINE_MS: '60000',
      QUOTE_SOFT_DEADLINE_MS: '60000',
      QUOTE_LIFETIME_MS: '1000',
      QUOTE_OUTLIER_FACTOR: '100',
      QUOTE_TOKEN_KEYS: `${KEY.toUpperCase()},${'cd'.repeat(32)}`,
      FEE_SCHEDULE: 'route',
      USER_AGENT: 'example-swaps/7',
      SIMNET_CONTROL_PORT: '65535',
      SIMNET_SEED: 'seed',
      XDG_CACHE_HOME: '/var/cache',
      LOG_LEVEL: 'silent',
      RPC_URLS_1: 'https://a.example, https://b.example/key',
      RPC_URLS_BITCOIN: 'http://127.0.0.1:3002',
      RPC_URLS_SOLANA: 'https://sol.example',
    })
    expect(config).toMatchObject({
      network: 'mainnet',
      http: {
        host: '0.0.0.0',
        port: 0,
        trustedProxies: ['10.0.0.0/8', '::1', '192.168.1.1'],
        anonymousPerMinute: 5,
        connectionsPerAddressMax: 7,
      },
      dataDir: '/data',
      database: { poolMax: 25 },
      retention: { afterMs: 2_592_000_000, archiveDir: null },
      quote: { deadlineMs: 60_000, softDeadlineMs: 60_000, lifetimeMs: 1_000, outlierFactor: 100 },
      fees: { schedule: 'route' },
      userAgent: 'example-swaps/7',
      simnet: { controlPort: 65_535, seed: 'seed', cacheDir: '/var/cache/swap-service' },
      logLevel: 'silent',
    })
    expect(config.quote.tokenKeys.map((key) => key.reveal())).toEqual([KEY, 'cd'.repeat(32)])
    expect(config.database.url?.reveal()).toBe('postgresql://user:word@db.example:5433/swaps?sslmode=verify-full')
    expect(config.rpcUrls[1]).toEqual(['https://a.example', 'https://b.example/key'])
    expect([config.rpcUrls[-1], config.rpcUrls[-2]]).toEqual([['http://127.0.0.1:3002'], ['https://sol.example']])
  })

  it('needs no keys beside a database that one instance alone has', () => {
    const { database, quote, partners } = parseConfig({
      DATABASE_URL: 'postgres://a:b@db.example/swaps',
      DATABASE_SINGLE_INSTANCE: 'true',
    })
    expect(database.url).not.toBeNull()
    expect([quote.tokenKeys, partners.webhooks.secretKeys]).toEqual([[], []])
  })

  it.each<[string, Environment, number]>([
    ['on mainnet', { NETWORK: 'mainnet' }, 30],
    ['where other machines reach the offline network', { HOST: '0.0.0.0' }, 30],
    ['where an operator sets it', { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '7' }, 7],
    ['on localhost', { HOST: 'localhost' }, 1_000],
  ])('limits requests without a key %s: %j', (_where, env, perMinute) => {
    expect(parseConfig(env).http.anonymousPerMinute).toBe(perMinute)
  })

  it.each<[Environment, number, number]>([
    [{ NETWORK: 'mainnet' }, 60_000, 0],
    [{ NETWORK: 'mainnet', QUOTE_LIFETIME_MS: '5000' }, 5_000, 0],
    [{ QUOTE_LIFETIME_MS: '5000' }, 5_000, 5_000],
  ])('lets quotes last %j', (env, lifetimeMs, lifetimeMsMin) => {
    expect(parseConfig(env).quote).toMatchObject({ lifetimeMs, lifetimeMsMin })
  })

  it('sets fee recipients on the offline network alone, and an explicit one wins', () => {
    const recipients = (env: Environment) =>
      Object.values(parseConfig(env).venues).flatMap(({ settings }) => settings['FEE_RECIPIENT'] ?? [])
    expect(recipients({}).length).toBeGreaterThan(5)
    expect(recipients({ NETWORK: 'mainnet' })).toEqual([])
    const own = `0x${'12'.repeat(20)}`
    expect(parseConfig({ VENUE_RELAY_FEE_RECIPIENT: own }).venues['relay']?.settings['FEE_RECIPIENT']).toBe(own)
  })

  it.each<[string, Environment, readonly RegExp[]]>([
    [
      'the offline network',
      { VENUES_ENABLED: 'across' },
      [/^NETWORK=simnet: /, /on: across$/, /off: .*cow \(not in VENUES_ENABLED\)/, /: none$/],
    ],
    [
      'mainnet',
      { NETWORK: 'mainnet', VENUE_ZEROX_API_KEY: SECRET, RPC_URLS_1: 'https://a.example' },
      [
        /^NETWORK=mainnet: /,
        /on: across, .*zerox/,
        /off: uniswapx \(VENUE_UNISWAPX_API_KEY is not set\)$/,
        /endpoints: Bitcoin, Solana, OP Mainnet, (?!.*Ethereum)/,
      ],
    ],
    [
      'mainnet with endpoints alone',
      { ...Object.fromEntries(CHAIN_IDS.map((id) => [rpcUrlsKey(id), 'https://a.example'])), NETWORK: 'mainnet' },
      [/^/, /^/, /^/, /endpoints: none$/],
    ],
  ])('says in four lines what a start on %s has on and off', (_what, env, lines) => {
    expect(startSummary(parseConfig(env))).toEqual(lines.map((line) => expect.stringMatching(line)))
  })

  it('reads how many blocks a payment must be under, and nothing otherwise', () => {
    const env = { CONFIRMATIONS_1: '12', CONFIRMATIONS_42161: '1', CONFIRMATIONS_BITCOIN: '2' }
    expect(parseConfig(env).confirmations).toEqual({ 1: 12, 42161: 1, [-1]: 2 })
    expect(parseConfig({}).confirmations).toEqual({})
  })

  it.each(VENUE_DEFINITIONS)('reads where $id is and what its key is', ({ id }) => {
    const { venues } = parseConfig({
      NETWORK: 'mainnet',
      [keyOf(id, 'BASE_URL')]: 'https://other.example/v1//',
      [keyOf(id, 'API_KEY')]: SECRET,
    })
    expect(venues[id]?.baseUrl).toBe('https://other.example/v1')
    expect(venues[id]?.apiKey?.reveal()).toBe(SECRET)
  })

  it.each(VENUE_DEFINITIONS)('reads what was agreed on with $id, and nothing otherwise', ({ id }) => {
    expect(parseConfig({ [keyOf(id, 'REQUESTS_PER_MINUTE')]: '300' }).venueCallsPerMinute).toEqual({ [id]: 300 })
    expect(parseConfig({}).venueCallsPerMinute).toEqual({})
  })

  it('enables the venues that are listed, and knows the settings of the others all the same', () => {
    const [first, second] = VENUE_DEFINITIONS.map(({ id }) => id)
    const config = parseConfig({ VENUES_ENABLED: first, [keyOf(second ?? '', 'API_KEY')]: SECRET })
    expect(config.venuesEnabled).toEqual([first])
    expect(config.venues[second ?? '']?.apiKey?.reveal()).toBe(SECRET)
    expect(parseConfig({}).venuesEnabled).toEqual(VENUE_DEFINITIONS.map(({ id }) => id))
  })

  describe('a venue that answers nobody without a key', () => {
    const [free, keyed] = ['free', 'keyed'].map((id): VenueDefinition => {
      const create = () => Promise.reject(new Error('nothing is made')) as never
      return { id, publicBaseUrl: 'https://venue.example', settings: [], needsKey: id === 'keyed', create }
    }) as [VenueDefinition, VenueDefinition]
    const read = (env: Environment) => {
      const { venuesEnabled, venuesWithoutKey } = readVenues(new Reader(env), [free, keyed])
      return { venuesEnabled, venuesWithoutKey }
    }

    it.each([
      ['is off on mainnet while it has none', { NETWORK: 'mainnet' }, ['free'], ['keyed']],
      ['is off even where it is listed', { NETWORK: 'mainnet', VENUES_ENABLED: 'keyed' }, [], ['keyed']],
      ['is not missed where it is not listed', { NETWORK: 'mainnet', VENUES_ENABLED: 'free' }, ['free'], []],
      ['is on with one', { NETWORK: 'mainnet', VENUE_KEYED_API_KEY: SECRET }, ['free', 'keyed'], []],
      ['is on offline, where it is given one', {}, ['free', 'keyed'], []],
    ])('%s', (_what, env, venuesEnabled, venuesWithoutKey) => {
      expect(read(env)).toEqual({ venuesEnabled, venuesWithoutKey })
    })
  })

  it('cannot be changed afterwards', () => {
    const config = parseConfig({ QUOTE_TOKEN_KEYS: KEY })
    const parts: unknown[] = [
      config,
      config.http,
      config.quote,
      config.fees,
      config.venues,
      config.venuesEnabled,
      config.rpcUrls,
      config.simnet,
      config.quote.tokenKeys,
    ]
    for (const part of [...parts, ...Object.values(config.venues)]) expect(Object.isFrozen(part)).toBe(true)
    expect(config.quote.tokenKeys[0]?.reveal()).toBe(KEY)
  })
})

describe('a wrong configuration', () => {
  const PORT = 'PORT must be a whole number from 0 to 65535'
  const DATABASE_URL = 'DATABASE_URL must be postgres://user:password@host:port/database'
  const ON_A_SERVER = { DATABASE_URL: 'postgres://a:b@db.example/swaps', QUOTE_TOKEN_KEYS: KEY, WEBHOOK_SECRET_KEYS: KEY }
  const IS_MISSED = 'must be set beside DATABASE_URL, the same for all instances; of one set DATABASE_SINGLE_INSTANCE'

  it.each<[string, Environment, string]>([
    ['a port out of range', { PORT: '65536' }, PORT],
    ['a negative port', { PORT: '-1' }, PORT],
    ['a fraction', { PORT: '1.5' }, PORT],
    ['an exponent', { PORT: '1e3' }, PORT],
    ['a hexadecimal number', { PORT: '0x10' }, PORT],
    ['words', { PORT: 'http' }, PORT],
    ['a very long number', { PORT: '9'.repeat(400) }, PORT],
    ['a network that is none', { NETWORK: 'testnet' }, 'NETWORK must be one of simnet, mainnet'],
    ['a log level that is none', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of silent, error, info, debug'],
    ['a fee schedule that is none', { FEE_SCHEDULE: 'flat' }, 'FEE_SCHEDULE must be one of none, route'],
    [
      'a deadline too short',
      { QUOTE_DEADLINE_MS: '49', QUOTE_SOFT_DEADLINE_MS: '0' },
      'QUOTE_DEADLINE_MS must be a whole number from 50 to 60000',
    ],
    [
      'a soft deadline after the hard one',
      { QUOTE_SOFT_DEADLINE_MS: '4001' },
      'QUOTE_SOFT_DEADLINE_MS must not exceed QUOTE_DEADLINE_MS',
    ],
    [
      'a referrer that Relay refuses without a key of its own',
      { VENUE_RELAY_REFERRER: 'acme' },
      'VENUE_RELAY_REFERRER needs VENUE_RELAY_API_KEY',
    ],
    [
      'an outlier factor that drops everybody',
      { QUOTE_OUTLIER_FACTOR: '1' },
      'QUOTE_OUTLIER_FACTOR must be a whole number from 2 to 100',
    ],
    [
      'a short key',
      { QUOTE_TOKEN_KEYS: 'abc' },
      'QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma',
    ],
    [
      'three keys',
      { QUOTE_TOKEN_KEYS: `${KEY},${KEY},${KEY}` },
      'QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma',
    ],
    ['a name with a line break', { USER_AGENT: 'a\nb' }, 'USER_AGENT must be up to 200 printable ASCII characters'],
    ['a name too long', { USER_AGENT: 'a'.repeat(201) }, 'USER_AGENT must be up to 200 printable ASCII characters'],
    [
      'a limit that asks a venue nothing',
      { VENUE_RELAY_REQUESTS_PER_MINUTE: '0' },
      'VENUE_RELAY_REQUESTS_PER_MINUTE must be a whole number from 1 to 1000000',
    ],
    [
      'a contract of Across on a chain that it does not serve',
      { VENUE_ACROSS_EXTRA_CONTRACTS: `1:0x${'ab'.repeat(20)}, 5:0x${'ab'.repeat(20)}` },
      'VENUE_ACROSS_EXTRA_CONTRACTS must be newer peripheries on EVM chains of Across, such as 1=0x…,8453=0x…, each by its chain',
    ],
    [
      'a venue that is none',
      { VENUES_ENABLED: 'acme' },
      `VENUES_ENABLED may list ${VENUE_DEFINITIONS.map(({ id }) => id).join(', ')}`,
    ],
    [
      'an endpoint that is no URL',
      { RPC_URLS_1: 'https://ok.example,nonsense' },
      'RPC_URLS_1 must be http or https URLs, separated by commas',
    ],
    [
      'an endpoint of another protocol',
      { RPC_URLS_10: 'ws://a.example' },
      'RPC_URLS_10 must be http or https URLs, separated by commas',
    ],
    [
      'a proxy that is no address',
      { TRUSTED_PROXIES: '10.0.0.1,proxy.internal' },
      'TRUSTED_PROXIES must be IP addresses or CIDR ranges, separated by commas',
    ],
    [
      'a range that is none',
      { TRUSTED_PROXIES: '10.0.0.0/33' },
      'TRUSTED_PROXIES must be IP addresses or CIDR ranges, separated by commas',
    ],
    [
      'a range without bits',
      { TRUSTED_PROXIES: '10.0.0.0/' },
      'TRUSTED_PROXIES must be IP addresses or CIDR ranges, separated by commas',
    ],
    [
      'a range in parts',
      { TRUSTED_PROXIES: '::1/64/64' },
      'TRUSTED_PROXIES must be IP addresses or CIDR ranges, separated by commas',
    ],
    [
      'an endpoint that the offline network would not use',
      { RPC_URLS_1: 'https://node.example' },
      'RPC_URLS_1 changes nothing on NETWORK=simnet: leave it out, or set NETWORK=mainnet',
    ],
    [
      'a venue address that the offline network would not use',
      { NETWORK: 'simnet', VENUE_ACROSS_BASE_URL: 'https://node.example' },
      'VENUE_ACROSS_BASE_URL changes nothing on NETWORK=simnet: leave it out, or set NETWORK=mainnet',
    ],
    [
      'a bound on answers below the default',
      { VENUES_LIST_BYTES_MAX: '4194303' },
      'VENUES_LIST_BYTES_MAX must be a whole number from 4194304 to 67108864',
    ],
    ['no blocks', { CONFIRMATIONS_56: '0' }, 'CONFIRMATIONS_56 must be a whole number from 1 to 10000'],
    ['half a block', { CONFIRMATIONS_BITCOIN: '1.5' }, 'CONFIRMATIONS_BITCOIN must be a whole number from 1 to 10000'],
    [
      'blocks of a chain that goes by its own word',
      { CONFIRMATIONS_SOLANA: '3' },
      'CONFIRMATIONS_SOLANA cannot be set: what counts there is the commitment "confirmed"',
    ],
    ...['https://a.example,https://b.example', 'https://a.example, no-url', 'node.example', 'ftp://a.example'].map(
      (urls): [string, Environment, string] => [
        `a venue address that is ${urls}`,
        { NETWORK: 'mainnet', VENUE_ACROSS_BASE_URL: urls },
        'VENUE_ACROSS_BASE_URL must be one http or https URL',
      ],
    ),
    ['a database of another make', { DATABASE_URL: 'mysql://a:b@db.example/swaps' }, DATABASE_URL],
    ['a database without a name', { DATABASE_URL: 'postgres://a:b@db.example/' }, DATABASE_URL],
    ['what is no URL of a database', { DATABASE_URL: 'host=db.example dbname=swaps' }, DATABASE_URL],
    [
      'a database that several instances may share without one key for their tokens',
      { ...ON_A_SERVER, QUOTE_TOKEN_KEYS: '' },
      `QUOTE_TOKEN_KEYS ${IS_MISSED}`,
    ],
    [
      'such a database without one key for the secrets of webhooks',
      { ...ON_A_SERVER, WEBHOOK_SECRET_KEYS: ' , ' },
      `WEBHOOK_SECRET_KEYS ${IS_MISSED}`,
    ],
    ['swaps kept for too short', { RETENTION_DAYS: '6' }, 'RETENTION_DAYS must be a whole number from 7 to 36500'],
    ['too few connections', { DATABASE_POOL_MAX: '1' }, 'DATABASE_POOL_MAX must be a whole number from 2 to 1000'],
    ...Object.entries({
      NETWROK: 'NETWORK',
      NETWORKS: 'NETWORK',
      RPC_URL_1: 'RPC_URLS_1',
      RPC_URLS_5: 'RPC_URLS_1 or RPC_URLS_56',
      CONFIRMATIONS_5: 'CONFIRMATIONS_1 or CONFIRMATIONS_56',
      REDISURL: 'REDIS_URL',
      DATADIR: 'DATA_DIR',
      METRIC_PORT: 'METRICS_PORT',
      OPERATORPAGE: 'OPERATOR_PAGE',
      QUOTE_DEADLIN_MS: 'QUOTE_DEADLINE_MS',
      DATABASE_ULR: 'DATABASE_URL',
      CONNECTIONS_PER_ADDRES_MAX: 'CONNECTIONS_PER_ADDRESS_MAX',
      VENUE_ENABLED: 'VENUES_ENABLED',
      VENUE_RELAY_API_KEI: 'VENUE_RELAY_API_KEY',
      VENEU_RELAY_API_KEY: 'VENUE_RELAY_API_KEY',
      QUOTE_TOKEN_KEYS_FIEL: 'QUOTE_TOKEN_KEYS_FILE',
    }).map(([key, likely]): [string, Environment, string] => [
      `${key} and the likely setting`,
      { [key]: SECRET },
      `${key} is not a setting of this service (did you mean ${likely}?)`,
    ]),
    [
      'a key no header can carry',
      { VENUE_RELAY_API_KEY: 'one\ntwo' },
      'VENUE_RELAY_API_KEY must be printable ASCII without spaces',
    ],
    ['a setting of a venue there is not', { VENUE_ACME_API_KEY: SECRET }, 'VENUE_ACME_API_KEY is not a setting of this service'],
  ])('names %s', (_what, env, problem) => {
    expect(problemsOf(env)).toEqual([problem])
  })

  it('names a venue setting that does not fit and what is expected', () => {
    const settings = VENUE_DEFINITIONS.flatMap(({ id, settings: own }) => own.map((setting) => ({ id, ...setting })))
    expect(settings.length).toBeGreaterThan(0)
    const nobody = `0x${'0'.repeat(40)}`
    for (const { id, name, expects } of settings) {
      const invalid = /^an EVM address,|EVM addresses|1=0x/.test(expects)
        ? ['never valid', nobody, `1=${nobody}`]
        : ['\u0000 never valid']
      for (const text of invalid)
        expect(problemsOf({ [keyOf(id, name)]: text })).toContain(`${keyOf(id, name)} must be ${expects}`)
    }
  })

  it('is told all at once, by name and never by value', () => {
    const env = {
      PORT: SECRET,
      NETWORK: SECRET,
      LOG_LEVEL: SECRET,
      QUOTE_TOKEN_KEYS: SECRET,
      VENUES_ENABLED: SECRET,
      RPC_URLS_1: SECRET,
      TRUSTED_PROXIES: SECRET,
      FEE_SCHEDULE: SECRET,
      DATABASE_URL: SECRET,
      DATABASE_POOL_MAX: SECRET,
      DATABASE_SINGLE_INSTANCE: SECRET,
      QUOTE_SOFT_DEADLINE_MS: '60000',
      QUOTE_TYPO: SECRET,
      [keyOf(VENUE_DEFINITIONS[0]?.id ?? '', 'BASE_URL')]: SECRET,
    }
    const problems = problemsOf(env)
    for (const key of Object.keys(env)) expect(problems.filter((problem) => problem.startsWith(`${key} `))).toHaveLength(1)
    expect(problems).toHaveLength(Object.keys(env).length)
    const error = new ConfigError(problems)
    expect(`${error.message}${inspect(error)}`).not.toContain(SECRET)
    for (const problem of problems) expect(error.message).toContain(problem)
  })

  it.each([
    [
      'a shell',
      'HOME PATH PWD SHELL USER LANG TERM TMPDIR HOSTNAME HOSTTYPE COLUMNS XDG_DATA_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK',
    ],
    ['npm and Node', 'npm_config_cache npm_package_name npm_lifecycle_event INIT_CWD NODE_ENV NODE_OPTIONS NPM_CONFIG_LOGLEVEL'],
    ['systemd', 'NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY CREDENTIALS_DIRECTORY SYSTEMD_EXEC_PID'],
    ['Kubernetes', 'KUBERNETES_PORT KUBERNETES_SERVICE_HOST METRIC_SERVICE_HOST METRIC_SERVICE_PORT METRIC_PORT'],
    ['Docker and CI', 'DOCKER_HOST COMPOSE_PROJECT_NAME CI GITHUB_ACTIONS RUNNER_TEMP CI_SERVER_PORT BUILD_NUMBER'],
    ['databases and others', 'PGHOST PGPORT DBHOST DBPORT LOGLEVEL REPORT MYPORT SERVICE_HOST SMTP_PORT HTTP_PROXY DEBUG'],
  ])('is not suspected in what %s may set', (_who, names) => {
    expect(problemsOf(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([])
  })
})

describe('secrets', () => {
  it('never show, however the configuration is printed', () => {
    const env = Object.fromEntries(VENUE_DEFINITIONS.map(({ id }) => [keyOf(id, 'API_KEY'), SECRET]))
    const config: Config = parseConfig({
      ...env,
      QUOTE_TOKEN_KEYS: KEY,
      WEBHOOK_SECRET_KEYS: KEY,
      DATABASE_URL: `postgres://u:${SECRET}@h/d`,
    })
    const secret = config.quote.tokenKeys[0]
    const shown = [
      JSON.stringify(config),
      inspect(config, { depth: 10, showHidden: true }),
      `${secret}`,
      String(secret),
      [secret].join(),
      `${Object.values(config.venues).map(({ apiKey }) => apiKey)} ${config.database.url}`,
    ]
    for (const text of shown) {
      expect(text).toContain('[secret]')
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(KEY)
    }
  })
})
