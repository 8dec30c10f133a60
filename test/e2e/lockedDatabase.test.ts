import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService } from '../support/service.ts'
import { openStoreFile } from '../support/storeFile.ts'
import { aFolder } from '../support/storeStage.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

/** Some 300 ms of them at least: the venue has answered the executes by then, and their records wait for the lock. */
const CALLS = 12

it('a database that another process keeps locked fails only the calls that need it, concurrently, with a retryable 500 [store-locked-database]', async () => {
  const dataDir = aFolder()
  const service = await startService({ ...only('near-intents'), DATA_DIR: dataDir })
  const tokens = await Promise.all(
    Array.from({ length: 4 }, async () => (await service.call('quote', { body: DEPOSIT_SWAP })).quoteToken),
  )
  const ended: string[] = []
  const execute = async (quoteToken: string) => {
    const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    ended.push('execute')
    return answer
  }
  const other = openStoreFile(dataDir)
  other.lock()
  const executes = Promise.all(tokens.map(execute))
  // Each of these would come last of all if one of the others slept in its way.
  for (let i = 0; i < CALLS; i += 1) {
    await service.call('chains')
    ended.push('chains')
    await pause(25)
  }
  const answers = await executes
  other.unlock()
  other.close()
  expect(ended).toEqual([...Array(CALLS).fill('chains'), ...Array(4).fill('execute')])
  for (const answer of answers) expect(expectFailure(answer, 500, 'INTERNAL')).toEqual({ retryable: true })
  for (const token of tokens) expect((await execute(token)).status).toBe(200)
  await service.close()
})
