import { invalidRequest } from '../../engine/errors.ts'
import type { ContractOperation } from './contract.ts'

/**
 * A query parameter as the validators get it: text, or what no schema takes. A parameter given twice is a list, and an
 * integer in a spelling other than its canonical one is an object, because ajv would coerce `0x1` and `1.0` to 1.
 */
export type QueryValue = string | readonly string[] | { readonly notCanonical: string }

type Query = { readonly [name: string]: QueryValue }

const CANONICAL_INTEGER = /^(0|-?[1-9][0-9]*)$/
const NO_QUERY: Query = Object.freeze({})

/** The names of the integer query parameters of an operation whose references were resolved. */
export const integerParametersOf = ({ parameters = [] }: ContractOperation): ReadonlySet<string> => {
  const names = parameters.flatMap((parameter) => {
    if ('$ref' in parameter || parameter.in !== 'query' || !parameter.schema || '$ref' in parameter.schema) return []
    return parameter.schema.type === 'integer' ? [parameter.name] : []
  })
  return new Set(names)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw invalidRequest([{ path: 'query', reason: 'is not valid percent-encoded UTF-8' }], cause)
  }
}

/** Reads a query string. Throws INVALID_REQUEST where it cannot be decoded. */
export const parseQuery = (search: string, integerParameters: ReadonlySet<string>): Query => {
  if (search === '') return NO_QUERY
  const values = new Map<string, QueryValue>()
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (values.has(name)) values.set(name, [value])
    else values.set(name, integerParameters.has(name) && !CANONICAL_INTEGER.test(value) ? { notCanonical: value } : value)
  }
  // fromEntries defines own properties, so a parameter called __proto__ is one more unknown name.
  return Object.fromEntries(values)
}
