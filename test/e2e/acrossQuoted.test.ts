import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokens, type SimToken } from '../../engine/simnet/tokens.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, NATIVE, SOLANA_WALLET, USDC } from '../support/swaps.ts'
import { balanceOf, broadcast } from '../support/wallets.ts'
import { executeAs, follow, fund, lastOf, type QuoteRequest } from './support.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const WETH = { base: '0x4200000000000000000000000000000000000006', arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1' }

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const rpc = async (chainId: number, method: string, params: readonly unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(service.control.rpcUrl(chainId), { method: 'POST', headers, body })
  return ((await response.json()) as { result: unknown }).result
}

const fromArbitrum = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
  inputChainId: 42161,
  inputToken: ARB,
  inputAmount: parseEther('500').toString(),
  outputChainId: -2,
  outputToken: USDC.solana,
  userAddress: ACCOUNT.address,
  destinationAddress: SOLANA_WALLET,
  excludeVenues: allBut('across'),
  ...change,
})

it('a token that is exchanged first and bridged to Solana is quoted, executed and delivered', async () => {
  const request = fromArbitrum()
  await fund(service, 42161, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [ARB]: request.inputAmount })
  const { quoteToken, slippage, approval } = await service.call('quote', { body: request })
  expect(approval).toMatchObject({ token: ARB })
  const { transaction, approval: first } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (first) await broadcast(service.control.rpcUrl(42161), first.transaction)
  const ref = await broadcast(service.control.rpcUrl(42161), transaction)
  const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: 3_000 }))
  expect(end.status).toBe('success')
  expect(BigInt(end.deliveredAmount ?? '0')).toBeGreaterThanOrEqual(BigInt(slippage?.guaranteedMin ?? '-1'))
})
