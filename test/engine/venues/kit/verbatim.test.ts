import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verbatim } from '../../../../engine/venues/kit/verbatim.ts'

const ODD = '{ "10": 1.0, "2":123456789012345678901234567890 ,"a\\u003c" : [1e3, {"x":"}]\\\\\\""}],\n"b":null}'

test.each([
  ['its own spelling', ` { "x":"\\"data\\":", "d\\u0061ta" : { "x":[{"route":1}], "route" : ${ODD} , "y":"," } } `, ODD],
  ['the last of two', '{"data":{"route":1,"route":2}}', '2'],
  ['null when it is deeper', '{"data":{"a":{"route":1}}}', null],
  ['null in a list', '{"data":[{"route":1}]}', null],
])('a member of a JSON text has %s', (_what, json, found) => {
  expect(verbatim(json, ['data', 'route'])).toBe(found)
})

test('a member of a JSON text is found beside any other member', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), fc.constantFrom('', ' ', '\n\t'), (value, other, space) => {
      const json = `{${space}"before"${space}:${other},${space}"it":${space}${value}${space},"after":${space}${other}}`
      expect([verbatim(json, ['it']), verbatim(json, ['after'])]).toEqual([value.trim(), other.trim()])
    }),
  )
})
