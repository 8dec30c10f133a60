import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, x402Client, x402HTTPClient } from '@x402/fetch'
import { verifyTypedData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { PaidResource } from '../../engine/core/paidCall.ts'
import type { AuthorizationReader, AuthorizationState } from '../../engine/x402/authorizationReader.ts'
import type { PaymentOption, PaymentPorts } from '../../engine/x402/paymentPorts.ts'

export const PAY_TO = '0x402F0000000000000000000000000000000000A1'
export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export const IN_USDC: PaymentOption = {
  scheme: 'exact',
  network: 'eip155:8453',
  payTo: PAY_TO,
  price: { asset: BASE_USDC, amount: '1000', extra: { name: 'USD Coin', version: '2' } },
  maxTimeoutSeconds: 300,
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

type Hex = `0x${string}`
type Authorization = { from: Hex; to: Hex; value: string; validAfter: string; validBefore: string; nonce: Hex }
type Signed = { readonly signature: Hex; readonly authorization: Authorization }

/** A chain with one token on it: what EIP-3009 says, in a dozen lines. */
export type ToyChain = {
  readonly balances: Map<string, bigint>
  /** By nonce: the transaction that used it, and the height of it in the order of things. */
  readonly used: Map<string, string>
  /** Uses an authorization up. Throws where the token would. */
  transfer(signed: Signed): Promise<string>
  /** What a chain that can be read says. */
  stateOf(signed: Signed): AuthorizationState
}

const isSigned = ({ signature, authorization }: Signed): Promise<boolean> =>
  verifyTypedData({
    address: authorization.from,
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
    signature,
  })

export const createToyChain = (): ToyChain => {
  const balances = new Map<string, bigint>()
  const used = new Map<string, string>()
  const balanceOf = (address: string): bigint => balances.get(address.toLowerCase()) ?? 0n
  return {
    balances,
    used,
    transfer: async (signed) => {
      const { from, to, value, nonce } = signed.authorization
      if (!(await isSigned(signed))) throw new Error('FiatTokenV2: invalid signature')
      if (used.has(nonce)) throw new Error('FiatTokenV2: authorization is used or canceled')
      if (balanceOf(from) < BigInt(value)) throw new Error('ERC20: transfer amount exceeds balance')
      balances.set(from.toLowerCase(), balanceOf(from) - BigInt(value))
      balances.set(to.toLowerCase(), balanceOf(to) + BigInt(value))
      const transaction = `0x${String(used.size + 1).padStart(64, '0')}`
      used.set(nonce, transaction)
      return transaction
    },
    stateOf: ({ authorization }) => {
      const transaction = used.get(authorization.nonce)
      if (transaction !== undefined) return { state: 'used', transaction }
      return Number(authorization.validBefore) * 1000 < Date.now() ? { state: 'expired' } : { state: 'unused' }
    },
  }
}

const signedIn = ({ payload }: PaymentPayload): Signed => payload as unknown as Signed

/** A facilitator that settles on the toy chain, and what each of its calls does instead when a test wishes. */
export type ToyFacilitator = FacilitatorClient & {
  readonly verified: PaymentPayload[]
  readonly settled: PaymentPayload[]
  onVerify: FacilitatorClient['verify'] | null
  onSettle: FacilitatorClient['settle'] | null
  onSupported: FacilitatorClient['getSupported'] | null
  /** The real ones. */
  readonly really: Pick<FacilitatorClient, 'verify' | 'settle'>
}

export const createToyFacilitator = (chain: ToyChain): ToyFacilitator => {
  const really = {
    verify: async (payload: PaymentPayload, { amount }: PaymentRequirements) => {
      const signed = signedIn(payload)
      const { from, nonce, validBefore } = signed.authorization
      const invalid = (invalidReason: string) => ({
        isValid: false,
        invalidReason,
        invalidMessage: 'rpc at 10.0.0.1',
        payer: from,
      })
      if (!(await isSigned(signed).catch(() => false))) return invalid('invalid_exact_evm_signature')
      if (Number(validBefore) * 1000 < Date.now()) return invalid('invalid_exact_evm_payload_authorization_valid_before')
      if (chain.used.has(nonce)) return invalid('invalid_exact_evm_nonce_already_used')
      if ((chain.balances.get(from.toLowerCase()) ?? 0n) < BigInt(amount))
        return invalid('invalid_exact_evm_insufficient_balance')
      return { isValid: true, payer: from }
    },
    settle: async (payload: PaymentPayload, { network }: PaymentRequirements) => {
      const { from } = signedIn(payload).authorization
      try {
        const transaction = await chain.transfer(signedIn(payload))
        return { success: true, transaction, network, payer: from }
      } catch {
        const errorReason = chain.used.has(signedIn(payload).authorization.nonce)
          ? 'invalid_exact_evm_nonce_already_used'
          : 'invalid_exact_evm_insufficient_balance'
        return { success: false, errorReason, errorMessage: 'calldata 0xdeadbeef', transaction: '', network }
      }
    },
  }
  const facilitator: ToyFacilitator = {
    verified: [],
    settled: [],
    onVerify: null,
    onSettle: null,
    onSupported: null,
    really,
    verify: (payload, requirements) => {
      facilitator.verified.push(payload)
      return (facilitator.onVerify ?? really.verify)(payload, requirements)
    },
    settle: (payload, requirements) => {
      facilitator.settled.push(payload)
      return (facilitator.onSettle ?? really.settle)(payload, requirements)
    },
    getSupported: () =>
      facilitator.onSupported?.() ??
      Promise.resolve({ kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }], extensions: [], signers: {} }),
  }
  return facilitator
}

