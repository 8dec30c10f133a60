import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { gasCost } from '../../../engine/quoting/gasCost.ts'
import { anOrder } from '../../support/anOrder.ts'

describe('what a wallet must hold', () => {
  it('is not known where a node tells a fee price that cannot be true: the quote is served all the same', () => {
    const token = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
    const order = anOrder({ from: [1, token], to: [8453, token], amount: 1n })
    const offer = { executionType: 'TRANSACTION', gasUnits: 250_000n, nativeFee: toAmount(0n) } as const
    const costAt = (feePrice: bigint) => gasCost(order, offer, { feePrice, nativeUsd: '3000' })
    expect(costAt(2n)?.native).toBe(500_000n)
    expect(costAt(2n ** 250n)).toBeNull()
  })
})
