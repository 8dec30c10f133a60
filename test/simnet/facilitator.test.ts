import { generateKeyPairSigner } from '@solana/kit'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createPublicClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const USDC_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const PAY_TO_SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

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

const heldOnSolana = async (owner: string) => {
  const params = [owner, { mint: USDC_SOLANA }, { encoding: 'jsonParsed' }]
  const { body } = await post('/rpc/-2', { jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params })
  const { value } = body['result'] as {
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[]
  }
  return value[0]?.account.data.parsed.info.tokenAmount.amount
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

  it('settles a payment that the official client signed, on the offline Solana, once', async () => {
    const signer = await generateKeyPairSigner()
    await post('/faucet', { chainId: -2, token: USDC_SOLANA, address: signer.address, amount: '5000' })
    await post('/faucet', { chainId: -2, token: USDC_SOLANA, address: PAY_TO_SOLANA, amount: '1' })
    const { kinds } = await simnet.facilitator.getSupported()
    const requirements: PaymentRequirements = {
      scheme: 'exact',
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      asset: USDC_SOLANA,
      amount: '1000',
      payTo: PAY_TO_SOLANA,
      maxTimeoutSeconds: 300,
      extra: kinds.find(({ network }) => network.startsWith('solana:'))?.extra ?? {},
    }
    const client = new ExactSvmScheme(signer, { rpcUrl: simnet.rpcUrls['-2'] ?? '' })
    const payment = { ...(await client.createPaymentPayload(2, requirements)), accepted: requirements } as PaymentPayload
    expect(await simnet.facilitator.verify(payment, requirements)).toMatchObject({ isValid: true, payer: signer.address })
    const settled = await simnet.facilitator.settle(payment, requirements)
    expect(settled).toMatchObject({ success: true, payer: signer.address })
    expect(await simnet.facilitator.settle(payment, requirements)).toMatchObject({ success: false })
    expect([await heldOnSolana(signer.address), await heldOnSolana(PAY_TO_SOLANA)]).toEqual(['4000', '1001'])
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
