import { expect, it } from 'vitest'
import { anything, tells } from '../../../engine/chains/tells.ts'

const event = { id: 7n, to: '0x12', sums: { paid: 5n, fee: 1 } }
const due = { id: 7n, to: '0x12', sums: { paid: 5n, fee: anything } }
const { id: _id, ...withoutId } = due
it.each<[string, boolean, unknown]>([
  ['equal values, or any', true, due],
  ['a check that returns true', true, { ...due, id: (id: bigint) => id > 6n }],
  ['a check that returns 1', false, { ...due, id: () => 1 }],
  ['a value of another type', false, { ...due, id: 7 }],
  ['another value inside', false, { ...due, sums: { paid: 6n, fee: anything } }],
  ['no requirement for a field', false, withoutId],
  ['a field that the event lacks', false, { ...due, more: anything }],
  ['a value in place of a struct', false, { ...due, sums: 5n }],
])('event fields: match %s: %j', (_what, expected, required) => {
  expect(tells<unknown>(event, required as never)).toBe(expected)
})
