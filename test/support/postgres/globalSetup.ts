import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  provide('postgresAt', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await (await started?.catch(() => null))?.close()
  }
}
