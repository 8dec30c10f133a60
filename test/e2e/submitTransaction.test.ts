import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { type RpcProxy, startRpcProxy } from '../support/rpcProxy.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'

/**
 * A transaction posted to the service while the way to Solana breaks at the worst moments, and the service itself with it.
 * The proxy in between counts what really went out.
 */
const SOL = 'So11111111111111111111111111111111111111112'
const ONE_SOL = 1_000_000_000n
const FEE = 5_000n

let simnet: Simnet
let control: NetworkControl
let proxy: RpcProxy
let dataDir: string
let running: LiveService | null = null
let seed = 60

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1' })
  control = controlNetwork(simnet.controlUrl)
})
afterAll(() => simnet.close())
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-submit-'))
  proxy = await startRpcProxy(control.rpcUrl(-2))
})
afterEach(async () => {
  await running?.close()
  running = null
  await proxy.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Ends the service that runs, if any, and starts it again over the same data. */
const restart = async (): Promise<LiveService> => {
  await running?.close()
  running = null
  running = await startLive(simnet, { DATA_DIR: dataDir, RPC_URLS_SOLANA: proxy.url })
  return running
}

const solana = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return ((await (await fetch(control.rpcUrl(-2), { ...init, body })).json()) as { result?: unknown }).result
}
const lamports = async (address: string): Promise<bigint> =>
  BigInt(((await solana('getBalance', [address])) as { value: number }).value)

/** A funded wallet of its own, and a payment it has signed for the service to send. */
const signedSwap = async (service: LiveService) => {
  seed += 1
  const { address, sign } = solanaSigner(seed)
  await control.faucet({ chainId: -2, token: SOL, address, amount: (3n * ONE_SOL).toString() })
  const { quoteToken } = await service.call('quote', {
    body: {
      inputChainId: -2,
      outputChainId: 8453,
      inputToken: SOL,
      outputToken: USDC.base,
      inputAmount: ONE_SOL.toString(),
      userAddress: address,
      destinationAddress: ACCOUNT.address,
      broadcastViaService: true,
      excludeVenues: allBut('relay'),
    },
  })
  const execution = await executeAs(service, 'TRANSACTION', { quoteToken })
  const { statusRef = '', transaction } = execution
  const body = { quoteToken: execution.quoteToken ?? '', signedTransaction: sign(transaction.serialized ?? '') }
  const spent = async () => 3n * ONE_SOL - (await lamports(address))
  return { body, quoteToken, statusRef, spent }
}

const post = (service: LiveService, body: unknown) => service.send('POST', '/api/v1/submit-transaction', { body })

describe('a post whose answer from Solana is lost', () => {
  it('is answered 502 with the hash, and 200 after a crash: it was sent once and paid once', async () => {
    const first = await restart()
    const { body, statusRef, quoteToken, spent } = await signedSwap(first)
    proxy.lose('sendTransaction', 'answer')
    const { txHash } = expectFailure(await post(first, body), 502, 'BUILD_FAILED')
    expect(await spent()).toBe(ONE_SOL + FEE)

    const second = await restart()
    proxy.mend()
    expect(await second.call('submitTransaction', { body })).toEqual({ txHash })
    expect(await second.call('submitTransaction', { body })).toEqual({ txHash })
    expect(proxy.count('sendTransaction')).toBe(1)
    expect(await spent()).toBe(ONE_SOL + FEE)
    await control.advance(60_000)
    expect(await second.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'success' })
  })

  it('is answered 200 by the next post while Solana runs it: the same transaction lands once', async () => {
    const service = await restart()
    const { body, spent } = await signedSwap(service)
    proxy.lose('sendTransaction', 'answer')
    const { txHash } = expectFailure(await post(service, body), 502, 'BUILD_FAILED')
    proxy.mend()
    const answers = await Promise.all([1, 2, 3].map(() => service.call('submitTransaction', { body })))
    expect(answers).toEqual([{ txHash }, { txHash }, { txHash }])
    expect(await spent()).toBe(ONE_SOL + FEE)
  })
})

describe('a post that never reached Solana', () => {
  it('is answered 502, and sent by the next one', async () => {
    const service = await restart()
    const { body, spent } = await signedSwap(service)
    proxy.lose('sendTransaction', 'request')
    const { txHash } = expectFailure(await post(service, body), 502, 'BUILD_FAILED')
    expect(await spent()).toBe(0n)
    proxy.mend()
    expect(await service.call('submitTransaction', { body })).toEqual({ txHash })
    expect(await spent()).toBe(ONE_SOL + FEE)
  })

  it('is answered 422 once its blockhash is over for certain, so that another may be signed, and its swap has failed', async () => {
    const service = await restart()
    const { body, quoteToken, statusRef, spent } = await signedSwap(service)
    proxy.lose('sendTransaction', 'request')
    const { txHash } = expectFailure(await post(service, body), 502, 'BUILD_FAILED')
    expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'pending' })
    await control.advance(5 * 60_000)
    for (const ref of [statusRef, String(txHash)])
      expect(await service.call('status', { query: { quoteToken, ref } })).toMatchObject({ status: 'failed' })
    expectFailure(await post(service, body), 422, 'ORDER_REJECTED')
    proxy.mend()
    expectFailure(await post(service, body), 422, 'ORDER_REJECTED')
    expect(await spent()).toBe(0n)
  })
})

describe('Solana out of reach', () => {
  it('costs a post nothing: 502, nothing sent, nothing hangs; and the same post succeeds when it is back', async () => {
    const service = await restart()
    const { body, spent } = await signedSwap(service)
    proxy.lose('*', 'request')
    const { txHash, retryable } = expectFailure(await post(service, body), 502, 'BUILD_FAILED')
    expect(retryable).toBe(true)
    expect(proxy.count('sendTransaction')).toBe(0)
    proxy.mend()
    expect(await service.call('submitTransaction', { body })).toEqual({ txHash })
    expect(await spent()).toBe(ONE_SOL + FEE)
  })

  it('does not unsay what was answered: a post that was sent is answered 200 while nobody can be asked', async () => {
    const service = await restart()
    const { body } = await signedSwap(service)
    const sent = await service.call('submitTransaction', { body })
    proxy.lose('*', 'request')
    expect(await service.call('submitTransaction', { body })).toEqual(sent)
    expect(proxy.count('sendTransaction')).toBe(1)
  })
})
