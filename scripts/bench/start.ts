import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Children } from './children.ts'
import { QUOTE } from './edge.ts'
import { atMost, type Figure } from './figure.ts'
import { sendMany } from './load.ts'
import type { Effort } from './options.ts'
import { CHAINS_PATH, TOKEN_KEY, VENUES } from './product/sample.ts'
import { type Program, startProgram } from './program.ts'
import { interleave, median, medianOfRounds } from './samples.ts'
import type { Usage } from './servers/parent.ts'
import { serviceFlags } from './serviceFlags.ts'

const SERVICE = new URL('../start.ts', import.meta.url)
const KOA = new URL('servers/startKoa.ts', import.meta.url)
const START_GOAL = 2.5
const START_GOAL_MB = 160
const LOADED_GOAL_MB = 200

type Environment = { readonly [name: string]: string }

/** Nothing of the benchmark's own environment but what finds programs. */
const environment = (dataDir: string, own: Environment): Environment => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? dataDir,
  DATA_DIR: dataDir,
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'silent',
  QUOTE_TOKEN_KEYS: TOKEN_KEY,
  ...own,
})

const timeStart = async (start: () => Promise<Program>): Promise<number> => {
  const program = await start()
  await program.stop()
  return program.startMs
}

const milliseconds = (samples: readonly number[]): string => `${Math.round(median(samples))} ms`

const measureStarts = async (dataDir: string, { starts }: Effort): Promise<readonly Figure[]> => {
  const startService = (own: Environment) => () =>
    timeStart(() =>
      startProgram(SERVICE, { env: environment(dataDir, own), path: CHAINS_PATH, isAsked: false, flags: serviceFlags() }),
    )
  const measured = await interleave(
    {
      mainnet: startService({ NETWORK: 'mainnet' }),
      simnet: startService({ NETWORK: 'simnet', SIMNET_CONTROL_PORT: '0' }),
      koa: () => timeStart(() => startProgram(KOA, { env: environment(dataDir, {}), path: '/', isAsked: false })),
    },
    starts,
  )
  const ratio = medianOfRounds(measured.mainnet, measured.koa, (a, b) => a / b)
  const simnetRatio = medianOfRounds(measured.simnet, measured.koa, (a, b) => a / b)
  return [
    {
      name: '9   start to the first 200, to bare Koa',
      measured: ratio.toFixed(2),
      absolute: `${milliseconds(measured.mainnet)} to ${milliseconds(measured.koa)}; mainnet settings, nothing asked of any network`,
      goal: atMost(ratio, START_GOAL),
    },
    {
      name: '    the same with the offline network and its chains',
      measured: simnetRatio.toFixed(2),
      absolute: milliseconds(measured.simnet),
      goal: null,
    },
  ]
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

const measureService = async (dataDir: string): Promise<Figure> => {
  const env = environment(dataDir, { NETWORK: 'mainnet' })
  const service = await startProgram(SERVICE, { env, path: CHAINS_PATH, isAsked: true, flags: serviceFlags() })
  try {
    const resident = megabytes(await service.residentBytes())
    return {
      name: '10  resident memory of the service after its start',
      measured: `${resident} MB`,
      absolute: 'mainnet settings',
      goal: atMost(resident, START_GOAL_MB, ' MB'),
    }
  } finally {
    await service.stop()
  }
}

const measureMemory = async ({ start }: Children, { quotes }: Effort): Promise<readonly Figure[]> => {
  const server = await start('product.ts', { venues: { instant: VENUES }, isEngineStubbed: false }, serviceFlags())
  const resident = async () => (await server.ask<Usage>('usage')).residentBytes
  const atStart = await resident()
  await sendMany(server, QUOTE, quotes)
  const after = await resident()
  await sendMany(server, QUOTE, quotes)
  const afterMore = await resident()
  const told = `${megabytes(atStart)} MB before, ${megabytes(after)} after ${quotes} quotes, ${megabytes(afterMore)} after as many again`
  return [
    {
      name: `10  resident memory after ${quotes} quotes`,
      measured: `${megabytes(after)} MB`,
      absolute: told,
      goal: atMost(megabytes(after), LOADED_GOAL_MB, ' MB'),
    },
    {
      name: '    growth over as many quotes again',
      measured: (afterMore / after).toFixed(2),
      absolute: 'what a leak would show in',
      goal: null,
    },
  ]
}

/** Start-up and memory. */
export const measureStart = async (children: Children, effort: Effort): Promise<readonly Figure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    const starts = await measureStarts(dataDir, effort)
    return [...starts, await measureService(dataDir), ...(await measureMemory(children, effort))]
  } finally {
    process.off('exit', remove)
    remove()
  }
}
