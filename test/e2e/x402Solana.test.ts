import { generateKeyPairSigner } from '@solana/kit'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { heldBy } from '../../scripts/client/balances.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { readReceipt } from '../support/x402Bench.ts'

const PAY_TO = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

let service: TestService
beforeAll(async () => {
  service = await startService({ ...only('across'), X402_PAY_TO_SOLANA: PAY_TO })
  await service.control.faucet({ chainId: -2, token: USDC.solana, address: PAY_TO, amount: '1' })
})
afterAll(() => service.close())

const held = (owner: string) => heldBy(service, { chainId: -2, token: USDC.solana, owner })

it('a quote paid for on Solana by the official client is answered and charged once, and again with the same answer [x402-solana]', async () => {
  const before = await held(PAY_TO)
  const signer = await generateKeyPairSigner()
  await service.control.faucet({ chainId: -2, token: USDC.solana, address: signer.address, amount: '5000' })
  const scheme = new ExactSvmScheme(signer, { rpcUrl: service.simnet.rpcUrls['-2'] ?? '' })
  const sent: string[] = []
  const watched: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const payment = request.headers.get('payment-signature')
    if (payment) sent.push(payment)
    return fetch(request)
  }
  const pay = wrapFetchWithPayment(watched, new x402Client().register('solana:*', scheme)) as typeof fetch
  const quote = async (by: typeof fetch, payment = '', body: object = USDC_SWAP) => {
    const headers = { 'content-type': 'application/json', ...(payment && { 'payment-signature': payment }) }
    const response = await by(`${service.url}/api/v1/x402/quote`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data, error } = (await response.json()) as { data?: { quoteToken: string }; error?: { details: unknown } }
    return { status: response.status, data, error, receipt: response.headers.get('payment-response') ?? undefined }
  }

  const first = await quote(pay)
  expect(first).toMatchObject({ status: 200, data: { quoteToken: expect.any(String) } })
  const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  expect(readReceipt(first.receipt)).toMatchObject({ success: true, payer: signer.address, network })
  expect([await held(signer.address), (await held(PAY_TO)) - before]).toEqual([4_000n, 1_000n])

  expect(sent).toHaveLength(1)
  expect(await quote(fetch, sent[0])).toMatchObject({ status: 200, data: first.data })
  const other = await quote(fetch, sent[0], { ...USDC_SWAP, inputAmount: '26000000' })
  expect(other).toMatchObject({ status: 402, error: { details: { reason: 'spent' } } })
  expect(await held(signer.address)).toBe(4_000n)
})
