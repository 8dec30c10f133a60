import { randomBytes } from 'node:crypto'
import type { PaymentPorts } from '../../../engine/x402/paymentPorts.ts'

const PAYEE = '0x402F0000000000000000000000000000000000A1'
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const NETWORK = 'eip155:8453'
const PRICE = { amount: '1000', asset: ASSET, extra: { name: 'USD Coin', version: '2' } }
const ACCEPTED = { scheme: 'exact', network: NETWORK, payTo: PAYEE, maxTimeoutSeconds: 300 } as const

const TRANSACTION = `0x${'5c'.repeat(32)}`

/** A facilitator and a chain that take every payment at once: what is left is ours. */
export const instantPayments: PaymentPorts = {
  facilitator: {
    verify: async () => ({ isValid: true }),
    settle: async () => ({ success: true, transaction: TRANSACTION, network: NETWORK }),
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }],
      extensions: [],
      signers: {},
    }),
  },
  authorizations: { stateOf: async () => ({ state: 'used', transaction: TRANSACTION }) },
  options: [{ ...ACCEPTED, price: PRICE }],
}

const hex = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`

/** A payment of somebody new, as the official client sends it; what it is signed with, the facilitator above does not look at. */
export const newPayment = (): { readonly 'payment-signature': string } => {
  const authorization = {
    from: hex(20),
    to: PAYEE,
    value: PRICE.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1_000) + ACCEPTED.maxTimeoutSeconds),
    nonce: hex(32),
  }
  const payment = {
    x402Version: 2,
    payload: { signature: hex(65), authorization },
    accepted: { ...ACCEPTED, ...PRICE },
  }
  return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
}
