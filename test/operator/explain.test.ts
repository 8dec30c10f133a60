import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import type { ToldRace } from '../../engine/core/toldRace.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { executeAs, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { type ServiceProcess, spawnService } from '../e2e/serviceProcess.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { operator, operatorJson } from './operatorProcess.ts'

type Race = ToldRace & { readonly quoteId: string | null; readonly requestId: string | null; readonly from: string }
type Line = { readonly event: string; readonly time: number; readonly [field: string]: unknown }
type Explained = {
  readonly races: readonly Race[]
  readonly swaps: readonly { readonly swap: { readonly id: number; readonly quoteId: string; readonly requestId: string } }[]
  readonly log: readonly Line[]
  readonly unread: readonly string[]
}

/** 0.05 BTC to USDC on Base, for whoever sells it. */
const { excludeVenues: _none, ...ANY_VENUE } = DEPOSIT_SWAP

let dataDir: string
let logFile: string
let database: OwnDatabase
let process: ServiceProcess
let service: ServiceClient
let control: NetworkControl
let env: Environment

/** What it says once it listens; the ready line is the last. */
const listening = ({ child, stderr, ended }: ServiceProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stderr?.on('data', () => {
      if (/^Listening on /m.test(stderr())) resolve(stderr())
    })
    void ended.then(() => reject(new Error(`the service did not start: ${stderr()}`)))
  })

const addressAfter = (said: string, words: string): string => new RegExp(`^${words}(http://\\S+)$`, 'm').exec(said)?.[1] ?? ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-explain-'))
  logFile = join(dataDir, 'service.log')
  database = await ownDatabase()
  const settings = {
    PORT: '0',
    METRICS_PORT: 'off',
    SIMNET_CONTROL_PORT: '0',
    SIMNET_SEED: '1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    VENUES_ENABLED: 'near-intents,relay,thorchain,chainflip,cow',
    ...database.env,
  }
  const log = openSync(logFile, 'a')
  process = spawnService(settings, [], log)
  closeSync(log)
  const said = await listening(process)
  const [url, controlUrl] = [addressAfter(said, 'Listening on '), addressAfter(said, 'Offline network control: ')]
  ;[service, control] = [connectService(url), controlNetwork(controlUrl)]
  env = { DATA_DIR: dataDir, ...database.env, SIMNET_CONTROL_PORT: new URL(controlUrl).port }
}, 60_000)
afterAll(async () => {
  process.child.kill('SIGTERM')
  await process.ended
  await database.remove()
  await rm(dataDir, { recursive: true, force: true })
})

const explain = (...args: readonly string[]): Promise<Explained> => operatorJson<Explained>(env, 'explain', ...args)
/** Ids of quotes may begin with `-`. */
const explainId = async (id: string): Promise<Explained> => {
  const { stdout } = await operator(env, 'explain', '--json', '--log', logFile, '--', id)
  return JSON.parse(stdout) as Explained
}

/** Until what happened stands in the log: it is written in blocks. */
const logged = async (text: string): Promise<string> => {
  await expect.poll(() => readFile(logFile, 'utf8'), { timeout: 5_000 }).toContain(text)
  return readFile(logFile, 'utf8')
}

const paidSwap = async () => {
  const { quoteToken, venue } = await service.call('quote', { body: { ...ANY_VENUE, excludeVenues: ['relay'] } })
  const { deposit, statusRef } = await executeAs(service, 'DEPOSIT', { quoteToken })
  const { txHash } = await control.deposit({
    chainId: -1,
    token: NATIVE,
    address: deposit.address,
    amount: deposit.amount,
  })
  await control.advance(60 * 60_000)
  const status = await statusOf(service, { quoteToken, ref: statusRef })
  return { venue: venue.id, ref: statusRef, txHash, state: status.status }
}

