import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { type Open, statusOf } from '../../scripts/client/swap.ts'
import type { SwapStatus } from '../../scripts/client/wire.ts'
import { expectFailure } from '../support/expectFailure.ts'
import type { TestService } from '../support/service.ts'

export const EVM_HASH = /^0x[0-9a-f]{64}$/
export const SOLANA_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/
export const BITCOIN_TXID = /^[0-9a-f]{64}$/

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

/** More in a row than a venue may fail. */
const HALTS = 6

/** Asserts that a venue that halts after the quote executes nothing and stays healthy. `path`: whose responses alone show the halt. */
export const expectHalted = async (
  service: Pick<TestService, 'call' | 'control' | 'send'>,
  venue: string,
  { quoteToken, path }: { readonly quoteToken: string; readonly path: string },
): Promise<void> => {
  await service.control.fault(venue, 'halt', { path })
  for (let i = 0; i < HALTS; i += 1) {
    const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    expect(expectFailure(answer, 410, 'QUOTE_EXPIRED')).toMatchObject({ venue, reason: 'noLiquidity' })
  }
  const { venues } = await service.call('health')
  expect(venues.find(({ id }) => id === venue)).toMatchObject({ healthy: true })
  await service.control.clearFaults()
}

/** Asserts that a swap stays in one state, however far time runs ahead, and never becomes a success. */
export const staysIn = async (
  service: Pick<TestService, 'call' | 'control'>,
  swap: Open,
  state: SwapStatus['status'],
): Promise<SwapStatus> => {
  for (const advanceMs of [MINUTE_MS, HOUR_MS, 48 * HOUR_MS]) {
    await service.control.advance(advanceMs)
    expect((await statusOf(service, swap)).status).toBe(state)
  }
  return statusOf(service, swap)
}
