import { ExactEvmScheme } from '@x402/evm/exact/server'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { expect, it } from 'vitest'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { createPaymentOptions, PaymentOptionsError, priceIn } from '../../../engine/x402/paymentOptions.ts'

const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
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
  for (const units of [19_999n, 0n]) expect(() => priceIn(coin, { units, decimals: 7 })).toThrow(PaymentOptionsError)
})

it('price: the payments are offered in the order of the networks', () => {
  const networks = PAYMENT_ASSETS.map(({ network }) => network).toReversed()
  const options = createPaymentOptions({ payTo: { evm: EVM, solana: SOLANA }, networks, lifetimeSec: 300 })
  expect(options.map(({ network }) => network)).toEqual(networks)
})

it('price: the start stops for a network without a coin that is accepted, or without a payee', () => {
  const optionsOn = (network: string) =>
    createPaymentOptions({ payTo: { evm: EVM, solana: null }, networks: [network], lifetimeSec: 300 })
  expect(() => optionsOn('eip155:56')).toThrow('only on eip155:8453')
  expect(() => optionsOn('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toThrow('nobody is to be paid')
})
