import { ExactEvmScheme } from '@x402/evm/exact/server'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { expect, it } from 'vitest'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { createPaymentOptions, PaymentOptionsError, priceIn } from '../../../engine/x402/paymentOptions.ts'

const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const SOLANA_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const [base] = PAYMENT_ASSETS

it.each(PAYMENT_ASSETS)(
  'price: a call costs 0.001 dollars on $network, as the official server writes it [x402-price]',
  async ({ network }) => {
    const isSolana = network.startsWith('solana:')
    const official = isSolana ? new ExactSvmScheme() : new ExactEvmScheme()
    const [option] = createPaymentOptions({ payTo: { evm: EVM, solana: SOLANA }, networks: [network], lifetimeSec: 300 })
    const price = { extra: {}, ...(await official.parsePrice('$0.001', network)) }
    expect(option).toEqual({ scheme: 'exact', network, maxTimeoutSeconds: 300, payTo: isSolana ? SOLANA : EVM, price })
    expect(option?.price.amount).toBe('1000')
  },
)

it('price: is a whole number of smallest units, or the start stops', () => {
  const coin = { ...(base as NonNullable<typeof base>) }
  expect(priceIn({ ...coin, decimals: 18 })).toBe('1000000000000000')
  expect(priceIn({ ...coin, decimals: 3 })).toBe('1')
  expect(() => priceIn({ ...coin, decimals: 2 })).toThrow(PaymentOptionsError)
  expect(() => priceIn(coin, { units: 1n, decimals: 7 })).toThrow(PaymentOptionsError)
  expect(() => priceIn(coin, { units: 19_999n, decimals: 7 })).toThrow('no whole number')
  expect(() => priceIn(coin, { units: 0n, decimals: 6 })).toThrow(PaymentOptionsError)
})

it('price: is offered in the order of the networks, and only where a coin is accepted and a payee is set', () => {
  const optionsOn = (...networks: readonly string[]) =>
    createPaymentOptions({ payTo: { evm: EVM, solana: null }, networks, lifetimeSec: 300 }).map(({ network }) => network)
  expect(optionsOn('eip155:42161', 'eip155:8453')).toEqual(['eip155:42161', 'eip155:8453'])
  expect(optionsOn()).toEqual([])
  expect(() => optionsOn('eip155:56')).toThrow('only on eip155:8453')
  expect(() => optionsOn(SOLANA_NETWORK)).toThrow('nobody is to be paid')
})
