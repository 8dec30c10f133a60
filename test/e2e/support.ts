import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { TestService } from '../support/service.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** A folder that is removed after the tests of the file or suite that calls this. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'swap-e2e-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Calls the node of an offline chain. */
export const callNode = async (rpcUrl: string, method: string, ...params: readonly unknown[]): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(await answer.json()).not.toHaveProperty('error')
}

/** The service, called with an API key. */
export const withKey = (service: TestService, apiKey: string): TestService => {
  const headers = { 'x-api-key': apiKey }
  return {
    ...service,
    send: (method, path, request = {}) => service.send(method, path, { ...request, headers }),
    call: (id, request = {}) => service.call(id, { ...request, headers }),
  }
}