export type X402Bench = {
  readonly chain: ToyChain
  readonly facilitator: ToyFacilitator
  /** What the chain says in place of the truth, when a test wishes. */
  readonly reader: { says: AuthorizationState | null; asked: number }
  readonly ports: PaymentPorts
}

/** What a 402 is asked for, where it does not matter what it is. */
export const A_RESOURCE: PaidResource = {
  url: 'http://service/x402/quote',
  description: 'a quote',
  call: { operation: 'x402Quote', method: 'POST', schema: { type: 'object' }, example: { amount: '1' }, answer: { quoted: '2' } },
}

export const createX402Bench = (chain = createToyChain()): X402Bench => {
  const facilitator = createToyFacilitator(chain)
  const reader: X402Bench['reader'] = { says: null, asked: 0 }
  const authorizations: AuthorizationReader = {
    stateOf: async (payload) => {
      reader.asked += 1
      return reader.says ?? chain.stateOf(signedIn(payload))
    },
  }
  return { chain, facilitator, reader, ports: { facilitator, authorizations, options: [IN_USDC] } }
}

export type Payer = {
  readonly address: string
  readonly account: PrivateKeyAccount
  /** Signs what the header PAYMENT-REQUIRED asks for, with the official client: the value of PAYMENT-SIGNATURE. */
  sign(required: string): Promise<string>
}

/** A wallet that pays by the official client. */
export const payerOf = (account: PrivateKeyAccount): Payer => {
  const client = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(account)))
  return {
    address: account.address,
    account,
    sign: async (required) => {
      const asked = client.getPaymentRequiredResponse((name) => (name.toLowerCase() === 'payment-required' ? required : null))
      const payload = await client.createPaymentPayload(asked)
      return client.encodePaymentSignatureHeader(payload)['PAYMENT-SIGNATURE'] ?? ''
    },
  }
}

/** A wallet of its own, with this much on the toy chain. */
export const createPayer = (chain: ToyChain, balance = 1_000_000n): Payer => {
  const account = privateKeyToAccount(generatePrivateKey())
  chain.balances.set(account.address.toLowerCase(), balance)
  return payerOf(account)
}

export const readReceipt = (header: string | undefined): ReturnType<typeof decodePaymentResponseHeader> =>
  decodePaymentResponseHeader(header ?? '')
