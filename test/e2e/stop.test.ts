import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownProcesses, ready, type ServiceProcess, spawnService } from './serviceProcess.ts'

const CLIENTS = 24

const { dataDir, own } = ownProcesses()
let service: ServiceProcess
let url: string
beforeEach(async () => {
  service = own(spawnService({ PORT: '0', NETWORK: 'mainnet', DATA_DIR: dataDir(), LOG_LEVEL: 'silent' }))
  url = (await ready(service)).url
})

/** Asks on a connection that is new, and offered to be kept. */
const askAnew = async (): Promise<Heard> => {
  const agent = new Agent({ keepAlive: true })
  try {
    return await ask(agent)
  } finally {
    agent.destroy()
  }
}

type Heard = { readonly status: number; readonly isLast: boolean }

const ask = (agent: Agent): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const asking: ClientRequest = request(`${url}/api/v1/health`, { agent }, async (response: IncomingMessage) => {
      response.on('error', reject)
      for await (const _chunk of response);
      resolve({ status: response.statusCode ?? 0, isLast: response.headers.connection === 'close' })
    })
    asking.on('error', reject)
    asking.end()
  })

/**
 * Sends one request after the other on a kept connection. Returns `told` after a response with Connection: close, else the code
 * of the error. A client that is `relentless` connects again after such a response.
 */
const keepAsking = async (onAnswer: () => void, isRelentless: boolean): Promise<string> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    for (;;) {
      const { status, isLast } = await ask(agent)
      expect(status).toBe(200)
      onAnswer()
      if (isLast && !isRelentless) return 'told'
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    agent.destroy()
  }
}

/** Stops the service while all clients ask, and gives how each of them ended. */
const stopUnder = async (isRelentless: boolean): Promise<readonly string[]> => {
  let answers = 0
  const enough = Promise.withResolvers<void>()
  const count = () => {
    answers += 1
    if (answers === CLIENTS * 5) enough.resolve()
  }
  const clients = Array.from({ length: CLIENTS }, () => keepAsking(count, isRelentless))
  await enough.promise
  service.child.kill('SIGTERM')
  return Promise.all(clients)
}

describe('a stop [ops-stop-clean]', () => {
  it('ends each kept connection with Connection: close, and resets none', async () => {
    expect(await stopUnder(false)).toEqual(Array(CLIENTS).fill('told'))
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })

  it('serves clients that connect again at once, or refuses them once nothing listens', async () => {
    expect(await stopUnder(true)).toEqual(Array(CLIENTS).fill('ECONNREFUSED'))
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })

  it('serves new connections while it ends the others', async () => {
    const idle = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(idle)).toEqual({ status: 200, isLast: false })
    service.child.kill('SIGTERM')
    // The first Connection: close: the stop has begun, and the idle client delays its end.
    let heard: Heard
    do heard = await askAnew()
    while (!heard.isLast)
    const late = await Promise.all(Array.from({ length: CLIENTS }, () => askAnew()))
    expect(late).toEqual(Array(CLIENTS).fill({ status: 200, isLast: true }))
    expect(await ask(idle)).toEqual({ status: 200, isLast: true })
    expect(await service.ended).toEqual({ code: 0, signal: null })
    idle.destroy()
  })
})
