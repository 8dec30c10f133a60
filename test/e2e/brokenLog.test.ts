import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { connectService } from '../../scripts/client/service.ts'
import { freePort } from '../../scripts/kills/freePort.ts'
import { closing } from '../support/closing.ts'
import { lacks } from '../support/needs.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'
import { descendantsOf, ownProcesses, ready, type ServiceProcess, spawnService, stillRunning } from './serviceProcess.ts'

/** More than a pipe holds (64 KiB), and than is written at once. */
const LINES = 500
const STOP_MS = 6_000

const { dataDir, own } = ownProcesses()
const later = closing()

/** Ends those of them that are still there when the test is over. */
const endLater = (pids: readonly number[]): void => {
  later({
    close: () => {
      for (const pid of stillRunning(pids)) process.kill(pid, 'SIGKILL')
    },
  })
}

const settings = (): { readonly [name: string]: string } => ({
  PORT: '0',
  SIMNET_CONTROL_PORT: '0',
  METRICS_PORT: 'off',
  DATA_DIR: dataDir(),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000',
})

const openFor = (path: string, flags: number): number => {
  const descriptor = openSync(path, flags)
  later({ close: () => closeSync(descriptor) })
  return descriptor
}

/** An open pipe without a reader. */
const stalledPipe = (): number => {
  const path = join(dataDir(), 'log')
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
  return openFor(path, constants.O_RDWR | constants.O_NONBLOCK)
}

const askOften = async (url: string): Promise<readonly number[]> => {
  const client = connectService(url)
  const statuses: number[] = []
  for (let i = 0; i < LINES; i += 1) statuses.push((await client.send('GET', '/api/v1/health')).status)
  return statuses
}

/** Serves, although its log cannot be written, and stops when asked to, with the chains' nodes it started. */
const expectUndisturbed = async (service: ServiceProcess): Promise<void> => {
  const { url } = await ready(service)
  await connectService(url).call('quote', { body: TRANSACTION_SWAP })
  const children = descendantsOf(service.child.pid ?? 0)
  expect(children.length).toBeGreaterThan(0)
  endLater(children)
  expect(new Set(await askOften(url))).toEqual(new Set([200]))
  service.child.kill('SIGTERM')
  const late = new Promise((resolve) => setTimeout(resolve, STOP_MS, 'still running').unref())
  expect(await Promise.race([service.ended, late])).toEqual({ code: 0, signal: null })
  await expect.poll(() => stillRunning(children), { timeout: STOP_MS }).toEqual([])
}

describe.skipIf(lacks('linux', 'ps', 'mkfifo'))('a log that cannot be written [ops-log-never-blocks]', () => {
  it.each<[string, () => number | undefined]>([
    ['its disk is full', () => openFor('/dev/full', constants.O_WRONLY)],
    ['its reader stalls', stalledPipe],
    ['its reader is gone', () => undefined],
  ])('because %s neither stops the service nor delays its stop', async (_why, open) => {
    const stdout = open()
    const service = own(spawnService(settings(), [], stdout ?? 'pipe'))
    await ready(service)
    if (stdout === undefined) service.child.stdout?.destroy()
    await expectUndisturbed(service)
  })

  it('continues as soon as its reader reads again', async () => {
    const pipe = stalledPipe()
    const service = own(spawnService({ ...settings(), NETWORK: 'mainnet', VENUES_ENABLED: 'relay' }, [], pipe))
    const { url } = await ready(service)
    await askOften(url)
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
  const { spawn } = require('node:child_process')
  const npm = spawn('npm', ['start'], { stdio: ['ignore', 'pipe', 'pipe'] })
  npm.stderr.pipe(process.stderr)
  process.stdout.write(npm.pid + '\\n')`

describe.skipIf(lacks('ps'))('npm start, whose parent is killed after the first quote,', () => {
  const startBelowParent = async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const { PATH, HOME } = process.env
    const parent = spawn(process.execPath, ['-e', PARENT], {
      cwd: root,
      env: { PATH, HOME, ...settings() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    later({ close: () => parent.kill('SIGKILL') })
    let [out, err] = ['', '']
    parent.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    parent.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    const line = /^Listening on (http:\/\/\S+)$/m
    await expect.poll(() => err, { timeout: 20_000, interval: 20 }).toMatch(line)
    const url = line.exec(err)?.[1] ?? ''
    await connectService(url).call('quote', { body: TRANSACTION_SWAP })
    const npm = Number(out)
    const [shell = 0, node = 0, ...nodes] = descendantsOf(npm)
    const all = [npm, shell, node, ...nodes]
    expect(nodes.length).toBeGreaterThan(0)
    endLater(all)
    // A line of the log that is not written yet.
    await connectService(url).call('health')
    parent.kill('SIGKILL')
    return { npm, shell, node, all, url }
  }

  it('leaves no chain node when all its processes are stopped', async () => {
    const { npm, shell, node, all } = await startBelowParent()
    for (const pid of [node, shell, npm]) process.kill(pid, 'SIGTERM')
    await expect.poll(() => stillRunning(all), { timeout: STOP_MS }).toEqual([])
  })

  it('continues to serve, and leaves no chain node when npm is stopped', async () => {
    const { npm, all, url } = await startBelowParent()
    expect(new Set(await askOften(url))).toEqual(new Set([200]))
    process.kill(npm, 'SIGTERM')
    await expect.poll(() => stillRunning(all), { timeout: STOP_MS }).toEqual([])
  })
})

describe('standard error without a reader', () => {
  it('prevents neither start nor stop', async () => {
    const port = await freePort()
    const service = own(spawnService({ ...settings(), PORT: String(port) }))
    service.child.stderr?.destroy()
    const health = () => fetch(`http://127.0.0.1:${port}/api/v1/health`).then(({ status }) => status, String)
    await expect.poll(health, { timeout: 20_000, interval: 50 }).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })
})
