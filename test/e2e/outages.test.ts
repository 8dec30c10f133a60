import { mkdtempSync, readFileSync } from 'node:fs'
import { copyFile, open, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { listening } from '../support/listening.ts'
import { lacks } from '../support/needs.ts'
import { ask as askDatabase } from '../support/postgres/database.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts'
import { type StallingProxy, startStallingProxy } from '../support/stallingProxy.ts'
import { openStoreFile, type StoreFile } from '../support/storeFile.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { type Scrapes, silentAlerts } from './outages/alerts.ts'
import { limit, type State, type Watched, watch } from './outages/watched.ts'
import { temporaryFolder } from './support.ts'

/** Processes of the service to which each outage of the page is done, at several of them at once. */
let simnet: Simnet
let control: NetworkControl
let postgres: PostgresServer
let proxy: StallingProxy
let keyed: Awaited<ReturnType<typeof startKeyed>>
/** Its chains are behind our clock for a while. */
let late: Simnet
let lateMs = 600_000
const folder = temporaryFolder()
const processes: Watched[] = []

const WELL: State = { health: 'ok', unwell: [], ready: '200', reasons: [] }
const POLL_MS = 100
const TEST_MS = 90_000

/** One outage after the other at one process. */
const createLane = (start: (dataDir: string) => Promise<Environment>) => {
  let last: Promise<unknown> = Promise.resolve()
  let started: Promise<Watched> | null = null
  let dataDir = ''
  const open = async (): Promise<Watched> => {
    dataDir = mkdtempSync(join(folder, 'lane-'))
    const service = await watch({ ...liveEnvironment(simnet), DATA_DIR: dataDir, ...(await start(dataDir)) })
    processes.push(service)
    return service
  }
  return {
    dataDir: () => dataDir,
    turn: (work: (service: Watched) => Promise<void>): Promise<void> => {
      const turn = last.then(async () => {
        started ??= open()
        await work(await started)
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
type Lane = ReturnType<typeof createLane>

/** The way to a venue, on which our key can be refused. */
const startKeyed = async (target: string) => {
  const keyed = { isRefused: false }
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const body = method === 'GET' ? null : await text(request)
    if (keyed.isRefused)
      return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"no such key"}')
    const sent = Object.entries(headers).filter(([name]) => /^(content-type|accept|0x-|x-)/.test(name))
    const answer = await fetch(`${target}${url}`, { method, body, headers: sent.map(([name, value]) => [name, String(value)]) })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  return Object.assign(keyed, await listening(server))
}

/** Short races, and clients by `x-forwarded-for`. */
const QUICK = {
  QUOTE_SOFT_DEADLINE_MS: '500',
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
  ...Object.fromEntries(['RELAY', 'LIFI', 'ZEROX', 'DEBRIDGE'].map((id) => [`VENUE_${id}_REQUESTS_PER_MINUTE`, '1000000'])),
}
const file = createLane(async () => ({ VENUES_ENABLED: 'near-intents' }))
const database = createLane(async () => {
  await askDatabase(postgres.urlOf(), 'CREATE DATABASE outages')
  const url = new URL(postgres.urlOf('outages'))
  url.port = String(proxy.port)
  return {
    VENUES_ENABLED: 'near-intents',
    DATABASE_URL: url.href,
    QUOTE_TOKEN_KEYS: 'ab'.repeat(32),
    WEBHOOK_SECRET_KEYS: 'cd'.repeat(32),
  }
})
const venues = createLane(async () => {
  keyed = await startKeyed(simnet.venues['zerox']?.baseUrl ?? '')
  return { ...QUICK, VENUES_ENABLED: 'near-intents,across,relay,cow,zerox', VENUE_ZEROX_BASE_URL: keyed.url }
})
/** Of a lane of their own: the offline network is shared. */
const NETWORK_VENUES = ['debridge', 'lifi']
const network = createLane(async () => ({
  ...QUICK,
  VENUES_ENABLED: NETWORK_VENUES.join(','),
  X402_PAY_TO_EVM: ACCOUNT.address,
  X402_FACILITATOR_URL: simnet.facilitator.url,
}))

const clock = createLane(async () => ({ ...QUICK, ...liveEnvironment(late), VENUES_ENABLED: 'near-intents' }))

let clients = 0
/** The next of so many clients. */
const anybody = (of = 6) => {
  clients += 1
  return { 'x-forwarded-for': `203.0.113.${clients % of}` }
}
const quote = (service: Watched, body: object, headers = anybody()) => service.send('POST', '/api/v1/quote', { body, headers })
const dataOf = ({ body }: { readonly body: unknown }) => (body as { data: { readonly quoteToken: string } }).data
const execute = (service: Watched, quoteToken: string, headers = anybody()) =>
  service.send('POST', '/api/v1/execute', { body: { quoteToken }, headers })

type Outage = {
  readonly lane: Lane
  /** The venues that `/health` shows as unhealthy; absent: none. */
  readonly unwell?: readonly string[]
  begin(service: Watched): Promise<void>
  mend(service: Watched): Promise<void>
  /** What callers do until it is well. */
  readonly meanwhile?: (service: Watched) => Promise<unknown>
}

/** A venue that fails at execute with a fault while its quotes are answered, and is well at both later. */
const atExecute = (
  venue: 'near-intents' | 'across',
  fault: 'malformed-body' | 'wrong-recipient',
  swaps: readonly object[],
): Outage => {
  const quoteTokens: string[] = []
  return {
    lane: venues,
    unwell: [venue],
    begin: async (service) => {
      for (const swap of swaps) quoteTokens.push(dataOf(await quote(service, swap)).quoteToken)
      await control.fault(venue, fault)
      for (let i = 0; i < 5; i += 1) expect((await execute(service, quoteTokens[i % swaps.length] ?? '')).status).toBe(500)
      await mendVenue(venue)
      for (let i = 0; i < 3; i += 1) expect((await quote(service, swaps[0] ?? {})).status).toBe(200)
    },
    mend: async (service) => {
      expect((await execute(service, quoteTokens[0] ?? '')).status).toBe(200)
    },
    // Half of the last calls have to be answered.
    meanwhile: async (service) => {
      const { body } = await quote(service, swaps[0] ?? {})
      return execute(service, (body as { data: { quoteToken: string } }).data.quoteToken)
    },
  }
}

const BRIDGE_SWAP = { ...TRANSACTION_SWAP, inputAmount: '1000000000', excludeVenues: [] }
const KEYED_SWAP = { ...SIGNATURE_SWAP, excludeVenues: allBut('zerox') }

const USDC_OPTIMISM = '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'
const OPTIMISM_SWAP = { ...BRIDGE_SWAP, inputChainId: 10, inputToken: USDC_OPTIMISM }

/** Without touching what is wrong for the others. */
const mendVenue = async (venue: string): Promise<void> => {
  await fetch(`${control.url}/faults?venue=${venue}`, { method: 'DELETE' })
}

/** A venue that fails at quotes. One answer may come after its race was decided. */
const atQuotes = (venue: string, begin: Outage['begin']): Outage => ({
  ...{ lane: venues, unwell: [venue], begin, mend: () => mendVenue(venue) },
  meanwhile: (service) => quote(service, BRIDGE_SWAP),
})

const recordsOf = (lane: Lane): string => join(lane.dataDir(), 'swaps.sqlite')
/** What every SQLite file begins with: https://www.sqlite.org/fileformat2.html#the_database_header. */
const HEADER = Buffer.from('SQLite format 3\0')
const writeOver = async (path: string, bytes: Buffer): Promise<void> => {
  const handle = await open(path, 'r+')
  await handle.write(bytes, 0, bytes.length, 0)
  await handle.close()
}

/** A fault of relay at four quotes of five. A race that is slow counts only where our own loop was in time. */
const atFourOfFive = (fault: () => Promise<unknown>): Outage =>
  atQuotes('relay', async (service) => {
    for (let i = 0; i < 30 && (await service.isHealthy('relay')); i += 1) {
      await (i % 5 === 4 ? mendVenue('relay') : fault())
      await quote(service, BRIDGE_SWAP)
    }
  })

let locked: StoreFile | null = null

const OUTAGES: { readonly [outage: string]: Outage } = {
  'the disk takes no more writes': {
    lane: file,
    begin: async ({ pid }) => limit(pid, 'fsize', 1),
    mend: async ({ pid }) => limit(pid, 'fsize', 'unlimited'),
  },
  'the database file is locked by another process': {
    lane: file,
    begin: async () => {
      locked = openStoreFile(file.dataDir())
      locked.lock()
    },
    mend: async () => {
      locked?.unlock()
      locked?.close()
    },
  },
  'the database file is deleted': {
    lane: file,
    begin: () => rename(recordsOf(file), `${recordsOf(file)}.away`),
    mend: () => rename(`${recordsOf(file)}.away`, recordsOf(file)),
  },
  'the database file is replaced by another': {
    lane: file,
    begin: async () => {
      await rename(recordsOf(file), `${recordsOf(file)}.away`)
      await copyFile(`${recordsOf(file)}.away`, recordsOf(file))
    },
    mend: () => rename(`${recordsOf(file)}.away`, recordsOf(file)),
  },
  'the database file is damaged': {
    lane: file,
    begin: () => writeOver(recordsOf(file), Buffer.alloc(HEADER.length)),
    mend: () => writeOver(recordsOf(file), HEADER),
  },
  'no file descriptors are left': {
    lane: file,
    begin: async ({ pid }) => limit(pid, 'nofile', 3),
    mend: async ({ pid }) => limit(pid, 'nofile', 1024),
  },
  'the process is halted': {
    lane: file,
    begin: async ({ process: { child } }) => void child.kill('SIGSTOP'),
    mend: async ({ process: { child } }) => void child.kill('SIGCONT'),
  },
  'PostgreSQL is gone': { lane: database, begin: () => postgres.crash(), mend: () => postgres.restart() },
  'PostgreSQL hangs': { lane: database, begin: async () => proxy.stall(), mend: async () => proxy.resume() },
  'all endpoints of a chain fail': {
    lane: network,
    begin: async (service) => {
      await control.fault('chain:10', 'http-500')
      await quote(service, OPTIMISM_SWAP)
    },
    mend: () => mendVenue('chain:10'),
  },
  'our clock is wrong by most chains': {
    lane: clock,
    begin: async (service) => {
      // Without a swap: the service reads chains by itself.
      for (let i = 0; i < 200 && !(await service.state()).reasons.includes('clock'); i += 1) await pause(POLL_MS)
    },
    mend: async () => {
      lateMs = 0
    },
  },
  'the facilitator of payments is down': {
    lane: network,
    begin: async (service) => {
      await control.fault('facilitator', 'http-500')
      const isDown = async () => (await service.state()).reasons.includes('facilitator')
      // What is known to fail is asked again after 5 seconds.
      for (let i = 0; i < 200 && !(await isDown()); i += 1) {
        const { status } = await service.send('POST', '/api/v1/x402/quote', { body: BRIDGE_SWAP, headers: anybody() })
        expect(status).toBe(503)
        await pause(POLL_MS)
      }
    },
    mend: () => mendVenue('facilitator'),
  },
  'every venue fails for all': {
    lane: network,
    unwell: NETWORK_VENUES,
    begin: async (service) => {
      for (const venue of NETWORK_VENUES) await control.fault(venue, 'http-500')
      for (let i = 0; i < 25; i += 1) await quote(service, BRIDGE_SWAP, anybody(25))
    },
    mend: async () => {
      for (const venue of NETWORK_VENUES) await mendVenue(venue)
    },
    meanwhile: (service) => quote(service, BRIDGE_SWAP),
  },
  'a venue is slow at four quotes of five': atFourOfFive(() => control.fault('relay', 'latency', { ms: 2_000 })),
  'a venue hangs': atQuotes('relay', async (service) => {
    await control.fault('relay', 'hang')
    // A race counts only where our own loop was in time.
    for (let i = 0; i < 60 && (await service.isHealthy('relay')); i += 1) await quote(service, BRIDGE_SWAP)
  }),
  'a venue answers nonsense': atQuotes('relay', async (service) => {
    await control.fault('relay', 'malformed-body')
    for (let i = 0; i < 6; i += 1) await quote(service, BRIDGE_SWAP)
  }),
  'a venue fails four quotes of five': atFourOfFive(() => control.fault('relay', 'malformed-body')),
  'a venue refuses our key': {
    lane: venues,
    unwell: ['zerox'],
    begin: async (service) => {
      keyed.isRefused = true
      await quote(service, KEYED_SWAP)
    },
    mend: async (service) => {
      keyed.isRefused = false
      await quote(service, KEYED_SWAP)
    },
  },
  'a venue fails at execute only': atExecute('near-intents', 'malformed-body', [DEPOSIT_SWAP]),
  'a venue builds what its quote did not say': atExecute('across', 'wrong-recipient', [
    TRANSACTION_SWAP,
    { ...TRANSACTION_SWAP, inputChainId: 10, inputToken: USDC_OPTIMISM },
  ]),
  "a venue's offers are all dropped": atQuotes('near-intents', async (service) => {
    await control.fault('near-intents', 'price-x100')
    for (let i = 0; i < 6; i += 1) await quote(service, i % 2 ? OPTIMISM_SWAP : BRIDGE_SWAP)
  }),
}

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1' })
  late = await startSimnet({ controlPort: 0, seed: '2', clock: createSimClock(() => Date.now() - lateMs) })
  control = controlNetwork(simnet.controlUrl)
  postgres = await startPostgres()
  proxy = await startStallingProxy(postgres.port)
})
afterAll(async () => {
  await Promise.all(processes.map(({ end }) => end()))
  await keyed?.close()
  await proxy.close()
  await postgres.close()
  await simnet.close()
  await late.close()
})

/** The table of the page: what the service shows, and how soon. */
const readRows = () => {
  const page = readFileSync(join(projectRoot, 'engine/health/README.md'), 'utf8')
  const [, table = ''] = /<!-- outages -->\n([\s\S]*?)<!-- \/outages -->/.exec(page) ?? []
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [outage = '', health = '', ready = '', reasons = '', alert = '', ...times] = line.split(/ *\| */).slice(1, -1)
      const [shownS = Number.NaN, wellS = Number.NaN] = times.map((time) => Number(/^(\d+) s$/.exec(time)?.[1]))
      return { outage, health, ready, reasons: reasons === '' ? [] : reasons.split(', '), alert, shownS, wellS }
    })
}
const rows = readRows()
/** Few tests run at once: the first of each lane come first, so that none waits while another lane is idle. */
const inTurns = () => {
  const ofLane = Map.groupBy(rows, ({ outage }) => OUTAGES[outage]?.lane)
  const lanes = [...ofLane.values()].toSorted((one, other) => other.length - one.length)
  return lanes.flatMap((own) => own.map((row, place) => ({ row, place }))).toSorted((one, other) => one.place - other.place)
}
const scrapes = new Map<string, Scrapes>()

describe.skipIf(lacks('prlimit')).concurrent('an outage', () => {
  it('of the page is tried here, and each one tried here is on the page [health-outages-shown]', () => {
    expect(rows.map(({ outage }) => outage).toSorted()).toEqual(Object.keys(OUTAGES).toSorted())
    for (const { shownS, wellS } of rows) expect([shownS > 0, wellS > 0]).toEqual([true, true])
  })

  for (const { row } of inTurns()) {
    const { outage, health, ready, reasons, shownS, wellS } = row
    it(`shows in /health and /ready in time, and so does its end: ${outage} [health-outages-shown]`, {
      timeout: TEST_MS,
    }, async ({ expect }) => {
      const { lane, unwell = [], begin, mend, meanwhile = async () => undefined } = OUTAGES[outage] as Outage
      await lane.turn(async (service) => {
        const until = (state: State, seconds: number, first: () => Promise<unknown> = async () => undefined) =>
          expect
            .poll(() => first().then(service.state), { timeout: seconds * 1_000, interval: POLL_MS, message: outage })
            .toEqual(state)
        await until(WELL, 5)
        const before = await service.metrics()
        try {
          await begin(service)
          await until({ health, unwell, ready, reasons }, shownS)
          scrapes.set(outage, { before, after: await service.metrics() })
        } finally {
          await mend(service)
        }
        await until(WELL, wellS, () => meanwhile(service))
      })
    })
  }
})

describe.skipIf(lacks('promtool', 'prlimit'))('an outage that lasts', () => {
  it('fires the alert of the page by the rules, as Prometheus evaluates them', { timeout: 180_000 }, () => {
    expect([...scrapes.keys()].toSorted()).toEqual(rows.map(({ outage }) => outage).toSorted())
    const tried = rows.map(({ outage, alert }) => ({ outage, alert, scrapes: scrapes.get(outage) }))
    expect(silentAlerts(tried, folder)).toBe('')
  })
})
