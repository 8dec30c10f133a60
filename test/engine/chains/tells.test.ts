import { describe, expect, test } from 'vitest'
import { anything, tells } from '../../../engine/chains/tells.ts'

const TOLD = { id: 7n, to: '0x12', sums: { paid: 5n, fee: 1 }, parts: [1n, 2n] }
const DUE = { id: 7n, to: '0x12', sums: { paid: 5n, fee: anything }, parts: [1n, 2n] }

describe('an event tells what is due', () => {
  test('where every field is as it must be, by its value or by a judgement of it', () => {
    expect(tells(TOLD, DUE)).toBe(true)
    expect(tells(TOLD, { ...DUE, id: (id: bigint) => id > 6n })).toBe(true)
    expect(tells(TOLD, { ...DUE, sums: { paid: 5n, fee: 1 } })).toBe(true)
  })

  test.each<[string, unknown]>([
    ['another value', { ...DUE, id: 8n }],
    ['a value of another type', { ...DUE, id: 7 }],
    ['a judgement against it', { ...DUE, id: (id: bigint) => id > 7n }],
    ['a judgement that is no yes', { ...DUE, id: () => 1 }],
    ['another value inside', { ...DUE, sums: { paid: 6n, fee: anything } }],
    ['a field that nobody said what it must be', { to: '0x12', sums: DUE.sums, parts: DUE.parts }],
    ['such a field inside', { ...DUE, sums: { paid: 5n } }],
    ['a field more than are told', { ...DUE, more: anything }],
    ['a struct for a value', { ...DUE, to: { 0: '0x12' } }],
    ['a value for a struct', { ...DUE, sums: 5n }],
    ['a list of other length', { ...DUE, parts: [1n] }],
    ['nothing', null],
  ])('and does not by %s', (_what, due) => {
    expect(tells<unknown>(TOLD, due as never)).toBe(false)
  })
})
