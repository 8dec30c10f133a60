import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFunctionData, type Hex, pad, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, OTHER_EVM, TRANSACTION_SWAP } from '../../support/swaps.ts'
import { startLive } from '../liveService.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'

/** contracts/interfaces/V3SpokePoolInterface.sol of across-protocol/contracts. */
const SPOKE_POOL = parseAbi([
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)',
])

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString() })
})
afterAll(() => service.close())
afterEach(async () => {
  await service.control.clearFaults()
  // Two equal swaps of one second are refused.
  await service.control.advance(1_000)
})

const rpcUrl = (chainId: number) => service.control.rpcUrl(chainId)
const quote = (request: QuoteRequest) => service.call('quote', { body: request })
const held = (chainId: number, token: string, owner: string = ACCOUNT.address) => balanceOf(rpcUrl(chainId), token, owner)
const word = (address: string): Hex => pad(address.toLowerCase() as Hex)

/** Makes a token refuse every transfer for a while: its code reverts. */
const freeze = async (chainId: number, token: string) => {
  const call = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl(chainId), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await response.json()) as { result: unknown }).result
  }
  const code = await call('eth_getCode', [token, 'latest'])
  await call('anvil_setCode', [token, '0x60006000fd'])
  return { thaw: () => call('anvil_setCode', [token, code]) }
}

/** A swap whose deposit is on the chain, approval and all. */
const sent = async (change: Partial<QuoteRequest> = {}) => {
  const request = { ...TRANSACTION_SWAP, ...change }
  await fund(service, 8453, ACCOUNT.address, { [USDC.base]: request.inputAmount })
  const offer = await quote(request)
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken: offer.quoteToken })
  if (approval) await broadcast(rpcUrl(8453), approval.transaction)
  const ref = await broadcast(rpcUrl(8453), transaction)
  return { offer, transaction, quoteToken: offer.quoteToken, ref }
}