describe('explain', { timeout: 60_000 }, () => {
  it('explains a swap by any of its ids: the venue choice, the proof, each status check and the payments [operator-explain]', async () => {
    const { venue, ref, txHash, state } = await paidSwap()
    expect(state).toBe('success')
    const text = await logged('"operationId":"status"')
    const byRef = await explain(ref, '--log', logFile)
    const [{ swap } = { swap: { id: 0, quoteId: '', requestId: '' } }] = byRef.swaps
    const [race] = byRef.races
    expect(race).toMatchObject({ quoteId: swap.quoteId, from: 'log', unwilling: expect.arrayContaining(['cow']) })
    expect(race?.runs.find(({ rank }) => rank === 1)).toMatchObject({ venue, amount: expect.stringMatching(/^\d+$/) })
    expect(byRef.log.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['quote.served', 'swap.executed', 'swap.tracked', 'request', 'venue.call']),
    )
    const foreign = byRef.log.filter(({ quoteId }) => quoteId !== undefined && quoteId !== swap.quoteId)
    expect([foreign, byRef.unread]).toEqual([[], []])
    for (const line of byRef.log.filter(({ event }) => event.startsWith('swap.')))
      expect(line).toMatchObject({ quoteId: swap.quoteId, swapId: swap.id, ref, requestId: expect.any(String) })
    for (const id of [String(swap.id), txHash, String(race?.requestId)]) {
      const told = await explainId(id)
      expect([id, told.swaps.map((one) => one.swap.id), told.races.map(({ quoteId }) => quoteId)]).toEqual([
        id,
        [swap.id],
        [swap.quoteId],
      ])
      expect(told.log.length).toBe(byRef.log.length)
    }
    const { stdout } = await operator(env, 'explain', ref, '--log', logFile)
    expect(stdout).toMatch(new RegExp(`^1 +${venue} +offer +\\d+`, 'm'))
    expect(stdout).toMatch(new RegExp(`^${venue} won by the output after fees: `, 'm'))
    expect(stdout).toMatch(/^proof +recipient .*, minimum /m)
    expect(stdout).toMatch(/swap\.tracked .*before=\w+ state=success/)
    expect(stdout).not.toContain('Not read')

    const half = text.lastIndexOf('\n', text.length / 2) + 1
    const [older, newer] = [join(dataDir, 'service.log.1.gz'), join(dataDir, 'service.log.0')]
    await writeFile(older, gzipSync(text.slice(0, half)))
    await writeFile(newer, text.slice(half))
    expect((await explain(ref, '--log', newer, older)).log).toEqual(byRef.log)
    const late = await explain(ref, '--log', newer, join(dataDir, 'none.log'))
    expect(late.unread).toEqual(expect.arrayContaining([expect.stringContaining('none.log: ENOENT')]))
  })

  it('explains a race from the store alone, with all venues and the margin, and reports that no log was read', async () => {
    const { venue, ref } = await paidSwap()
    const told = await explain(ref)
    expect(told.races).toMatchObject([{ from: 'store', runs: [{ venue, rank: 1 }, ...(told.races[0]?.runs ?? []).slice(1)] }])
    expect(told.races[0]?.runs.length).toBeGreaterThan(1)
    expect([told.log, told.unread]).toEqual([[], [expect.stringContaining('the log: none was given')]])
    expect((await operator(env, 'explain', ref)).stdout).toContain('Not read')
  })

  it('explains a failed quote by its request id, with the reason of each venue, and exits with 3 for an unknown id', async () => {
    const refused = await service.send('POST', '/api/v1/quote', { body: { ...ANY_VENUE, inputAmount: '1' } })
    const requestId = refused.headers.get('x-request-id') ?? ''
    expect(refused.status).toBe(404)
    await logged(requestId)
    const told = await explain(requestId, '--log', logFile)
    expect(told.swaps).toEqual([])
    expect(told.races[0]?.runs.length).toBeGreaterThan(0)
    for (const run of told.races[0]?.runs ?? []) expect([run.kind, run.rank]).toEqual([expect.any(String), undefined])
    expect(told.log).toMatchObject(expect.arrayContaining([expect.objectContaining({ event: 'request', code: 'NO_LIQUIDITY' })]))
    const unknown = await operator(env, 'explain', 'nothing-like-it', '--log', logFile)
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('Nothing was found for nothing-like-it')])
  })
})
