import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bpsOf, MAX_AMOUNT, parseAmount, toAmount } from '../../../engine/core/amount.ts'

const amounts = fc.bigInt({ min: 0n, max: MAX_AMOUNT })

it('amount: a decimal integer as text is read exactly, and every other form of the same number is rejected [quote-amount-text-only]', () => {
  fc.assert(
    fc.property(amounts, (value) => {
      expect(parseAmount(`${value}`)).toBe(value)
      const [hex, binary] = [`0x${value.toString(16)}`, `0b${value.toString(2)}`]
      const forms = [`0${value}`, `+${value}`, `-${value}`, ` ${value}`, `${value} `, `${value}\n`, `${value}.0`, `${value}.`]
      for (const other of [...forms, `${value}n`, `${value}e0`, hex, binary]) expect(parseAmount(other)).toBeNull()
    }),
  )
  for (const value of [1, 1n, 0, Number.NaN, true, null, undefined, {}, ['1'], new String('1'), '', '\u0661', '１', '1_000'])
    expect(parseAmount(value)).toBeNull()
})

it('amount: the largest is 2^256 - 1', () => {
  expect(MAX_AMOUNT).toBe(BigInt(`0x${'ff'.repeat(32)}`))
  expect(parseAmount(`${MAX_AMOUNT}`)).toBe(MAX_AMOUNT)
  for (const text of [`${MAX_AMOUNT + 1n}`, '9'.repeat(78), '1'.repeat(100_000)]) expect(parseAmount(text)).toBeNull()
  expect(toAmount(MAX_AMOUNT)).toBe(MAX_AMOUNT)
  for (const value of [MAX_AMOUNT + 1n, -1n]) expect(() => toAmount(value)).toThrow(RangeError)
})

it('amount: a share in basis points is rounded down, by less than one unit', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
      const fee = bpsOf(amount, bps)
      expect(fee * 10_000n <= amount * BigInt(bps) && (fee + 1n) * 10_000n > amount * BigInt(bps)).toBe(true)
    }),
  )
  expect(() => bpsOf(1n, 0.5)).toThrow(RangeError)
})
