import { mkdtempSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEther, type TypedDataDefinition } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { CHAIN_IDS, isEvmChainId } from '../../engine/core/chain.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { heldBy } from '../../scripts/client/balances.ts'
import { broadcast } from '../../scripts/client/evm.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA, USDC } from '../../scripts/client/tokens.ts'
import { closing } from '../support/closing.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { KEYS, SIGNUP } from '../support/keysStage.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { startRpcProxy } from '../support/rpcProxy.ts'
import { only } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'
import { HOUR_MS, MINUTE_MS, temporaryFolder } from './support.ts'

/** The service runs with mainnet settings that lead to the offline network, which outlives the restarts. */
const folder = temporaryFolder()
let simnet: Simnet
let control: NetworkControl
let dataDir: string
let database: OwnDatabase
const running: LiveService[] = []

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
const stop = async (): Promise<void> => {
  for (const service of running.splice(0)) await service.close()
}
afterEach(async () => {
  await control.clearFaults()
  await stop()
  await database.remove()
})

/** Closes before the database is removed. */
const later = closing()

const start = async (env: Environment = {}): Promise<LiveService & { control: NetworkControl }> => {
  const service = await startLive(simnet, { DATA_DIR: dataDir, ...database.env, ...env })
  running.push(service)
  return { ...service, control }
}
/** Ends the service that runs, if any, and starts it again. */
const restart = async (env: Environment = {}) => {
  await stop()
  return start(env)
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

it('a key, its settings and its webhook secret survive a restart, and the data folder has neither in plain text [key-survives-restart]', async () => {
  const env = { ...only('across'), RATE_LIMIT_KEYS_PER_ADDRESS: '100' }
  const first = await start(env)
  const { apiKey } = await first.call('createKey', { body: SIGNUP })
  const call = async ({ send }: Pick<LiveService, 'send'>, method: string, body?: object) => {
    const { headers, body: answer } = await send(method, KEYS, { headers: { 'x-api-key': apiKey }, ...(body && { body }) })
    return { headers, data: (answer as { data: { webhookSecret?: string } }).data }
  }
  const changed = await call(first, 'PATCH', { feeBps: 25, webhookUrl: 'https://wallet.example/hook' })
  const webhookSecret = changed.data.webhookSecret ?? expect.fail('no webhook secret')
  expect(changed.headers.get('ratelimit-policy')).toBe('"keys-per-address";q=100;w=60')
  const before = (await call(first, 'GET')).data
  await stop()
  for (const file of await readdir(dataDir)) {
    const text = await readFile(join(dataDir, file), 'latin1')
    expect([file, text.includes(apiKey), text.includes(webhookSecret)]).toEqual([file, false, false])
  }
  const second = await start(env)
  expect((await call(second, 'GET')).data).toEqual(before)
  expect(before).toMatchObject({ feeBps: 25, webhookUrl: 'https://wallet.example/hook' })
  const again = await call(second, 'PATCH', { webhookUrl: 'https://wallet.example/other' })
  expect(again.data).toEqual({ webhookUrl: 'https://wallet.example/other' })
})

it('submit-transaction: a post whose answer from Solana is lost is 502 with the hash, and 200 after a crash: it is sent and paid once [broadcast-uncertain-502]', async () => {
  // Counts what really went out.
  const proxy = later(await startRpcProxy(control.rpcUrl(SOLANA)))
  const env = { RPC_URLS_SOLANA: proxy.url }
  const [oneSol, fee] = [1_000_000_000n, 5_000n]
  const { address, sign } = solanaSigner(60)
  await fund({ control }, SOLANA, address, { [NATIVE_SOL]: (3n * oneSol).toString() })
  const spent = async () => 3n * oneSol - (await heldBy({ control }, { chainId: SOLANA, token: NATIVE_SOL, owner: address }))

  const first = await restart(env)
  const { quoteToken } = await first.call('quote', {
    body: {
      ...{ inputChainId: SOLANA, inputToken: NATIVE_SOL, inputAmount: oneSol.toString() },
      ...{ outputChainId: 8453, outputToken: USDC.base, excludeVenues: allBut('relay') },
      ...{ userAddress: address, destinationAddress: ACCOUNT.address, broadcastViaService: true },
    },
  })
  const execution = await executeAs(first, 'TRANSACTION', { quoteToken })
  const { statusRef = '', transaction } = execution
  const body = { quoteToken: execution.quoteToken ?? '', signedTransaction: sign(transaction.serialized ?? '') }
  proxy.lose('sendTransaction', 'answer')
  const { txHash } = expectFailure(await first.send('POST', '/api/v1/submit-transaction', { body }), 502, 'BUILD_FAILED')
  expect(await spent()).toBe(oneSol + fee)

  const second = await restart(env)
  proxy.mend()
  for (const _ of [1, 2]) expect(await second.call('submitTransaction', { body })).toEqual({ txHash })
  expect(proxy.count('sendTransaction')).toBe(1)
  expect(await spent()).toBe(oneSol + fee)
  await control.advance(MINUTE_MS)
  expect(await statusOf(second, { quoteToken, ref: statusRef })).toMatchObject({ status: 'success' })
})

it('settlement: a stop ends a pass that waits for a venue and releases the lease, and the swap, without status requests, ends after a restart with two instances [settlement-survives-restart]', async () => {
  const env = {
    VENUES_ENABLED: 'near-intents',
    // A swap with a fee of the operator needs settlement, as one with a fee of a partner does.
    ...{ FEE_SCHEDULE: 'route', VENUE_NEAR_INTENTS_FEE_ACCOUNT: 'swap-service.near', SETTLEMENT_INTERVAL_SECONDS: '1' },
    // By the blocks of two chains the clock of the service would be wrong: this test moves the time of the network.
    ...Object.fromEntries(
      CHAIN_IDS.filter((id) => isEvmChainId(id) && id !== 8453).map((id) => [rpcUrlsKey(id), 'http://127.0.0.1:9']),
    ),
  }
  const config = parseConfig({ NETWORK: 'mainnet', DATA_DIR: dataDir, ...database.env })
  const records = later(await openStore(config, systemClock))
  const first = await start(env)
  const { quoteToken } = await first.call('quote', { body: DEPOSIT_SWAP })
  const { deposit } = await executeAs(first, 'DEPOSIT', { quoteToken })
  await control.fault('near-intents', 'hang', { count: 1 })
  await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })
  const faults = async () => ((await (await fetch(`${control.url}/faults`)).json()) as { active: unknown[] }).active
  // The fault is used up when the pass asks the venue.
  await expect.poll(faults, { timeout: 30_000, interval: 50 }).toEqual([])
  const startedAt = performance.now()
  await stop()
  // The venue would have had eight seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  expect(await records.leases.take('settlement', 'another', 1)).toBe(true)

  await control.advance(HOUR_MS)
  await start(env)
  await start(env)
  await expect.poll(async () => (await records.swaps.byId(1))?.status.state, { timeout: 30_000 }).toBe('success')
})
