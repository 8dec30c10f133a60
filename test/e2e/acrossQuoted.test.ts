import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, broadcast } from '../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, OTHER_EVM, SOLANA_WALLET, TRANSACTION_SWAP } from '../support/swaps.ts'
import { startLive } from './liveService.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const WETH = { base: '0x4200000000000000000000000000000000000006', arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1' }
const USDC_AVALANCHE = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const SAFE = '0x00000000000000000000000000000000005aFE00'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const held = (chainId: number, token: string, owner: string) => balanceOf(service.control.rpcUrl(chainId), token, owner)

/** Funds a swap of the account, makes it, and follows it to its end. */
const swap = async (request: Omit<QuoteRequest, 'userAddress' | 'excludeVenues'>) => {
  const { inputChainId, inputToken, inputAmount } = request
  const gas = (parseEther('10') + (inputToken === NATIVE ? BigInt(inputAmount) : 0n)).toString()
  await fund(service, inputChainId, ACCOUNT.address, {
    [NATIVE]: gas,
    ...(inputToken === NATIVE ? {} : { [inputToken]: inputAmount }),
  })
  const body = { ...request, userAddress: ACCOUNT.address, excludeVenues: allBut('across') }
  const { quoteToken, slippage } = await service.call('quote', { body })
  const { transaction, approval } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(service.control.rpcUrl(inputChainId), approval.transaction)
  const ref = await broadcast(service.control.rpcUrl(inputChainId), transaction)
  const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: 3_000 }))
  return { end, delivered: BigInt(end.deliveredAmount ?? '-1'), minimum: BigInt(slippage?.guaranteedMin ?? '-1') }
}

describe('what Across quotes is executed and delivered', () => {
  it.each<[string, Parameters<typeof swap>[0]]>([
    [
      'a token that is exchanged first and bridged to Solana',
      {
        inputChainId: 42161,
        inputToken: ARB,
        inputAmount: parseEther('500').toString(),
        outputChainId: -2,
        outputToken: USDC.solana,
        destinationAddress: SOLANA_WALLET,
      },
    ],
    [
      'from Avalanche',
      {
        inputChainId: 43114,
        inputToken: USDC_AVALANCHE,
        inputAmount: '250000000',
        outputChainId: 8453,
        outputToken: USDC.base,
      },
    ],
    [
      'the native coin of Avalanche, exchanged first',
      {
        inputChainId: 43114,
        inputToken: NATIVE,
        inputAmount: parseEther('20').toString(),
        outputChainId: 8453,
        outputToken: USDC.base,
      },
    ],
    [
      'ether from Robinhood Chain',
      {
        inputChainId: 4663,
        inputToken: NATIVE,
        inputAmount: parseEther('1').toString(),
        outputChainId: 8453,
        outputToken: NATIVE,
      },
    ],
    [
      'ether to Robinhood Chain',
      {
        inputChainId: 8453,
        inputToken: NATIVE,
        inputAmount: parseEther('1').toString(),
        outputChainId: 4663,
        outputToken: NATIVE,
      },
    ],
    [
      'ether from ZKsync Era',
      {
        inputChainId: 324,
        inputToken: NATIVE,
        inputAmount: parseEther('1').toString(),
        outputChainId: 8453,
        outputToken: NATIVE,
      },
    ],
  ])('%s', async (_name, request) => {
    const { end, delivered, minimum } = await swap(request)
    expect(end.status).toBe('success')
    expect(delivered).toBeGreaterThanOrEqual(minimum)
  })
})

describe('for a recipient that is a contract', () => {
  beforeAll(async () => {
    // Takes whatever comes.
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [SAFE, '0x00'] })
    const headers = { 'content-type': 'application/json' }
    await fetch(service.control.rpcUrl(42161), { method: 'POST', headers, body })
  })

  it.each([
    ['wrapped ether, which comes without a message', WETH.base, WETH.arbitrum],
    ['ether, which comes by one', NATIVE, NATIVE],
  ])('%s', async (_name, inputToken, outputToken) => {
    const before = await held(42161, outputToken, SAFE)
    const { end, delivered } = await swap({
      inputChainId: 8453,
      inputToken,
      inputAmount: parseEther('1').toString(),
      outputChainId: 42161,
      outputToken,
      destinationAddress: SAFE,
    })
    expect(end.status).toBe('success')
    expect(await held(42161, outputToken, SAFE)).toBe(before + delivered)
  })
})

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
  const live = await startLive(service.simnet, { VENUE_ACROSS_BASE_URL: liar.url })
  for (const slippageBps of [undefined, 50]) {
    const body = { ...TRANSACTION_SWAP, destinationAddress: OTHER_EVM, ...(slippageBps === undefined ? {} : { slippageBps }) }
    const { body: answer } = await live.send('POST', '/api/v1/quote', { body })
    const decline = { venue: 'across', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true }
    expect(answer).toMatchObject({ error: { code: 'NO_LIQUIDITY', details: { declines: [decline] } } })
  }
  await live.close()
  await liar.close()
})
