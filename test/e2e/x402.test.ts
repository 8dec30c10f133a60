import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { only, startService, type TestService } from '../support/service.ts'
import { readReceipt } from '../support/x402Bench.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())

it('the official client pays for a quote on the offline network, and the chain shows who was paid', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  await service.control.faucet({ chainId: 8453, token: USDC, address: account.address, amount: '1000' })
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
  const payingFetch = wrapFetchWithPayment(fetch, client)
  const response = await payingFetch(`${service.url}/api/v1/x402/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      inputChainId: 8453,
      outputChainId: 42161,
      inputToken: USDC,
      outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      inputAmount: '25000000',
      userAddress: account.address,
    }),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(JSON.parse(text).data.quoteToken).toEqual(expect.any(String))
  const { success, transaction, payer } = readReceipt(response.headers.get('payment-response') ?? undefined)
  expect({ success, payer }).toEqual({ success: true, payer: account.address })
  expect(transaction).toMatch(/^0x[0-9a-f]{64}$/)
})
