import { execFile } from 'node:child_process'
import { Agent, createServer, request } from 'node:http'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { freePort } from '../support/freePort.ts'
import { listening } from '../support/listening.ts'
import { missingNeeds } from '../support/needs.ts'
import { ownProcesses, ready, spawnService } from './serviceProcess.ts'

const { dataDir, own } = ownProcesses()
/** Accepts connections, and answers nothing. */
let silent: Awaited<ReturnType<typeof listening>>
beforeEach(async () => {
  silent = await listening(createServer().on('clientError', () => undefined))
})
afterEach(() => silent.close())

const start = (env: Environment) =>
  own(spawnService({ PORT: '0', NETWORK: 'mainnet', DATA_DIR: dataDir(), LOG_LEVEL: 'silent', ...env }))

const told = async (url: string): Promise<{ readonly status: number; readonly body: unknown } | null> => {
  try {
    const response = await fetch(url)
    return { status: response.status, body: await response.json() }
  } catch {
    return null
  }
}
const unready = (reason: string) => ({ status: 503, body: { ready: false, reasons: [reason] } })
/** A program that prints the first 503 of `/ready`. */
const UNTIL_UNREADY = `
  const { serve } = await import('./scripts/serve.ts')
  const { monitorUrl, close } = await serve(process.env)
  for (let response; response?.status !== 503; await new Promise((next) => setTimeout(next, 100))) {
    response = await fetch(monitorUrl + '/ready')
    if (response.status === 503) console.log(await response.text())
  }
  await close()
`
const POLL = { timeout: 15_000, interval: 10 }

describe('readiness', () => {
  it('is 503 starting while the database does not answer, until the start fails with one line [ready-start-and-drain]', async () => {
    const port = await freePort()
    const service = start({
      METRICS_PORT: String(port),
      DATABASE_URL: `postgres://postgres@127.0.0.1:${silent.port}/swaps`,
      QUOTE_TOKEN_KEYS: 'ab'.repeat(32),
      WEBHOOK_SECRET_KEYS: 'cd'.repeat(32),
    })
    await expect.poll(() => told(`http://127.0.0.1:${port}/ready`), POLL).toEqual(unready('starting'))
    expect(await told(`http://127.0.0.1:${port}/live`)).toEqual({ status: 200, body: { live: true } })
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.stderr().trimEnd()).toMatch(/^DATABASE_URL cannot be used: .+$/)
  })

  const firstUnready = async (env: Environment, ...wrapper: readonly string[]): Promise<unknown> => {
    const [command = '', ...args] = [...wrapper, process.execPath, '--input-type=module', '-e', UNTIL_UNREADY]
    const settings = { PORT: '0', METRICS_PORT: '0', NETWORK: 'mainnet', DATA_DIR: dataDir(), LOG_LEVEL: 'silent' }
    const { PATH } = process.env
    const { stdout } = await promisify(execFile)(command, args, { env: { PATH, ...settings, ...env }, timeout: 30_000 })
    return JSON.parse(stdout)
  }
  const VENUES_UNREADY = { ready: false, reasons: ['venues'] }

  it('is 503 while no venue can be reached, without any quote [ready-start-and-drain]', async () => {
    const env = { VENUES_ENABLED: 'relay', VENUE_RELAY_BASE_URL: 'http://127.0.0.1:9' }
    expect(await firstUnready(env)).toEqual(VENUES_UNREADY)
  })

  it.skipIf(missingNeeds().includes('unshare'))('is 503 within seconds of a start in a network without a route', async () => {
    const wrapper = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
    expect(await firstUnready({}, ...wrapper)).toEqual(VENUES_UNREADY)
  })

  it('is 503 draining from the signal to the end, which further signals do not cut short [ready-start-and-drain]', async () => {
    const service = start({ METRICS_PORT: '0' })
    const { url } = await ready(service)
    const monitorUrl = /^Monitoring on (http:\/\/\S+)$/m.exec(service.stderr())?.[1] ?? ''
    expect(await told(`${monitorUrl}/ready`)).toEqual({ status: 200, body: { ready: true, reasons: [] } })
    // An idle client delays the end.
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve) =>
      request(`${url}/api/v1/chains`, { agent }, (response) => response.resume().on('end', resolve)).end(),
    )
    service.child.kill('SIGTERM')
    await expect.poll(() => told(`${monitorUrl}/ready`), POLL).toEqual(unready('draining'))
    service.child.kill('SIGTERM')
    service.child.kill('SIGINT')
    expect(await told(`${monitorUrl}/ready`)).toEqual(unready('draining'))
    expect(await service.ended).toEqual({ code: 0, signal: null })
    agent.destroy()
  })
})
