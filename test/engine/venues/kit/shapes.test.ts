import { expect, test } from 'vitest'
import { amount, closed, count, evmAddress, list, object, orNull, shape, text } from '../../../../engine/venues/kit/shapes.ts'

const swap = shape(
  'swap',
  object(
    { id: text({ maxLength: 4 }), paid: amount, to: evmAddress },
    { legs: list(closed({ bps: count(10_000) })), note: orNull(text()) },
  ),
)

const GOOD = { id: 'a', paid: '1', to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }

test('a shape reads a value unchanged, with fields that it does not name', () => {
  const whole = { ...GOOD, more: 1, legs: [{ bps: 10_000 }], note: null }
  expect(swap.read(whole)).toBe(whole)
})

test.each([
  ['a field left out', { id: 'a', to: GOOD.to }, 'swap: / must have required property'],
  ['a text that is too long', { ...GOOD, id: 'secret' }, 'swap: /id must NOT have more than 4'],
  ['an amount with a sign', { ...GOOD, paid: '-1' }, 'swap: /paid must match format'],
  ['an amount with a leading zero', { ...GOOD, paid: '01' }, 'swap: /paid must match format'],
  ['an amount of 2^256', { ...GOOD, paid: `${1n << 256n}` }, 'swap: /paid must match format'],
  ['a number for an amount', { ...GOOD, paid: 1 }, 'swap: /paid must be string'],
  ['a short address', { ...GOOD, to: '0x12' }, 'swap: /to must match pattern'],
  ['more than the most', { ...GOOD, legs: [{ bps: 10_001 }] }, 'swap: /legs/0/bps must be <= 10000'],
  ['another field in a closed object', { ...GOOD, legs: [{ bps: 3, more: 1 }] }, 'swap: /legs/0 must NOT have additional'],
])('a shape rejects %s by place and rule, without the value', (_what, value, message) => {
  expect(swap.readOrNull(value)).toBeNull()
  expect(() => swap.read(value)).toThrow(
    expect.objectContaining({ name: 'VenueError', message: expect.stringContaining(message) }),
  )
  expect(() => swap.read(value)).not.toThrow(/secret|0x12|-1/)
})
