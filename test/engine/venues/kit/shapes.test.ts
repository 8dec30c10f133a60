import { expect, expectTypeOf, test } from 'vitest'
import {
  amount,
  closed,
  count,
  evmAddress,
  list,
  literal,
  object,
  orNull,
  record,
  type Static,
  shape,
  text,
} from '../../../../engine/venues/kit/shapes.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'

const swap = shape(
  'swap',
  object(
    { id: text({ maxLength: 4 }), paid: amount, to: evmAddress },
    { legs: list(closed({ v: literal(1), bps: count(10_000) })), note: orNull(text()), usd: record(text()) },
  ),
)

const GOOD = { id: 'a', paid: '1', to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }

test('a shape reads a value unchanged, with the type of its schema', () => {
  expectTypeOf<Static<typeof swap>>().toEqualTypeOf<
    { readonly id: string; readonly paid: string; readonly to: string } & {
      readonly legs?: readonly ({ readonly v: 1; readonly bps: number } & Record<never, never>)[]
      readonly note?: string | null
      readonly usd?: { readonly [name: string]: string }
    }
  >()
  const whole = { ...GOOD, more: 1, legs: [{ v: 1, bps: 3 }], note: null }
  expect(swap.read(whole)).toBe(whole)
  expect(swap.readOrNull(GOOD)).toBe(GOOD)
})

test.each([
  ['a field left out', { id: 'a', to: GOOD.to }, 'swap: / must have required property'],
  ['a text that is too long', { ...GOOD, id: 'secret' }, 'swap: /id must NOT have more than 4'],
  ['an amount with a sign', { ...GOOD, paid: '-1' }, 'swap: /paid must match format'],
  ['an amount with a leading zero', { ...GOOD, paid: '01' }, 'swap: /paid must match format'],
  ['an amount of 2^256', { ...GOOD, paid: `${1n << 256n}` }, 'swap: /paid must match format'],
  ['a number for an amount', { ...GOOD, paid: 1 }, 'swap: /paid must be string'],
  ['a short address', { ...GOOD, to: '0x12' }, 'swap: /to must match pattern'],
  ['another version', { ...GOOD, legs: [{ v: 2, bps: 3 }] }, 'swap: /legs/0/v must be equal to constant'],
  ['more than the most', { ...GOOD, legs: [{ v: 1, bps: 10_001 }] }, 'swap: /legs/0/bps must be <= 10000'],
  ['half a basis point', { ...GOOD, legs: [{ v: 1, bps: 0.5 }] }, 'swap: /legs/0/bps must be integer'],
  ['another field in a closed object', { ...GOOD, legs: [{ v: 1, bps: 3, more: 1 }] }, 'swap: /legs/0 must NOT have additional'],
  ['a number for text or null', { ...GOOD, note: 1 }, 'swap: /note must be string'],
  ['no object', 'swap', 'swap: / must be object'],
])('a shape rejects %s by place and rule, without the value', (_what, value, message) => {
  expect(swap.readOrNull(value)).toBeNull()
  expect(() => swap.read(value)).toThrow(VenueError)
  expect(() => swap.read(value)).toThrow(message)
  expect(() => swap.read(value)).not.toThrow(/secret|0x12|-1/)
})
