import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { openStoreFile } from '../support/storeFile.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

/** Some 300 ms of them at least: the venue has answered the executes by then, and their records wait for the lock. */
const CALLS = 12

let dataDir: string
let service: TestService

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-locked-'))
  service = await startService({ ...only('near-intents'), DATA_DIR: dataDir })
})
afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('a database that another process keeps locked', () => {
  it('fails only the calls that need it, concurrently, with a retryable 500 [store-locked-database]', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 4 }, async () => (await service.call('quote', { body: DEPOSIT_SWAP })).quoteToken),
    )
    const execute = (quoteToken: string) => service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    const other = openStoreFile(dataDir)
    other.lock()
    const ended: string[] = []
    const executes = tokens.map(async (token) => {
      const answer = await execute(token)
      ended.push('execute')
      return answer
    })
    // Each of these would come last of all if one of the others slept in its way.
    for (let i = 0; i < CALLS; i += 1) {
      await service.call('chains')
      ended.push('chains')
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    const answers = await Promise.all(executes)
    other.unlock()
    other.close()
    expect(ended).toEqual([...Array(CALLS).fill('chains'), ...Array(4).fill('execute')])
    for (const answer of answers) expect(expectFailure(answer, 500, 'INTERNAL')).toEqual({ retryable: true })
    for (const token of tokens) expect((await execute(token)).status).toBe(200)
  })
})
