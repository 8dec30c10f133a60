import { generateKeyPairSigner } from '@solana/kit'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

type Answer = {
  readonly data?: { readonly quoteToken: string }
  readonly error?: { readonly code: string; readonly details: unknown }
}
const read = async (response: Response) => (await response.json()) as Answer

/** A new wallet of so much USDC, and what it asks for by the official client. */
const aPayer = async (amount: string) => {
  const signer = await generateKeyPairSigner()
  await service.control.faucet({ chainId: -2, token: USDC.solana, address: signer.address, amount })
  const scheme = new ExactSvmScheme(signer, { rpcUrl: service.simnet.rpcUrls['-2'] ?? '' })
  const sent: string[] = []
  const watched: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const payment = request.headers.get('payment-signature')
    if (payment) sent.push(payment)
    return fetch(request)
  }
  const pay = wrapFetchWithPayment(watched, new x402Client().register('solana:*', scheme))
  const post = (by: typeof fetch, headers: Record<string, string> = {}, body: object = USDC_SWAP) =>
    by(`${service.url}/api/v1/x402/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return {
    signer,
    sent,
    quote: () => post(pay as typeof fetch),
    again: (payment: string, body?: object) => post(fetch, { 'payment-signature': payment }, body),
  }
}

describe('a quote paid for on Solana', () => {
  it('by the official client is answered and charged once, and again with the same answer [x402-solana]', async () => {
    const before = await held(PAY_TO)
    const { signer, sent, quote, again } = await aPayer('5000')
    const response = await quote()
    const first = await read(response)
    expect(response.status, JSON.stringify(first)).toBe(200)
    expect(first.data?.quoteToken).toEqual(expect.any(String))
    const receipt = response.headers.get('payment-response') ?? undefined
    expect(readReceipt(receipt)).toMatchObject({
      success: true,
      payer: signer.address,
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    })
    expect([await held(signer.address), (await held(PAY_TO)) - before]).toEqual([4_000n, 1_000n])

    expect(sent).toHaveLength(1)
    const repeated = await again(sent[0] ?? '')
    expect([repeated.status, (await read(repeated)).data]).toEqual([200, first.data])
    const other = await again(sent[0] ?? '', { ...USDC_SWAP, inputAmount: '26000000' })
    expect([other.status, (await read(other)).error?.details]).toEqual([402, { reason: 'spent' }])
    expect(await held(signer.address)).toBe(4_000n)
  })

  it('receives 402 from a wallet with too little', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { signer, quote } = await aPayer('999')
    const response = await quote()
    expect([response.status, (await read(response)).error?.code]).toEqual([402, 'PAYMENT_REQUIRED'])
    expect(await held(signer.address)).toBe(999n)
    vi.restoreAllMocks()
  })
})
