import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { parseEther, type TypedDataDefinition } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { broadcast } from '../../scripts/client/evm.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { ACCOUNT, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'
import { MINUTE_MS, temporaryFolder } from './support.ts'

/** The service runs with mainnet settings that lead to the offline network, which outlives the restarts. */
const folder = temporaryFolder()
let simnet: Simnet
let control: NetworkControl
let dataDir: string
let database: OwnDatabase
let running: LiveService | null = null

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1' })
  control = controlNetwork(simnet.controlUrl)
  const coins = { [NATIVE]: parseEther('10').toString() }
  await fund({ control }, 8453, ACCOUNT.address, { ...coins, [USDC.base]: '1000000000' })
  await fund({ control }, 1, ACCOUNT.address, { ...coins, [USDC.ethereum]: '1000000000' })
})
afterAll(() => simnet.close())
beforeEach(async () => {
  dataDir = mkdtempSync(join(folder, 'records-'))
  database = await ownDatabase()
})
afterEach(async () => {
  await control.clearFaults()
  await running?.close()
  running = null
  await database.remove()
})

/** Ends the service that runs, if any, and starts it again. */
const restart = async (env: Environment = {}): Promise<LiveService & { control: NetworkControl }> => {
  await running?.close()
  running = null
  const started = await startLive(simnet, { DATA_DIR: dataDir, ...database.env, ...env })
  running = started
  return { ...started, control }
}

describe('a restart [store-swap-survives-restart]', () => {
  it('between execute and broadcast: the same TRANSACTION is returned, and tracked to its end', async () => {
    const first = await restart()
    const { quoteToken, output } = await first.call('quote', { body: TRANSACTION_SWAP })
    const before = await executeAs(first, 'TRANSACTION', { quoteToken })

    const second = await restart()
    const { approval, transaction } = await executeAs(second, 'TRANSACTION', { quoteToken })
    expect(transaction).toEqual(before.transaction)
    if (approval) await broadcast(control.rpcUrl(8453), approval.transaction)
    const ref = await broadcast(control.rpcUrl(8453), transaction)
    await control.advance(6_000)
    expect((await statusOf(second, { quoteToken, ref })).status).toBe('processing')

    const third = await restart()
    const seen = await follow(third, { quoteToken, ref }, { stepMs: 3_000 })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toMatchObject({ deliveredAmount: output.amount })
  })

  it('between execute, submit and status: a SIGNATURE is submitted once, and tracked to its end', async () => {
    const first = await restart()
    const { quoteToken, slippage } = await first.call('quote', { body: SIGNATURE_SWAP })
    const { approval, typedData } = await executeAs(first, 'SIGNATURE', { quoteToken })
    if (approval) await broadcast(control.rpcUrl(1), approval.transaction)
    const body = { quoteToken, signature: await ACCOUNT.signTypedData(typedData as unknown as TypedDataDefinition) }

    const second = await restart()
    const submitted = await second.call('submitSignature', { body })
    const third = await restart()
    expect(await third.call('submitSignature', { body })).toEqual(submitted)
    const seen = await follow(third, { quoteToken, ref: submitted.statusRef }, { stepMs: 1_500 })
    expect(statesOf(seen)).toEqual(['pending', 'processing', 'success'])
    expect(BigInt(lastOf(seen).deliveredAmount ?? 0)).toBeGreaterThanOrEqual(BigInt(slippage?.guaranteedMin ?? 0))
  })

  it('between execute and payment: a DEPOSIT keeps its address, and its end is reported while the venue is down', async () => {
    const first = await restart()
    const { quoteToken, output } = await first.call('quote', { body: DEPOSIT_SWAP })
    const execution = await executeAs(first, 'DEPOSIT', { quoteToken })
    const { address, amount } = execution.deposit

    const second = await restart()
    expect(await executeAs(second, 'DEPOSIT', { quoteToken })).toEqual(execution)
    await control.deposit({ chainId: -1, token: NATIVE, address, amount })
    const third = await restart()
    const end = lastOf(await follow(third, { quoteToken, ref: address }, { stepMs: 60_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: output.amount })

    await control.fault('near-intents', 'http-500')
    expect(await statusOf(await restart(), { quoteToken, ref: address })).toEqual(end)
  })

  it('with other records and the same key: the status comes from the token alone, and never ends', async () => {
    const keys = { QUOTE_TOKEN_KEYS: 'ab'.repeat(32) }
    const first = await restart(keys)
    const { quoteToken, output } = await first.call('quote', { body: DEPOSIT_SWAP })
    const { deposit, statusRef: ref } = await executeAs(first, 'DEPOSIT', { quoteToken })
    await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })

    const other = await ownDatabase()
    const second = await restart({ ...keys, DATA_DIR: join(dataDir, 'other'), ...other.env })
    await control.advance(20 * MINUTE_MS)
    // These records have no execution, so the service cannot compare the report of the venue with the chains.
    const told = await statusOf(second, { quoteToken, ref })
    expect(told).toEqual({ status: 'processing', venue: 'near-intents', venueStatus: 'SUCCESS' })
    const third = await restart(keys)
    await other.remove()
    expect(await statusOf(third, { quoteToken, ref })).toMatchObject({ status: 'success', deliveredAmount: output.amount })
  })
})
