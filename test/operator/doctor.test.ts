import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { Secret } from '../../engine/core/secret.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { createMonitorServer } from '../../handlers/monitor/monitorServer.ts'
import { aheadOf, judgeChain, judgeClock, judgeHostClocks } from '../../scripts/operator/doctor/clocks.ts'
import { judgeDisk } from '../../scripts/operator/doctor/dataFolder.ts'
import { checkTokenKeys, judgeBacklog, judgeStore } from '../../scripts/operator/doctor/records.ts'
import { checkMonitor, checkRedis } from '../../scripts/operator/doctor/services.ts'
import { lacks } from '../support/needs.ts'
import { isOverPostgres } from '../support/postgres/ownDatabase.ts'
import { startRedis } from '../support/redisServer.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { operator } from './operatorProcess.ts'

type Told = {
  readonly fail: number
  readonly findings: readonly {
    readonly check: string
    readonly state: string
    readonly says: string
    readonly todo: string | null
  }[]
}

let service: TestService
let dataDir: string
let env: Environment

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-operator-'))
  service = await startService({ ...only('across'), DATA_DIR: dataDir, METRICS_PORT: '0' })
  env = {
    DATA_DIR: dataDir,
    ...service.databaseEnv,
    VENUES_ENABLED: 'across',
    SIMNET_CONTROL_PORT: new URL(service.control.url).port,
    METRICS_PORT: new URL(service.monitorUrl ?? '').port,
  }
})
afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

const examine = async (over: Environment = {}) => {
  const { code, stdout } = await operator({ ...env, ...over }, 'doctor', '--json')
  const told = JSON.parse(stdout) as Told
  return { code, told, stateOf: (check: string) => told.findings.find((finding) => finding.check === check)?.state }
}

