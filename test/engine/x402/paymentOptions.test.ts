import { ExactEvmScheme } from '@x402/evm/exact/server'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { describe, expect, it } from 'vitest'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { createPaymentOptions, PaymentOptionsError, priceIn } from '../../../engine/x402/paymentOptions.ts'

const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const SOLANA_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const [base] = PAYMENT_ASSETS

describe('what a call costs', () => {
  it.each(PAYMENT_ASSETS)('is 0.001 dollars on $network, as the official server spells it [x402-price]', async ({ network }) => {
    const official = network.startsWith('solana:') ? new ExactSvmScheme() : new ExactEvmScheme()
    const [option] = createPaymentOptions({ payTo: { evm: EVM, solana: SOLANA }, networks: [network], lifetimeSec: 300 })
    expect(option).toMatchObject({ scheme: 'exact', network, maxTimeoutSeconds: 300 })
    expect(option?.payTo).toBe(network.startsWith('solana:') ? SOLANA : EVM)
    expect(option?.price).toEqual({ extra: {}, ...(await official.parsePrice('$0.001', network)) })
    expect(option?.price.amount).toBe('1000')
  })

  it('is a whole number of smallest units, or nothing starts', () => {
    const coin = { ...(base as NonNullable<typeof base>) }
    expect(priceIn({ ...coin, decimals: 18 })).toBe('1000000000000000')
    expect(priceIn({ ...coin, decimals: 3 })).toBe('1')
    expect(() => priceIn({ ...coin, decimals: 2 })).toThrow(PaymentOptionsError)
    expect(() => priceIn(coin, { units: 1n, decimals: 7 })).toThrow(PaymentOptionsError)
    expect(() => priceIn(coin, { units: 19_999n, decimals: 7 })).toThrow('no whole number')
    expect(() => priceIn(coin, { units: 0n, decimals: 6 })).toThrow(PaymentOptionsError)
  })

  it('is asked in the order of the networks, and of those only that something is accepted on', () => {
    const payTo = { evm: EVM, solana: null }
    const networks = ['eip155:42161', 'eip155:8453']
    expect(createPaymentOptions({ payTo, networks, lifetimeSec: 300 }).map(({ network }) => network)).toEqual(networks)
    expect(createPaymentOptions({ payTo, networks: [], lifetimeSec: 300 })).toEqual([])
    expect(() => createPaymentOptions({ payTo, networks: ['eip155:56'], lifetimeSec: 300 })).toThrow('only on eip155:8453')
    expect(() => createPaymentOptions({ payTo, networks: [SOLANA_NETWORK], lifetimeSec: 300 })).toThrow('nobody is to be paid')
  })
})
