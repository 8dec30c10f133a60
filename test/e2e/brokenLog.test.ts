import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectService } from '../../scripts/client/service.ts'
import { closing } from '../support/closing.ts'
import { lacks } from '../support/needs.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'
import {
  descendantsOf,
  ownProcesses,
  ready,
  type ServiceProcess,
  spawnService,
  spawnWith,
  stillRunning,
} from './serviceProcess.ts'

/** More than a pipe holds (64 KiB), and than is written at once. */
const LINES = 500
const STOP_MS = 6_000

const { dataDir, own } = ownProcesses()
const later = closing()

const settings = () => ({ PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir(), RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000' })

const openFor = (path: string, flags: number): number => {
  const descriptor = openSync(path, flags)
  later({ close: () => closeSync(descriptor) })
  return descriptor
}

/** An open pipe without a reader. */
const stalledPipe = (): number => {
  const path = join(dataDir(), 'log')
  execFileSync('mkfifo', [path])
  return openFor(path, constants.O_RDWR | constants.O_NONBLOCK)
}

const expectServed = async (url: string): Promise<void> => {
  const client = connectService(url)
  for (let i = 0; i < LINES; i += 1) expect((await client.send('GET', '/api/v1/health')).status).toBe(200)
}

/** Ends those of them that are still there when the test is over. */
const endLater = (pids: () => readonly number[]): void => {
  later({
    close: () => {
      for (const pid of stillRunning(pids())) process.kill(pid, 'SIGKILL')
    },
  })
}

/** The processes below a service that has started a chain's node. They end with the test. */
const withNodes = async (service: ServiceProcess, url: string): Promise<readonly number[]> => {
  await connectService(url).call('quote', { body: TRANSACTION_SWAP })
  const pids = descendantsOf(service.child.pid ?? 0)
  expect(pids.length).toBeGreaterThan(0)
  endLater(() => pids)
  return pids
}

describe.skipIf(lacks('linux', 'ps', 'mkfifo'))('a log that cannot be written [ops-log-never-blocks]', () => {
  it.each<[string, () => number | undefined]>([
    ['its disk is full', () => openFor('/dev/full', constants.O_WRONLY)],
    ['its reader stalls', stalledPipe],
    ['its reader is gone, as that of standard error', () => undefined],
  ])('because %s neither stops the service nor delays its stop', async (_why, open) => {
    const stdout = open()
    const service = own(spawnService(settings(), [], stdout ?? 'pipe'))
    const { url } = await ready(service)
    if (stdout === undefined) for (const stream of [service.child.stdout, service.child.stderr]) stream?.destroy()
    const nodes = await withNodes(service, url)
    await expectServed(url)
    service.child.kill('SIGTERM')
    const late = new Promise((resolve) => setTimeout(resolve, STOP_MS, 'still running').unref())
    expect(await Promise.race([service.ended, late])).toEqual({ code: 0, signal: null })
    await expect.poll(() => stillRunning(nodes), { timeout: STOP_MS }).toEqual([])
  })

  it('continues as soon as its reader reads again', async () => {
    const pipe = stalledPipe()
    const env = { ...settings(), NETWORK: 'mainnet', VENUES_ENABLED: 'relay' }
    const { url } = await ready(own(spawnService(env, [], pipe)))
    await expectServed(url)
    const last = (await connectService(url).send('GET', '/api/v1/health')).headers.get('x-request-id') ?? ''
    const chunk = Buffer.alloc(65_536)
    let text = ''
    const read = (): string => {
      try {
        text += chunk.toString('utf8', 0, readSync(pipe, chunk))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
      return text
    }
    await expect.poll(read, { timeout: 5_000, interval: 5 }).toContain(last)
    const lines = text.trimEnd().split('\n')
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event)
    // Readiness changes when no venue answers.
    expect(events.filter((event) => event !== 'service.readiness')).toEqual(Array(LINES + 1).fill('request'))
  })
})

/** Starts `npm start` with pipes of its own, and passes its standard error on. */
const PARENT = `
  const npm = require('node:child_process').spawn('npm', ['start'], { stdio: ['ignore', 'pipe', 'pipe'] })
  npm.stderr.pipe(process.stderr)`

it.skipIf(lacks('ps'))(
  'npm start, whose parent is killed, continues to serve, and leaves no chain node when npm is stopped',
  async () => {
    const parent = own(spawnWith(settings(), process.execPath, ['-e', PARENT]))
    const { url } = await ready(parent)
    const all = await withNodes(parent, url)
    parent.child.kill('SIGKILL')
    await expectServed(url)
    process.kill(all[0] ?? 0, 'SIGTERM')
    await expect.poll(() => stillRunning(all), { timeout: STOP_MS }).toEqual([])
  },
)
