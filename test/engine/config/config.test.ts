import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Config, ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'
import { Reader } from '../../../engine/config/reader.ts'
import { startSummary } from '../../../engine/config/startSummary.ts'
import { readVenues } from '../../../engine/config/venues.ts'
import { CHAIN_IDS } from '../../../engine/core/chain.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import type { VenueDefinition } from '../../../engine/venues/venue.ts'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { problemsOf } from '../../support/configProblems.ts'
import { lacks } from '../../support/needs.ts'
import { aFolder } from '../../support/storeStage.ts'
import wrong from './wrong.json' with { type: 'json' }

const [KEY, OTHER_KEY] = ['ab'.repeat(32), 'cd'.repeat(32)] as const
const SECRET = 'do-not-print-me'
const IDS = VENUE_DEFINITIONS.map(({ id }) => id)
const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const X402_FACILITATOR_URL = 'https://facilitator.example/v2'
const DATABASE_URL = 'postgres://a:b@db.example/swaps'
const mainnet = { NETWORK: 'mainnet' }

const keyOf = (id: string, setting: string): string => `VENUE_${id.toUpperCase().replaceAll('-', '_')}_${setting}`

/** A setting for every venue. */
const ofEach = (setting: string, value: string): Environment => Object.fromEntries(IDS.map((id) => [keyOf(id, setting), value]))

const NETWORKS = ['eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']

