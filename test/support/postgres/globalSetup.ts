import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { listening } from '../listening.ts'
import { type PostgresServer, startPostgres } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers with the URL of the run's PostgreSQL. */
    postgresAt: string
  }
}

/** One PostgreSQL for all suites of a run, started when the first of them asks for it. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<PostgresServer> | null = null
  const server = createServer((_request, response) => {
    // A connection kept open may be closed here just when the next request uses it.
    response.setHeader('connection', 'close')
    started ??= startPostgres()
    started.then(
      (postgres) => response.end(postgres.urlOf()),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const { url, close } = await listening(server)
  provide('postgresAt', url)
  return async () => {
    await close()
    await (await started?.catch(() => null))?.close()
  }
}