describe('doctor', { timeout: 60_000 }, () => {
  it('finds no problem with a healthy service after all checks, and exits with 0', async () => {
    const { code, told } = await examine()
    expect(told.findings.filter(({ state }) => state === 'fail')).toEqual([])
    expect(code).toBe(0)
    const schema = isOverPostgres() ? [] : ['schema']
    const looks = ['configuration', 'data folder', 'disk', 'records', ...schema, 'ledger', 'token keys', 'webhook secrets']
    const rest = [
      'lease',
      'settlement',
      'webhooks',
      'monitor',
      'clock',
      'clock by hosts',
      'chain 1',
      'chain -1',
      'chain -2',
      'venue across',
    ]
    expect(told.findings.map(({ check }) => check)).toEqual(expect.arrayContaining([...looks, ...rest]))
    for (const { state, todo } of told.findings) expect(state === 'ok').toBe(todo === null)
  })

  it('exits with 1 and a remedy for a readable key file, an unusable webhook secret or an unbalanced ledger [operator-doctor]', async () => {
    const store = await openStore(parseConfig(env), systemClock)
    await store.partners.add({ id: 'ptn_1', kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
    await store.webhooks.set({ partnerId: 'ptn_1', url: 'https://a.example/', sealedSecret: 'a.b.c.d.e' })
    const line = { account: 'payer', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x', amount: 5n } as const
    const odd = { key: 'odd', kind: 'payout', swapId: null, document: {}, lines: [line] } as const
    await store.transaction(({ ledger }) => ledger.book(odd))
    await store.close()
    await chmod(join(dataDir, 'quote-token.key'), 0o644)
    const { code, told, stateOf } = await examine()
    expect([code, stateOf('data folder'), stateOf('webhook secrets'), stateOf('ledger')]).toEqual([1, 'fail', 'fail', 'fail'])
    expect(told.findings.find(({ check }) => check === 'data folder')?.says).toBe('Other users may read quote-token.key.')
    expect(told.findings.find(({ check }) => check === 'ledger')?.says).toContain('odd debits and credits differ by 5')
  })

  it('names unknown settings without their values, and reports missing records', async () => {
    const { code, told } = await examine({ QUOTE_DEADLIN_MS: 'sesame' })
    expect([code, told.findings]).toMatchObject([
      1,
      [
        {
          check: 'configuration',
          state: 'fail',
          says: 'QUOTE_DEADLIN_MS is not a setting of this service (did you mean QUOTE_DEADLINE_MS?).',
        },
      ],
    ])
    const lost = await examine({ DATA_DIR: join(dataDir, 'elsewhere'), DATABASE_URL: '', SIMNET_CONTROL_PORT: '9' })
    expect([lost.code, lost.stateOf('records'), lost.stateOf('offline network')]).toEqual([1, 'fail', 'warn'])
  })
})

describe('doctor: services beside the records', () => {
  const http = createHttpClient({ userAgent: 'test' })
  afterAll(() => http.close())
  const monitorAt = async (port: number) =>
    (await checkMonitor({ monitor: { host: '0.0.0.0', port, page: false } }, http)).map(({ state }) => state)

  it('reports a service that is not ready, another program on its port, and warns when none runs', async () => {
    let told = { ready: false, reasons: ['store'] }
    let text = ''
    const own = createMonitorServer({ isReady: () => told, metrics: async () => ({ contentType: 'text/plain', text }) })
    own.listen(0, '127.0.0.1')
    await once(own, 'listening')
    const { port } = own.address() as AddressInfo
    const [finding] = await checkMonitor({ monitor: { host: '127.0.0.1', port, page: false } }, http)
    expect(finding).toMatchObject({ state: 'fail', says: `The service at METRICS_PORT ${port} is not ready: store.` })
    told = { ready: true, reasons: [] }
    expect(await monitorAt(port)).toEqual(['ok'])
    text =
      'swap_venue_rejecting{venue="zerox",call="execute",chain="59144"} 1\nswap_venue_pins_differing{venue="relay"} 2\nswap_venue_pins_unread{venue="cow"} 1\nswap_proxy_untrusted_requests_total{peer="private"} 30\n'
    const [, rejecting, differing, unread, proxy] = await checkMonitor(
      { monitor: { host: '127.0.0.1', port, page: false } },
      http,
    )
    const says = 'Checks of the service reject every recent execute answer of zerox on chain 59144.'
    expect(rejecting).toMatchObject({ check: 'venue zerox', state: 'warn', says })
    expect(differing?.says).toBe('relay publishes 2 values that differ from what the service pins.')
    expect(unread).toMatchObject({
      check: 'venue cow',
      state: 'warn',
      says: expect.stringContaining('could not read 1 of the lists'),
    })
    expect(proxy).toMatchObject({ check: 'proxy', state: 'warn', todo: 'Read SwapProxyUntrusted in operations/RUNBOOK.md.' })
    own.close()
    await once(own, 'close')
    expect(await monitorAt(port)).toEqual(['warn'])
    expect(await monitorAt(Number(new URL(service.control.url).port))).toEqual(['fail'])
    expect(await checkMonitor({ monitor: { host: '127.0.0.1', port: null, page: false } }, http)).toEqual([])
  })

  it('operator rejected: lists stored responses by check, and prints those of one check [operator-doctor]', async () => {
    expect((await operator(env, 'rejected')).stdout).toBe('No rejected answer is stored.\n')
    const at = Date.now()
    const sample = { at, venue: 'relay', call: 'quote', check: 'relay.router', found: '0xbad', swap: {}, exchanges: [] }
    await mkdir(join(dataDir, 'rejected'))
    await writeFile(join(dataDir, 'rejected', `0000000001-${at}-00000000-relay.router.json`), JSON.stringify(sample))
    await writeFile(join(dataDir, 'rejected', `0000000002-${at}-00000000-relay.router.json`), 'null')
    expect((await operator(env, 'rejected')).stdout).toMatch(/Z +relay\.router +quote +0xbad/)
    const { samples } = JSON.parse((await operator(env, 'rejected', 'relay.router', '--json')).stdout)
    expect(samples).toEqual([sample])
  })

  it('warns about an unreachable Redis without printing its password', async () => {
    const findings = await checkRedis({ redis: { url: new Secret('redis://:sesame@127.0.0.1:9'), keyPrefix: 'swap:' } })
    expect(findings).toMatchObject([{ check: 'redis', state: 'warn', says: expect.stringContaining('ECONNREFUSED') }])
    expect(JSON.stringify(findings)).not.toContain('sesame')
    expect(await checkRedis({ redis: { url: null, keyPrefix: 'swap:' } })).toEqual([])
  })

  it.skipIf(lacks('redis-server'))('reports ok for a Redis that answers', async () => {
    const redis = await startRedis()
    const [found] = await checkRedis({ redis: { url: new Secret(redis.url), keyPrefix: 'swap:' } })
    await redis.close()
    expect(found).toMatchObject({ check: 'redis', state: 'ok' })
  })

  it('warns about a secret in a file that other users can read', async () => {
    const file = join(dataDir, 'facilitator')
    await writeFile(file, 'ab'.repeat(32), { mode: 0o644 })
    const { told } = await examine({ WEBHOOK_SECRET_KEYS_FILE: file })
    expect(told.findings.find(({ check }) => check === 'configuration')).toMatchObject({
      state: 'warn',
      says: 'WEBHOOK_SECRET_KEYS_FILE names a file that every user of this machine may read: chmod 600 it.',
    })
  })
})

describe('doctor: thresholds', () => {
  it('grades the clock by the Date headers of venue hosts', () => {
    const date = 'Mon, 23 Nov 2026 04:00:00 GMT'
    const at = Date.parse(date) + 500
    const aheadBy = (ms: number, age = '0') => aheadOf({ headers: { date, age } }, at + ms - 100, at + ms + 100)
    expect([aheadBy(0), aheadBy(4_000), aheadBy(60_000, '60'), aheadOf({ headers: {} }, 0, 0)]).toEqual([0, 4_000, 0, null])
    const judged = (...ahead: readonly number[]) => judgeHostClocks(ahead).map(({ state, says }) => [state, says])
    expect(judged(3_000, -2_000, 900_000)).toMatchObject([['ok', expect.any(String)]])
    expect(judged(40_000)).toMatchObject([
      ['warn', expect.stringMatching(/40 s ahead of .* a payment made after an \/execute looks older/)],
    ])
    expect(judged(400_000, 401_000)).toMatchObject([['fail', expect.stringMatching(/looks older than its swap/)]])
    expect(judged(-400_000)).toMatchObject([['fail', expect.stringMatching(/400 s behind .* quotes and deadlines/)]])
    expect(judged()).toEqual([])
  })

  it('warns about open swaps that no configured token key can read', () => {
    const config = parseConfig({ ...env, QUOTE_TOKEN_KEYS: 'ab'.repeat(32) })
    const use = { tokenKey: 'sesame', state: 'processing', swaps: 3, newestAt: 1 } as const
    expect(checkTokenKeys(config, [use])).toMatchObject([{ state: 'warn', says: expect.stringContaining('3 open swaps') }])
    expect(checkTokenKeys(config, [{ ...use, tokenKey: null }])).toMatchObject([{ state: 'ok' }])
  })

  const sight = (chainId: 1 | 10 | -1, ageMs: number | null, endpoint = 1, of = 1) => ({ chainId, endpoint, of, ageMs })
  const backlog = {
    ...{ oldestUnseenAt: null, backedUpAt: null, passedAt: null },
    looks: { open: 2, due: 1, oldestDueAt: 0, abandoned: 0 },
    deliveries: { due: 0, oldestDueAt: null, unfinished: 0 },
  }

  it.each([
    ['agrees', [sight(1, 20_000), sight(10, 2_000)], /^ok .* agrees/],
    ['is behind', [sight(1, -40_000), sight(10, -60_000)], /^fail .* 40 s behind/],
    [
      'is ahead, or every chain lags',
      [sight(1, 900_000)],
      /^fail .* 900 s ahead .* a payment made after an \/execute looks older than its swap/,
    ],
    ['is unknown with Bitcoin alone', [sight(-1, -900_000)], /^warn/],
  ] as const)('grades the clock against block times: the clock %s', (_what, sights, found) => {
    const { state, says } = judgeClock(sights)
    expect(`${state} ${says}`).toMatch(found)
  })

  it('fails a chain without a working endpoint, and warns when one of two fails', () => {
    expect(judgeChain([sight(1, null)]).map(({ state }) => state)).toEqual(['fail'])
    expect(judgeChain([sight(1, null, 1, 2), sight(1, 5_000, 2, 2)]).map(({ state }) => state)).toEqual(['warn', 'ok'])
    expect(judgeChain([sight(1, 600_000)])[0]?.state).toBe('warn')
    expect(judgeChain([sight(1, 200_000, 1, 2), sight(1, 5_000, 2, 2)]).map(({ says }) => says)[0]).toContain(
      '195 s behind another one',
    )
    expect(judgeChain([sight(-1, 600_000)])[0]?.state).toBe('ok')
  })

  it('grades disk space, schema and backlog', () => {
    const mib = 1024 * 1024
    expect([2_000, 500, 50].map((free) => judgeDisk(free * mib).state)).toEqual(['ok', 'warn', 'fail'])
    const condition = { damages: [], pendingMigrations: [], unknownMigrations: [], obstacle: null }
    const statesOf = (change: object) => judgeStore({ ...condition, ...change }).map(({ state }) => state)
    expect([
      statesOf({}),
      statesOf({ damages: ['page 3'] }),
      statesOf({ pendingMigrations: ['x'] }),
      statesOf({ unknownMigrations: ['x'] }),
      statesOf({ unknownMigrations: ['x'], obstacle: 'it needs x' }),
    ]).toEqual([
      ['ok', 'ok'],
      ['fail', 'ok'],
      ['ok', 'warn'],
      ['ok', 'warn'],
      ['ok', 'fail'],
    ])
    const lateBy = (now: number, until: number) =>
      judgeBacklog({ ...backlog, leases: [{ name: 'settlement', holder: 'a', until }] }, now, 1_000).map(({ state }) => state)
    expect([lateBy(500, 900), lateBy(5_000, 9_000), lateBy(90_000, 0)]).toEqual([
      ['ok', 'ok', 'ok'],
      ['ok', 'warn', 'ok'],
      ['warn', 'fail', 'ok'],
    ])
  })
})
