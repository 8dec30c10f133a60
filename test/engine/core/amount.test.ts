import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bpsOf, MAX_AMOUNT, parseAmount, toAmount } from '../../../engine/core/amount.ts'

describe('an amount', () => {
  it('is read from its decimal digits and from nothing else that means the same number [quote-amount-text-only]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), (value) => {
        const text = value.toString()
        expect(parseAmount(text)).toBe(value)
        for (const other of [
          `0${text}`,
          `+${text}`,
          `-${text}`,
          ` ${text}`,
          `${text} `,
          `${text}\n`,
          `${text}.0`,
          `${text}.`,
          `${text}n`,
          `${text}e0`,
          `0x${value.toString(16)}`,
          `0b${value.toString(2)}`,
        ])
          expect(parseAmount(other)).toBeNull()
      }),
    )
  })

  it('is exactly what matches 0 or a digit string without a leading zero up to 2^256 - 1 [quote-amount-text-only]', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,80}$/), fc.stringMatching(/^[0-9 .e+-]{1,20}$/)), (text) => {
        const isAmount = /^(0|[1-9][0-9]*)$/.test(text) && BigInt(text) <= MAX_AMOUNT
        expect(parseAmount(text)).toBe(isAmount ? BigInt(text) : null)
      }),
      { numRuns: 1_000 },
    )
  })

  it('ends at 2^256 - 1', () => {
    expect(MAX_AMOUNT).toBe(BigInt(`0x${'ff'.repeat(32)}`))
    expect(parseAmount(MAX_AMOUNT.toString())).toBe(MAX_AMOUNT)
    expect(parseAmount((MAX_AMOUNT + 1n).toString())).toBeNull()
    expect(parseAmount('9'.repeat(78))).toBeNull()
    expect(parseAmount('1'.repeat(100_000))).toBeNull()
    expect(toAmount(MAX_AMOUNT)).toBe(MAX_AMOUNT)
    expect(() => toAmount(MAX_AMOUNT + 1n)).toThrow(RangeError)
    expect(() => toAmount(-1n)).toThrow(RangeError)
  })

  it('is never a number, a bigint or any other thing', () => {
    for (const value of [1, 1n, 0, Number.NaN, true, null, undefined, {}, ['1'], new String('1'), '', '\u0661', '１', '1_000'])
      expect(parseAmount(value)).toBeNull()
  })

  it('keeps every unit when a fee is taken from it, rounded down', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
        const fee = bpsOf(amount, bps)
        expect(fee * 10_000n <= amount * BigInt(bps) && (fee + 1n) * 10_000n > amount * BigInt(bps)).toBe(true)
      }),
    )
    expect(() => bpsOf(1n, 0.5)).toThrow(RangeError)
  })
})
