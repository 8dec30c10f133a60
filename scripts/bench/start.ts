import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, SERVICE_FLAGS, startProgram } from '../client/program.ts'
import type { Children } from './children.ts'
import { atMost, type Effort, type Figure, interleave, median, medianOfRounds, megabytes } from './measure.ts'
import { loadBy, startProduct } from './quotes.ts'
import { TOKEN_KEY } from './sample.ts'

const SERVICE = new URL('../start.ts', import.meta.url)
const KOA = new URL('servers/startKoa.ts', import.meta.url)
const GOALS = { start: 2.5, startMb: 160, loadedMb: 200 } as const

/** Starts a program and waits for its first 200. */
const start = async (file: URL, dataDir: string, flags: readonly string[]): Promise<{ program: Program; startMs: number }> => {
  const settings = { NETWORK: 'mainnet', PORT: '0', METRICS_PORT: 'off', LOG_LEVEL: 'silent', QUOTE_TOKEN_KEYS: TOKEN_KEY }
  const startedAt = performance.now()
  const program = startProgram(file, { env: { ...settings, DATA_DIR: dataDir }, flags })
  const { status } = await fetch(`${await program.url}/api/v1/chains`)
  if (status !== 200) throw new Error(`the first answer was ${status}`)
  return { program, startMs: performance.now() - startedAt }
}

const stop = async ({ child, ended }: Program): Promise<void> => {
  child.kill('SIGTERM')
  await ended
}

const measureStarts = async (dataDir: string, { starts }: Effort): Promise<readonly Figure[]> => {
  const residents: number[] = []
  const timeStart = async (file: URL, flags: readonly string[] = []): Promise<number> => {
    const { program, startMs } = await start(file, dataDir, flags)
    if (file === SERVICE) residents.push(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(program.child.pid)])) * 1_024)
    await stop(program)
    return startMs
  }
  const contenders = { service: () => timeStart(SERVICE, SERVICE_FLAGS), koa: () => timeStart(KOA) }
  const { service, koa } = await interleave(contenders, starts)
  const ratio = medianOfRounds(service, koa, (a, b) => a / b)
  const resident = megabytes(median(residents))
  return [
    {
      name: 'start to the first 200, to bare Koa',
      measured: ratio.toFixed(2),
      absolute: `${Math.round(median(service))} to ${Math.round(median(koa))} ms, mainnet settings`,
      goal: atMost(ratio, GOALS.start),
    },
    {
      name: 'resident memory after the start',
      measured: `${resident} MB`,
      absolute: '',
      goal: atMost(resident, GOALS.startMb, ' MB'),
    },
  ]
}

const measureMemory = async (children: Children, { quotes: quotesMax }: Effort): Promise<Figure> => {
  const server = await startProduct(children, 'instant')
  const load = loadBy(await children.start('crowd.ts'))
  const residentAfter = async (): Promise<number> => {
    await load(server, { seconds: 600, quotesMax })
    return megabytes((await server.usage()).residentBytes)
  }
  const [after, afterMore] = [await residentAfter(), await residentAfter()]
  return {
    name: `resident memory after ${quotesMax} quotes`,
    measured: `${after} MB`,
    absolute: `${afterMore} MB after as many again`,
    goal: atMost(after, GOALS.loadedMb, ' MB'),
  }
}

/** The time of a start, and memory. */
export const measureStart = async (children: Children, effort: Effort): Promise<readonly Figure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    return [...(await measureStarts(dataDir, effort)), await measureMemory(children, effort)]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
