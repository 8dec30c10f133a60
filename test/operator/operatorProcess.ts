import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { only, startService } from '../support/service.ts'

const OPERATOR = fileURLToPath(new URL('../../scripts/operator.ts', import.meta.url))

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs the tool without a terminal, and with this environment alone. */
export const operator = (env: Environment, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const { PATH, HOME, TMPDIR } = process.env
    const child = spawn(process.execPath, [OPERATOR, ...args], {
      env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...said }))
  })

/** The JSON output. Throws for another exit code than 0. */
export const operatorJson = async <T = { readonly [field: string]: unknown }>(
  env: Environment,
  ...args: readonly string[]
): Promise<T> => {
  const { code, stdout, stderr } = await operator(env, ...args, '--json')
  if (code !== 0) throw new Error(`operator ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** A service, its open records, and the environment in which the tool finds both. The end of the test file closes them. */
export const operatorStage = async (...venues: readonly string[]) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-operator-'))
  const service = await startService({ ...only(...venues), DATA_DIR: dataDir })
  const env: Environment = { DATA_DIR: dataDir, ...service.databaseEnv, SIMNET_CONTROL_PORT: new URL(service.control.url).port }
  const store = await openStore(parseConfig(env), systemClock)
  afterAll(async () => {
    await store.close()
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, store, dataDir, env }
}
