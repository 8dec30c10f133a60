import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { parseAddress } from '../../engine/core/address.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { type CanaryFlags, canary } from '../../scripts/operator/commands/canary.ts'
import { createParties, SWEEP_ENVIRONMENT } from '../../scripts/sweep/runSweep.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { operator } from './operatorProcess.ts'

type Row = { readonly [name in 'venue' | 'route' | 'state' | 'verdict']: string } & {
  readonly executionType: string | null
  readonly reference: { readonly witnesses: number; readonly distanceBps: number } | null
  readonly proof: { readonly recipient: string } | null
  readonly bytes: number
}
type Data = { readonly rows: readonly Row[]; readonly unasked: readonly string[] }

const VENUES = VENUE_DEFINITIONS.map(({ id }) => id)
const { sender } = createParties('canary')
const evm = parseAddress('evm', sender.on(1)) as NonNullable<ReturnType<typeof parseAddress>>
const WALLETS = { addressEvm: evm, addressSolana: sender.on(-2) as typeof evm, addressBitcoin: sender.on(-1) as typeof evm }

describe('canary: every venue on the offline network', { timeout: 120_000 }, () => {
  let service: TestService
  let folder: string
  let env: Environment

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swap-canary-'))
    service = await startService({ ...only(...VENUES), ...SWEEP_ENVIRONMENT })
    env = { ...SWEEP_ENVIRONMENT, DATA_DIR: join(folder, 'none'), SIMNET_CONTROL_PORT: new URL(service.control.url).port }
  }, 120_000)
  afterEach(() => service.control.clearFaults())
  afterAll(async () => {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs it in this process. `sent`: what venues and chains received meanwhile. */
  const run = async (flags: CanaryFlags, over: Environment = {}) => {
    const sent: string[] = []
    const hosts = [service.control.url, ...Object.values(service.simnet.venues).map(({ baseUrl }) => baseUrl)]
    const listen = (message: unknown) => {
      const { request } = message as { request: { origin: string; method: string; path: string; body: unknown } }
      const isOurs = hosts.some((url) => new URL(url).origin === request.origin)
      if (isOurs && request.path !== '/') sent.push(`${request.method} ${request.path} ${String(request.body)}`)
    }
    subscribe('undici:request:create', listen)
    const { data, isFailed = false, lines } = await canary({ ...env, ...over }, flags)
    unsubscribe('undici:request:create', listen)
    return { ...(data as Data), isFailed, lines, sent, verdicts: (data as Data).rows.map(({ verdict }) => verdict) }
  }
  const SENDS = /sendTransaction|sendRawTransaction|^POST (\/tx|\S*\/orders?|\S*submit) /i
  const OPENS = /"dry":false|depositaddress|"useDepositAddress":true|register/i

  it('accepts every route class of every venue, submits nothing, and records responses without API keys [operator-canary]', async () => {
    const record = join(folder, 'recordings')
    const { rows, unasked, isFailed, lines, sent } = await run({ ...WALLETS, openDeposits: true, record })
    expect(rows.filter(({ verdict }) => verdict !== 'accepted')).toEqual([])
    expect([unasked, isFailed, [...new Set(rows.map(({ venue }) => venue))]]).toEqual([[], false, VENUES])
    expect([new Set(rows.map(({ route }) => route)).size, lines.length]).toEqual([5, rows.length + 4])
    for (const { venue, reference, proof, bytes } of rows)
      expect([venue, proof !== null, bytes > 20, Math.abs(reference?.distanceBps ?? 0) < 300]).toEqual([venue, true, true, true])
    const witnessesOf = (venue: string) => rows.findLast((row) => row.venue === venue)?.reference?.witnesses
    expect([witnessesOf('across'), witnessesOf('thorchain')]).toEqual([7, undefined])
    expect(sent.filter((request) => SENDS.test(request))).toEqual([])
    expect(sent.filter((request) => OPENS.test(request)).length).toBeGreaterThan(5)
    const keys = Object.values(service.simnet.venues).flatMap(({ settings }) => settings['API_KEY'] ?? [])
    const texts = new Map<string, string>()
    for (const name of await readdir(record)) texts.set(name, await readFile(join(record, name), 'utf8'))
    expect([keys.length > 0, keys.filter((key) => [...texts.values()].join().includes(key))]).toEqual([true, []])
    for (const { venue, route } of rows) expect([...texts.keys()]).toContain(`${venue}-${route}-quote-1.json`)
    const own = 'kyberswap-EVM_SAME_CHAIN-quote-1.json'
    const modes = [record, join(record, own)].map(async (path) => (await stat(path)).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o700, 0o600])
    expect(JSON.parse(texts.get(own) ?? '')).toMatchObject({
      ...{ source: expect.stringMatching(/^simnet 127\.0\.0\.1:/), date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      ...{ venue: 'kyberswap', call: 'quote', route: 'EVM_SAME_CHAIN', status: 200, answer: { code: 0 } },
      swap: { inputAmount: '25000000', sender: evm },
      request: { method: 'GET', url: expect.stringContaining('/api/v1/routes'), body: null },
    })
  })

  it('skips deposits without --open-deposits, and fails for a venue that has only deposits', async () => {
    const { rows, unasked, isFailed, sent } = await run(WALLETS)
    const others = rows.filter(({ state }) => state !== 'accepted')
    expect(new Set(others.map(({ verdict, executionType }) => `${verdict} ${executionType}`))).toEqual(
      new Set(['deposit not opened DEPOSIT']),
    )
    expect([unasked, isFailed]).toEqual([['near-intents'], true])
    expect(sent.filter((request) => SENDS.test(request) || OPENS.test(request))).toEqual([])
  })

  it('calls no venue without the required addresses, and names each missing one', async () => {
    const { unasked, isFailed, sent, verdicts } = await run({})
    expect([new Set(verdicts), unasked, isFailed, sent]).toEqual([new Set(['needs a funded address']), VENUES, true, []])
    const evmAlone = await run({ addressEvm: evm, venue: ['across', 'cow'] })
    expect([evmAlone.verdicts, evmAlone.isFailed]).toEqual([['accepted', 'needs a funded address', 'accepted'], false])
    const contract = parseAddress('evm', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48') as typeof evm
    const refused = await run({ addressEvm: contract, venue: ['thorchain'], route: ['EVM_SAME_CHAIN'] })
    expect([refused.verdicts, refused.unasked]).toEqual([['needs a funded address'], ['thorchain']])
    expect(refused.lines.join()).toContain('thorchain: there is code at the sender')
  })

  it('names the check that rejects a payload and exits with 1, or with 2 for a wrong option', async () => {
    await service.control.fault('relay', 'wrong-contract')
    const flags = ['--address-evm', evm, '--venue', 'relay,lifi', '--route', 'EVM_CROSS_CHAIN', '--json']
    const { code, stdout } = await operator(env, 'canary', ...flags)
    const { rows } = JSON.parse(stdout) as Data
    expect([code, rows.map(({ verdict }) => verdict)]).toEqual([1, ['accepted', expect.stringMatching(/^relay\.[a-zA-Z]+$/)]])
    expect((await operator(env, 'canary', '--address-evm', `${evm}0`)).code).toBe(2)
    await expect(run({ venue: ['relay'] }, { VENUES_ENABLED: 'cow' })).rejects.toThrow('relay: not enabled')
    await expect(run({ venue: ['cow'], route: ['NATIVE_BITCOIN'] })).rejects.toThrow('None of these venues')
  })

  it('reports a timeout for a venue that hangs, and rejects a price far above all others', async () => {
    await service.control.fault('relay', 'hang')
    await service.control.fault('mayan', 'price-x100')
    const short = { QUOTE_DEADLINE_MS: '1500', QUOTE_SOFT_DEADLINE_MS: '1500' }
    const { verdicts } = await run({ ...WALLETS, venue: ['relay', 'across', 'lifi', 'mayan'], route: ['EVM_CROSS_CHAIN'] }, short)
    expect(verdicts).toEqual(['accepted', 'accepted', 'mayan.outlier', 'timeout'])
  })
})
