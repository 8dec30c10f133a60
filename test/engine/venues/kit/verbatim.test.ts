import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verbatim } from '../../../../engine/venues/kit/verbatim.ts'

const ODD = '{ "10": 1.0, "2":123456789012345678901234567890 ,"a\\u003c" : [1e3, {"x":"}]\\\\\\""}],\n"b":null}'

test.each([
  `{"data":{"route":${ODD}}}`,
  ` { "data" : { "x":[{"route":1}], "route" : ${ODD} , "y":"," } } `,
  `{"other":"\\"data\\":","d\\u0061ta":{"route":${ODD}}}`,
])('a member of a JSON text has its own spelling: %s', (json) => {
  expect(verbatim(json, ['data', 'route'])).toBe(ODD)
})

test.each([
  ['the last of two', '{"a":1,"a":2}', ['a'], '2'],
  ['null when it is deeper', '{"a":{"b":1}}', ['b'], null],
  ['null in a list', '[{"a":1}]', ['a'], null],
  ['null in an empty object', '{}', ['a'], null],
  ['null in a value', '{"a":true}', ['a', 'b'], null],
])('a member of a JSON text is %s', (_what, json, path, found) => {
  expect(verbatim(json, path)).toBe(found)
})

test('a member of a JSON text is found beside any other member', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), fc.constantFrom('', ' ', '\n\t'), (value, other, space) => {
      const json = `{${space}"before"${space}:${other},${space}"it":${space}${value}${space},"after":${space}${other}}`
      expect(verbatim(json, ['it'])).toBe(value.trim())
      expect(verbatim(json, ['after'])).toBe(other.trim())
    }),
  )
})
