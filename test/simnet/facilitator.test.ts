import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createPublicClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const ERC20 = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

const REQUIREMENTS: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: USDC,
  amount: '1000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}

let simnet: Simnet

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: 'facilitator', venues: [] })
})
afterAll(() => simnet.close())

const post = async (path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${simnet.controlUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as { [field: string]: unknown } }
}
const chain = () => createPublicClient({ chain: base, transport: http(simnet.rpcUrls['8453']) })
const held = (holder: string) =>
  chain().readContract({ address: USDC, abi: ERC20, functionName: 'balanceOf', args: [holder as Hex] })
const isUsed = ({ payload }: PaymentPayload) => {
  const { from, nonce } = payload['authorization'] as { from: Hex; nonce: Hex }
  return chain().readContract({ address: USDC, abi: ERC20, functionName: 'authorizationState', args: [from, nonce] })
}

/** A new wallet of so much USDC and no coins. */
const aPayer = async (amount: string) => {
  const account = privateKeyToAccount(generatePrivateKey())
  if (amount !== '0') await post('/faucet', { chainId: 8453, token: USDC, address: account.address, amount })
  const sign = async (requirements: PaymentRequirements = REQUIREMENTS): Promise<PaymentPayload> => ({
    ...(await new ExactEvmScheme(account).createPaymentPayload(2, requirements)),
    accepted: requirements,
  })
  return { account, sign }
}

describe('the offline facilitator', () => {
  it('settles a payment that the official client signed, on the offline Base, once', async () => {
    const { account, sign } = await aPayer('5000')
    const payment = await sign()
    const before = await held(PAY_TO)
    expect(await simnet.facilitator.verify(payment, REQUIREMENTS)).toMatchObject({ isValid: true, payer: account.address })
    expect(await isUsed(payment)).toBe(false)
    const settled = await simnet.facilitator.settle(payment, REQUIREMENTS)
    expect(settled).toMatchObject({ success: true, network: 'eip155:8453', payer: account.address })
    expect(await isUsed(payment)).toBe(true)
    expect([await held(account.address), (await held(PAY_TO)) - before]).toEqual([4000n, 1000n])
    const receipt = await chain().getTransactionReceipt({ hash: settled.transaction as Hex })
    expect(receipt.status).toBe('success')

    expect(await simnet.facilitator.verify(payment, REQUIREMENTS)).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_nonce_already_used',
    })
    expect(await simnet.facilitator.settle(payment, REQUIREMENTS)).toMatchObject({ success: false })
    expect([await held(account.address), (await held(PAY_TO)) - before]).toEqual([4000n, 1000n])
  })

  it('is there for other processes, with the faults of a line', async () => {
    const { account, sign } = await aPayer('5000')
    const question = { x402Version: 2, paymentPayload: await sign(), paymentRequirements: REQUIREMENTS }
    expect(simnet.facilitator.url).toBe(`${simnet.controlUrl}/facilitator`)
    const supported = (await (await fetch(`${simnet.facilitator.url}/supported`)).json()) as { kinds: unknown[] }
    expect(supported.kinds).toContainEqual({ x402Version: 2, scheme: 'exact', network: 'eip155:8453' })
    expect(await post('/facilitator/verify', question)).toMatchObject({ status: 200, body: { isValid: true } })
    simnet.faults.set('facilitator', 'http-500', {}, 1)
    await expect(post('/facilitator/settle', question)).rejects.toThrow()
    expect(await post('/facilitator/settle', question)).toMatchObject({ status: 200, body: { success: true } })
    expect(await held(account.address)).toBe(4000n)
    expect(await post('/facilitator/verify', { paymentPayload: 'x' })).toMatchObject({ status: 500 })
    expect(await post('/facilitator/buy', question)).toMatchObject({ status: 404 })
  })
})
