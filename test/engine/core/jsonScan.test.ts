import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonScan, type JsonBounds } from '../../../engine/core/jsonScan.ts'

const membersOf = (value: unknown): readonly unknown[] | null =>
  typeof value === 'object' && value !== null ? Object.values(value) : null
const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)
const depthOf = (value: unknown): number => (membersOf(value) ? 1 + Math.max(0, ...(membersOf(value) ?? []).map(depthOf)) : 0)
const countOf = (value: unknown): number => 1 + (membersOf(value)?.length === 0 ? 1 : sum((membersOf(value) ?? []).map(countOf)))

test('scan of JSON: depth and values of any text, in pieces of any size, are those of the value it parses to', () => {
  const text = fc.array(fc.constantFrom('{', '[', ']', '}', ',', '"', '\\', 'ü', '😀')).map((letters) => letters.join(''))
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'medium' }, text, fc.integer(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value')),
    object: fc.dictionary(text, tie('value')),
  })).value
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 2), fc.integer({ min: 1, max: 9 }), (value, indent, size) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent))
      const scan = (bounds: JsonBounds) => {
        const read = createJsonScan(bounds)
        let excess: ReturnType<typeof read> = null
        for (let at = 0; at < bytes.length && excess === null; at += size) excess = read(bytes.subarray(at, at + size))
        return excess
      }
      const [depthMax, valuesMax] = [depthOf(value), countOf(value)]
      expect(scan({ depthMax, valuesMax })).toBeNull()
      expect(scan({ depthMax, valuesMax: valuesMax - 1 })).toBe('values')
      if (depthMax > 0) expect(scan({ depthMax: depthMax - 1, valuesMax })).toBe('depth')
    }),
  )
})
