import type { Environment } from '../../engine/config/config.ts'
import { type Program, startProgram } from '../client/program.ts'
import type { Point } from './points.ts'

const FLAGS = ['--import', new URL('preload.ts', import.meta.url).href]
const SERVICE = new URL('../start.ts', import.meta.url)
const OPERATOR = new URL('../operator.ts', import.meta.url)

const deathIn = (point: Point | null): Environment => (point === null ? {} : { KILLS_DIE_AT: JSON.stringify(point) })

export const isOver = ({ child }: Program): boolean => child.exitCode !== null || child.signalCode !== null

/** The service, in one process after another over the same records. Replicas run beside each other. */
export type Processes = {
  /** Starts one, which kills itself at a point, and those that are missing beside it. */
  start(point?: Point | null): Program
  /** Waits for a process that listens: each in its turn. */
  listening(): Promise<{ readonly url: string; readonly program: Program }>
  /** The last one that was started. */
  current(): Program | null
  /** Moves the clock of all. */
  setAhead(aheadMs: number): Promise<void>
  close(): Promise<void>
}

/** Resolves when the process has taken the message, or is gone. */
const send = async ({ child, ended }: Program, message: object): Promise<void> => {
  if (!child.connected) return
  const taken = new Promise<void>((resolve) => void child.once('message', () => resolve()))
  child.send(message, () => undefined)
  await Promise.race([taken, ended])
}

export const createProcesses = (env: () => Environment, replicas: number): Processes => {
  let all: readonly Program[] = []
  let turn = 0
  let started = Promise.withResolvers<void>()
  const living = (): readonly Program[] => all.filter((program) => !isOver(program))
  const launch = (point: Point | null = null): Program =>
    startProgram(SERVICE, { env: { ...env(), ...deathIn(point) }, flags: FLAGS, hasChannel: true })
  return {
    start: (point = null) => {
      const others = living()
      const missing = Array.from({ length: Math.max(0, replicas - 1 - others.length) }, () => launch())
      const program = launch(point)
      all = [...others, ...missing, program]
      started.resolve()
      started = Promise.withResolvers()
      return program
    },
    listening: async () => {
      for (;;) {
        const able = living()
        const program = able[turn % Math.max(1, able.length)]
        turn += 1
        const url = await program?.url.catch(() => undefined)
        if (program && url !== undefined) return { url, program }
        if (program === undefined) await started.promise
      }
    },
    current: () => all.at(-1) ?? null,
    setAhead: async (aheadMs) => void (await Promise.all(living().map((program) => send(program, { aheadMs })))),
    close: async () => {
      for (const { child } of all) child.kill('SIGKILL')
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

/** The operator's tool beside the service. */
export const startOperator = (env: Environment, args: readonly string[], point: Point | null): Program =>
  startProgram(OPERATOR, { env: { ...env, ...deathIn(point) }, flags: FLAGS, args, hasChannel: true })