/** Stands before the venue and changes what it answers to `/swap/approval`. */
const startLiar = async (target: string, lie: (answer: { [field: string]: unknown }) => unknown) => {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${target}${request.url}`)
    const body: unknown = await answer.json()
    const isPrice = request.url?.startsWith('/swap/approval') === true && answer.status === 200
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isPrice ? lie(body as { [field: string]: unknown }) : body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

it('a fine price of which one unit is guaranteed is declined as a bound too wide, whether the caller gives a tolerance or not', async () => {
  const wordOf = (amount: bigint) => amount.toString(16).padStart(64, '0')
  const liar = await startLiar(service.simnet.venues['across']?.baseUrl ?? '', (answer) => {
    const { steps, swapTx } = answer as { steps: { bridge: object }; swapTx: { data: string } }
    const data = swapTx.data.replace(wordOf(249_942_500n), wordOf(1n))
    expect(data).not.toBe(swapTx.data)
    const bridge = { ...steps.bridge, outputAmount: '1' }
    return {
      ...answer,
      expectedOutputAmount: '250500000',
      minOutputAmount: '1',
      steps: { ...steps, bridge },
      swapTx: { ...swapTx, data },
    }
  })
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'swap-service-'))
  const live = await startLive(service.simnet, { VENUE_ACROSS_BASE_URL: liar.url, DATA_DIR })
  for (const slippageBps of [undefined, 50]) {
    const body = { ...TRANSACTION_SWAP, destinationAddress: OTHER_EVM, ...(slippageBps === undefined ? {} : { slippageBps }) }
    const { body: answer } = await live.send('POST', '/api/v1/quote', { body })
    const decline = { venue: 'across', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true }
    expect(answer).toMatchObject({ error: { code: 'NO_LIQUIDITY', details: { declines: [decline] } } })
  }
  await live.close()
  await liar.close()
  await rm(DATA_DIR, { recursive: true, force: true })
})

describe('USDC from Base to Arbitrum by Across', () => {
  it('is quoted with the tolerance of its own re-quote, and is a deposit whose every word was quoted', async () => {
    const { offer, transaction } = await sent()
    // Relayers' costs may move by 0.1 % until execute, which asks again.
    expect(offer.slippage).toEqual({ bps: 10, isFirm: true, guaranteedMin: (249_942_500 - 249_942).toString() })
    const { functionName, args } = decodeFunctionData({ abi: SPOKE_POOL, data: transaction.data as Hex })
    expect(functionName).toBe('deposit')
    expect(args.slice(0, 7)).toEqual([
      ...[ACCOUNT.address, ACCOUNT.address, USDC.base, USDC.arbitrum].map(word),
      ...[250_000_000n, 249_942_500n, 42_161n],
    ])
    expect(args[11]).toBe('0x')
  })

  it('is no swap when the wallet left the approval out', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    await fund(service, 8453, poor.address, { [NATIVE]: parseEther('1').toString(), [USDC.base]: '250000000' })
    const { quoteToken } = await quote({ ...TRANSACTION_SWAP, userAddress: poor.address })
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(approval).toBeDefined()
    await expect(broadcast(rpcUrl(8453), transaction, poor)).rejects.toThrow('reverted')
    expect(await held(8453, USDC.base, poor.address)).toBe(250_000_000n)
  })

  it('is no swap an hour after it was built: the pool takes no older price', async () => {
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const before = await held(8453, USDC.base)
    const { quoteToken } = await quote(TRANSACTION_SWAP)
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(rpcUrl(8453), approval.transaction)
    await service.control.advance(HOUR_MS)
    await expect(broadcast(rpcUrl(8453), transaction)).rejects.toThrow('reverted')
    expect(await held(8453, USDC.base)).toBe(before)
  })

  it('is still polled on after it expired: the refund comes no sooner than the venue says', async () => {
    await service.control.fault('across', 'never-fills')
    const swap = await sent()
    await service.control.clearFaults()
    await follow(service, swap, { stepMs: 10 * MINUTE_MS, until: 'expired' })
    await service.control.advance(60 * MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'expired', venueStatus: 'expired' })
    const before = await held(8453, USDC.base)
    await service.control.advance(40 * MINUTE_MS)
    // By now, whether anybody asks or not.
    expect(await held(8453, USDC.base)).toBe(before + 250_000_000n)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'refunded' })
  })

  it('is refunded when the chain refuses the fill, which the network notes', async () => {
    const frozen = await freeze(42161, USDC.arbitrum)
    const swap = await sent()
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'pending' })
    await frozen.thaw()
    const { notices } = (await (await fetch(service.control.url)).json()) as { notices: { reason: string }[] }
    expect(notices).toHaveLength(1)
    const before = await held(8453, USDC.base)
    expect(statesOf(await follow(service, swap, { stepMs: 10 * MINUTE_MS })).at(-1)).toBe('refunded')
    expect(await held(8453, USDC.base)).toBe(before + 250_000_000n)
  })

  it('is exchanged after the bridge as well, for whoever asks the venue itself', async () => {
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const question = new URLSearchParams({
      ...{ amount: '250000000', inputToken: USDC.base, originChainId: '8453', outputToken: ARB, destinationChainId: '42161' },
      ...{ depositor: ACCOUNT.address, recipient, refundOnOrigin: 'true' },
    })
    type Answer = { swapTx: { to: string; data: string }; approvalTxns?: { to: string; data: string }[]; minOutputAmount: string }
    const answer = await service.control.askVenue<Answer>('across', `/swap/approval?${question}`)
    for (const { to, data } of [...(answer.approvalTxns ?? []), answer.swapTx])
      await broadcast(rpcUrl(8453), { chainId: 8453, to, data, value: '0' })
    await service.control.advance(MINUTE_MS)
    expect(await held(42161, ARB, recipient)).toBe(BigInt(answer.minOutputAmount))
  })
})
