import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther, type TypedDataDefinition } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { broadcast } from '../../scripts/client/evm.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { ACCOUNT, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'
import { MINUTE_MS } from './support.ts'

/**
 * The service runs as on the public network and is told where the offline one is by its settings alone. The network
 * goes on while the service is restarted over the same records.
 */
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
  dataDir = await mkdtemp(join(tmpdir(), 'swap-restart-'))
  database = await ownDatabase()
})
afterEach(async () => {
  await control.clearFaults()
  await running?.close()
  running = null
  await rm(dataDir, { recursive: true, force: true })
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

describe('the settings of the public network', () => {
  it('are all it takes to meet the offline one: URLs, keys, chain endpoints, and the keys three venues sign with', () => {
    const names = Object.keys(liveEnvironment(simnet))
    const others = names.filter((name) => !/^(VENUE_[A-Z_]+_(URL|API_KEY)|RPC_URLS_([0-9]+|SOLANA|BITCOIN))$/.test(name))
    expect(others).toEqual([
      ...['NETWORK', 'VENUE_BEBOP_ROUTER_SIGNER'],
      ...['VENUE_MAYAN_QUOTE_SIGNER', 'VENUE_NEAR_INTENTS_PUBLIC_KEY'],
    ])
  })

  it('give the same prices, and no sign of a simulation', async () => {
    const service = await restart()
    const answer = await service.send('POST', '/api/v1/quote', { body: TRANSACTION_SWAP })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('service-network')).toBeNull()
    expect(answer.body).toMatchObject({ data: { venue: { id: 'across' }, output: { amount: '249942500' } } })
  })
})

describe('a restart [store-swap-survives-restart]', () => {
  it('between execute and broadcast: a TRANSACTION is followed to its end', async () => {
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

  it('between execute and submit, and again before the status: a SIGNATURE is forwarded once and delivered', async () => {
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

  it('between execute and payment: a DEPOSIT keeps its address, and is told as it ended even while the venue is down', async () => {
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

  it('that switches a venue off: its swaps are followed to their end, and its orders still submitted', async () => {
    const first = await restart()
    await fund({ control }, 1, ACCOUNT.address, { [USDC.ethereum]: SIGNATURE_SWAP.inputAmount })
    const deposited = await first.call('quote', { body: DEPOSIT_SWAP })
    const { deposit, statusRef: ref } = await executeAs(first, 'DEPOSIT', { quoteToken: deposited.quoteToken })
    const { quoteToken } = await first.call('quote', { body: SIGNATURE_SWAP })
    const { approval, typedData } = await executeAs(first, 'SIGNATURE', { quoteToken })
    if (approval) await broadcast(control.rpcUrl(1), approval.transaction)
    const signature = await ACCOUNT.signTypedData(typedData as unknown as TypedDataDefinition)

    const second = await restart({ VENUES_ENABLED: 'across,relay' })
    const submitted = await second.call('submitSignature', { body: { quoteToken, signature } })
    expect(await statusOf(second, { quoteToken, ref: submitted.statusRef })).toMatchObject({ status: 'pending', venue: 'cow' })
    await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })
    const seen = await follow(second, { quoteToken: deposited.quoteToken, ref }, { stepMs: 60_000 })
    expect(lastOf(seen)).toMatchObject({ status: 'success', deliveredAmount: deposited.output.amount })

    const { venues } = await second.call('health')
    expect(venues.map(({ id }) => id)).toEqual(['across', 'relay'])
    const body = { ...TRANSACTION_SWAP, excludeVenues: ['cow', 'near-intents'] }
    expect((await second.send('POST', '/api/v1/quote', { body })).status).toBe(200)
  })

  it('with other records and the same key: the status is still told, from the token alone, but no end of it', async () => {
    const keys = { QUOTE_TOKEN_KEYS: 'ab'.repeat(32) }
    const first = await restart(keys)
    const { quoteToken, output } = await first.call('quote', { body: DEPOSIT_SWAP })
    const { deposit, statusRef: ref } = await executeAs(first, 'DEPOSIT', { quoteToken })
    await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })

    const other = await ownDatabase()
    const second = await restart({ ...keys, DATA_DIR: join(dataDir, 'other'), ...other.env })
    await control.advance(20 * MINUTE_MS)
    // Nobody there knows what was handed out, so nothing can be held against the chains.
    const told = await statusOf(second, { quoteToken, ref })
    expect(told).toEqual({ status: 'processing', venue: 'near-intents', venueStatus: 'SUCCESS' })
    const third = await restart(keys)
    await other.remove()
    expect(await statusOf(third, { quoteToken, ref })).toMatchObject({ status: 'success', deliveredAmount: output.amount })
  })
})
