import { generateKeyPairSigner } from '@solana/kit'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createPublicClient, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { createChainEvidence } from '../../engine/chains/chainEvidence.ts'
import { createEndpointHealth } from '../../engine/chains/endpoints/endpointHealth.ts'
import { createEvmAuthorizations } from '../../engine/chains/evm/evmAuthorizations.ts'
import { createSolanaMessages } from '../../engine/chains/solana/solanaMessages.ts'
import type { PaidCallHooks, PaidCalls } from '../../engine/core/paidCall.ts'
import { SwapError } from '../../engine/errors.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { createAuthorizationReader } from '../../engine/x402/createAuthorizationReader.ts'
import { A_RESOURCE } from './x402Bench.ts'

/** Wallets that pay by the official clients on the offline chains, and our own look at what became of it. */

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const USDC_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

export const TOKEN_ABI = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)'])

export const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC } as const

/** Each payee is a new one, so that what it got is what a test paid. */
export const requirementsFor = (payTo: string): PaymentRequirements => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: USDC,
  amount: '1000',
  payTo,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
})

type SignedTransfer = {
  readonly from: Hex
  readonly to: Hex
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}
export const transferIn = ({ payload }: PaymentPayload): SignedTransfer => payload['authorization'] as SignedTransfer

/** The payment with other terms, signed by its payer. */
export const signedAgain = async (
  account: PrivateKeyAccount,
  payment: PaymentPayload,
  change: Partial<SignedTransfer>,
): Promise<PaymentPayload> => {
  const authorization = { ...transferIn(payment), ...change }
  const { value, validAfter, validBefore } = authorization
  const numbers = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
  const message = { ...authorization, ...numbers }
  const primaryType = 'TransferWithAuthorization'
  const signature = await account.signTypedData({ domain: DOMAIN, types: TYPES, primaryType, message })
  return { ...payment, payload: { authorization, signature } }
}

export const anAddress = (): Hex => privateKeyToAccount(generatePrivateKey()).address

/** Serves a quote for a payment. Returns its answer, or the reason or the code of its refusal. */
export const payFor = async (calls: PaidCalls, payment: object, hooks: Partial<PaidCallHooks> = {}): Promise<unknown> => {
  const text = Buffer.from(JSON.stringify(payment)).toString('base64')
  const request = { operation: 'x402Quote', requestId: 'req-1', partnerId: null, asked: {}, resource: A_RESOURCE, payment: text }
  const enter = async () => async () => undefined
  try {
    const work = async () => '{"quote":1}'
    return (await calls.serve(request, { room: async () => undefined, enter, work, ...hooks })).answer
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    return error.details?.['reason'] ?? error.code
  }
}

export const startPaymentStage = async () => {
  const startedAt = Date.now()
  // Stands still but for `advance`, so that no block is made while nobody asks for one.
  const clock = createSimClock(() => startedAt)
  const simnet: Simnet = await startSimnet({ controlPort: 0, seed: 'payments', venues: [], clock })
  const httpClient = createHttpClient()
  const health = createEndpointHealth({ clock: simnet.clock })
  const rpcUrls = { 8453: [simnet.rpcUrls['8453'] ?? ''], [-2]: [simnet.rpcUrls['-2'] ?? ''] }
  const shared = { rpcUrls, http: httpClient, health }
  const parts = {
    evidence: createChainEvidence({ ...shared, clock: simnet.clock }),
    authorizations: createEvmAuthorizations(shared),
    messages: createSolanaMessages(shared),
  }
  const waits: number[] = []
  const reader = createAuthorizationReader({ ...parts, wait: async (ms) => void waits.push(ms) })

  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${simnet.controlUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { readonly [field: string]: unknown }
  }
  const rpc = async (chainId: number, method: string, params: readonly unknown[]) =>
    (await post(`/rpc/${chainId}`, { jsonrpc: '2.0', id: 1, method, params }))['result']
  const faucet = (chainId: number, token: string, address: string, amount: string) =>
    post('/faucet', { chainId, token, address, amount })
  const transport = http(simnet.rpcUrls['8453'])
  const chain = createPublicClient({ chain: base, transport })

  /** A transaction of a wallet's own, landed. */
  const send = async (account: PrivateKeyAccount, call: { to: Hex; data: Hex }) => {
    await faucet(8453, COIN, account.address, '10000000000000000')
    const wallet = createWalletClient({ account, chain: base, transport })
    const hash = await wallet.sendTransaction(call)
    return chain.waitForTransactionReceipt({ hash })
  }

  /** A new wallet of so much USDC. */
  const aPayer = async (amount = '5000') => {
    const account = privateKeyToAccount(generatePrivateKey())
    if (amount !== '0') await faucet(8453, USDC, account.address, amount)
    const sign = async (requirements: PaymentRequirements): Promise<PaymentPayload> =>
      ({
        ...(await new ExactEvmScheme(account).createPaymentPayload(2, requirements)),
        accepted: requirements,
      }) as PaymentPayload
    return { account, sign }
  }

  const heldOnSolana = async (owner: string) => {
    const found = await rpc(-2, 'getTokenAccountsByOwner', [owner, { mint: USDC_SOLANA }, { encoding: 'jsonParsed' }])
    const { value } = found as { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] }
    return value[0]?.account.data.parsed.info.tokenAmount.amount ?? null
  }

  /** A new wallet of so much USDC on Solana, and a payee that holds one unit. */
  const aSolanaPayer = async (amount = '5000') => {
    const [signer, payee] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
    await faucet(-2, USDC_SOLANA, signer.address, amount)
    await faucet(-2, USDC_SOLANA, payee.address, '1')
    const { kinds } = await simnet.facilitator.getSupported()
    const requirements: PaymentRequirements = {
      scheme: 'exact',
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      asset: USDC_SOLANA,
      amount: '1000',
      payTo: payee.address,
      maxTimeoutSeconds: 300,
      extra: kinds.find(({ network }) => network.startsWith('solana:'))?.extra ?? {},
    }
    const client = new ExactSvmScheme(signer, { rpcUrl: simnet.rpcUrls['-2'] ?? '' })
    const sign = async (): Promise<PaymentPayload> =>
      ({ ...(await client.createPaymentPayload(2, requirements)), accepted: requirements }) as PaymentPayload
    return { signer, requirements, sign }
  }

  /** Has a payment run whatever comes of it, as by another who holds the fee payer's key. */
  const landOnSolana = async ({ payload, accepted }: PaymentPayload) => {
    const { createSolanaSigner } = await import('../../engine/simnet/facilitator/solanaSigner.ts')
    const signer = createSolanaSigner({} as never, simnet.tokens)
    const [payer] = signer.getAddresses()
    if (payer === undefined) throw new Error('nobody pays')
    const signed = await signer.signTransaction(payload['transaction'] as string, payer, accepted.network)
    return rpc(-2, 'sendTransaction', [signed, { encoding: 'base64', skipPreflight: true }])
  }

  return {
    simnet,
    parts,
    /** Does not wait. */
    reader,
    landOnSolana,
    /** How often our own nodes were looked at again, and after how long. */
    waits,
    faucet,
    heldOnSolana,
    send,
    aPayer,
    aSolanaPayer,
    stateOf: (payment: PaymentPayload, told: string | null = null) =>
      reader.stateOf(payment, payment.accepted, new AbortController().signal, told),
    advance: (advanceMs: number) => post('/clock', { advanceMs }),
    close: async () => {
      await httpClient.close()
      await simnet.close()
    },
  }
}
