import { execFileSync } from 'node:child_process'
import type { Environment } from '../../../engine/config/config.ts'
import { connectService, type ServiceClient } from '../../../scripts/client/service.ts'
import { ready, type ServiceProcess, spawnService } from '../serviceProcess.ts'

/** The state of a service in `/health` and `/ready`. */
export type State = {
  readonly health: string
  /** The unhealthy venues. */
  readonly unwell: readonly string[]
  readonly ready: string
  readonly reasons: readonly string[]
}

/** A service as a process of its own, and its state. */
export type Watched = ServiceClient & {
  readonly process: ServiceProcess
  readonly pid: number
  state(): Promise<State>
  /** The page of metrics; null where there is no answer. */
  metrics(): Promise<string | null>
  isHealthy(venue: string): Promise<boolean>
  end(): Promise<void>
}

type Health = { readonly status: string; readonly venues: readonly { readonly id: string; readonly healthy: boolean }[] }

const ANSWER_MS = 1_500
const NO_ANSWER = 'no answer'

/** Null where there is no answer. A kept connection is used again: without file descriptors there is no new one. */
const get = async (url: string): Promise<{ readonly status: number; readonly text: string } | null> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}

export const watch = async (env: Environment): Promise<Watched> => {
  const service = spawnService({ PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent', ...env })
  const { url } = await ready(service)
  const monitorUrl = /^Monitoring on (http:\/\/\S+)$/m.exec(service.stderr())?.[1] ?? ''
  const client = connectService(url)
  return {
    ...client,
    process: service,
    pid: service.child.pid ?? 0,
    state: async () => {
      const [health, readiness] = await Promise.all([get(`${url}/api/v1/health`), get(`${monitorUrl}/ready`)])
      const shown = health && (JSON.parse(health.text) as { data: Health }).data
      return {
        health: shown?.status ?? NO_ANSWER,
        unwell: shown?.venues.flatMap(({ id, healthy }) => (healthy ? [] : [id])) ?? [],
        ready: readiness === null ? NO_ANSWER : String(readiness.status),
        reasons: readiness === null ? [] : (JSON.parse(readiness.text) as { reasons: string[] }).reasons,
      }
    },
    metrics: async () => (await get(`${monitorUrl}/metrics`))?.text ?? null,
    isHealthy: async (venue) => (await client.call('health')).venues.find(({ id }) => id === venue)?.healthy === true,
    end: async () => {
      service.child.kill('SIGCONT')
      service.child.kill('SIGKILL')
      await service.ended
    },
  }
}

/** Limits what a process may have from now on; the hard limit stays, so that it can be given back. */
export const limit = (pid: number, resource: 'fsize' | 'nofile', most: number | 'unlimited'): void => {
  execFileSync('prlimit', [`--pid=${pid}`, `--${resource}=${most}:`])
}
