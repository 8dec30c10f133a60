import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verbatim } from '../../../../engine/venues/kit/verbatim.ts'

const ODD = '{ "10": 1.0, "2":123456789012345678901234567890 ,"a\\u003c" : [1e3, {"x":"}]\\\\\\""}],\n"b":null}'

describe('a member of a text that is JSON', () => {
  test('is found as it stands, with its numbers, escapes, spaces and order', () => {
    for (const told of [
      `{"data":{"route":${ODD}}}`,
      ` { "data" : { "x":[{"route":1}], "route" : ${ODD} , "y":"," } } `,
      `{"other":"\\"data\\":","d\\u0061ta":{"route":${ODD}}}`,
    ]) {
      expect(verbatim(told, ['data', 'route'])).toBe(ODD)
      expect(JSON.parse(told)).toMatchObject({ data: { route: JSON.parse(ODD) } })
    }
  })

  test('is the last of two, as JSON.parse reads them, and none where there is none', () => {
    expect(verbatim('{"a":1,"a":2}', ['a'])).toBe('2')
    expect(verbatim('{"a":{"b":1}}', ['b'])).toBeNull()
    expect(verbatim('[{"a":1}]', ['a'])).toBeNull()
    expect(verbatim('{}', ['a'])).toBeNull()
    expect(verbatim('{"a":true}', ['a', 'b'])).toBeNull()
  })

  test('is read as JSON.parse reads it, whatever is beside it', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.constantFrom('', ' ', '\n\t'), (value, other, space) => {
        const told = `{${space}"before"${space}:${other},${space}"it":${space}${value}${space},"after":${space}${other}}`
        expect(verbatim(told, ['it'])).toBe(value.trim())
        expect(verbatim(told, ['after'])).toBe(other.trim())
      }),
    )
  })
})