/** Each setting with its place in the configuration, its default on the offline network, a text, and the value of that text. */
const SETTINGS: readonly (readonly [name: string, place: string, byDefault: unknown, text: string, value: unknown])[] = [
  ['HOST', 'http.host', '127.0.0.1', '0.0.0.0', '0.0.0.0'],
  ['PORT', 'http.port', 3_000, '0', 0],
  ['PUBLIC_URL', 'http.publicUrl', 'http://127.0.0.1:3000', 'https://swaps.example/api/', 'https://swaps.example/api'],
  ['TRUSTED_PROXIES', 'http.trustedProxies', [], '10.0.0.0/8, ::1,192.168.1.1', ['10.0.0.0/8', '::1', '192.168.1.1']],
  ['RATE_LIMIT_ANONYMOUS_PER_MINUTE', 'http.anonymousPerMinute', 1_000, '5', 5],
  ['RATE_LIMIT_KEYS_PER_ADDRESS', 'partners.requestsPerAddressPerMinute', 1_200, '0', 0],
  ['CONNECTIONS_PER_ADDRESS_MAX', 'http.connectionsPerAddressMax', 256, '7', 7],
  ['METRICS_HOST', 'monitor.host', '127.0.0.1', '0.0.0.0', '0.0.0.0'],
  ['METRICS_PORT', 'monitor.port', 9_464, 'off', null],
  ['OPERATOR_PAGE', 'monitor.page', false, 'true', true],
  ['PAYOUT_ADDRESS_HOLD_HOURS', 'partners.payoutAddressHoldMs', 259_200_000, '0', 0],
  ['SETTLEMENT_INTERVAL_SECONDS', 'partners.settlement.intervalMs', 300_000, '1', 1_000],
  ['SETTLEMENT_ABANDON_AFTER_HOURS', 'partners.settlement.abandonAfterMs', 604_800_000, '1', 3_600_000],
  ['WEBHOOK_ALLOW_PRIVATE', 'partners.webhooks.allowPrivate', false, 'false', false],
  ['VENUES_ON_TRUST', 'venuesOnTrust', true, 'false', false],
  ['DATA_DIR', 'dataDir', '.data/simnet', '/data', '/data'],
  ['DATABASE_POOL_MAX', 'database.poolMax', 10, '25', 25],
  ['REDIS_KEY_PREFIX', 'redis.keyPrefix', 'swap:', 'swap-2.a_b:', 'swap-2.a_b:'],
  ['RETENTION_DAYS', 'retention.afterMs', null, '30', 2_592_000_000],
  ['RETENTION_ARCHIVE_DIR', 'retention.archiveDir', '.data/simnet/archive', 'off', null],
  ['QUOTE_DEADLINE_MS', 'quote.deadlineMs', 4_000, '60000', 60_000],
  ['QUOTE_SOFT_DEADLINE_MS', 'quote.softDeadlineMs', 1_500, '60000', 60_000],
  ['QUOTE_LIFETIME_MS', 'quote.lifetimeMs', 600_000, '1000', 1_000],
  ['QUOTE_SLIPPAGE_BPS_MAX_DEFAULT', 'quote.slippageBpsMaxDefault', 300, '10', 10],
  ['QUOTE_OUTLIER_FACTOR', 'quote.outlierFactor', 2, '100', 100],
  ['QUOTE_TOKEN_KEYS', 'quote.tokenKeys', [], `${KEY.toUpperCase()},${OTHER_KEY}`, [KEY, OTHER_KEY]],
  ['OVERLOAD_QUOTES_MAX', 'overload.quotes', 96, '1', 1],
  ['OVERLOAD_EXECUTES_MAX', 'overload.executes', 64, '2', 2],
  ['OVERLOAD_STATUSES_MAX', 'overload.statuses', 128, '3', 3],
  ['OVERLOAD_WAITING_MAX', 'overload.waiting', 1_000, '0', 0],
  ['OVERLOAD_WAIT_MS', 'overload.waitMs', 100, '5', 5],
  ['FEE_SCHEDULE', 'fees.schedule', 'none', 'route', 'route'],
  ['USER_AGENT', 'userAgent', expect.stringMatching(/^swap-service\//), 'example-swaps/7', 'example-swaps/7'],
  [
    'TRACE_ORIGINS',
    'tracing.origins',
    [],
    'https://a.example, http://b.example:8080/',
    ['https://a.example', 'http://b.example:8080'],
  ],
  ['SIMNET_CONTROL_PORT', 'simnet.controlPort', 4_010, '65535', 65_535],
  ['SIMNET_SEED', 'simnet.seed', null, 'seed', 'seed'],
  ['XDG_CACHE_HOME', 'simnet.cacheDir', null, '/var/cache', '/var/cache/swap-service'],
  ['LOG_LEVEL', 'logLevel', 'info', 'silent', 'silent'],
  ['RPC_URLS_BITCOIN', 'rpcUrls.-1', [], 'http://127.0.0.1:3002', ['http://127.0.0.1:3002']],
  ['CONFIRMATIONS_1', 'confirmations.1', undefined, '12', 12],
  ['CONFIRMATIONS_BITCOIN', 'confirmations.-1', undefined, '2', 2],
  ['X402_FACILITATOR_URL', 'x402.facilitator.url', undefined, X402_FACILITATOR_URL, X402_FACILITATOR_URL],
  ['X402_PAY_TO_EVM', 'x402.payTo.evm', expect.stringMatching(/^0x/), EVM.toLowerCase(), EVM],
  ['X402_PAY_TO_SOLANA', 'x402.payTo.solana', null, SOLANA, SOLANA],
  ['X402_NETWORKS', 'x402.networks', ['eip155:8453'], '', NETWORKS],
]

const revealed = (value: unknown): unknown =>
  value instanceof Secret ? value.reveal() : Array.isArray(value) ? value.map(revealed) : value
const valueAt = (config: Config, place: string): unknown =>
  revealed(place.split('.').reduce<unknown>((part, name) => (part as { [name: string]: unknown } | null)?.[name], config))

describe('config', () => {
  it('an empty environment starts the offline network with every venue [config-empty-works]', () => {
    const config = parseConfig({})
    for (const [name, place, byDefault] of SETTINGS) expect([name, valueAt(config, place)]).toEqual([name, byDefault])
    expect(config).toMatchObject({
      confirmations: {},
      venueCallsPerMinute: {},
      venuesEnabled: IDS,
      quote: { lifetimeMsMin: 600_000 },
    })
    expect(Object.keys(config.venues).sort()).toEqual([...IDS].sort())
    for (const { id, publicBaseUrl } of VENUE_DEFINITIONS)
      expect(config.venues[id]).toMatchObject({ baseUrl: publicBaseUrl, apiKey: null })
    for (const chainId of CHAIN_IDS) expect(config.rpcUrls[chainId]).toEqual([])
    expect([config.network, config.database.url, config.redis.url]).toEqual(['simnet', null, null])
    const blank = { PORT: '', HOST: '  ', QUOTE_TOKEN_KEYS: ' , ', VENUES_ENABLED: '', LOG_LEVEL: undefined, REDIS_URL: ' ' }
    expect(parseConfig(blank)).toEqual(config)
  })

  it('reads every setting', () => {
    const config = parseConfig({
      ...mainnet,
      ...Object.fromEntries(SETTINGS.map(([name, , , text]) => [name, text])),
      ...ofEach('BASE_URL', 'https://other.example/v1//'),
      ...ofEach('API_KEY', SECRET),
    })
    for (const [name, place, , , value] of SETTINGS) expect([name, valueAt(config, place)]).toEqual([name, value])
    for (const id of IDS) {
      const { baseUrl, apiKey } = config.venues[id] ?? {}
      expect([id, baseUrl, apiKey?.reveal()]).toEqual([id, 'https://other.example/v1', SECRET])
      expect(parseConfig({ [keyOf(id, 'REQUESTS_PER_MINUTE')]: '300' }).venueCallsPerMinute).toEqual({ [id]: 300 })
    }
  })

  it.each<[string, Environment, object]>([
    [
      'mainnet',
      mainnet,
      {
        ...{ dataDir: '.data/mainnet', retention: { archiveDir: '.data/mainnet/archive' } },
        ...{ http: { anonymousPerMinute: 30, publicUrl: null }, quote: { lifetimeMs: 60_000, lifetimeMsMin: 0 } },
        x402: { payTo: { evm: null, solana: null }, networks: [], facilitator: null },
      },
    ],
    ['a port on two addresses', { PORT: '9464', METRICS_HOST: '127.0.0.2' }, { monitor: { host: '127.0.0.2', port: 9464 } }],
    ['simnet reached by other machines', { HOST: '0.0.0.0' }, { http: { anonymousPerMinute: 30, publicUrl: null } }],
    ['IPv6 on this machine', { HOST: '::1' }, { http: { anonymousPerMinute: 1_000, publicUrl: 'http://[::1]:3000' } }],
    ['a lifetime on simnet', { QUOTE_LIFETIME_MS: '5000' }, { quote: { lifetimeMs: 5_000, lifetimeMsMin: 5_000 } }],
    [
      'a database of a single instance, which needs no shared keys',
      { DATABASE_URL, DATABASE_SINGLE_INSTANCE: 'true' },
      { database: { url: expect.anything() }, quote: { tokenKeys: [] }, partners: { webhooks: { secretKeys: [] } } },
    ],
  ])('%s (%j) gives %j', (_what, env, expected) => {
    expect(parseConfig(env)).toMatchObject(expected)
  })

  it('sets fee recipients on the offline network only, unless the operator sets one', () => {
    const recipients = (env: Environment) =>
      Object.values(parseConfig(env).venues).flatMap(({ settings }) => settings['FEE_RECIPIENT'] ?? [])
    expect(recipients({}).length).toBeGreaterThan(5)
    expect(recipients(mainnet)).toEqual([])
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
  ])(
    'a start on %s prints network, enabled and disabled venues, and public endpoints [config-empty-works]',
    (_what, env, lines) => {
      expect(startSummary(parseConfig(env))).toEqual(lines.map((line) => expect.stringMatching(line)))
    },
  )

  it.each<[string, Environment, readonly string[], readonly string[]]>([
    ['is disabled on mainnet without a key, also if enabled by name', { ...mainnet, VENUES_ENABLED: 'keyed' }, [], ['keyed']],
    ['is not reported if others are enabled by name', { ...mainnet, VENUES_ENABLED: 'free' }, ['free'], []],
    ['is enabled with a key', { ...mainnet, VENUE_KEYED_API_KEY: SECRET }, ['free', 'keyed'], []],
    ['is enabled on the offline network', {}, ['free', 'keyed'], []],
  ])('a venue that needs a key %s', (_what, env, venuesEnabled, venuesWithoutKey) => {
    const definitions = ['free', 'keyed'].map((id): VenueDefinition => {
      const create = () => Promise.reject(new Error('not created')) as never
      return { id, publicBaseUrl: 'https://venue.example', settings: [], needsKey: id === 'keyed', create }
    })
    expect(readVenues(new Reader(env), definitions)).toMatchObject({ venuesEnabled, venuesWithoutKey })
  })

  it('no printed form of the configuration reveals a secret [config-wrong-stops]', () => {
    const config = parseConfig({
      ...mainnet,
      ...ofEach('API_KEY', SECRET),
      QUOTE_TOKEN_KEYS: KEY,
      WEBHOOK_SECRET_KEYS: KEY,
      DATABASE_URL: `postgres://u:${SECRET}@h/d`,
      REDIS_URL: `rediss://swap:${SECRET}@[::1]:6380/0`,
      X402_FACILITATOR_URL,
      X402_PAY_TO_EVM: EVM,
      X402_FACILITATOR_TOKEN: SECRET,
    })
    const [secret] = config.quote.tokenKeys
    expect([secret?.reveal(), config.x402.facilitator?.token?.reveal()]).toEqual([KEY, SECRET])
    for (const text of [
      JSON.stringify(config),
      inspect(config, { depth: 10, showHidden: true }),
      `${secret} ${config.database.url} ${config.redis.url}`,
      [secret].join(),
    ]) {
      expect(text).toContain('[secret]')
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(KEY)
    }
  })
})

describe('wrong config [config-wrong-stops]', () => {
  const values = wrong.values as unknown as readonly [key: string, texts: readonly string[], problem: string][]
  const port = 'must be a whole number from 0 to 65535'
  const publicUrl = 'must be one http or https URL without user name, query and fragment, at most 400 characters'

  it.each([
    ...values,
    ['PORT', ['9'.repeat(400)], port],
    ['USER_AGENT', ['a'.repeat(201)], 'must be up to 200 printable ASCII characters'],
    ['PUBLIC_URL', ['https://swaps.example/'.padEnd(401, 'a')], publicUrl],
    ['QUOTE_TOKEN_KEYS', [[KEY, KEY, KEY].join()], 'must be one or two keys of 64 hex digits, separated by a comma'],
  ] as const)('%s rejects %j: %s', (key, texts, problem) => {
    const expected = `${key} ${problem}`.replace('<venues>', IDS.join(', '))
    for (const text of texts) expect([text, ...problemsOf({ [key]: text })]).toEqual([text, expected])
  })

  it.each(wrong.together)('rejects %s: %s', (env, problem) => {
    expect(problemsOf(Object.fromEntries(new URLSearchParams(env)))).toEqual([problem])
  })

  it.each(['QUOTE_TOKEN_KEYS', 'WEBHOOK_SECRET_KEYS'])('rejects a database of several instances without %s', (key) => {
    const env = { DATABASE_URL, QUOTE_TOKEN_KEYS: KEY, WEBHOOK_SECRET_KEYS: KEY }
    const problem = `${key} must be set beside DATABASE_URL, the same for all instances; of one set DATABASE_SINGLE_INSTANCE`
    for (const nothing of ['', ' , ']) expect(problemsOf({ ...env, [key]: nothing })).toEqual([problem])
  })

  it.each(Object.entries(wrong.unknown))('rejects the unknown setting %s and suggests "%s"', (key, likely) => {
    const suggestion = likely === '' ? '' : ` (did you mean ${likely}?)`
    expect(problemsOf({ [key]: SECRET })).toEqual([`${key} is not a setting of this service${suggestion}`])
  })

  it('each setting of a venue names the value that it expects', () => {
    const settings = VENUE_DEFINITIONS.flatMap(({ id, settings: own }) => own.map((setting) => ({ id, ...setting })))
    expect(settings.length).toBeGreaterThan(0)
    const zero = `0x${'0'.repeat(40)}`
    for (const { id, name, expects } of settings) {
      const isAddress = /^an EVM address,|EVM addresses|1=0x/.test(expects)
      for (const text of isAddress ? ['never valid', zero, `1=${zero}`] : ['\u0000 never valid'])
        expect(problemsOf({ [keyOf(id, name)]: text })).toContain(`${keyOf(id, name)} must be ${expects}`)
    }
  })

  it('reports all problems at once, by name and never by value', () => {
    const names =
      'PORT NETWORK LOG_LEVEL QUOTE_TOKEN_KEYS VENUES_ENABLED RPC_URLS_1 TRUSTED_PROXIES FEE_SCHEDULE DATABASE_URL ' +
      `DATABASE_POOL_MAX DATABASE_SINGLE_INSTANCE QUOTE_TYPO ${keyOf(IDS[0] ?? '', 'BASE_URL')}`
    const env = { ...Object.fromEntries(names.split(' ').map((name) => [name, SECRET])), QUOTE_SOFT_DEADLINE_MS: '60000' }
    const problems = problemsOf(env)
    expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual(Object.keys(env).toSorted())
    const error = new ConfigError(problems)
    expect(`${error.message}${inspect(error)}`).not.toContain(SECRET)
    for (const problem of problems) expect(error.message).toContain(problem)
  })

  it('ignores the variables of shells, npm, systemd, Kubernetes, Docker and databases', () => {
    const names =
      'HOME PATH HOSTNAME XDG_DATA_HOME npm_config_cache NODE_ENV NPM_CONFIG_LOGLEVEL NOTIFY_SOCKET KUBERNETES_PORT ' +
      'METRIC_SERVICE_HOST METRIC_SERVICE_PORT METRIC_PORT DOCKER_HOST CI CI_SERVER_PORT BUILD_NUMBER PGHOST PGPORT DBHOST ' +
      'DBPORT LOGLEVEL REPORT MYPORT SERVICE_HOST SMTP_PORT HTTP_PROXY DEBUG'
    expect(problemsOf(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([])
  })

  it('ignores what Kubernetes sets for a service that is called redis, and still finds a mistyped setting of Redis', () => {
    const set =
      'SERVICE_HOST=10.0.0.11 SERVICE_PORT=6379 SERVICE_PORT_REDIS=6379 PORT=tcp://10.0.0.11:6379 ' +
      'PORT_6379_TCP=tcp://10.0.0.11:6379 PORT_6379_TCP_PROTO=tcp PORT_6379_TCP_PORT=6379 PORT_6379_TCP_ADDR=10.0.0.11'
    const env = Object.fromEntries(set.split(' ').map((one) => `REDIS_${one}`.split('=')))
    expect(problemsOf(env)).toEqual([])
    const problem = 'REDIS_KEY_PREFX is not a setting of this service (did you mean REDIS_KEY_PREFIX?)'
    expect(problemsOf({ ...env, REDIS_KEY_PREFX: 'a' })).toEqual([problem])
  })
})

const fileWith = (content: string, mode = 0o600): string => {
  const path = join(aFolder(), 'do-not-print-me')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

const payable = { ...mainnet, X402_PAY_TO_EVM: EVM, X402_FACILITATOR_URL }

it.each<[setting: string, text: string, around: Environment, place: string]>([
  ['QUOTE_TOKEN_KEYS', `${KEY},${OTHER_KEY}`, {}, 'quote.tokenKeys'],
  ['WEBHOOK_SECRET_KEYS', KEY, {}, 'partners.webhooks.secretKeys'],
  ['DATABASE_URL', DATABASE_URL, { DATABASE_SINGLE_INSTANCE: 'true' }, 'database.url'],
  ['REDIS_URL', 'redis://:word@redis.example:6379', { QUOTE_TOKEN_KEYS: KEY }, 'redis.url'],
  ['X402_FACILITATOR_TOKEN', 'sesame', payable, 'x402.facilitator.token'],
  ['RPC_URLS_1', 'https://a.example/v2/sesame,https://b.example', mainnet, 'rpcUrls.1'],
  ['VENUE_NEAR_INTENTS_API_KEY', 'sesame', {}, 'venues.near-intents.apiKey'],
])('secret file: %s is read without the newline at its end [config-secret-files]', (setting, text, around, place) => {
  const config = parseConfig({ ...around, [`${setting}_FILE`]: fileWith(`${text}\n`) })
  expect(String(valueAt(config, place))).toBe(text)
})

it('secret file: a shared key in a file counts as set and is checked like the setting', () => {
  const env = { DATABASE_URL, WEBHOOK_SECRET_KEYS: KEY }
  expect(problemsOf({ ...env, QUOTE_TOKEN_KEYS_FILE: fileWith(KEY) })).toEqual([])
  expect(problemsOf({ ...env, QUOTE_TOKEN_KEYS_FILE: fileWith('short') })).toEqual([
    'QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma',
  ])
})

it('secret file: the start stops if the setting is set as well, or if the setting is no secret', () => {
  const both = 'QUOTE_TOKEN_KEYS and QUOTE_TOKEN_KEYS_FILE are both set: leave one of them out'
  expect(problemsOf({ QUOTE_TOKEN_KEYS: KEY, QUOTE_TOKEN_KEYS_FILE: fileWith(OTHER_KEY) })).toEqual([both])
  const unknown = 'QUOTE_DEADLINE_MS_FILE is not a setting of this service'
  expect(problemsOf({ QUOTE_DEADLINE_MS_FILE: fileWith('4000') })).toEqual([unknown])
})

it.skipIf(lacks('mkfifo'))(
  'secret file: an unusable file stops the start; the problem names the setting, never the path [config-secret-files]',
  () => {
    const pipe = join(aFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const [path, problem] of [
      [join(aFolder(), 'nowhere'), 'names no file'],
      [pipe, 'names something that is no file'],
      [fileWith(' , \n'), 'names an empty file'],
      [fileWith('a'.repeat(70_000)), 'names a file of more than 64 KiB'],
      [fileWith(KEY, 0o620), 'names a file that others may write: chmod 600 it'],
      [fileWith(KEY, 0o602), 'names a file that others may write: chmod 600 it'],
      [`${fileWith(KEY)}/below`, 'names a file that cannot be read (ENOTDIR)'],
    ] as const)
      expect(problemsOf({ QUOTE_TOKEN_KEYS_FILE: path })).toEqual([`QUOTE_TOKEN_KEYS_FILE ${problem}`])
  },
)

it('secret file: a file that every user may read is accepted with a warning', () => {
  const warning = 'QUOTE_TOKEN_KEYS_FILE names a file that every user of this machine may read: chmod 600 it'
  for (const mode of [0o444, 0o400, 0o440, 0o600])
    expect(parseConfig({ QUOTE_TOKEN_KEYS_FILE: fileWith(KEY, mode) }).warnings).toEqual(mode === 0o444 ? [warning] : [])
})

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const page = textOf('engine/config/README.md')

/** The name on the page: `<chainId>` stands for every chain. */
const nameOf = (key: string): string => key.replace(/^(RPC_URLS|CONFIRMATIONS)_\d+$/, '$1_<chainId>')

const readBy = (env: Environment): readonly string[] => {
  const keys: string[] = []
  const get = (target: Environment, key: string | symbol) => {
    if (typeof key === 'string') keys.push(key)
    return Reflect.get(target, key) as string | undefined
  }
  parseConfig(new Proxy(env, { get }))
  return keys
}

const read = [...new Set([...readBy({}), ...readBy({ NETWORK: 'mainnet' })])]
const missing = (names: readonly string[], listed: { has(name: string): boolean }) => names.filter((name) => !listed.has(name))

it('settings page: lists every setting that the service reads, and no other [config-documented]', () => {
  const own = read.filter((key) => !key.startsWith('VENUE_') && !key.endsWith('_FILE')).map(nameOf)
  expect(own.length).toBeGreaterThan(50)
  expect(missing(own, { has: (name) => page.includes(`\`${name}\``) })).toEqual([])
  const cells = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell)
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z0-9_]+(?:<chainId>)?)`/g)].map(([, name = '']) => name))
  expect(listed.length).toBeGreaterThan(50)
  // Not read by the proxy above: only the offline network's cache uses it.
  expect(missing(listed, new Set([...read.map(nameOf), 'XDG_CACHE_HOME']))).toEqual([])
})

it('VENUES.md: lists every setting of a venue, and no other [config-documented]', () => {
  const listed = [...textOf('engine/venues/VENUES.md').matchAll(/`(VENUE_[A-Z0-9_]+)`/g)].map(([, name = '']) => name)
  const own = read.filter((key) => /^VENUE_(?!.*_(BASE_URL|API_KEY|REQUESTS_PER_MINUTE|FILE)$)/.test(key))
  expect(own.length).toBeGreaterThan(60)
  expect([missing(own, new Set(listed)), missing(listed, new Set(read))]).toEqual([[], []])
})

it('settings page: names each secret that can be in a file', () => {
  const [, secrets = ''] = /Secrets \(([^)]+)\) may stand in a file/.exec(page) ?? []
  const inFiles = read.filter((key) => key.endsWith('_FILE') && !key.startsWith('VENUE_')).map((key) => nameOf(key.slice(0, -5)))
  expect(inFiles.length).toBeGreaterThan(4)
  expect(inFiles.filter((name) => !secrets.includes(name.replace(/_(<chainId>|SOLANA|BITCOIN)$/, '_')))).toEqual([])
})
