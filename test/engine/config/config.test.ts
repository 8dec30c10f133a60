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
import wrong from './wrong.json' with { type: 'json' }

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
  it('of an empty environment is the offline network with every venue [config-empty-works]', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({
      network: 'simnet',
      http: {
        host: '127.0.0.1',
        port: 3_000,
        publicUrl: 'http://127.0.0.1:3000',
        trustedProxies: [],
        anonymousPerMinute: 1_000,
        connectionsPerAddressMax: 256,
      },
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

  it('takes one port for callers and the operator on different addresses', () => {
    expect(parseConfig({ PORT: '9464', METRICS_HOST: '127.0.0.2' }).monitor).toMatchObject({ host: '127.0.0.2', port: 9_464 })
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
      PUBLIC_URL: 'https://swaps.example/api/',
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
        publicUrl: 'https://swaps.example/api',
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

  it('needs no keys beside a database that one instance alone has [config-wrong-stops]', () => {
    const { database, quote, partners } = parseConfig({
      DATABASE_URL: 'postgres://a:b@db.example/swaps',
      DATABASE_SINGLE_INSTANCE: 'true',
    })
    expect(database.url).not.toBeNull()
    expect([quote.tokenKeys, partners.webhooks.secretKeys]).toEqual([[], []])
  })

  it.each<[string, Environment, number, string | null]>([
    ['on mainnet', { NETWORK: 'mainnet' }, 30, null],
    ['where other machines reach the offline network', { HOST: '0.0.0.0' }, 30, null],
    ['where an operator sets it', { RATE_LIMIT_ANONYMOUS_PER_MINUTE: '7', PORT: '0' }, 7, null],
    ['on localhost', { HOST: '::1' }, 1_000, 'http://[::1]:3000'],
  ])('limits requests without a key, and knows its own address, %s: %j', (_where, env, anonymousPerMinute, publicUrl) => {
    expect(parseConfig(env).http).toMatchObject({ anonymousPerMinute, publicUrl })
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
  ])('says in four lines what a start on %s has on and off [config-empty-works]', (_what, env, lines) => {
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

describe('a wrong configuration [config-wrong-stops]', () => {
  it.each(wrong as unknown as readonly [string, Environment, string][])('names %s', (_what, env, problem) => {
    expect(problemsOf(env)).toEqual([problem.replace('<venues>', VENUE_DEFINITIONS.map(({ id }) => id).join(', '))])
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

describe('the bounds of overload', () => {
  it('are the measured ones where none are set, and are read one by one', () => {
    expect(parseConfig({}).overload).toEqual({ quotes: 96, executes: 64, statuses: 128, waiting: 1_000, waitMs: 100 })
    const [OVERLOAD_QUOTES_MAX, OVERLOAD_EXECUTES_MAX, OVERLOAD_STATUSES_MAX] = ['1', '2', '3']
    const most = { OVERLOAD_QUOTES_MAX, OVERLOAD_EXECUTES_MAX, OVERLOAD_STATUSES_MAX }
    const { overload } = parseConfig({ ...most, OVERLOAD_WAITING_MAX: '0', OVERLOAD_WAIT_MS: '5' })
    expect(overload).toEqual({ quotes: 1, executes: 2, statuses: 3, waiting: 0, waitMs: 5 })
  })
})

describe('the settings of Redis', () => {
  it('are none by default: each instance counts alone', () => {
    expect(parseConfig({}).redis).toEqual({ url: null, keyPrefix: 'swap:' })
    expect(parseConfig({ REDIS_URL: ' ' }).redis.url).toBeNull()
  })

  it.each([
    'redis://127.0.0.1',
    'redis://127.0.0.1:6379/3',
    `rediss://swap:${SECRET}@redis.example:6380/0`,
    `redis://:${SECRET}@[::1]:6379`,
  ])('take %s, and do not show it', (url) => {
    const { redis } = parseConfig({ REDIS_URL: url, REDIS_KEY_PREFIX: 'swap-2.a_b:' })
    expect([redis.keyPrefix, redis.url?.reveal()]).toEqual(['swap-2.a_b:', url])
    expect(JSON.stringify(redis)).not.toContain(url)
  })

  it('are not what Kubernetes tells of a service that is called redis, beside which a mistyped one is seen', () => {
    const told =
      'SERVICE_HOST=10.0.0.11 SERVICE_PORT=6379 SERVICE_PORT_REDIS=6379 PORT=tcp://10.0.0.11:6379 PORT_6379_TCP=tcp://10.0.0.11:6379'
    const more = 'PORT_6379_TCP_PROTO=tcp PORT_6379_TCP_PORT=6379 PORT_6379_TCP_ADDR=10.0.0.11'
    const env = Object.fromEntries(`${told} ${more}`.split(' ').map((one) => `REDIS_${one}`.split('=')))
    expect(problemsOf(env)).toEqual([])
    expect(problemsOf({ ...env, REDIS_KEY_PREFX: 'a' })).toEqual([
      'REDIS_KEY_PREFX is not a setting of this service (did you mean REDIS_KEY_PREFIX?)',
    ])
  })
})

describe('what calls are paid with', () => {
  const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const NETWORK = 'mainnet'
  const X402_FACILITATOR_URL = 'https://facilitator.example/v2'

  it('is nothing on mainnet, and USDC on Base on the offline network, when nothing is set', () => {
    expect(parseConfig({ NETWORK }).x402).toEqual({ payTo: { evm: null, solana: null }, networks: [], facilitator: null })
    const { x402 } = parseConfig({})
    expect([x402.networks, x402.payTo.evm, x402.facilitator]).toEqual([['eip155:8453'], expect.stringMatching(/^0x/), null])
  })

  it('is USDC on Base where an EVM address is to be paid, and on Solana where one of those is', () => {
    const payTo = { X402_PAY_TO_EVM: EVM.toLowerCase(), X402_PAY_TO_SOLANA: SOLANA }
    const { x402 } = parseConfig({ NETWORK, X402_FACILITATOR_URL, ...payTo })
    expect(x402.payTo).toEqual({ evm: EVM, solana: SOLANA })
    expect(x402.networks).toEqual(['eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    expect(x402.facilitator?.url).toBe(X402_FACILITATOR_URL)
  })

  it('has a token that does not show', () => {
    const config = parseConfig({ NETWORK, X402_FACILITATOR_URL, X402_PAY_TO_EVM: EVM, X402_FACILITATOR_TOKEN: SECRET })
    expect(JSON.stringify(config)).not.toContain(SECRET)
    expect(config.x402.facilitator?.token?.reveal()).toBe(SECRET)
  })
})

describe('secrets', () => {
  it('never show, however the configuration is printed [config-wrong-stops]', () => {
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
